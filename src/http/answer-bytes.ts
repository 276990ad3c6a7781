import type { Answer, Rendered } from './handler.js'
import type { Served } from './matcher.js'

const isRendered = (body: unknown): body is Rendered<unknown> =>
  typeof body === 'object' && body !== null && '_tag' in body && body._tag === 'Rendered' && 'bytes' in body

/** The bytes of an answer, by the codec of its status. */
export const bytesOf = (served: Served, status: number, answer: Answer<unknown>): Buffer => {
  if (isRendered(answer.body)) return answer.body.bytes
  const codec = served.row.answers[status]
  if (codec === undefined) throw new Error(`${served.id} answered ${status}, which its row does not have`)
  return Buffer.from(JSON.stringify(codec.encode(answer.body)))
}
