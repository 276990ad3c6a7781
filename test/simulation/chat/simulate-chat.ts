import { settledOf } from '#src/kernel/actor/tally.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import type { SimulationOutcome } from '../node/simulate.js'
import type { HearLine } from '../node/trace.js'
import type { Climate } from '../node/weather.js'
import { startChatHost, type WorkerHost } from './chat-host.js'
import { type ChatWorld, channels, openChatWorld, originMs } from './chat-world.js'
import { categoryName } from './model/chat-platform.js'
import { beginInteraction, type Forwarded, forward, forwardAgain } from './worker.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const troubleMs = 12 * minuteMs
/** The holds of a channel or a token end after 10 minutes, the tokens of interactions after 15. */
const calmMs = 32 * minuteMs
const tailLines = 120
/** Messages of one actor that may be under way when the world is looked at. */
const underWayMost = 3

/** Some seeds are kind, so that plain work is seen too. */
const climateOf = (chance: () => number): Climate => ({
  crash: chance() < 0.25 ? 0 : chance() * 0.015,
  disk: chance() < 0.5 ? 0 : 0.02,
  link: chance() < 0.5 ? 0 : 0.02,
  fault: 0,
})

const look = ({ hosts, weather, clock, checks }: ChatWorld): void => {
  for (const host of hosts) {
    if (host.running !== null && (weather.refuses(host.name) || weather.isCut(host.name)))
      host.soundSinceMs = clock.monotonicMs()
    checks.queue.look(host, originMs, checks.receipt.count(host.name))
    checks.outbox.look(host)
  }
}

/** A host says something in a channel. A disk that refuses queues nothing. */
const say = ({ weather, checks }: ChatWorld, host: WorkerHost, text: string): void => {
  const channel = channels[weather.between(0, channels.length - 1)]?.name ?? ''
  const { running } = host
  if (running === null) return
  try {
    const id = running.outbox.post({
      operation: 'message',
      category: categoryName,
      channel,
      entity: null,
      text,
    })
    if (id !== null && !running.life.isOver) checks.outbox.onQueued(host, text)
  } catch {
    return
  }
}

const takeTurn = (world: ChatWorld, sent: Array<Forwarded>, number: number): void => {
  const { weather, hosts, trace, branch } = world
  if (weather.happens(0.35)) {
    const forwarded = beginInteraction(world, number)
    sent.push(forwarded)
    void forward(world, forwarded)
  }
  if (weather.happens(0.06)) {
    const again = sent[weather.between(0, Math.max(0, sent.length - 1))]
    if (again !== undefined) void forwardAgain(world, again)
  }
  for (const host of hosts) {
    if (weather.happens(0.12)) say(world, host, `${host.name} ${number}`)
    if (weather.happens(host.closedArm === null ? 0.02 : 0.06)) {
      host.closedArm = host.closedArm === null ? 'SyncStale' : null
      trace.say(`${host.name} has its gate ${host.closedArm === null ? 'open' : 'closed'}`)
    }
  }
  if (weather.happens(0.2)) branch.move()
  if (weather.happens(0.01)) world.moveApex()
  weather.turn(hosts.map(({ name }) => name))
}

/** No process runs for a day or most of one; then the worker forwards again what it has. */
const runDarkDay = async (world: ChatWorld, sent: ReadonlyArray<Forwarded>): Promise<void> => {
  const { clock, hosts, settle, weather, trace } = world
  world.setDark(true)
  for (const host of hosts) world.crash(host)
  await clock.advance(weather.between(18, 27) * hourMs, settle)
  world.setDark(false)
  trace.say('the day is over')
  for (const host of hosts) startChatHost(world, host)
  for (const one of sent) if (weather.happens(0.3)) void forwardAgain(world, one)
  for (let turns = 0; turns < 10; turns += 1) {
    await clock.advance(2_000, settle)
    look(world)
  }
}

const checkRest = (world: ChatWorld): void => {
  const { hosts, trace, checks } = world
  for (const host of hosts) {
    const { name, running } = host
    if (running === null) return trace.violation(`${name} does not run (L4)`)
    checks.queue.atRest(host)
    checks.outbox.atRest(host)
    for (const { actor, state } of running.kernel.readings())
      if (state === 'stopped') trace.violation(`${name} gave up ${actor} (S33)`)
    for (const [actor, tally] of running.kernel.tallies())
      if (settledOf(tally) > tally.sent || tally.sent - settledOf(tally) > underWayMost)
        trace.violation(`${name}: ${actor} got ${tally.sent} messages and settled ${settledOf(tally)} (S33)`)
  }
}

const runCalm = async (world: ChatWorld): Promise<void> => {
  const { clock, hosts, settle, weather } = world
  weather.calm()
  for (const host of hosts) host.closedArm = null
  const untilMs = clock.monotonicMs() + calmMs
  while (clock.monotonicMs() < untilMs && world.trace.violations.length === 0) {
    await clock.advance(minuteMs, settle)
    look(world)
  }
  checkRest(world)
}

const runTrouble = async (world: ChatWorld): Promise<ReadonlyArray<Forwarded>> => {
  const { clock, hosts, trace, weather, settle } = world
  const sent: Array<Forwarded> = []
  for (const host of hosts) startChatHost(world, host)
  for (let number = 0; clock.monotonicMs() < troubleMs && trace.violations.length === 0; number += 1) {
    takeTurn(world, sent, number)
    await clock.advance(weather.between(200, 5_000), settle)
    look(world)
  }
  return sent
}

/** An hour of the chat, in some seeds a day. The same seed gives the same `hash`. */
export const simulateChat = async (seed: number, hear?: HearLine): Promise<SimulationOutcome> => {
  const world = openChatWorld(seed, climateOf(entropyFromSeed(seed * 5 + 2).chance), hear)
  const { trace, hosts, checks } = world
  const sent = await runTrouble(world)
  if (trace.violations.length === 0 && seed % 3 === 0) await runDarkDay(world, sent)
  if (trace.violations.length === 0) await runCalm(world)
  world.close()
  return {
    seed,
    violations: trace.violations,
    tail: trace.tail(tailLines),
    hash: trace.hash(),
    events: trace.events(),
    acked: hosts.reduce((sum, { name }) => sum + checks.receipt.count(name), 0),
    crashes: hosts.reduce((sum, { lives }) => sum + Math.max(0, lives - 1), 0),
    jobs: 0,
    converges: 0,
    marks: trace.marked,
    parked: 0,
  }
}
