import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { type SourceFile, textBytes } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { readFile } from './target.js'

/** Largest number of blocks in one index file (D31). */
export const blocksMax = 250

/**
 * A file with more bytes accepts no further block, however few it has: above 8 MiB the daemon would not read
 * it.
 */
const fullBytes = 4 * 1024 * 1024

/**
 * With this little room left, creations are planned one after another. It must be at least the number of
 * creations that can be planned on one snapshot.
 */
const nearlyFull = 64

/** The place of a new block. `claim` is set when two creations must not be planned on one snapshot. */
export interface IndexSlot {
  readonly edit: (block: ReadonlyArray<string>) => FileEdit
  readonly claim: string | null
}

const pathAt = (number: number): RepoPath => {
  const path = RepoPath.decode(
    number === 1 ? 'encje/indeks.md' : `encje/indeks-${String(number).padStart(2, '0')}.md`,
  )
  if (isLeft(path)) throw new Error(`the index file ${number} has no path`)
  return path.right
}

const numberOf = (path: string): number => {
  if (path === 'encje/indeks.md') return 1
  return Number(/^encje\/indeks-(\d{2,6})\.md$/u.exec(path)?.[1] ?? 0)
}

const appendBlock = (file: SourceFile, block: ReadonlyArray<string>): FileEdit => {
  const lines = rawLines(file.text)
  const last = lines.at(-1)
  const spaced = last === undefined ? block : last.trim() === '' ? [...block, ''] : ['', ...block]
  const at = lines.length + 1
  return {
    _tag: 'Lines',
    path: file.path,
    before: file.blob,
    splices: [{ from: at, to: at - 1, lines: spaced }],
  }
}

/**
 * How many blocks a file still accepts; zero for a file of which the rest is hidden, that is not UTF-8, or that is too
 * large.
 */
const roomIn = (file: SourceFile): number => {
  if (file.undecodable || textBytes(file) > fullBytes) return 0
  const { lines, blocks } = readFile(file)
  return lines.unclosed === null ? Math.max(0, blocksMax - blocks.length) : 0
}

/** The end of the last index file while it has room, else a new file after it (D31). */
export const indexSlot = (files: ReadonlyMap<string, SourceFile>): IndexSlot => {
  let last = 0
  for (const path of files.keys()) last = Math.max(last, numberOf(path))
  const file = last === 0 ? undefined : files.get(pathAt(last))
  const room = file === undefined ? 0 : roomIn(file)
  if (file !== undefined && room > 0)
    return {
      edit: block => appendBlock(file, block),
      claim: room <= nearlyFull ? `slot:${file.path}` : null,
    }
  const path = pathAt(last + 1)
  return {
    edit: block => ({ _tag: 'Whole', path, before: null, after: `${block.join('\n')}\n` }),
    claim: `slot:${path}`,
  }
}
