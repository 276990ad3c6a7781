import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Answer, Rendered } from './handler.js'
import type { Served } from './matcher.js'

/** The largest answer of a row that does not answer with the whole corpus. */
export const answerBytesMax = 16 * 1024 * 1024

const isRendered = (body: unknown): body is Rendered<unknown> =>
  typeof body === 'object' && body !== null && '_tag' in body && body._tag === 'Rendered' && 'bytes' in body

/** The bytes of an answer, by the codec of its status; none that was carried out is ever withheld for its size. */
export const bytesOf = (served: Served, status: number, answer: Answer<unknown>): Buffer => {
  if (isRendered(answer.body)) return answer.body.bytes
  const codec = served.row.answers[status]
  if (codec === undefined) throw new Error(`${served.id} answered ${status}, which its row does not have`)
  return Buffer.from(JSON.stringify(codec.encode(answer.body)))
}

/** Refuses an answer above a bound; `advice` tells the caller how to ask for less. */
export const tooLarge = (
  bytesMax: number,
  advice = 'Ask for less: page with limit and offset, or name fewer things at once.',
): RefusalOf<'AnswerTooLarge'> =>
  refuse('AnswerTooLarge', `The answer would have more than ${bytesMax} bytes. ${advice}`, { bytesMax })

/**
 * The bytes of an answer that changed nothing: refused where they are more than `answerBytesMax` and the row has no
 * leave to answer with the whole corpus (D16).
 */
export const boundedBytesOf = (
  served: Served,
  status: number,
  answer: Answer<unknown>,
): Either<RefusalOf<'AnswerTooLarge'>, Buffer> => {
  const bytes = bytesOf(served, status, answer)
  const isLarge = bytes.length > answerBytesMax && served.row.wholeCorpus !== true
  return isLarge ? left(tooLarge(answerBytesMax)) : right(bytes)
}
