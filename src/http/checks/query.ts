import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { queryKinds } from '#protocol/query.js'
import { type BodyProblem, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { QueryCodecs } from '#protocol/route.js'
import { perValue } from '#src/domain/caching/per-value.js'
import {
  isArray,
  isDictionary,
  isExact,
  isInterface,
  isIntersection,
  isKeyof,
  isLiteral,
  isPartial,
  isReadonly,
  isRecursive,
  isRefinement,
  isUnion,
} from '#src/domain/codecs/codec-kinds.js'
import { pathOfContext } from '#src/domain/lore/layout.js'
import { isWithinOneEdit } from '#src/domain/names/near-spellings.js'
import { cacheRecent } from '../records/recent.js'
import type { Match, Matcher, Served } from '../routing/matcher.js'
import { plainPath } from './arrival.js'

/** Reads the text after the question mark; left when an escape is malformed or there are too many parameters. */
export const readQueryPairs = (text: string): Either<RefusalOf<'RequestMalformed'>, QueryPairs> => {
  if (text === '') return right(noPairs)
  const parts = text.split('&').filter(part => part !== '')
  if (parts.length > parametersMax)
    return left(
      refuse('RequestMalformed', `The query has more than ${parametersMax} parameters. Send fewer.`),
    )
  try {
    return right(
      parts.map(part => {
        const mark = part.indexOf('=')
        return mark < 0
          ? ([decodeText(part), ''] as const)
          : ([decodeText(part.slice(0, mark)), decodeText(part.slice(mark + 1))] as const)
      }),
    )
  } catch {
    return left(refuse('RequestMalformed', 'The query has a malformed percent escape.'))
  }
}

/** Whether the query asks for a dry run; the gate asks this before the query is decoded (A 4.1). */
export const asksDryRun = (pairs: QueryPairs): boolean =>
  pairs.some(([name, value]) => name === 'dryRun' && value === 'true')

/** The values of the parameters that the row knows, and the text of them that is part of the answer's key. */
export interface Query {
  readonly values: Readonly<Record<string, unknown>>
  readonly key: string
}

/** The refusal for a required parameter that is missing. */
export const refuseMissingParameter = (parameter: string): RefusalOf<'ParameterInvalid'> =>
  refuse('ParameterInvalid', `Give the parameter ${parameter}: ${parameter}=<name>.`, { parameter })

/**
 * Decodes the known parameters. Ignores unknown ones, including bracketed ones; refuses a known one that is
 * given twice or has a bad value, by name (A 4.1.5, D25). Refuses a near spelling of `dryRun` on rows that
 * take it.
 */
export const decodeQuery = (
  codecs: QueryCodecs,
  pairs: QueryPairs,
): Either<RefusalOf<'ParameterInvalid'>, Query> => {
  if (pairs.length === 0) return right(emptyQuery)
  const texts = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (!Object.hasOwn(codecs, name)) {
      const misspelt = refuseMisspelling(codecs, name)
      if (misspelt !== null) return misspelt
      continue
    }
    if (texts.has(name))
      return refuseParameter(name, `The parameter ${name} is given more than once. Give it once.`)
    texts.set(name, value)
  }
  if (texts.size === 0) return right(emptyQuery)
  const values: Record<string, unknown> = {}
  let key = ''
  for (const [name, codec] of Object.entries(codecs)) {
    const text = texts.get(name)
    if (text === undefined) continue
    const value = codec.decode(text)
    if (isLeft(value)) {
      const wants = queryKinds[codec.name]?.wants ?? `a value of kind ${codec.name}`
      return refuseParameter(name, `The parameter ${name} must be ${wants}.`)
    }
    values[name] = value.right
    key += `${name}=${JSON.stringify(text)}&`
  }
  return right({ values, key })
}

/**
 * What the method and the encoded path of a request determine by themselves, independent of caller and lore.
 */
export interface RequestTarget {
  readonly found: ReturnType<Matcher>
  /** Null where no row matched. */
  readonly matched: Match | null
  /** The path for the request stream, not scrubbed yet; null where no row matched. */
  readonly recordedPath: string | null
}

export type TargetOf = (method: string, path: string) => RequestTarget

/** Finds targets with the matcher; caches those of the latest reads. */
export const rememberTargets = (match: Matcher): TargetOf => {
  const ofGet = cacheRecent(path => targetOf(match, 'GET', path), limits)
  return (method, path) => (method === 'GET' ? ofGet(path) : targetOf(match, method, path))
}

/** The row that serves a target; null before the target is known, and where no row matched. */
export const servedRowOf = (target: RequestTarget | null): Served | null => target?.matched?.served ?? null

/** The most problems that one answer reports (D52). */
export const problemsMax = 20

/** The problems that decode errors name, at most 20. */
export const problemsOf = (errors: t.Errors): ReadonlyArray<BodyProblem> =>
  firstProblems(decodeProblems(errors))

/** The keys of a body that its codec does not know, at most 20. */
export const unknownKeyProblems = (codec: t.Mixed, value: unknown): ReadonlyArray<BodyProblem> =>
  firstProblems(unknownKeys(codec, value))

/** The problems of a body in one list: first those of decoding, then unknown keys. */
export const joinProblems = (
  decoding: ReadonlyArray<BodyProblem>,
  unknown: ReadonlyArray<BodyProblem>,
): ReadonlyArray<BodyProblem> => firstProblems([...decoding, ...unknown])

/** Decoded pairs of a query, in the order of the request. */
/** Describes what a codec accepts: "a list of texts", "one of NPC, Grupa, …". Never shows what was sent. */
export const describeCodec = (codec: t.Mixed): string => {
  const known = plainWords.get(codec.name)?.[0] ?? queryKinds[codec.name]?.wants
  if (known !== undefined) return known
  if (isArray(codec)) return `a list of ${describeItems(codec.type)}`
  if (isObjectCodec(codec)) return 'an object'
  if (isKeyof(codec)) return `one of ${Object.keys(codec.keys).join(', ')}`
  if (isLiteral(codec)) return String(codec.value)
  if (isUnion(codec)) return [...new Set(codec.types.map(describeCodec))].join(' or ')
  if (isReadonly(codec) || isRefinement(codec)) return describeCodec(codec.type)
  return `a value of kind ${codec.name}`
}

type QueryPairs = ReadonlyArray<readonly [name: string, value: string]>

/** A query with more parameters is refused (D25). */
const parametersMax = 1000

const decodeText = (text: string): string =>
  decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)

const noPairs: QueryPairs = []

const refuseParameter = (parameter: string, detail: string): Either<RefusalOf<'ParameterInvalid'>, never> =>
  left(refuse('ParameterInvalid', detail, { parameter }))

/**
 * Normalizes a name: without a last `[]` or `[n]`, as form libraries write a list, and without case, `-` and
 * `_`.
 */
const plainName = (name: string): string =>
  name
    .replace(/\[\d*\]$/, '')
    .toLowerCase()
    .replace(/[-_]/g, '')

const shownChars = 80

const dryRunName = 'dryrun'

/** Whether a plain name is `dryRun` and then something other than a letter, as in `dryRun%3Dtrue`. */
const continuesDryRun = (plain: string): boolean =>
  plain.startsWith(dryRunName) && !/^\p{L}/u.test(plain.slice(dryRunName.length))

/** Does not repeat the name, because what follows `dryRun` may be a secret. */
const continued =
  'The name of a parameter is dryRun followed by other characters. Write dryRun=true for a dry run, with the ' +
  '= unescaped and nothing between, or leave it out to write.'

/**
 * Refuses a parameter whose name is `dryRun` except for case, `-`, `_`, a last `[]` or `[n]` and one typing
 * error, or except for case, `-` and `_` begins with `dryRun` and a character that is no letter, where the row
 * takes `dryRun`. If it were ignored, the preview that the caller wants would become a write (ADR 1009).
 */
const refuseMisspelling = (
  codecs: QueryCodecs,
  name: string,
): Either<RefusalOf<'ParameterInvalid'>, never> | null => {
  if (!Object.hasOwn(codecs, 'dryRun')) return null
  const plain = plainName(name)
  if (!isWithinOneEdit(plain, dryRunName))
    return continuesDryRun(plain) ? refuseParameter('dryRun', continued) : null
  const shown = name.slice(0, shownChars)
  return refuseParameter(
    shown,
    `There is no parameter ${shown}. Write dryRun=true for a dry run, or leave it out to write.`,
  )
}

const emptyQuery: Query = { values: Object.freeze({}), key: '' }

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
const findUnknownKeys = function* (codec: t.Mixed, value: unknown, path = '$'): Generator<BodyProblem, void> {
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

/** Path parameters whose value is a secret (D39). */
const secretParameters = /\{(sha|token|key|code)\}/

/** Enough for what a fleet of bots requests repeatedly; about 2 MiB of paths and parameters. */
const limits = { entriesMax: 2048, charsMax: 256 }

/**
 * Not shortened: that happens after the scrubber, which does not recognize a credential by its first
 * characters.
 */
const recordedPathOf = (match: Match, path: string): string => {
  const template = match.served.row.path
  return secretParameters.test(template) ? template : plainPath(path)
}

const targetOf = (match: Matcher, method: string, path: string): RequestTarget => {
  const found = match(method, path)
  const matched = isLeft(found) ? null : found.right
  return { found, matched, recordedPath: matched === null ? null : recordedPathOf(matched, path) }
}

const expectedCharsMax = 200

/** What is expected at the place of the error; for a member of a union, the whole union. */
const describeWanted = (context: t.Context): string => {
  let wanted = context.at(-1)?.type
  for (const { type } of context.slice(0, -1).reverse()) {
    if (!(type instanceof t.UnionType)) break
    wanted = type
  }
  return wanted instanceof t.Type ? describeCodec(wanted) : 'another value'
}

const problemOf = ({ context }: t.ValidationError): BodyProblem => ({
  path: pathOfContext(context),
  expected: describeWanted(context).slice(0, expectedCharsMax),
})

/** The first problem at each path: the members of a union that do not match report one path each. */
const firstProblems = (found: Iterable<BodyProblem>): ReadonlyArray<BodyProblem> => {
  const byPath = new Map<string, BodyProblem>()
  for (const problem of found) {
    if (byPath.size === problemsMax) break
    if (!byPath.has(problem.path)) byPath.set(problem.path, problem)
  }
  return [...byPath.values()]
}

const decodeProblems = function* (errors: t.Errors): Generator<BodyProblem, void> {
  for (const error of errors) yield problemOf(error)
}

const unknownKeys = function* (codec: t.Mixed, value: unknown): Generator<BodyProblem, void> {
  for (const { path, expected } of findUnknownKeys(codec, value))
    yield { path, expected: expected.slice(0, expectedCharsMax) }
}

/** Words for the plain codecs of JSON, of one value and of several. */
const plainWords: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
  ['string', ['a text', 'texts']],
  ['number', ['a number', 'numbers']],
  ['Int', ['a whole number', 'whole numbers']],
  ['boolean', ['true or false', 'values true or false']],
  ['null', ['null', 'nulls']],
  ['InteractionId', ['a text of 1 to 20 digits between 1 and 2^64 − 1', 'ids as texts']],
  ['EpochMs', ['a whole number from 0 to 2^53', 'whole numbers from 0 to 2^53']],
  ['DispatchVars', ['a flat record of texts of at most 64 KiB', 'flat records of texts']],
])

const describeItems = (item: t.Mixed): string =>
  plainWords.get(item.name)?.[1] ??
  (isObjectCodec(item) ? 'objects' : `which each item is ${describeCodec(item)}`)

const isObjectCodec = (codec: t.Mixed): boolean =>
  isInterface(codec) || isPartial(codec) || isDictionary(codec) || isExact(codec) || isIntersection(codec)
