import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { isRead, type Route } from '#protocol/route.js'
import {
  bodyRefusalOf,
  decodeBodyInSlices,
  mediaRefusal,
  readBody,
  sendsBody,
  type TakenBody,
} from '../checks/body.js'
import type { FrontDeps } from './deps.js'
import { type Outcome, refuseRequest } from './handler.js'
import type { Served } from './matcher.js'
import type { RequestWork } from './read-admission.js'

/** Decodes the bytes of a body and lets other requests run while it does. */
const decodeInTurns = async (
  work: RequestWork,
  row: Route,
  taken: TakenBody,
  bytes: Buffer,
): Promise<Either<Outcome, unknown>> => {
  const decoded = await work.run(decodeBodyInSlices(taken, bytes))
  return isLeft(decoded) ? left(refuseRequest(bodyRefusalOf(row, decoded.left), 'body')) : decoded
}

/** A longer body is not decoded in one turn. */
const bodyBytesAtOnce = 16 * 1024

const isLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyBytesAtOnce

/**
 * Checks content type and size and reads the body, in this order; only where the row takes a body. A long body is
 * read only for a caller who has a place for it, or room in the line: also that of a write, until it is decoded.
 */
export const readRequestBody = async (
  deps: FrontDeps,
  work: RequestWork,
  req: IncomingMessage,
  { row }: Served,
): Promise<Either<Outcome, unknown>> => {
  if (row.body === null) return right(null)
  const { body: codec, unknownKeys, longList, reservedKey } = row
  const taken: TakenBody = {
    codec,
    unknownKeys: unknownKeys === undefined ? 'refused' : 'ignored',
    longList,
    reservedKey,
  }
  if (!sendsBody(req)) return decodeInTurns(work, row, taken, Buffer.alloc(0))
  const media = mediaRefusal(req)
  if (media !== null) return left(refuseRequest(media, 'media_type'))
  const held = isLongBody(req) ? work.hold() : undefined
  const bytes = await readBody(req)
  await held
  if (isLeft(bytes)) return left(bytes.left === 'gone' ? { _tag: 'Gone' } : refuseRequest(bytes.left, 'size'))
  deps.meter.body(row.path, bytes.right.length)
  const decoded = await decodeInTurns(work, row, taken, bytes.right)
  if (!isRead(row)) work.release()
  return decoded
}
