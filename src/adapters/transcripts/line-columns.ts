import type { LogDate } from '#src/domain/transcripts/questions.js'
import type { LineKind, SpokenLine } from '#src/domain/transcripts/transcript.js'

/** What filters need of each line of a transcript, in columns by its index. */
export interface LogColumns {
  /** Numbers of names; 0: none. */
  readonly speakers: Uint32Array
  readonly channels: Uint32Array
  /** One more than the segment; 0: before the first. */
  readonly segments: Uint32Array
  readonly words: Uint16Array
  /** The kind, and whether the line names restricted topics. */
  readonly flags: Uint8Array
}

/** A transcript of an open index; its lines have the rows from `row` on. */
export interface HeldLog extends LogDate, LogColumns {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly row: number
  readonly lines: number
}

/** The rest of a line beside its text. */
export interface ColdLine {
  readonly time: string | null
  readonly day: number
  readonly start: number
  readonly end: number
}

export const isTopicFlag = 8

export const kindFlag = (kind: LineKind): number => kinds.indexOf(kind)

export const kindOf = (flags: number): LineKind => kinds[flags & 7] ?? 'unread'

/** Whether somebody said or did something in the line. */
export const isSpokenFlag = (flags: number): boolean => (flags & 7) <= 1

/** The columns as one text of bytes. */
export const hotOf = ({ speakers, channels, segments, words, flags }: LogColumns): Uint8Array =>
  Buffer.concat([speakers, channels, segments, words, flags].map(bytesOf))

/** A transcript from its row, with its columns or their bytes. Throws where the bytes are too few. */
export const heldLog = (row: Omit<HeldLog, keyof LogColumns>, columns: LogColumns | Uint8Array): HeldLog => ({
  ...row,
  ...(columns instanceof Uint8Array ? columnsIn(columns, row.lines) : columns),
})

/** Times, days and byte ranges as bytes: the columns that only answers need. */
export const coldOf = (lines: ReadonlyArray<SpokenLine>): Uint8Array => {
  const cold = new Uint32Array(lines.length * coldFields)
  for (const [at, { time, day, start, end }] of lines.entries())
    cold.set([numberOfTime(time), day, start, end], at * coldFields)
  return bytesOf(cold)
}

/** The line of a text of bytes that `coldOf` made. */
export const coldLine = (cold: Uint8Array, at: number): ColdLine => {
  const view = new DataView(cold.buffer, cold.byteOffset, cold.byteLength)
  const field = (nth: number): number => view.getUint32((at * coldFields + nth) * 4, true)
  return { time: timeOfNumber(field(0)), day: field(1), start: field(2), end: field(3) }
}

const kinds: ReadonlyArray<LineKind> = ['say', 'act', 'note', 'place', 'unread']

const coldFields = 4

const bytesOf = (array: Uint8Array | Uint16Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const columnsIn = (bytes: Uint8Array, count: number): LogColumns => {
  if (bytes.byteLength !== count * 15) throw new Error('the transcript index has columns of another length')
  const copy = new Uint8Array(bytes).buffer
  const words = count * 12
  return {
    speakers: new Uint32Array(copy, 0, count),
    channels: new Uint32Array(copy, count * 4, count),
    segments: new Uint32Array(copy, count * 8, count),
    words: new Uint16Array(copy, words, count),
    flags: new Uint8Array(copy, words + count * 2, count),
  }
}

/** A time in two halves of seconds, so that one without seconds stays without; 0: none. */
const numberOfTime = (time: string | null): number => {
  if (time === null) return 0
  const [hours = '0', minutes = '0', seconds] = time.split(':')
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)
  return whole * 2 + (seconds === undefined ? 1 : 2)
}

const two = (value: number): string => String(value).padStart(2, '0')

const timeOfNumber = (number: number): string | null => {
  if (number === 0) return null
  const isShort = number % 2 === 1
  const whole = (number - (isShort ? 1 : 2)) / 2
  const time = `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}`
  return isShort ? time : `${time}:${two(whole % 60)}`
}
