import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { DispatchAttempt, DispatchEnd, DispatchKind, DispatchOutcome } from '#protocol/chat/dispatch.js'
import { dispatchAttemptMsMax } from '#src/domain/dispatch/check-dispatch.js'
import { describeFoundEffect } from '#src/domain/dispatch/descriptions.js'
import {
  type DispatchSettlement,
  failedAnswer,
  findCutOff,
  settleAttempt,
} from '#src/domain/dispatch/settle-attempt.js'
import {
  type Actor,
  after,
  cancel,
  end,
  type Moment,
  ready,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import type { Enactor, FindEffect } from '#src/ports/chat.js'
import type { DispatchStore, GroupCommit } from '#src/ports/records.js'

/** An interaction was recorded. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** The lore is read for the first time: what waited for it is due. */
const LoreRead = t.type({ _tag: t.literal('LoreRead') })
/** To self: what ran before this incarnation is queued again. */
const Recovered = t.type({ _tag: t.literal('Recovered') })
/** To self: a tick is due. */
const Tick = t.type({ _tag: t.literal('Tick') })

const isSettled = (u: unknown): u is SettledDispatch =>
  typeof u === 'object' && u !== null && 'attempt' in u && 'settlement' in u

/** Passed by reference: it comes from the attempt that this actor made. */
const Settled = new t.Type<SettledDispatch, SettledDispatch, unknown>(
  'SettledDispatch',
  isSettled,
  (u, context) => (isSettled(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** To self: an attempt has ended. */
const Attempted = t.type({ _tag: t.literal('Attempted'), settled: Settled })
/** To self: nothing is due for this long; null: nothing waits. */
const NoneDue = t.type({ _tag: t.literal('NoneDue'), inMs: t.union([t.number, t.null]) })
/** To self: the disk refused, with the code of its error. */
const DiskRefused = t.type({ _tag: t.literal('DiskRefused'), code: t.string })
/** The host ends. */
const Drain = t.type({ _tag: t.literal('Drain') })
/** To self: the last attempt before the end is on record. */
const LastRecorded = t.type({ _tag: t.literal('LastRecorded') })

export const DispatchQueueMessage = t.union(
  [Wake, LoreRead, Recovered, Tick, Attempted, NoneDue, DiskRefused, Drain, LastRecorded],
  'DispatchQueueMessage',
)
export type DispatchQueueMessage = t.TypeOf<typeof DispatchQueueMessage>

/**
 * The dispatch queue carries out the interactions of `runtime.db`, one at a time, in ticks. A tick makes at most
 * `attemptsMax` attempts, begins none behind its budget and never overlaps another (S25). The next tick begins at
 * once while something is due; a timer is set only for what waits. The end of an attempt is recorded in one transaction
 * with the begin of the next. An incarnation that starts queues again what ran, and so does one whose disk refused to
 * record an end.
 */
export type State =
  | { readonly _tag: 'Recovering' }
  | { readonly _tag: 'Idle' }
  /** `isWoken`: an interaction was recorded since the last look at the store began. */
  | {
      readonly _tag: 'Ticking'
      readonly startedMs: number
      readonly attempts: number
      readonly isWoken: boolean
    }
  /** The host ends: an attempt that is under way is the last one. */
  | { readonly _tag: 'Draining' }

export type Effect =
  | { readonly _tag: 'Recover' }
  | { readonly _tag: 'ReleaseHeld' }
  /** Records the last attempt, if there is one, and makes the next. `opensTick`: that is the first of a tick. */
  | { readonly _tag: 'Step'; readonly last: SettledDispatch | null; readonly opensTick: boolean }
  | { readonly _tag: 'RecordLast'; readonly last: SettledDispatch }
  | { readonly _tag: 'EndTick'; readonly elapsedMs: number }

export interface TickRules {
  readonly attemptsMax: number
  readonly budgetMs: number
}

export interface DispatchQueuePorts extends StepPorts {
  readonly refused: (code: string) => void
  /** Called at the end of each tick that made an attempt. */
  readonly ticked: (elapsedMs: number) => void
}

export const dispatchQueue = (rules: TickRules): Actor<State, Message, Effect, DispatchQueuePorts> => ({
  name: 'dispatch-queue',
  codec: DispatchQueueMessage,
  mailboxMax: 256,
  stuckMs,
  initial: () => [{ _tag: 'Recovering' }, [ready, { _tag: 'Recover' }]],
  receive: receive(rules),
  perform,
  drain: { _tag: 'Drain' },
})

export interface KeyedPorts {
  /** The arm that closes the write gate; null where it is open. */
  readonly findClosedArm: () => string | null
  readonly findEffect: FindEffect
  readonly enactor: Pick<Enactor, 'enact'>
  /** The clock of the queue. */
  readonly nowMs: () => number
}

/**
 * Carries out a close or a report unless the fetched branch has its effect already. While the gate is closed
 * or the branch cannot be read nothing is carried out. The look for the effect uses time of the budget.
 */
export const enactKeyed = async (
  { findClosedArm, findEffect, enactor, nowMs }: KeyedPorts,
  attempt: DispatchAttempt,
  budgetMs: number,
  signal: AbortSignal,
): Promise<DispatchOutcome> => {
  const arm = findClosedArm()
  if (arm !== null) return { _tag: 'Held', reason: `the write gate is closed: ${arm}` }
  const startMs = nowMs()
  const found = await findEffect(attempt.id, budgetMs, signal)
  switch (found._tag) {
    case 'Found':
      return { _tag: 'Enacted', answer: describeFoundEffect(attempt.kind) }
    case 'Unreadable':
      return { _tag: 'Failed', reason: found.reason }
    case 'Absent': {
      const restMs = budgetMs - (nowMs() - startMs)
      return restMs > 0
        ? enactor.enact(attempt, restMs, signal)
        : { _tag: 'Failed', reason: 'the look for its effect took all the time of the attempt' }
    }
  }
}

/** An attempt that has ended, without its variables, and what follows from it. It is not on record yet. */
interface SettledDispatch {
  readonly attempt: Omit<DispatchAttempt, 'vars'>
  readonly settlement: DispatchSettlement
}

type Message = DispatchQueueMessage
type Taken = Step<State, Effect, Message>

/** How long the queue rests after the disk refused. */
const diskPauseMs = 5_000
/** The longest effect: an attempt of a minute and the fetch before it. */
const stuckMs = 300_000

const key = 'tick'

const beginTick = ({ monotonicMs }: Moment, last: SettledDispatch | null = null): Taken => [
  { _tag: 'Ticking', startedMs: monotonicMs, attempts: 0, isWoken: false },
  [cancel(key), { _tag: 'Step', last, opensTick: true }],
]

/** The end of a tick; none of a look that found nothing due. */
const endTick = (
  { startedMs }: Extract<State, { _tag: 'Ticking' }>,
  attempts: number,
  { monotonicMs }: Moment,
): Taken[1] => (attempts === 0 ? [] : [{ _tag: 'EndTick', elapsedMs: monotonicMs - startedMs }])

const tickIn = (delayMs: number): Taken => [
  { _tag: 'Idle' },
  [after<Message>(key, delayMs, { _tag: 'Tick' })],
]

/** Makes due what is held, before the next look. */
const onLoreRead = (state: State, moment: Moment): Taken => {
  const [next, effects] = state._tag === 'Idle' ? beginTick(moment) : stay<State>(state)
  const woken: State = next._tag === 'Ticking' ? { ...next, isWoken: true } : next
  return [woken, [{ _tag: 'ReleaseHeld' }, ...effects]]
}

const onAttempted = (
  { attemptsMax, budgetMs }: TickRules,
  state: Extract<State, { _tag: 'Ticking' }>,
  last: SettledDispatch,
  moment: Moment,
): Taken => {
  const attempts = state.attempts + 1
  const goesOn = attempts < attemptsMax && moment.monotonicMs - state.startedMs <= budgetMs
  if (!goesOn) {
    const [next, effects] = beginTick(moment, last)
    return [next, [...endTick(state, attempts, moment), ...effects]]
  }
  return [{ ...state, attempts, isWoken: false }, [{ _tag: 'Step', last, opensTick: false }]]
}

const onNoneDue = (
  state: Extract<State, { _tag: 'Ticking' }>,
  inMs: number | null,
  moment: Moment,
): Taken => {
  const [next, effects] = state.isWoken
    ? beginTick(moment)
    : inMs === null
      ? stay<State>({ _tag: 'Idle' })
      : tickIn(inMs)
  return [next, [...endTick(state, state.attempts, moment), ...effects]]
}

/** Ends at once, unless a step is under way: its outcome then ends the drain. */
const onDrain = (state: State): Taken => [{ _tag: 'Draining' }, state._tag === 'Ticking' ? [] : [end]]

const receiveDraining = (state: State, message: Message): Taken =>
  message._tag === 'Attempted'
    ? [state, [{ _tag: 'RecordLast', last: message.settled }]]
    : message._tag === 'Wake' || message._tag === 'LoreRead' || message._tag === 'Drain'
      ? stay(state)
      : [state, [end]]

const receive =
  (rules: TickRules) =>
  (state: State, message: Message, moment: Moment): Taken => {
    if (state._tag === 'Draining') return receiveDraining(state, message)
    switch (message._tag) {
      case 'Wake':
        if (state._tag === 'Idle') return beginTick(moment)
        return stay(state._tag === 'Ticking' ? { ...state, isWoken: true } : state)
      case 'LoreRead':
        return onLoreRead(state, moment)
      case 'Tick':
        if (state._tag === 'Recovering') return [state, [{ _tag: 'Recover' }]]
        return state._tag === 'Idle' ? beginTick(moment) : stay(state)
      case 'Recovered':
        return beginTick(moment)
      case 'Attempted':
        return state._tag === 'Ticking' ? onAttempted(rules, state, message.settled, moment) : stay(state)
      case 'NoneDue':
        return state._tag === 'Ticking' ? onNoneDue(state, message.inMs, moment) : stay(state)
      case 'DiskRefused':
        return [{ _tag: 'Recovering' }, [after<Message>(key, diskPauseMs, { _tag: 'Tick' })]]
      case 'Drain':
        return onDrain(state)
      case 'LastRecorded':
        return stay(state)
      default:
        return absurd(message)
    }
  }

const carryOut = async (
  ports: DispatchQueuePorts,
  effect: Effect,
  signal: AbortSignal,
): Promise<ReadonlyArray<Message>> => {
  switch (effect._tag) {
    case 'Recover':
      ports.store.recover(ports.nowMs())
      return [{ _tag: 'Recovered' }]
    case 'ReleaseHeld':
      ports.store.releaseHeld(ports.nowMs())
      return []
    case 'Step':
      return [await performStep(ports, effect.last, signal)]
    case 'RecordLast':
      await recordLast(ports, effect.last)
      return [{ _tag: 'LastRecorded' }]
    case 'EndTick':
      ports.ticked(effect.elapsedMs)
      return []
    default:
      return absurd(effect)
  }
}

const perform =
  (ports: DispatchQueuePorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    try {
      return await carryOut(ports, effect, signal)
    } catch (error) {
      const code = ports.diskCodeOf(error)
      if (code === null) throw error
      ports.refused(code)
      return [{ _tag: 'DiskRefused', code }]
    }
  }

interface StepPorts {
  readonly store: Pick<
    DispatchStore,
    'begin' | 'defer' | 'end' | 'expire' | 'nextMs' | 'prune' | 'recover' | 'releaseHeld'
  >
  readonly groupCommit: GroupCommit
  /** Carries out an attempt within `budgetMs`, its fetch included. A rejection counts as a failure. */
  readonly enact: (
    attempt: DispatchAttempt,
    budgetMs: number,
    signal: AbortSignal,
  ) => Promise<DispatchOutcome>
  /** The clock of the queue. */
  readonly nowMs: () => number
  readonly chance: () => number
  readonly attemptsMax: number
  /** Called when an interaction has ended, for metrics, the log and the courier of answers. */
  readonly ended: (id: string, kind: DispatchKind, attempts: number | null, end: DispatchEnd) => void
  /** The code of a disk that refuses; null for any other error. */
  readonly diskCodeOf: (error: unknown) => string | null
}

/** How a step ended: with an attempt, or with the time until the next one is due; null where none waits. */
type StepOutcome =
  | { readonly _tag: 'Attempted'; readonly settled: SettledDispatch }
  | { readonly _tag: 'NoneDue'; readonly inMs: number | null }

const enactWithin = async (
  ports: StepPorts,
  attempt: DispatchAttempt,
  signal: AbortSignal,
): Promise<DispatchOutcome> => {
  try {
    return await ports.enact(attempt, dispatchAttemptMsMax, signal)
  } catch (error) {
    return { _tag: 'Failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

const lateReason = 'the queue did not reach it in time'
const lateEnd: DispatchEnd = { state: 'failed', reason: lateReason, answer: failedAnswer }

/** Records what follows from an attempt. Returns the end of its interaction; null where it goes on. */
const recordSettled = (
  { store, nowMs }: StepPorts,
  { attempt, settlement }: SettledDispatch,
): DispatchEnd | null => {
  if (settlement._tag === 'End') return store.end(attempt, settlement.end, nowMs()) ? settlement.end : null
  store.defer(attempt, settlement.dueMs, settlement.isCounted, settlement.reason)
  return null
}

const recordAll = (ports: StepPorts, settled: SettledDispatch | null, isBeginning: boolean) => {
  const { store, nowMs } = ports
  const end = settled === null ? null : recordSettled(ports, settled)
  const late = store.expire(nowMs(), lateReason, failedAnswer)
  store.prune(nowMs())
  const attempt = isBeginning ? store.begin(nowMs()) : null
  return { end, late, attempt, nextMs: attempt === null ? store.nextMs() : null }
}

/**
 * Records the last attempt, ends what is too late, forgets what ended a day ago, and begins the interaction that has
 * been due longest, all in one transaction. It returns the interaction that it began, or when the next is due.
 */
const commitStep = async (ports: StepPorts, settled: SettledDispatch | null, isBeginning: boolean) => {
  const { end, late, attempt, nextMs } = await ports.groupCommit(() => recordAll(ports, settled, isBeginning))
  if (settled !== null && end !== null) {
    const { id, kind, attempt: count } = settled.attempt
    ports.ended(id, kind, count, end)
  }
  for (const { id, kind } of late) ports.ended(id, kind, null, lateEnd)
  return { attempt, nextMs }
}

/** Records the last attempt and begins no other. */
const recordLast = async (ports: StepPorts, settled: SettledDispatch): Promise<void> => {
  await commitStep(ports, settled, false)
}

/**
 * Records the last attempt together with the begin of the next one, and carries that out. What follows from it is on
 * record behind the next step: a host that ends before repeats the attempt.
 */
const performStep = async (
  ports: StepPorts,
  last: SettledDispatch | null,
  signal: AbortSignal,
): Promise<StepOutcome> => {
  const { nowMs, chance, attemptsMax } = ports
  const { attempt, nextMs } = await commitStep(ports, last, true)
  if (attempt === null)
    return { _tag: 'NoneDue', inMs: nextMs === null ? null : Math.max(0, nextMs - nowMs()) }
  const { vars: _, ...run } = attempt
  const cutOff = findCutOff(attempt, attemptsMax)
  if (cutOff !== null)
    return { _tag: 'Attempted', settled: { attempt: run, settlement: { _tag: 'End', end: cutOff } } }
  const outcome = await enactWithin(ports, attempt, signal)
  const settlement = settleAttempt(attempt, outcome, { attemptsMax, nowMs: nowMs(), chance: chance() })
  return { _tag: 'Attempted', settled: { attempt: run, settlement } }
}
