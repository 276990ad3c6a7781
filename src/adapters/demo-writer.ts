import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { type Progress, writeRepository } from '#src/adapters/git/fast-import.js'
import { git } from '#src/adapters/git/git-command.js'
import { worksFolder } from '#src/demo/service-files.js'
import { type DemoOptions, demoWorld } from '#src/demo/world.js'

/** What was written, for the person who asked for it. */
export interface WrittenDemo {
  readonly directory: string
  /** The works tree, a repository of its own inside the checkout (ADR 0080). */
  readonly works: string
  readonly commits: number
}

/** Why no world was written: a sentence for the person, and how the process ends (D2). */
export interface DemoRefusal {
  readonly reason: string
  readonly code: ExitCode
}

const refusal = (code: ExitCode, reason: string): Either<DemoRefusal, never> => left({ code, reason })

const contentOf = (directory: string): Promise<ReadonlyArray<string> | null> =>
  readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })

/**
 * Writes a demo world with its history. Left: there is no git, the directory cannot be used, the disk refuses.
 * The world is made beside the directory and put in place by one rename, so that an interrupted run leaves nothing
 * that looks like a world.
 */
export const writeDemo = async (
  directory: string,
  options: DemoOptions,
  onProgress: Progress = () => undefined,
): Promise<Either<DemoRefusal, WrittenDemo>> => {
  const target = resolve(directory)
  if ((await git(['--version'], { cwd: process.cwd() })).absent)
    return refusal(exitCodes.noGit, 'there is no git on the path')
  try {
    const content = await contentOf(target)
    if (content !== null && content.length > 0)
      return refusal(exitCodes.usage, `${target} is not empty; name an empty or a new directory`)
    return right(await placed(target, content !== null, options, onProgress))
  } catch (error) {
    return refusal(exitCodes.uncaught, error instanceof Error ? error.message : String(error))
  }
}

/** Makes the world beside the target and renames it there. */
const placed = async (
  target: string,
  standing: boolean,
  options: DemoOptions,
  onProgress: Progress,
): Promise<WrittenDemo> => {
  const world = demoWorld(options)
  const unfinished = `${target}.unfinished`
  await mkdir(dirname(target), { recursive: true })
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(join(unfinished, worksFolder), { recursive: true })
  await writeRepository(unfinished, world.commits, onProgress)
  await writeRepository(join(unfinished, worksFolder), world.works, () => undefined)
  if (standing) await rmdir(target)
  await rename(unfinished, target)
  return { directory: target, works: join(target, worksFolder), commits: world.commits.length }
}
