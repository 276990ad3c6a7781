import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { git } from '#src/adapters/git/git-command.js'

/** Why no repository was made: a sentence for the user, and the exit code (D2). */
export interface PlaceRefusal {
  readonly reason: string
  readonly code: ExitCode
}

const refusal = (code: ExitCode, reason: string): Either<PlaceRefusal, never> => left({ code, reason })

const contentOf = (directory: string): Promise<ReadonlyArray<string> | null> =>
  readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })

/**
 * Fills a new or empty folder with a repository. `fill` gets another folder beside it, which one rename puts
 * in place, so that an interrupted run leaves nothing that looks like a repository. Left: git is missing, the
 * folder is unusable, or the disk refuses.
 */
export const placeFolder = async (
  directory: string,
  fill: (unfinished: string) => Promise<void>,
): Promise<Either<PlaceRefusal, string>> => {
  const target = resolve(directory)
  if ((await git(['--version'], { cwd: process.cwd() })).absent)
    return refusal(exitCodes.noGit, 'git is not on the PATH; install git')
  try {
    const content = await contentOf(target)
    if (content !== null && content.length > 0)
      return refusal(exitCodes.usage, `${target} is not empty; name an empty or a new directory`)
    await mkdir(dirname(target), { recursive: true })
    const unfinished = `${target}.unfinished`
    const litter = await contentOf(unfinished)
    // An interrupted run leaves a repository, or nothing, in the folder; anything else is a person's.
    if (litter !== null && litter.length > 0 && !litter.includes('.git'))
      return refusal(exitCodes.usage, `${unfinished} is in the way; remove it, or name another directory`)
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished)
    await fill(unfinished)
    if (content !== null) await rmdir(target)
    await rename(unfinished, target)
    return right(target)
  } catch (error) {
    return refusal(exitCodes.uncaught, error instanceof Error ? error.message : String(error))
  }
}
