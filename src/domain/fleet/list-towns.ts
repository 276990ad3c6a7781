import { isLeft } from 'fp-ts/lib/Either.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { readTopology, topologyPath } from './topology.js'

const townsOf = perValue((file: SourceFile): ReadonlyArray<string> => {
  const read = readTopology(file)
  return isLeft(read) ? [] : [...read.right.towns.keys()]
})

/** The towns that the committed topology lists, in its order; none where it is absent or cannot be used. */
export const listTowns = (files: ReadonlyMap<string, SourceFile>): ReadonlyArray<string> => {
  const file = files.get(topologyPath)
  return file === undefined ? [] : townsOf(file)
}
