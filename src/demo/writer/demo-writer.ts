import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Either, map } from 'fp-ts/lib/Either.js'
import { type PlaceRefusal, placeFolder } from '#src/adapters/place-folder.js'
import { worksFolder } from '../service-files.js'
import { type DemoWorldOptions, demoWorld } from '../world.js'
import { type Progress, writeRepository } from './fast-import.js'

/** The result for the user. */
export interface WrittenDemo {
  readonly directory: string
  /** The works tree, a separate repository inside the checkout (ADR 1037). */
  readonly works: string
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
    await mkdir(join(unfinished, worksFolder))
    await writeRepository(join(unfinished, worksFolder), world.works, () => undefined)
  })
  return map((target: string) => ({ directory: target, works: join(target, worksFolder), commits }))(placed)
}
