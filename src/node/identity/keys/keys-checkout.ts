import { join, resolve } from 'node:path'
import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { excludeState, findDistrust, makeStateArea } from '#src/adapters/state/state-area.js'
import { findCommittedState, openSource, reasonOf, type Stop } from '#src/node/start/checkout.js'
import { stateTold } from '#src/node/start/state-lost.js'
import type { TreeSource } from '#src/ports/git.js'

/** The failure that ends the command with this exit code and prints the reason. */
export const stopWith = (code: Stop['code'], reason: string): Either<Stop, never> => left({ code, reason })

/** Opens a git checkout and finds its state area. Creates and writes nothing, and does not follow links. */
export const readCheckout = async <A>(
  directory: string,
  stateDirectory: string | undefined,
  work: (source: TreeSource, state: string) => Promise<Either<Stop, A>>,
): Promise<Either<Stop, A>> => {
  const opened = await openSource(directory)
  if (isLeft(opened)) return opened
  const source = opened.right
  try {
    const repo = source.path
    if (source.kind !== 'git')
      return stopWith(
        exitCodes.usage,
        `${repo} is not a git checkout, and keys are published by a commit. Name the lore checkout with --repo.`,
      )
    const state = stateDirectory === undefined ? join(repo, '.svc/state') : resolve(stateDirectory)
    const doubt = findDistrust(repo, state, await findCommittedState(repo, state))
    return doubt === null ? await work(source, state) : stopWith(exitCodes.usage, `${doubt}.`)
  } catch (error) {
    return stopWith(exitCodes.uncaught, reasonOf(error))
  } finally {
    await source.close()
  }
}

/** Receives what the operator must know of the state area, whatever the outcome. */
export type TellNote = (note: string) => void

/**
 * Opens a git checkout and its state area, creating the area where there is none. Takes no fence, so a daemon
 * may be serving it. Reports an area that was lost, or is not the one that this checkout was served with.
 */
export const atCheckout = <A>(
  directory: string,
  stateDirectory: string | undefined,
  tell: TellNote,
  work: (repo: string, state: string) => Promise<Either<Stop, A>>,
): Promise<Either<Stop, A>> =>
  readCheckout(directory, stateDirectory, ({ path: repo }, state) => {
    const note = stateTold(repo, state, true)
    if (note !== null) tell(note)
    excludeState(repo, state)
    makeStateArea(state)
    return work(repo, state)
  })
