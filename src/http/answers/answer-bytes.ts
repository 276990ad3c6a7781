import { createHash } from 'node:crypto'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Route } from '#protocol/route.js'
import type { Reader } from '#src/domain/callers/caller.js'
import { renderJsonInSlices } from '#src/domain/json/json-bytes.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Answer, InSlices, Rendered, Streamed } from '../routing/handler.js'
import type { Served } from '../routing/matcher.js'
import type { RunWork } from '../routing/read-admission.js'

/** The largest answer in bytes, except for rows that may answer with the whole corpus. */
export const answerBytesMax = 16 * 1024 * 1024

/** Encodes an answer by the codec of its status. Returns null where it has more than `bytesMax` bytes. */
export const encodeAnswerInSlices = function* (
  { id, row }: Served,
  status: number,
  { body }: Answer<unknown>,
  bytesMax: number,
): Sliced<Buffer | null> {
  const made = isInSlices(body) ? yield* body.work : body
  if (isRendered(made)) return made.bytes.length > bytesMax ? null : made.bytes
  const codec = row.answers[status]
  if (codec === undefined) throw new Error(`${id} answered ${status}, which its row does not have`)
  return yield* renderJsonInSlices(codec.encode(made), bytesMax)
}

/** Encodes the answer to a request that had an effect: it is sent whatever its size. */
export const encodeAnswer = async (
  run: RunWork,
  served: Served,
  status: number,
  answer: Answer<unknown>,
): Promise<Buffer> => {
  const bytes = await run(encodeAnswerInSlices(served, status, answer, Number.POSITIVE_INFINITY))
  if (bytes === null) throw new Error(`${served.id} has an answer beyond every bound`)
  return bytes
}

/** Refuses an answer above a bound; `advice` tells the caller how to ask for less. */
export const refuseLargeAnswer = (
  bytesMax: number,
  advice = 'Ask for less: use limit and offset, or name fewer things in one request.',
): RefusalOf<'AnswerTooLarge'> =>
  refuse('AnswerTooLarge', `The answer would have more than ${bytesMax} bytes. ${advice}`, { bytesMax })

/**
 * Encodes the answer to a request that had no effect. Refuses it above `answerBytesMax`, unless the row may
 * answer with the whole corpus (D16).
 */
export const encodeBoundedAnswer = async (
  run: RunWork,
  served: Served,
  status: number,
  answer: Answer<unknown>,
): Promise<Either<RefusalOf<'AnswerTooLarge'>, Buffer>> => {
  const bytesMax = served.row.wholeCorpus === true ? Number.POSITIVE_INFINITY : answerBytesMax
  const bytes = await run(encodeAnswerInSlices(served, status, answer, bytesMax))
  return bytes === null ? left(refuseLargeAnswer(answerBytesMax)) : right(bytes)
}

/**
 * The part of every key that depends on the snapshot as a whole: the inputs, the day, and the build that
 * renders (D10).
 */
export const stampOf = ({ inputs, day }: Pick<Snapshot, 'inputs' | 'day'>, build: string): string =>
  `${inputs}\n${day}\n${build}`

/**
 * The rest of the key: row, path, query and view. The path has no control characters, so newlines separate.
 */
export const answerKey = (
  rowId: string,
  path: Readonly<Record<string, string>>,
  queryKey: string,
  reader: Reader,
): string => {
  const { mayReadRestricted, sessions, logs, external, opens = [] } = reader.view
  const shown = `${mayReadRestricted ? 'r' : ''}${sessions ? 's' : ''}${logs ? 'l' : ''}${external ? 'e' : ''}`
  const view = [shown, ...opens].join(' ')
  let key = `${rowId}\n${queryKey}\n${view}`
  if (reader.grade === 'own') key += `\n${reader.gracz ?? ''}`
  for (const name in path) key += `\n${path[name] ?? ''}`
  return key
}

/** The part of the key of a row that reads trees beside the lore: what they are at; empty for every other row. */
export const headsKey = ({ treeHeads }: Pick<Snapshot, 'treeHeads'>, { reads = [] }: Route): string =>
  reads.map(tree => `\n${tree} ${treeHeads.get(tree)?.id ?? ''}`).join('')

/** The validator of an answer. Weak: the gzipped and the plain body share it. */
export const etagOf = (stamp: string, key: string): string =>
  `W/"${createHash('sha1').update(stamp).update('\n').update(key).digest('base64url')}"`

/** Whether `If-None-Match` names the validator. Ignores `*`: whether an answer exists is not known yet. */
export const namesEtag = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header === etag) return true
  const wanted = opaque(etag)
  return header.split(',').some(one => opaque(one.trim()) === wanted)
}

/** Whether the body of an answer is made while it is sent. */
export const isStreamed = (body: unknown): body is Streamed<unknown> => hasTag(body, 'Streamed')

const hasTag = (body: unknown, tag: string): boolean =>
  typeof body === 'object' && body !== null && '_tag' in body && body._tag === tag

const isRendered = (body: unknown): body is Rendered<unknown> => hasTag(body, 'Rendered')

const isInSlices = (body: unknown): body is InSlices<unknown> => hasTag(body, 'InSlices')

const opaque = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)
