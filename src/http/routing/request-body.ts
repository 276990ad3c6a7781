import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Route } from '#protocol/route.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { breather } from '#src/kernel/time/breathe.js'
import {
  bodyRefusalOf,
  decodeBodyInSlices,
  mediaRefusal,
  readBody,
  sendsBody,
  type TakenBody,
} from '../checks/body.js'
import type { FrontDeps } from './deps.js'
import type { Served } from './matcher.js'
import { type Outcome, refuseRequest } from './outcome.js'

/** Decodes the bytes of a body and lets other requests run while it does. */
const decodeInTurns = async (
  { clock }: FrontDeps,
  row: Route,
  taken: TakenBody,
  bytes: Buffer,
): Promise<Either<Outcome, unknown>> => {
  const decoded = await runWithPauses(decodeBodyInSlices(taken, bytes), breather(clock.monotonicMs))
  return isLeft(decoded) ? left(refuseRequest(bodyRefusalOf(row, decoded.left), 'body')) : decoded
}

/** Checks content type and size and reads the body, in this order; only where the row takes a body. */
export const readRequestBody = async (
  deps: FrontDeps,
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
  if (!sendsBody(req)) return decodeInTurns(deps, row, taken, Buffer.alloc(0))
  const media = mediaRefusal(req)
  if (media !== null) return left(refuseRequest(media, 'media_type'))
  const bytes = await readBody(req)
  if (isLeft(bytes)) return left(bytes.left === 'gone' ? { _tag: 'Gone' } : refuseRequest(bytes.left, 'size'))
  deps.meter.body(row.path, bytes.right.length)
  return decodeInTurns(deps, row, taken, bytes.right)
}
