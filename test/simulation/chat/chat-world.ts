import type { TickRules } from '#actors/chat/dispatch-queue.js'
import type { Config } from '#protocol/host/config.js'
import { readConfig } from '#src/domain/config/read-config.js'
import type { DispatchRules } from '#src/domain/dispatch/check-dispatch.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { type VirtualClock, virtualClock } from '#test/support/kernel/virtual-clock.js'
import { type HearLine, openTrace, type Trace } from '../node/trace.js'
import { type Climate, type Life, openWeather, type Weather } from '../node/weather.js'
import { startChatHost, type WorkerHost } from './chat-host.js'
import { openAnswerCheck } from './checks/check-answers.js'
import { openOutboxCheck } from './checks/check-outbox.js'
import { openQueueCheck } from './checks/check-queue.js'
import { openReceiptCheck } from './checks/check-receipt.js'
import { openChatDisk } from './model/chat-disk.js'
import { type ChatPlatform, openPlatform } from './model/chat-platform.js'
import { type KeyedBranch, openBranch } from './model/keyed-branch.js'

/** Two hosts that the worker of the chat may reach, with the platform and the branch that both share. */
export interface ChatWorld {
  readonly seed: number
  readonly clock: VirtualClock
  /** Wall time in whole milliseconds, as a host and the worker read it. */
  readonly nowMs: () => number
  readonly trace: Trace
  readonly weather: Weather
  readonly config: Config
  readonly rules: DispatchRules
  readonly tickRules: TickRules
  readonly attemptsMax: number
  readonly branch: KeyedBranch
  readonly platform: ChatPlatform
  readonly checks: ReturnType<typeof openChecks>
  readonly hosts: ReadonlyArray<WorkerHost>
  /** The host that the worker's address leads to. */
  readonly apex: () => WorkerHost
  readonly moveApex: () => void
  readonly sleep: (ms: number) => Promise<void>
  /** While it is closed, a process that ends is not started again. */
  readonly setDark: (isDark: boolean) => void
  readonly crash: (host: WorkerHost) => void
  readonly settle: () => Promise<void>
  readonly close: () => void
}

const startMs = Date.UTC(2026, 0, 1)
/** The time of the world that is 0 on its monotonic clock. */
export const originMs = startMs

export const channels = [
  { id: '11', name: 'kronika' },
  { id: '12', name: 'ogłoszenia' },
  { id: '13', name: 'dozór' },
]

const attemptsMax = 3
const rules: DispatchRules = { windowMs: 5_000, nearDeadlineMs: 3_000 }

const openChecks = (parts: {
  readonly trace: Trace
  readonly clock: VirtualClock
  readonly branch: KeyedBranch
  readonly platform: ChatPlatform
  readonly weather: Weather
}) => {
  const { trace, weather, clock, branch, platform } = parts
  return {
    receipt: openReceiptCheck(trace, rules, clock.monotonicMs),
    queue: openQueueCheck({ trace, branch, nowMs: clock.nowMs, attemptsMax }),
    answers: openAnswerCheck(trace, weather, clock.monotonicMs),
    outbox: openOutboxCheck(trace, platform),
  }
}

const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const hostOf = (name: string): WorkerHost => ({
  name,
  disk: openChatDisk(),
  lives: 0,
  closedArm: null,
  soundSinceMs: 0,
  running: null,
})

export const openChatWorld = (seed: number, climate: Climate, hear?: HearLine): ChatWorld => {
  const clock = virtualClock(startMs)
  const { chance } = entropyFromSeed(seed)
  const trace = openTrace(clock.monotonicMs, hear)
  const hosts = ['Enroth', 'Deyja'].map(hostOf)
  let [isDark, apexAt] = [false, 0]
  const endLife = (life: Life): void => {
    const host = hosts.find(({ name }) => name === life.host)
    if (life.isOver || host === undefined) return
    life.isOver = true
    world.checks.queue.onCrash(host)
    host.running?.tree.close()
    host.running = null
    host.soundSinceMs = Infinity
    if (isDark) return
    const downMs = weather.mishap(0.2) ? weather.between(10_000, 180_000) : weather.between(10, 3_000)
    clock.after(downMs, () => {
      if (!isDark && host.running === null) startChatHost(world, host)
    })
  }
  const weather = openWeather({ clock, chance, trace, climate, onCrash: endLife })
  const branch = openBranch(trace)
  const platform = openPlatform({ clock, weather, trace, channels })
  const world: ChatWorld = {
    seed,
    clock,
    nowMs: () => Math.floor(clock.nowMs()),
    trace,
    weather,
    config: {
      ...readConfig(null).config,
      'integrations.chat.api_url': 'http://127.0.0.1:9/api',
      'integrations.chat.guild_id': '900',
    },
    rules,
    tickRules: { attemptsMax: weather.between(1, 3), budgetMs: 2_000 },
    attemptsMax,
    branch,
    platform,
    checks: openChecks({ trace, weather, clock, branch, platform }),
    hosts,
    apex: () => hosts[apexAt] ?? hostOf('none'),
    moveApex: () => {
      apexAt = 1 - apexAt
      trace.say(`the apex is ${hosts[apexAt]?.name ?? ''}`)
    },
    sleep: ms => new Promise(resolve => void clock.after(ms, resolve)),
    setDark: dark => {
      isDark = dark
    },
    crash: host => {
      if (host.running !== null) endLife(host.running.life)
    },
    settle: async () => {
      await oneTurn()
      for (const { running } of hosts) await running?.kernel.settle()
    },
    close: () => {
      for (const { running, disk } of hosts) {
        running?.tree.close()
        disk.close()
      }
    },
  }
  return world
}
