import { diffArrays, formatPatch, type StructuredPatchHunk } from 'diff'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId } from '#protocol/atoms.js'
import { inOrder, type Splice } from '#src/domain/lore/file-edit.js'
import { exactLines } from '#src/domain/lore/lines.js'
import type { PastFile, PastVersion } from '#src/ports/git.js'

/**
 * Both texts of a file; null where it is absent. `splices` are the edits from the first to the second, where
 * known.
 */
export interface TextChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly splices: ReadonlyArray<Splice> | null
}

/** The numbers of the lines that a diff takes away and adds, counted from 1 in the text of their side. */
export interface ChangedLines {
  readonly removed: ReadonlyArray<number>
  readonly added: ReadonlyArray<number>
}

export const changedLinesOf = (change: TextChange): ChangedLines => {
  const regions = findChangedRegions(sidesOf(change), change)
  return {
    removed: regions.flatMap(({ from, to }) => numbersOf(from, to)),
    added: regions.flatMap(({ newFrom, newTo }) => numbersOf(newFrom, newTo)),
  }
}

/**
 * The unified diff of files, in the given order; the answer of a dry run (A 1). Shows only changed lines,
 * without context: lines beside them may be another person's. For a withheld line it shows only the position
 * (ADR 1009). Where a region has more than `editsMax` edits, it is shown as replaced. Linear in the texts.
 */
export const formatUnifiedDiff = (changes: ReadonlyArray<TextChange>, withheld: WithheldLines): string =>
  changes
    .filter(({ before, after }) => before !== after)
    .map(change => patchOf(change, withheld))
    .join('')

/** Parses the output of `diff-tree --stdin -r -z -c --always`, commit by commit. */
export async function* listCommits(parts: AsyncIterable<Buffer>): AsyncGenerator<ListedCommit> {
  let id: string | null = null
  let files: Array<PastFile> = []
  let meta: string | null = null
  let paths: Array<string> = []
  let cut = false
  for await (const token of tokensOf(parts)) {
    if (meta !== null) {
      paths.push(token)
      if (paths.length < pathCount(meta)) continue
      if (files.length < filesMax) files.push(fileOf(meta, paths))
      else cut = true
      meta = null
      paths = []
    } else if (token.startsWith(':')) meta = token
    else {
      if (id !== null) yield { id, files, cut }
      id = token
      files = []
      cut = false
    }
  }
  if (id !== null) yield { id, files, cut }
}

/** The numbers of the lines of a text that a diff must not show, counted from 1. */
type WithheldLines = (text: string, side: 'before' | 'after') => ReadonlySet<number>

/** Both texts as lines with their newlines. */
interface Sides {
  readonly old: ReadonlyArray<string>
  readonly fresh: ReadonlyArray<string>
}

/** Both texts, and the numbers of the withheld lines of each. */
interface ShownSides extends Sides {
  readonly withheldOld: ReadonlySet<number>
  readonly withheldFresh: ReadonlySet<number>
}

/** Old lines and the new lines that replace them, counted from 0; `to` is exclusive. */
interface Region {
  readonly from: number
  readonly to: number
  readonly newFrom: number
  readonly newTo: number
}

const withheldText = '[withheld]'

/**
 * The most edits in a region for which the shortest script is searched: the search costs the lines of the
 * region times this, so the cost of a diff is linear in the text. A region with more edits is shown as
 * replaced.
 */
const editsMax = 256

/** Adds a region; one that begins where the last one ends extends it. */
const addRegion = (regions: Array<Region>, region: Region): void => {
  const last = regions.at(-1)
  if (last !== undefined && last.to >= region.from && last.newTo >= region.newFrom)
    regions[regions.length - 1] = { ...last, to: region.to, newTo: region.newTo }
  else regions.push(region)
}

/** The regions of the splices; null where they do not lead from the old text to the new one. */
const regionsOf = ({ old, fresh }: Sides, splices: ReadonlyArray<Splice>): ReadonlyArray<Region> | null => {
  const regions: Array<Region> = []
  let [at, newAt] = [0, 0]
  for (const { from, to, lines } of [...splices].sort(inOrder)) {
    const start = Math.min(from - 1, old.length)
    newAt += start - at
    const end = Math.max(start, Math.min(to, old.length))
    // A last line without a newline gets one when lines follow it: then it is part of the change.
    const above = start > at && old[start - 1] !== fresh[newAt - 1] ? 1 : 0
    addRegion(regions, { from: start - above, to: end, newFrom: newAt - above, newTo: newAt + lines.length })
    at = end
    newAt += lines.length
  }
  return newAt + old.length - at === fresh.length ? regions : null
}

/** The region without the equal lines at its start and end. */
const trimRegion = ({ old, fresh }: Sides, region: Region): Region => {
  let { from, to, newFrom, newTo } = region
  while (from < to && newFrom < newTo && old[from] === fresh[newFrom]) {
    from += 1
    newFrom += 1
  }
  while (from < to && newFrom < newTo && old[to - 1] === fresh[newTo - 1]) {
    to -= 1
    newTo -= 1
  }
  return { from, to, newFrom, newTo }
}

/** The smallest regions inside one, or the region itself where searching them would take too long. */
const refineRegion = ({ old, fresh }: Sides, region: Region): ReadonlyArray<Region> => {
  const { from, to, newFrom, newTo } = region
  if (from === to && newFrom === newTo) return []
  if (from === to || newFrom === newTo) return [region]
  const parts = diffArrays(old.slice(from, to), fresh.slice(newFrom, newTo), { maxEditLength: editsMax })
  if (parts === undefined) return [region]
  const regions: Array<Region> = []
  let [at, newAt] = [from, newFrom]
  for (const { added, removed, count } of parts) {
    const [goes, comes] = [added ? 0 : count, removed ? 0 : count]
    if (added || removed)
      addRegion(regions, { from: at, to: at + goes, newFrom: newAt, newTo: newAt + comes })
    at += goes
    newAt += comes
  }
  return regions
}

const formatLine = (mark: '-' | '+', line: string, isWithheld: boolean): ReadonlyArray<string> => {
  const text = `${mark}${isWithheld ? withheldText : line.replace(/(?:\n|\r)$/, '')}`
  return /[\r\n]$/.test(line) ? [text] : [text, '\\ No newline at end of file']
}

const hunkOf = (sides: ShownSides, { from, to, newFrom, newTo }: Region): StructuredPatchHunk => ({
  oldStart: from + 1,
  oldLines: to - from,
  newStart: newFrom + 1,
  newLines: newTo - newFrom,
  lines: [
    ...sides.old
      .slice(from, to)
      .flatMap((line, at) => formatLine('-', line, sides.withheldOld.has(from + at + 1))),
    ...sides.fresh
      .slice(newFrom, newTo)
      .flatMap((line, at) => formatLine('+', line, sides.withheldFresh.has(newFrom + at + 1))),
  ],
})

const escapeMark = (mark: string): string =>
  mark === '"' || mark === '\\' ? `\\${mark}` : `\\${mark.charCodeAt(0).toString(8).padStart(3, '0')}`

/**
 * A path as git writes it with `core.quotePath=false`: quoted only for control characters, quotes and
 * backslashes.
 */
const quotePath = (path: string): string => {
  const quoted = path.replace(/[\p{Cc}"\\]/gu, escapeMark)
  return quoted === path ? path : `"${quoted}"`
}

const side = (prefix: string, path: string, text: string | null): string =>
  text === null ? '/dev/null' : quotePath(`${prefix}/${path}`)

const sidesOf = ({ before, after }: TextChange): Sides => ({
  old: exactLines(before ?? ''),
  fresh: exactLines(after ?? ''),
})

/** The regions that a diff shows. */
const findChangedRegions = (sides: Sides, { splices }: TextChange): ReadonlyArray<Region> => {
  const whole: Region = { from: 0, to: sides.old.length, newFrom: 0, newTo: sides.fresh.length }
  const regions = (splices === null ? null : regionsOf(sides, splices)) ?? [whole]
  return regions.flatMap(region => refineRegion(sides, trimRegion(sides, region)))
}

const numbersOf = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from }, (_, at) => from + at + 1)

const patchOf = (change: TextChange, withheld: WithheldLines): string => {
  const { path, before, after } = change
  const sides: ShownSides = {
    ...sidesOf(change),
    withheldOld: withheld(before ?? '', 'before'),
    withheldFresh: withheld(after ?? '', 'after'),
  }
  const hunks = findChangedRegions(sides, change).map(region => hunkOf(sides, region))
  // The library would write letters outside ASCII as octal bytes, so it only formats the hunks.
  const body = formatPatch(
    { oldFileName: path, newFileName: path, oldHeader: '', newHeader: '', hunks },
    { includeIndex: false, includeUnderline: false, includeFileHeaders: false },
  )
  return `--- ${side('a', path, before)}\n+++ ${side('b', path, after)}\n${body}`
}

/** A commit as `git diff-tree --stdin` lists it. */
interface ListedCommit {
  readonly id: string
  readonly files: ReadonlyArray<PastFile>
  /** Whether the commit changed more files than `files` lists. */
  readonly cut: boolean
}

const filesMax = 20_000

/** The texts between NUL bytes; an incomplete text after the last one is dropped. */
async function* tokensOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of parts) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
    let at = 0
    for (let end = bytes.indexOf(0, at); end >= 0; end = bytes.indexOf(0, at)) {
      yield bytes.toString('utf8', at, end)
      at = end + 1
    }
    rest = bytes.subarray(at)
  }
}

const versionOf = (path: string, mode: string, id: string): PastVersion | null => {
  if (/^0+$/.test(mode)) return null
  const blob = BlobId.decode(id)
  return { path, blob: !mode.startsWith('100') || isLeft(blob) ? null : blob.right }
}

/** `:mode… id… status`, one colon, mode and id for each parent. */
const fileOf = (meta: string, paths: ReadonlyArray<string>): PastFile => {
  const parents = meta.length - meta.replace(/^:+/, '').length
  const words = meta.slice(parents).split(' ')
  const [first = '', last = first] = paths
  const at = (nth: number, path: string): PastVersion | null =>
    versionOf(path, words[nth] ?? '0', words[parents + 1 + nth] ?? '')
  return {
    before: Array.from({ length: parents }, (_, nth) => at(nth, first)),
    after: at(parents, last),
  }
}

/** A rename or copy names two paths; a merge names only the current one. */
const pathCount = (meta: string): number => (!meta.startsWith('::') && / [RC]\d*$/.test(meta) ? 2 : 1)
