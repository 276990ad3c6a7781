import type { ChatCourierPorts } from '#actors/chat/chat-courier.js'
import { type DispatchQueuePorts, enactKeyed, type KeyedPorts } from '#actors/chat/dispatch-queue.js'
import { type FollowUpPorts, type HeardAnswer, openAnswerCalls } from '#actors/chat/follow-up-courier.js'
import type { DispatchAttempt, DispatchOutcome } from '#protocol/chat/dispatch.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { type ChatLimits, noLimits } from '#src/domain/chat/limits.js'
import { parseAnswerTarget } from '#src/domain/dispatch/answer-query.js'
import type { Entropy } from '#src/kernel/entropy.js'
import { clearBefore, makeFindEffect, type WakeSignal } from '#src/node/chat/chat.js'
import { openInteractions } from '#src/node/chat/dispatch.js'
import type { Interactions } from '#src/ports/chat.js'
import type { DispatchStore, GroupCommit } from '#src/ports/records.js'
import { noMeter } from '#test/support/no-meter.js'
import type { Life } from '../node/weather.js'
import type { WorkerHost } from './chat-host.js'
import type { ChatWorld } from './chat-world.js'
import type { TickWitness } from './checks/witness-ticks.js'
import { branchEnactor } from './model/branch-enactor.js'
import { openFetchedBranch } from './model/fetched-branch.js'

export interface ChatHostParts {
  readonly world: ChatWorld
  readonly host: WorkerHost
  readonly life: Life
  readonly store: DispatchStore
  readonly groupCommit: GroupCommit
  readonly queueNowMs: () => number
  readonly entropy: Entropy
  readonly ticks: TickWitness
  /** Before the queue and before the courier of answers. */
  readonly signals: { readonly queue: WakeSignal; readonly answers: WakeSignal }
}

const never = (): Promise<never> => new Promise(() => undefined)

const enactQuery = async (
  { world, life }: ChatHostParts,
  { id }: DispatchAttempt,
): Promise<DispatchOutcome> => {
  const { weather, sleep } = world
  await sleep(weather.between(0, 60))
  if (weather.strike(life, `query ${id}`)) return never()
  if (weather.mishap(0.03)) return { _tag: 'Held', reason: 'the lore is not read yet' }
  if (weather.mishap(0.05)) throw new Error('a fault of the rules')
  if (weather.mishap(0.1)) return { _tag: 'Refused', reason: 'unlinked', answer: `Zrobione: ${id}` }
  return { _tag: 'Enacted', answer: `Zrobione: ${id}` }
}

/** The real look-up and its index over the modelled branch. */
const enactPorts = ({ world, host, life, queueNowMs }: ChatHostParts): KeyedPorts => {
  const { branch, weather, trace, sleep } = world
  const fetched = openFetchedBranch({ branch, weather, life, sleep })
  const find = makeFindEffect(fetched)
  return {
    nowMs: queueNowMs,
    findClosedArm: () => host.closedArm,
    findEffect: async (id, budgetMs, signal) => {
      const found = await find(id, budgetMs, signal)
      if (found._tag === 'Found' && branch.makerOf(id) === 'pipeline') trace.mark('the pipeline was first')
      return found
    },
    enactor: branchEnactor({ branch, weather, trace, life, sleep, fetchedVersion: fetched.version }),
  }
}

export const queuePorts = (parts: ChatHostParts, wakeFollowUps: () => boolean): DispatchQueuePorts => {
  const { world, host, life, store, groupCommit, queueNowMs, entropy, ticks, signals } = parts
  const { trace, checks } = world
  const keyed = enactPorts(parts)
  return {
    store: { ...store, begin: clearBefore(signals.queue, store.begin) },
    groupCommit,
    nowMs: queueNowMs,
    chance: entropy.chance,
    attemptsMax: world.attemptsMax,
    diskCodeOf: sqliteCode,
    refused: () => undefined,
    ticked: () => undefined,
    enact: async (attempt, budgetMs, signal) => {
      checks.queue.onAttempt(host, life, attempt)
      ticks.begin(attempt.id)
      try {
        const outcome = await (attempt.kind === 'query'
          ? enactQuery(parts, attempt)
          : enactKeyed(keyed, attempt, budgetMs, signal))
        checks.queue.onOutcome(host, attempt, outcome)
        return outcome
      } finally {
        ticks.end(attempt.id)
      }
    },
    ended: (id, _kind, _attempts, end) => {
      trace.say(`${host.name} ${id} ${end.state} ${end.reason ?? ''}`)
      signals.answers.raise(wakeFollowUps)
    },
  }
}

export const followUpPortsOf = (
  { world, host, life, store, groupCommit, queueNowMs, signals }: ChatHostParts,
  tell: (heard: HeardAnswer) => Promise<boolean>,
): FollowUpPorts => {
  const { platform, trace, checks } = world
  const calls = openAnswerCalls({
    store: { ...store, owed: clearBefore(signals.answers, store.owed) },
    groupCommit,
    call: async (call, timeoutMs, signal) => {
      checks.answers.onCall(host, call)
      const heard = await platform.call(call, timeoutMs, signal)
      if (!life.isOver) checks.answers.onHeard(host, call, heard)
      return heard
    },
    openTarget: (_id, sealed) => parseAnswerTarget(sealed),
    queueNowMs,
    nowMs: world.nowMs,
    tell,
    unrecorded: error => trace.say(`${host.name} has a call without a record: ${String(error)}`),
    sent: ({ id }) => trace.say(`${host.name} ${id} is answered`),
    failed: ({ id }, { why }) => trace.say(`${host.name} ${id} stays unanswered: ${why}`),
  })
  return { calls, diskCodeOf: sqliteCode, refused: () => undefined }
}

export const courierPorts = ({ platform }: ChatWorld): ChatCourierPorts => {
  let limits: ChatLimits = noLimits
  return {
    call: platform.call,
    limits: {
      get: () => limits,
      set: known => {
        limits = known
      },
    },
    heard: () => undefined,
    judged: () => undefined,
  }
}

/** The row of dispatches: the real rules over the database of this process. */
export const hostDesk = (
  { world, store, groupCommit, queueNowMs, signals }: ChatHostParts,
  wake: () => boolean,
): Interactions =>
  openInteractions({
    rules: world.rules,
    skewAlertMs: 2_000,
    clientId: '',
    store,
    groupCommit,
    seal: (_id, target) => JSON.stringify(target),
    canEnact: () => true,
    wake: () => signals.queue.raise(wake),
    queueNowMs,
    meter: noMeter,
  })
