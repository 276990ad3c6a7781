import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { CommitId } from '#protocol/atoms.js'
import { queryKinds } from '#protocol/query.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { isFromCommit, type Route } from '#protocol/route.js'
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
  isRefinement,
  isUnion,
} from '#src/domain/codecs/codec-kinds.js'
import { commitNotHere } from '#src/writing/command.js'

/** Describes what a codec accepts: "a list of texts", "one of NPC, Grupa, …". Never shows what was sent. */
export const describeCodec = (codec: t.Mixed): string => {
  const known = plain.get(codec.name)?.[0] ?? queryKinds[codec.name]?.wants
  if (known !== undefined) return known
  if (isArray(codec)) return `a list of ${describeItems(codec.type)}`
  if (isObject(codec)) return 'an object'
  if (isKeyof(codec)) return `one of ${Object.keys(codec.keys).join(', ')}`
  if (isLiteral(codec)) return String(codec.value)
  if (isUnion(codec)) return [...new Set(codec.types.map(describeCodec))].join(' or ')
  if (isReadonly(codec) || isRefinement(codec)) return describeCodec(codec.type)
  return `a value of kind ${codec.name}`
}

/**
 * The commit that a request asks for with `X-Svc-Min-Commit`; null where it names none or the row ignores the
 * header (A 4.1.9). The value must be a full commit id: a snapshot has no other kind, so any other value is
 * refused (D27).
 */
export const wantedCommitOf = (
  row: Route,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Either<RefusalOf<'CommitNotHere'>, CommitId | null> => {
  const wanted = headers['x-svc-min-commit']
  if (wanted === undefined || !isFromCommit(row)) return any
  const id = CommitId.decode(wanted)
  return isLeft(id) ? left(commitNotHere()) : id
}

/** Words for the plain codecs of JSON, of one value and of several. */
const plain: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
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
  plain.get(item.name)?.[1] ?? (isObject(item) ? 'objects' : `which each item is ${describeCodec(item)}`)

const isObject = (codec: t.Mixed): boolean =>
  isInterface(codec) || isPartial(codec) || isDictionary(codec) || isExact(codec) || isIntersection(codec)

const any: Either<never, null> = right(null)
