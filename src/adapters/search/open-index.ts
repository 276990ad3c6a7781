import { join } from 'node:path'
import type { Tier } from '#protocol/atoms.js'
import { openSqlite } from '../runtime/sqlite.js'
import { fts5Part } from './fts5-engine.js'
import type { IndexPart } from './index-part.js'
import { readVersions } from './row-facts.js'
import { type FoundIndex, findIndex, type SavedHead } from './saved/saved-index.js'
import { readPacked, readWinkFile, type WinkFile } from './saved/wink-file.js'
import { type TierIndex, tierIndex } from './tier-index.js'
import { winkPart } from './wink-engine.js'

export interface OpenedIndex {
  readonly _tag: 'Opened'
  readonly head: SavedHead
  readonly index: TierIndex
  readonly versions: WinkFile['versions']
}

const emptyPart: IndexPart = {
  size: () => ({ documents: 0, words: 0 }),
  frequencyOf: () => 0,
  rank: () => ({ hits: [], total: 0, totalIsLowerBound: false }),
  drop: () => 0,
}

const openWink = (head: SavedHead, path: string): OpenedIndex => {
  const { saved, heads, versions } = readWinkFile(path, head.sections)
  const index =
    saved === null ? tierIndex(emptyPart, readPacked(path, head.sections)) : tierIndex(winkPart(saved, heads))
  return { _tag: 'Opened', head, index, versions }
}

const openFts5 = (head: SavedHead, path: string): OpenedIndex => {
  const sqlite = openSqlite(path, 0, 'read')
  return { _tag: 'Opened', head, index: tierIndex(fts5Part(sqlite)), versions: readVersions(sqlite) }
}

/** Opens the saved index of a tier. A file that cannot be read is a value; nothing is thrown. */
export const openIndex = (
  folder: string,
  tier: Tier,
): OpenedIndex | Exclude<FoundIndex, { readonly _tag: 'Saved' }> => {
  const found = findIndex(folder, tier, true)
  if (found._tag !== 'Saved') return found
  const { head } = found
  try {
    const path = join(folder, head.file)
    return head.engine === 'wink' ? openWink(head, path) : openFts5(head, path)
  } catch (error) {
    return { _tag: 'Unusable', reason: error instanceof Error ? error.message : String(error) }
  }
}
