import { openWorkQueue } from '#src/kernel/time/work-queue.js'
import type {
  LogPlace,
  Opened,
  Page,
  ReadLimits,
  RecordLine,
  RecordLog,
  StreamLog,
} from '#src/ports/records.js'
import {
  isGone,
  lineOf,
  numberLine,
  packLines,
  type SegmentFiles,
  scanSegment,
  segmentFiles,
  seqOf,
  type Writable,
  wholeLinesIn,
} from './segment-files.js'

/** When a segment is full, and how much is kept. Bytes and milliseconds. */
export interface SegmentRules {
  readonly segmentBytes: number
  readonly segmentAgeMs: number
  readonly totalBytes: number
  readonly keptMs: number
  readonly nowMs: () => number
}

/** Numbered JSON lines in files of a directory, rotated by size and age (S27). */
export const segmentLog = (
  directory: string,
  name: string,
  rules: SegmentRules,
  files: SegmentFiles = segmentFiles(directory, name),
): StreamLog => {
  const writer: Writer = { files, rules, active: null, next: 1, closedBytes: 0 }
  const turn = openWorkQueue()
  return {
    open: () => turn(() => openLastSegment(writer)),
    append: (objects, durable) => turn(() => appendObjects(writer, objects, durable)),
    appendPacked: objects =>
      turn(() => writeLines(writer, objects.ends.length, first => packLines(first, objects), false)),
    read: (after, through, limits, place) => readAfter(files, after, through, limits, place),
    newest: (before, limit, keep) => readNewest(files, before, limit, keep),
    tidy: () =>
      turn(async () => {
        await current(writer)
        writer.closedBytes = await prune(writer)
      }),
    bytes: () => writer.closedBytes + (writer.active?.bytes ?? 0),
    close: () =>
      turn(async () => {
        await writer.active?.file.close()
        writer.active = null
      }),
  }
}

/**
 * Numbers events and stores nothing (`server.event_journal` false). The numbers of a boot begin with its time
 * in milliseconds, so that no number of an earlier boot is used again.
 */
export const unkeptLog = (bootMs: number): RecordLog => {
  let next = bootMs
  return {
    open: () => Promise.resolve({ next, tornBytes: 0, corruptLines: 0 }),
    append: objects => {
      const lines = objects.map((object, at) => numberLine(next + at, object))
      next += lines.length
      return Promise.resolve(lines)
    },
    read: () => Promise.resolve({ lines: [], place: null, oldest: next }),
    newest: () => Promise.resolve([]),
    tidy: () => Promise.resolve(),
    bytes: () => 0,
    close: () => Promise.resolve(),
  }
}

const newline = 0x0a

interface Active {
  readonly first: number
  readonly file: Writable
  readonly bornMs: number
  bytes: number
}

/**
 * The writer's side of a log. `active` is null before the opening, and after a failure that could not be
 * undone.
 */
interface Writer {
  readonly files: SegmentFiles
  readonly rules: SegmentRules
  active: Active | null
  next: number
  /** Bytes of the segments before the active one. */
  closedBytes: number
}

const fresh = async (writer: Writer, first: number): Promise<Active> => {
  const file = await writer.files.create(first)
  return { first, file, bornMs: writer.rules.nowMs(), bytes: 0 }
}

/**
 * Removes the oldest segments until the rest fits. The active one always stays, because its name holds the
 * count.
 */
const prune = async ({ files, rules, ...writer }: Writer): Promise<number> => {
  const closed = (await files.list()).filter(first => first !== writer.active?.first)
  const facts = await Promise.all(closed.map(async first => ({ first, facts: await files.facts(first) })))
  let total = facts.reduce((sum, one) => sum + (one.facts?.bytes ?? 0), 0)
  for (const one of facts) {
    if (one.facts === null) continue
    const isOld = rules.nowMs() - one.facts.changedMs > rules.keptMs
    if (!isOld && total + (writer.active?.bytes ?? 0) <= rules.totalBytes) break
    await files.remove(one.first)
    total -= one.facts.bytes
  }
  return total
}

const openLastSegment = async (writer: Writer): Promise<Opened> => {
  const { files, rules } = writer
  await writer.active?.file.close()
  writer.active = null
  const last = (await files.list()).at(-1)
  if (last === undefined) {
    writer.active = await fresh(writer, writer.next)
    return { next: writer.next, tornBytes: 0, corruptLines: 0 }
  }
  const size = (await files.facts(last))?.bytes ?? 0
  const found = scanSegment(await files.read(last, 0, size), last)
  const file = await files.reopen(last)
  if (found.goodBytes < size) await file.truncate(found.goodBytes)
  // An existing line may never have been synced: readers get it from now on, so no crash may lose it.
  else if (size > 0) await file.sync()
  writer.active = { first: last, file, bornMs: found.firstAtMs ?? rules.nowMs(), bytes: found.goodBytes }
  writer.next = found.next
  writer.closedBytes = await prune(writer)
  return { next: found.next, tornBytes: size - found.goodBytes, corruptLines: found.corruptLines }
}

const isFull = ({ bytes, bornMs }: Active, rules: SegmentRules): boolean =>
  bytes > 0 && (bytes >= rules.segmentBytes || rules.nowMs() - bornMs >= rules.segmentAgeMs)

/** The segment for the next lines; starts another one where the open one is full. */
const current = async (writer: Writer): Promise<Active> => {
  if (writer.active === null) await openLastSegment(writer)
  const { active } = writer
  if (active === null) throw new Error('the log is not open')
  if (!isFull(active, writer.rules)) return active
  const made = await fresh(writer, writer.next)
  writer.active = made
  await active.file.close()
  writer.closedBytes = await prune(writer)
  return made
}

/** Removes what a failed append left; where that fails too, the next append opens the log again. */
const undo = async (writer: Writer, active: Active): Promise<void> => {
  try {
    await active.file.truncate(active.bytes)
  } catch {
    writer.active = null
    await active.file.close()
  }
}

/** The lines as bytes, each with its newline. */
const bytesOf = (lines: ReadonlyArray<RecordLine>): Buffer => {
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0))
  let at = 0
  for (const { text } of lines) {
    at += bytes.write(text, at)
    bytes[at] = newline
    at += 1
  }
  return bytes
}

/** Writes `count` lines; their bytes are made once the number of the first is known. */
const writeLines = async (
  writer: Writer,
  count: number,
  bytesFrom: (first: number) => Buffer,
  durable: boolean,
): Promise<void> => {
  const active = await current(writer)
  const bytes = bytesFrom(writer.next)
  try {
    await active.file.append(bytes)
    if (durable) await active.file.sync()
  } catch (error) {
    await undo(writer, active)
    throw error
  }
  active.bytes += bytes.length
  writer.next += count
}

const appendObjects = async (
  writer: Writer,
  objects: ReadonlyArray<string>,
  durable: boolean,
): Promise<ReadonlyArray<RecordLine>> => {
  let lines: ReadonlyArray<RecordLine> = []
  const bytesFrom = (first: number): Buffer => {
    lines = objects.map((object, at) => numberLine(first + at, object))
    return bytesOf(lines)
  }
  await writeLines(writer, objects.length, bytesFrom, durable)
  return lines
}

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
const readAfter = async (
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
const readNewest = async (
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
