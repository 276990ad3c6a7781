import { ChatId, isBlank } from '#protocol/atoms.js'
import { type DispatchKind, type DispatchVars, dispatchKinds } from '#protocol/chat/dispatch.js'

export const queryIntents = ['status', 'open', 'pu'] as const
export type QueryIntent = (typeof queryIntents)[number]

type IsUsable = (value: string) => boolean

const isFilled: IsUsable = value => !isBlank(value)

const chatIdWords = '1 to 64 letters, digits and `_.-`'

/** The variables that each kind requires, with what makes a value usable (A 4.9). */
const requiredVars: Readonly<Record<DispatchKind, Readonly<Record<string, IsUsable>>>> = {
  close: { SVC_CLOSE_CHAT_ID: ChatId.is },
  report: { SVC_REPORT_B64: isFilled, SVC_REPORTER_CHAT_ID: ChatId.is },
  query: {
    SVC_QUERY_INTENT: value => queryIntents.some(intent => intent === value),
    SVC_QUERY_CHAT_ID: ChatId.is,
  },
}

/** What makes the value of a variable usable, for the caller whose value is not. */
export const usableValues: Readonly<Record<string, string>> = {
  SVC_QUERY_INTENT: `one of ${queryIntents.join(', ')}`,
  SVC_QUERY_CHAT_ID: chatIdWords,
  SVC_CLOSE_CHAT_ID: chatIdWords,
  SVC_REPORTER_CHAT_ID: chatIdWords,
  SVC_REPORT_B64: 'not blank',
}

/** A kind with every variable that it requires; or why there is none. */
export type KindReading =
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

/** A query of a chat account. */
export interface ChatQuery {
  readonly intent: QueryIntent
  readonly chatId: string
}

/** The query of these variables; null where they are none. */
export const readQuery = (vars: DispatchVars): ChatQuery | null => {
  const intent = queryIntents.find(one => one === vars['SVC_QUERY_INTENT'])
  const chatId = vars['SVC_QUERY_CHAT_ID']
  return intent === undefined || chatId === undefined ? null : { intent, chatId }
}
