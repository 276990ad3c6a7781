import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { AskDaemon } from '#src/adapters/outbound/daemon-client.js'
import type { DeskRefusal } from '#src/cli/print-answer.js'

/** The part of a codec that decides what a body is. */
interface Says<A> {
  readonly is: (body: unknown) => body is A
}

const Refused = t.type({ error: t.string, detail: t.string })

/**
 * Asks the daemon and returns the body that the codec accepts. Left: the refusal with all its fields, or why there
 * is no answer that can be read.
 */
export const askDecoded = async <A>(
  ask: AskDaemon,
  codec: Says<A>,
  ...request: Parameters<AskDaemon>
): Promise<Either<DeskRefusal, A>> => {
  const answer = await ask(...request)
  if (isLeft(answer))
    return left({
      error: 'Unreachable',
      detail: `The daemon does not answer (${answer.left}). Check its log.`,
    })
  const { status, body } = answer.right
  if (codec.is(body)) return right(body)
  const strange = {
    error: `HTTP ${status}`,
    detail: 'The answer of the daemon cannot be read: it is another version than this command.',
  }
  return left(Refused.is(body) ? body : strange)
}
