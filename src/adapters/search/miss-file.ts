import { readFileSync, statSync } from 'node:fs'
import { appendFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { dayOf, Tier } from '#protocol/atoms.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { type Miss, type Misses, missesMax } from '#src/domain/search/zero-results.js'
import { makeFolderInState } from '../state/state-area.js'

/** The list of queries without hits, on disk. */
export interface MissFile {
  readonly misses: () => Misses
  /** Applies a change, and resolves once it is written. A disk that refuses leaves the list in memory alone. */
  readonly change: (next: (misses: Misses) => Misses) => Promise<void>
}

/**
 * Opens the list in a file, which may not exist; lines that cannot be read are skipped. Calls `onFault` with the
 * error of a write that failed.
 */
export const openMissFile = (path: string, onFault: (error: unknown) => void): MissFile => {
  let misses = readLines(path)
  let lines = linesMax
  let written: Promise<unknown> = Promise.resolve()
  const write = async (added: ReadonlyArray<string>): Promise<void> => {
    if (lines + added.length <= linesMax) {
      lines += added.length
      return appendFile(path, added.join(''))
    }
    const all = [...misses].map(([key, miss]) => lineOf(key, miss))
    makeFolderInState(dirname(path))
    await writeFile(`${path}.new`, all.join(''), { mode: 0o600 })
    await rename(`${path}.new`, path)
    lines = all.length
  }
  return {
    misses: () => misses,
    change: next => {
      const before = misses
      misses = next(before)
      if (misses === before) return Promise.resolve()
      const added = linesOfChange(before, misses)
      const own = written.then(() => write(added)).catch(onFault)
      written = own
      return own
    },
  }
}

const MissLine = t.type({
  key: t.string,
  /** Null: the miss was dropped. */
  miss: t.union([
    t.type({
      query: t.string,
      tiers: t.readonlyArray(Tier),
      count: t.number,
      firstAt: t.string,
      lastAt: t.string,
      solvedBy: t.union([t.string, t.null]),
      asker: t.union([t.string, t.null, t.undefined]),
    }),
    t.null,
  ]),
})

const lineOf = (key: string, miss: Miss | null): string => `${JSON.stringify({ key, miss })}\n`

/** The file is rewritten without replaced lines when it has more lines. */
const linesMax = 4 * missesMax
const bytesMax = 16 * 1024 * 1024

const textAt = (path: string): string => {
  try {
    return statSync(path).size > bytesMax ? '' : readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A line as it is now: before 0.5 it had instants, and did not say who asked. */
const missOf = (line: Exclude<t.TypeOf<typeof MissLine>['miss'], null>): Miss | null => {
  const [firstAt, lastAt] = [dayOf(line.firstAt.slice(0, 10)), dayOf(line.lastAt.slice(0, 10))]
  const asker = line.asker === undefined ? '' : line.asker
  return firstAt === null || lastAt === null ? null : { ...line, firstAt, lastAt, asker }
}

const readLines = (path: string): Misses => {
  const misses = new Map<string, Miss>()
  for (const line of textAt(path).split('\n')) {
    const read = MissLine.decode(parseJson(line))
    if (isLeft(read)) continue
    const { key } = read.right
    const miss = read.right.miss === null ? null : missOf(read.right.miss)
    misses.delete(key)
    if (miss !== null) misses.set(key, miss)
  }
  return misses
}

const linesOfChange = (before: Misses, after: Misses): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const key of before.keys()) if (!after.has(key)) lines.push(lineOf(key, null))
  for (const [key, miss] of after) if (before.get(key) !== miss) lines.push(lineOf(key, miss))
  return lines
}
