import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { worksFolder } from '#src/demo/service-files.js'
import { type DemoOptions, demoWorld } from '#src/demo/world.js'
import { type Progress, writeRepository } from './fast-import.js'

/** What was written, for the person who asked for it. */
export interface WrittenDemo {
  readonly directory: string
  /** The works tree, a repository of its own inside the checkout (ADR 0080). */
  readonly works: string
  readonly commits: number
}

const contentOf = (directory: string): Promise<ReadonlyArray<string> | null> =>
  readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })

/**
 * Writes a demo world with its history. Left: why the directory cannot be used. The world is made beside it and put in
 * place by one rename, so that an interrupted run leaves nothing that looks like a world.
 */
export const writeDemo = async (
  directory: string,
  options: DemoOptions,
  onProgress: Progress = () => undefined,
): Promise<Either<string, WrittenDemo>> => {
  const target = resolve(directory)
  const content = await contentOf(target)
  if (content !== null && content.length > 0) return left(`${target} is not empty`)
  const world = demoWorld(options)
  const unfinished = `${target}.unfinished`
  await mkdir(dirname(target), { recursive: true })
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(join(unfinished, worksFolder), { recursive: true })
  await writeRepository(unfinished, world.commits, onProgress)
  await writeRepository(join(unfinished, worksFolder), world.works, () => undefined)
  if (content !== null) await rmdir(target)
  await rename(unfinished, target)
  return right({ directory: target, works: join(target, worksFolder), commits: world.commits.length })
}
