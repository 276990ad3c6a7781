import { ChatId, isBlank } from '#protocol/atoms.js'
import {
  type ChatQuery,
  type DispatchKind,
  type DispatchVars,
  type DispatchWanted,
  dispatchKinds,
  queryIntents,
} from '#protocol/chat/dispatch.js'

/** The times of a dispatch, as configured. */
export interface DispatchRules {
  readonly windowMs: number
  readonly nearDeadlineMs: number
}

/** What decides a dispatch beside its body. The functions are called in the order of the checks, as far as needed. */
export interface DispatchFacts {
  readonly nowMs: number
  /** The kind under which the interaction was accepted before; null where it was not. */
  readonly findKnown: () => DispatchKind | null
  /** The arm that closes the write gate; null where it is open. */
  readonly findClosedArm: () => string | null
  /** Whether as many interactions wait as may. */
  readonly isFull: () => boolean
  readonly canEnact: (kind: DispatchKind) => boolean
}

export type DispatchRefusal =
  | { readonly _tag: 'Undispatchable'; readonly reading: Exclude<KindReading, { _tag: 'Kind' }> }
  | { readonly _tag: 'Stale'; readonly kind: DispatchKind; readonly ageMs: number }
  | { readonly _tag: 'Late'; readonly kind: DispatchKind; readonly ageMs: number }
  | { readonly _tag: 'Gated'; readonly kind: DispatchKind; readonly arm: string }
  | { readonly _tag: 'Full'; readonly kind: DispatchKind }
  | { readonly _tag: 'EnactorAbsent'; readonly kind: DispatchKind }

/** The age of an interaction at its receipt; negative where the clock of the sender is ahead. */
export const ageOf = ({ sentAtEpochMs }: Pick<DispatchWanted, 'sentAtEpochMs'>, nowMs: number): number =>
  Math.trunc(nowMs) - sentAtEpochMs

/**
 * Decides a well-formed dispatch on one reading of the clock. A duplicate comes before every check of time and of
 * the gate, because a refused replay would be enacted a second time by the pipeline (S21). An age equal to a limit
 * passes, and an interaction of the future is never stale (S22). A query passes the gate.
 */
export const checkDispatch = (
  wanted: Pick<DispatchWanted, 'kind' | 'vars' | 'sentAtEpochMs'>,
  facts: DispatchFacts,
  { windowMs, nearDeadlineMs }: DispatchRules,
): DispatchDecision => {
  const reading = readKind(wanted.kind, wanted.vars)
  if (reading._tag !== 'Kind') return refuse({ _tag: 'Undispatchable', reading })
  const { kind } = reading
  const known = facts.findKnown()
  if (known !== null) return { _tag: 'Duplicate', kind: known }
  const ageMs = ageOf(wanted, facts.nowMs)
  if (ageMs > windowMs) return refuse({ _tag: 'Stale', kind, ageMs })
  if (kind === 'report' && ageMs > nearDeadlineMs) return refuse({ _tag: 'Late', kind, ageMs })
  const arm = kind === 'query' ? null : facts.findClosedArm()
  if (arm !== null) return refuse({ _tag: 'Gated', kind, arm })
  if (facts.isFull()) return refuse({ _tag: 'Full', kind })
  if (!facts.canEnact(kind)) return refuse({ _tag: 'EnactorAbsent', kind })
  return { _tag: 'Accepted', kind }
}

const chatIdWords = '1 to 64 letters, digits and `_.-`'

/** What makes the value of a variable usable, for the caller whose value is not. */
export const usableValues: Readonly<Record<string, string>> = {
  SVC_QUERY_INTENT: `one of ${queryIntents.join(', ')}`,
  SVC_QUERY_CHAT_ID: chatIdWords,
  SVC_CLOSE_CHAT_ID: chatIdWords,
  SVC_REPORTER_CHAT_ID: chatIdWords,
  SVC_REPORT_B64: 'not blank',
}

/**
 * Determines the kind of an interaction. Without `kind`, the variables decide: the interaction is of the kind of
 * which it has a required variable, and of none where it has those of two kinds.
 */
export const readKind = (kind: string | undefined, vars: DispatchVars): KindReading => {
  if (kind !== undefined) {
    const known = dispatchKinds.find(one => one === kind)
    return known === undefined ? { _tag: 'UnknownKind' } : withVars(known, vars)
  }
  const kinds = dispatchKinds.filter(one =>
    Object.keys(requiredVars[one]).some(name => Object.hasOwn(vars, name)),
  )
  const [first] = kinds
  if (first === undefined) return { _tag: 'NoKind' }
  return kinds.length === 1 ? withVars(first, vars) : { _tag: 'SeveralKinds', kinds }
}

/**
 * The variables of an interaction that go on record. A query is enacted by the ones that it requires, so no other one
 * of it takes room on the disk.
 */
export const varsOnRecord = (kind: DispatchKind, vars: DispatchVars): DispatchVars =>
  kind === 'query'
    ? Object.fromEntries(Object.entries(vars).filter(([name]) => Object.hasOwn(requiredVars.query, name)))
    : vars

/** The query of these variables; null where they are none. */
export const readQuery = (vars: DispatchVars): ChatQuery | null => {
  const intent = queryIntents.find(one => one === vars['SVC_QUERY_INTENT'])
  const chatId = vars['SVC_QUERY_CHAT_ID']
  return intent === undefined || chatId === undefined ? null : { intent, chatId }
}

/** The most interactions that wait. */
export const waitingDispatchesMax = 100_000

/** An accepted interaction ends within this time: its token in the chat lives 15 minutes (L4). */
export const dispatchLifeMs = 14 * 60_000

/** The longest attempt, with the fetch before it. */
export const dispatchAttemptMsMax = 60_000

/** How long what is recorded may take to be on the disk. */
const recordMs = 5_000

/**
 * How long after its acceptance an interaction may still begin an attempt. What waits then has failed by the end of its
 * life, also where an attempt of another one is under way.
 */
export const dispatchGiveUpMs = dispatchLifeMs - dispatchAttemptMsMax - recordMs

/** How long its answer may be sent after its acceptance. */
export const answerLifeMs = dispatchLifeMs + 30_000

/** How long an interaction is remembered behind its end (S20). */
export const dispatchRetentionMs = 24 * 3_600_000

type DispatchDecision =
  | { readonly _tag: 'Accepted'; readonly kind: DispatchKind }
  | { readonly _tag: 'Duplicate'; readonly kind: DispatchKind }
  | { readonly _tag: 'Refused'; readonly refusal: DispatchRefusal }

const refuse = (refusal: DispatchRefusal): DispatchDecision => ({ _tag: 'Refused', refusal })

type IsUsable = (value: string) => boolean

const isFilled: IsUsable = value => !isBlank(value)

/** The variables that each kind requires, with what makes a value usable (A 4.9). */
const requiredVars: Readonly<Record<DispatchKind, Readonly<Record<string, IsUsable>>>> = {
  close: { SVC_CLOSE_CHAT_ID: ChatId.is },
  report: { SVC_REPORT_B64: isFilled, SVC_REPORTER_CHAT_ID: ChatId.is },
  query: {
    SVC_QUERY_INTENT: value => queryIntents.some(intent => intent === value),
    SVC_QUERY_CHAT_ID: ChatId.is,
  },
}

/** A kind with every variable that it requires; or why there is none. */
type KindReading =
  | { readonly _tag: 'Kind'; readonly kind: DispatchKind }
  | { readonly _tag: 'UnknownKind' }
  | { readonly _tag: 'NoKind' }
  | { readonly _tag: 'SeveralKinds'; readonly kinds: ReadonlyArray<DispatchKind> }
  | { readonly _tag: 'VarsMissing'; readonly kind: DispatchKind; readonly missing: ReadonlyArray<string> }

const withVars = (kind: DispatchKind, vars: DispatchVars): KindReading => {
  const missing = Object.entries(requiredVars[kind]).flatMap(([name, isUsable]) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined
    return value !== undefined && isUsable(value) ? [] : [name]
  })
  return missing.length === 0 ? { _tag: 'Kind', kind } : { _tag: 'VarsMissing', kind, missing }
}
