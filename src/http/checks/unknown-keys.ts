import * as t from 'io-ts'
import type { BodyProblem } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import {
  isArray,
  isDictionary,
  isExact,
  isInterface,
  isIntersection,
  isPartial,
  isReadonly,
  isRecursive,
  isRefinement,
  isUnion,
} from '#src/domain/codecs/codec-kinds.js'

/** The keys that an object codec names, and the codec of all other keys; null where it has none. */
interface Keys {
  readonly named: ReadonlyMap<string, t.Mixed>
  readonly others: t.Mixed | null
}

const mergeKeys = (one: Keys, other: Keys): Keys => {
  const named = new Map(one.named)
  for (const [key, codec] of other.named) {
    const known = named.get(key)
    named.set(key, known === undefined ? codec : t.intersection([known, codec]))
  }
  return { named, others: one.others ?? other.others }
}

const noKeys: Keys = { named: new Map(), others: null }

/**
 * The keys of an object codec, looking through wrapper codecs; null for a codec that is not of a plain
 * object.
 */
const keysOf = perValue((codec: t.Mixed): Keys | null => {
  if (isInterface(codec) || isPartial(codec))
    return { named: new Map(Object.entries(codec.props)), others: null }
  if (isDictionary(codec)) return { named: new Map(), others: codec.codomain }
  if (codec instanceof t.AnyDictionaryType) return { named: new Map(), others: t.unknown }
  if (isExact(codec) || isReadonly(codec) || isRefinement(codec) || isRecursive(codec))
    return keysOf(codec.type)
  if (!isIntersection(codec)) return null
  return codec.types
    .map(member => keysOf(member))
    .reduce<Keys | null>((all, one) => (all === null || one === null ? null : mergeKeys(all, one)), noKeys)
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unwrapCodec = (codec: t.Mixed): t.Mixed =>
  isReadonly(codec) || isRefinement(codec) || isRecursive(codec) ? unwrapCodec(codec.type) : codec

const keysShown = 12

/** What an unknown key could be instead. */
const describeExpected = ({ named }: Keys): string => {
  const keys = [...named.keys()]
  if (keys.length === 0) return 'no key at all'
  const more = keys.length > keysShown ? ', …' : ''
  return `one of the keys ${keys.slice(0, keysShown).join(', ')}${more}`
}

const shownChars = 80

const findInObject = function* (
  keys: Keys,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Generator<BodyProblem, void> {
  for (const [key, part] of Object.entries(value)) {
    const codec = keys.named.get(key) ?? keys.others
    const at = `${path}.${key.slice(0, shownChars)}`
    if (codec === null) yield { path: at, expected: describeExpected(keys) }
    else yield* findUnknownKeys(codec, part, at)
  }
}

/**
 * The unknown keys in a value of a union: those of the member that matches the value, otherwise of the member
 * that knows most of its keys.
 */
const findInUnion = function* (
  members: ReadonlyArray<t.Mixed>,
  value: object,
  path: string,
): Generator<BodyProblem, void> {
  const asked = members.filter(member =>
    Array.isArray(value)
      ? isArray(unwrapCodec(member))
      : keysOf(member) !== null || isUnion(unwrapCodec(member)),
  )
  const fitting = asked.filter(member => member.is(value))
  const [first] = (fitting.length === 0 ? asked : fitting)
    .map(member => [...findUnknownKeys(member, value, path)])
    .sort((left, right) => left.length - right.length)
  yield* first ?? []
}

/**
 * The keys in a value that its codec does not know, at any depth, in the order of the value: an exact codec
 * would silently drop them. Yields nothing for a value of another kind, because the codec itself rejects it.
 */
export const findUnknownKeys = function* (
  codec: t.Mixed,
  value: unknown,
  path = '$',
): Generator<BodyProblem, void> {
  if (typeof value !== 'object' || value === null) return
  const bare = unwrapCodec(codec)
  if (isUnion(bare)) return yield* findInUnion(bare.types, value, path)
  if (isArray(bare) && Array.isArray(value)) {
    for (const [at, item] of value.entries())
      if (typeof item === 'object') yield* findUnknownKeys(bare.type, item, `${path}[${at}]`)
    return
  }
  const keys = keysOf(codec)
  if (keys !== null && isObject(value)) yield* findInObject(keys, value, path)
}
