import { nameKey } from '#protocol/atoms.js'
import type { ChangedKind, ChangeOp, Difference, Withheld } from '#protocol/lore/audit.js'
import type { View } from '#src/domain/callers/caller.js'
import { namesTopics } from '#src/domain/lore/topic-text.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { sliceCount } from './notifications.js'

/** A change before it is filtered for a caller: it still contains what is withheld. */
export interface Found {
  readonly kind: ChangedKind
  readonly name: string | null
  readonly field: string | null
  readonly op: ChangeOp
  readonly was: string | null
  readonly is: string | null
  readonly withheld: Withheld | null
}

/** The changes between two versions of a file, field by field; linear in the size of both. */
export const differencesOf = function* (
  before: ReadonlyArray<Told>,
  after: ReadonlyArray<Told>,
): Sliced<ReadonlyArray<Found>> {
  const exact = yield* matchItems(before, after, told => `${told.kind} ${told.key}`)
  const near = yield* matchItems(
    exact.before,
    exact.after,
    told => `${told.kind} ${nameKey(told.name ?? '')}`,
  )
  const found: Array<Found> = []
  for (const [at, pair] of [...exact.pairs, ...near.pairs, ...lastOnes(near.before, near.after)].entries()) {
    for (const one of yield* ofPair(pair)) found.push(one)
    if (at % sliceCount === sliceCount - 1) yield
  }
  return found
}

/** A text as it leaves the process: without credentials, and cut to a maximum length. */
export const showText = (text: string): string => {
  const part = text.slice(0, scrubbedMax)
  const whole = part.length < text.length ? part.slice(0, part.lastIndexOf(' ') + 1) : part
  const clean = redactCredentials(whole)
  return clean.length <= charsMax ? clean : `${clean.slice(0, charsMax - 1)}…`
}

/** A change as a caller may see it. */
export const showDifference =
  (view: View) =>
  ({ kind, name, field, op, was, is, withheld }: Found): Difference => {
    const open = sees(view, withheld)
    return {
      kind,
      name: showOptionalText(name),
      field: showOptionalText(field),
      op,
      before: open ? showOptionalText(was) : null,
      after: open ? showOptionalText(is) : null,
      withheld: open ? null : withheld,
    }
  }

/** A field of an item with one of its values. */
export interface ToldValue {
  readonly field: string
  readonly text: string
  /**
   * The part that stays when only the rest of the value changes: the value without its days, a name before
   * its number.
   */
  readonly subject: string
  readonly withheld: Withheld | null
}

/** An item of the lore in one version of a file. */
export interface Told {
  readonly kind: ChangedKind
  readonly name: string | null
  /** Distinguishes items of one name; versions of one item have the same key. */
  readonly key: string
  readonly values: ReadonlyArray<ToldValue>
}

/** Why a text is withheld, by its content; null when it is not. */
export const secrecyOfText = (text: string): Withheld | null =>
  secretTag.test(text) ? 'secret' : namesTopics(text) ? 'restricted' : null

export const describeValue = (
  field: string,
  text: string,
  subject: string = text,
  withheld: Withheld | null = null,
): ToldValue => ({ field, text, subject, withheld: withheld ?? secrecyOfText(text) })

interface Pair<A> {
  readonly before: A | null
  readonly after: A | null
}

const both = <A>(before: A, after: A): Pair<A> => ({ before, after })

interface Matched<A> {
  readonly pairs: ReadonlyArray<Pair<A>>
  readonly before: ReadonlyArray<A>
  readonly after: ReadonlyArray<A>
}

/** Pairs items with the same key on both sides, in order, and returns the rest. */
const matchItems = function* <A>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  keyOf: (one: A) => string,
): Sliced<Matched<A>> {
  const open = new Map<string, { readonly all: Array<A>; next: number }>()
  for (const [at, one] of before.entries()) {
    const key = keyOf(one)
    const known = open.get(key)
    if (known === undefined) open.set(key, { all: [one], next: 0 })
    else known.all.push(one)
    if (at % sliceCount === sliceCount - 1) yield
  }
  const taken = new Set<A>()
  const rest: Array<A> = []
  const pairs: Array<Pair<A>> = []
  for (const [at, one] of after.entries()) {
    const known = open.get(keyOf(one))
    const found = known?.all[known.next]
    if (known === undefined || found === undefined) rest.push(one)
    else {
      known.next += 1
      taken.add(found)
      pairs.push(both(found, one))
    }
    if (at % sliceCount === sliceCount - 1) yield
  }
  return { pairs, before: before.filter(one => !taken.has(one)), after: rest }
}

/** Pairs the remaining items in order; surplus ones of the longer side have null opposite. */
const inOrder = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>): ReadonlyArray<Pair<A>> =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    before: before[at] ?? null,
    after: after[at] ?? null,
  }))

const strictness: ReadonlyArray<Withheld | null> = ['secret', 'unread', 'restricted', 'session', null]

const stricter = (one: Withheld | null, other: Withheld | null): Withheld | null =>
  strictness.indexOf(one) < strictness.indexOf(other) ? one : other

const byField = (values: ReadonlyArray<ToldValue>): ReadonlyMap<string, ReadonlyArray<ToldValue>> => {
  const fields = new Map<string, Array<ToldValue>>()
  for (const value of values) {
    const known = fields.get(value.field)
    if (known === undefined) fields.set(value.field, [value])
    else known.push(value)
  }
  return fields
}

const ofField = function* (
  { kind, name }: Told,
  field: string,
  before: ReadonlyArray<ToldValue>,
  after: ReadonlyArray<ToldValue>,
): Sliced<ReadonlyArray<Found>> {
  const same = yield* matchItems(before, after, value => value.text)
  const near = yield* matchItems(same.before, same.after, value => value.subject)
  return [...near.pairs, ...inOrder(near.before, near.after)].map(pair => {
    const [was, is] = [pair.before?.text ?? null, pair.after?.text ?? null]
    const withheld = stricter(pair.before?.withheld ?? null, pair.after?.withheld ?? null)
    return {
      kind,
      name,
      field,
      op: was === null ? 'added' : is === null ? 'removed' : 'changed',
      was,
      is,
      withheld,
    }
  })
}

const ofValues = function* (
  told: Told,
  before: ReadonlyArray<ToldValue>,
  after: ReadonlyArray<ToldValue>,
): Sliced<ReadonlyArray<Found>> {
  const [was, is] = [byField(before), byField(after)]
  const found: Array<Found> = []
  for (const field of new Set([...is.keys(), ...was.keys()]))
    for (const one of yield* ofField(told, field, was.get(field) ?? [], is.get(field) ?? [])) found.push(one)
  return found
}

const whole = ({ kind, name }: Told, op: ChangeOp, was: string | null, is: string | null): Found => ({
  kind,
  name,
  field: null,
  op,
  was,
  is,
  withheld: null,
})

const headOf = ({ before, after }: Pair<Told>): ReadonlyArray<Found> => {
  if (after === null) return before === null ? [] : [whole(before, 'removed', before.name, null)]
  if (before === null) return [whole(after, 'added', null, after.name)]
  return before.name === after.name ? [] : [whole(after, 'renamed', before.name, after.name)]
}

const ofPair = function* (pair: Pair<Told>): Sliced<ReadonlyArray<Found>> {
  const told = pair.after ?? pair.before
  if (told === null) return []
  return [...headOf(pair), ...(yield* ofValues(told, pair.before?.values ?? [], pair.after?.values ?? []))]
}

const textsOf = (told: Told): ReadonlySet<string> =>
  new Set(told.values.map(value => `${value.field}\n${value.text}`))

/** Whether a removed and an added item are one that was renamed: they share most of their values. */
const isRename = (before: Told, after: Told): boolean => {
  const [was, is] = [textsOf(before), textsOf(after)]
  const shared = [...is].filter(text => was.has(text)).length
  return before.kind === after.kind && shared > 0 && shared * 2 >= Math.max(was.size, is.size)
}

const lastOnes = (before: ReadonlyArray<Told>, after: ReadonlyArray<Told>): ReadonlyArray<Pair<Told>> => {
  const [was, is] = [before[0], after[0]]
  if (before.length === 1 && after.length === 1 && was !== undefined && is !== undefined && isRename(was, is))
    return [both(was, is)]
  return [
    ...before.map(one => ({ before: one, after: null })),
    ...after.map(one => ({ before: null, after: one })),
  ]
}

const charsMax = 2_000
/**
 * How much of a text is scrubbed. A word that this limit would cut is left out, because it may be half of a
 * credential.
 */
const scrubbedMax = 10_000

const sees = (view: View, withheld: Withheld | null): boolean =>
  withheld === null ||
  (withheld === 'restricted' && view.mayReadRestricted) ||
  (withheld === 'session' && view.sessions)

const showOptionalText = (text: string | null): string | null => (text === null ? null : showText(text))

const secretTag = /@(?:klucz_api|prfwebhook|webhook)\b/i
