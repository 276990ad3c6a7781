import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Either, map } from 'fp-ts/lib/Either.js'
import { type PlaceRefusal, placeFolder } from '#src/adapters/place-folder.js'
import { annotationsFolder, worksFolder } from '../service-files.js'
import { type DemoWorldOptions, demoWorld } from '../world.js'
import { type Progress, writeRepository } from './fast-import.js'

/** The result for the user. */
export interface WrittenDemo {
  readonly directory: string
  /** The works tree and the annotations, separate repositories inside the checkout (ADR 1037). */
  readonly works: string
  readonly annotations: string
  readonly commits: number
}

/**
 * Writes a demo world with its history. Left: git is missing, the directory is unusable, or the disk refuses.
 */
export const writeDemo = async (
  directory: string,
  options: DemoWorldOptions,
  onProgress: Progress = () => undefined,
): Promise<Either<PlaceRefusal, WrittenDemo>> => {
  let commits = 0
  const placed = await placeFolder(directory, async unfinished => {
    const world = demoWorld(options)
    commits = world.commits.length
    await writeRepository(unfinished, world.commits, onProgress)
    for (const [folder, history] of [
      [worksFolder, world.works],
      [annotationsFolder, world.annotations],
    ] as const) {
      await mkdir(join(unfinished, folder))
      await writeRepository(join(unfinished, folder), history, () => undefined)
    }
  })
  return map((target: string) => ({
    directory: target,
    works: join(target, worksFolder),
    annotations: join(target, annotationsFolder),
    commits,
  }))(placed)
}
