import { deepEqual, equal } from 'node:assert/strict'
import { parseBlocks } from '#src/domain/lore/blocks.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { Block, Row } from '#src/domain/lore/rows/row-change.js'
import { tagOf } from '#src/domain/lore/rows/rows.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { sourceFile } from './world.js'
import { applyEdits, textsOf } from './writing-world.js'

/** The text of one file before and after a plan; both the same where the plan does not change it. */
export interface Edited {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** The changes of a plan to every file that it touches. */
export const findEditedFiles = (
  snapshot: Snapshot,
  edits: ReadonlyArray<FileEdit>,
): ReadonlyArray<Edited> => {
  const [before, after] = [textsOf(snapshot), applyEdits(snapshot, edits)]
  const touched = new Set<string>(edits.map(edit => edit.path))
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (!touched.has(path)) equal(after[path], before[path], path)
  return [...touched].map(path => ({ path, before: before[path] ?? '', after: after[path] ?? '' }))
}

/** The lines of a text; those of a CRLF file keep their carriage return. */
export const exactLines = (text: string): ReadonlyArray<string> =>
  (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')

/** The lines of a text without those at the given numbers. A last line without a newline may get one. */
const without = (text: string, numbers: ReadonlySet<number>, unended: boolean): ReadonlyArray<string> => {
  const kept = exactLines(text).filter((_, at) => !numbers.has(at + 1))
  return unended ? kept.map(line => line.replace(/\r$/u, '')) : kept
}

const numbersOf = (rows: ReadonlyArray<Row>): ReadonlyArray<number> =>
  rows.flatMap(row => Array.from({ length: row.endLine - row.line + 1 }, (_, at) => row.line + at))

const onlyIntroduces = (block: Block, text: string, tag: string): ReadonlyArray<number> =>
  exactLines(text).flatMap((line, at) => {
    const item = /^\s*(?:[-*+]|\d+\.)\s+(?<said>@.*)$/su.exec(line.trimEnd())?.groups?.['said'] ?? ''
    const said = tagOf(item)
    return at + 1 > block.line && at < block.endLine && said?.tag === tag && said.value === '' ? [at + 1] : []
  })

/** The blocks of a file. */
export const indexBlocksOf = (text: string): ReadonlyArray<Block> =>
  parseBlocks(sourceFile('encje/indeks.md', text)).blocks

const ofTag = (block: Block, text: string, tag: string): ReadonlySet<number> =>
  new Set([...numbersOf(block.rows.filter(row => row.tag === tag)), ...onlyIntroduces(block, text, tag)])

const meaningOfRow = (row: Row) => ({ tag: row.tag, value: row.value, range: row.range, auto: row.auto })

const meaningOf = (block: Block, tag: string | null) => ({
  heading: block.heading,
  section: block.section,
  rows: block.rows.filter(row => row.tag !== tag).map(meaningOfRow),
  prose: block.prose.map(line => line.text),
})

/**
 * The law of a write to one tag of one block: every line that is not a row of that tag there stays byte for
 * byte and in order, and every other row, heading and line of prose parses as before. Independent of how the
 * write was planned.
 */
export const onlyTagChanged = (before: string, after: string, at: number, tag: string): Block => {
  const [old, now] = [indexBlocksOf(before), indexBlocksOf(after)]
  equal(now.length, old.length, 'blocks')
  const [was, is] = [old[at], now[at]]
  if (was === undefined || is === undefined) throw new Error('no such block')
  const unended = !before.endsWith('\n')
  deepEqual(without(after, ofTag(is, after, tag), unended), without(before, ofTag(was, before, tag), unended))
  now.forEach((block, nth) => {
    const other = old[nth]
    if (other === undefined) throw new Error('no such block')
    deepEqual(meaningOf(block, nth === at ? tag : null), meaningOf(other, nth === at ? tag : null))
  })
  return is
}
