import { nameKey } from '#protocol/atoms.js'
import type { ChangedKind, ChangeOp, Withheld } from '#protocol/audit.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { sliceCount } from './pieces.js'
import type { Told, ToldValue } from './told.js'

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
