import type { SourceFile } from '#src/domain/lore/layout.js'
import { fillNameForms } from '#src/domain/names/name-index.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { type Build, buildSnapshot, type Inputs } from '../build.js'
import { type ParsedFile, parseFile } from '../parsed-file.js'
import type { Snapshot } from '../snapshot.js'
import { type Delta, inputsAfter } from './delta.js'

/** State of a reader thread: its snapshot, and files parsed before the delta that places them arrives. */
export interface Follower {
  readonly inputs: Inputs | null
  readonly build: Build | null
  readonly snapshot: Snapshot | null
  readonly parsed: ReadonlyMap<string, ParsedFile>
}

export const freshFollower: Follower = { inputs: null, build: null, snapshot: null, parsed: new Map() }

/** Parses changed files that are sent ahead, so that they are ready when the delta arrives. */
export const takeFiles = (follower: Follower, files: ReadonlyArray<SourceFile>): Follower => {
  const parsed = new Map(follower.parsed)
  for (const file of files) parsed.set(file.path, parseFile(file))
  return { ...follower, parsed }
}

/**
 * Builds the same snapshot as the main thread, from the same inputs, and gives it the generation of the
 * delta. Makes the forms of all names, so that no request waits for them.
 */
export const follow = (follower: Follower, delta: Delta): Follower => {
  const inputs = inputsAfter(follower.inputs, follower.parsed, delta)
  const built = buildSnapshot(inputs, follower.build)
  atOnce(fillNameForms(built.snapshot.names))
  const snapshot = { ...built.snapshot, generation: delta.generation }
  return { inputs, build: built, snapshot, parsed: new Map() }
}
