import type { LogPlace, Page, ReadLimits, RecordLine } from '#src/ports/records.js'
import { isGone, type SegmentFiles } from './segment-files.js'
import { lineOf, seqOf, wholeLinesIn } from './segment-text.js'

const windowBytes = 256 * 1024
const windowBytesMax = 8 * 1024 * 1024

interface Taking {
  readonly after: number
  readonly through: number
  readonly limits: ReadLimits
  readonly lines: Array<RecordLine>
  bytes: number
  place: LogPlace | null
}

/** Takes lines from one segment; returns true when no more are needed. */
const takeFrom = async (
  files: SegmentFiles,
  first: number,
  offset: number,
  taking: Taking,
): Promise<boolean> => {
  let at = offset
  let window = windowBytes
  for (;;) {
    const bytes = await files.read(first, at, window)
    let used = 0
    for (const { text, end } of wholeLinesIn(bytes)) {
      const lineBytes = end - used
      used = end
      const seq = seqOf(text)
      if (seq === null || seq <= (taking.lines.at(-1)?.seq ?? taking.after)) continue
      if (seq > taking.through) return true
      const line = lineOf(text)
      if (line === null) continue
      taking.lines.push(line)
      taking.bytes += lineBytes
      taking.place = { seq, first, offset: at + end }
      if (taking.lines.length >= taking.limits.lines || taking.bytes >= taking.limits.bytes) return true
    }
    if (bytes.length < window) return false
    // A line longer than the window needs a larger window.
    if (used === 0) window = Math.min(window * 2, windowBytesMax)
    at += used === 0 && window === windowBytesMax ? bytes.length : used
  }
}

/** Lines after a number, through the segments that hold them (`RecordLog.read`). */
export const readAfter = async (
  files: SegmentFiles,
  after: number,
  through: number,
  limits: ReadLimits,
  place: LogPlace | null,
): Promise<Page> => {
  const firsts = await files.list()
  const holding = firsts.findLastIndex(first => first <= after + 1)
  const known = place !== null && place.seq === after ? firsts.indexOf(place.first) : -1
  const taking: Taking = { after, through, limits, lines: [], bytes: 0, place: null }
  const from = known >= 0 ? known : Math.max(0, holding)
  for (const [at, first] of firsts.slice(from).entries()) {
    try {
      const offset = at === 0 && known >= 0 ? (place?.offset ?? 0) : 0
      if (await takeFrom(files, first, offset, taking)) break
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  return { lines: taking.lines, place: taking.place, oldest: firsts[0] ?? 1 }
}

/** The newest lines first, segment by segment (`RecordLog.newest`). */
export const readNewest = async (
  files: SegmentFiles,
  before: number,
  limit: number,
  keep: (line: RecordLine) => boolean,
): Promise<ReadonlyArray<RecordLine>> => {
  const found: Array<RecordLine> = []
  for (const first of (await files.list()).toReversed()) {
    if (found.length >= limit) break
    if (first >= before) continue
    const facts = await files.facts(first)
    const bytes = facts === null ? Buffer.alloc(0) : await files.read(first, 0, facts.bytes)
    for (const { text } of [...wholeLinesIn(bytes)].toReversed()) {
      const seq = seqOf(text)
      if (seq === null || seq >= before) continue
      const line = lineOf(text)
      if (line !== null && keep(line)) found.push(line)
      if (found.length >= limit) break
    }
  }
  return found
}
