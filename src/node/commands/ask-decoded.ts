import { basename } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { AskDaemon } from '#src/adapters/outbound/daemon-client.js'
import { quoteWord } from '#src/cli/output.js'
import type { CommandRefusal } from '#src/cli/print-answer.js'

/**
 * Asks the daemon and returns the body that the codec accepts. Left: the refusal with all its fields, or why there
 * is no answer that can be read.
 */
export const askDecoded = async <A>(
  ask: AskDaemon,
  codec: Says<A>,
  ...request: Parameters<AskDaemon>
): Promise<Either<CommandRefusal, A>> => {
  const answer = await ask(...request)
  if (isLeft(answer))
    return left({
      error: 'Unreachable',
      detail: `The daemon does not answer (${answer.left}). Check its log.`,
    })
  const { status, body } = answer.right
  // A refusal may have all fields of an answer: that of a converge has the whole status.
  if (status < 400 && codec.is(body)) return right(body)
  const strange = {
    error: `HTTP ${status}`,
    detail: 'The answer of the daemon cannot be read: it is another version than this command.',
  }
  return left(Refused.is(body) ? body : strange)
}

/**
 * How this process was called, to be pasted into a shell: `npx kronika` in a clone; `kronika` where the script, the
 * program that the shell started (such as a wrapper) or the title of the process has that name; else node with the
 * script. `npmCommand` is the value of `npm_command`, `started` that of `_`.
 */
export const commandPrefix = (
  script: string,
  npmCommand: string | undefined,
  { started = '', title = '' }: { readonly started?: string | undefined; readonly title?: string } = {},
): string => {
  if (npmCommand === 'exec') return 'npx kronika'
  const isNamed = [basename(script), basename(started), title].includes('kronika')
  return isNamed ? 'kronika' : `node ${quoteWord(script)}`
}

/** `commandPrefix` for this process. */
export const currentCommandPrefix = (): string =>
  commandPrefix(process.argv[1] ?? 'kronika', process.env['npm_command'], {
    started: process.env['_'],
    title: process.title,
  })

/** The command that revokes a named token, with the checkout and the state area as they were given. */
export const revokeCommand = (
  { repo, state }: { readonly repo: string; readonly state?: string },
  id: string,
): string =>
  [
    `${currentCommandPrefix()} token revoke ${quoteWord(id)} --repo ${quoteWord(repo)}`,
    ...(state === undefined ? [] : [`--state ${quoteWord(state)}`]),
  ].join(' ')

/** The part of a codec that decides what a body is. */
interface Says<A> {
  readonly is: (body: unknown) => body is A
}

const Refused = t.type({ error: t.string, detail: t.string })
