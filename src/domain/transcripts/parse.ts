import { createHash } from 'node:crypto'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { transcriptFormats } from './formats.js'
import { dropCodes, findDice, type Piece, type Reading, type TranscriptFormat } from './line-reading.js'
import type { Segment, SpokenLine, Transcript } from './transcript.js'

/** Raised by each change that reads some bytes otherwise: then sidecars of an older one are rewritten. */
export const parserVersion = 1

/** The format of a transcript in which no row of the table read a line. */
export const noFormat = 'none'

/**
 * Reads the bytes of a transcript. Any bytes have a result, in time linear to their number: each byte is in exactly
 * one line, and a line that no format reads is kept as `unread`. Yields every few lines.
 */
export const parseTranscript = function* (
  bytes: Uint8Array,
  { name, address }: { readonly name: string; readonly address: string },
): Sliced<Transcript> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { format, pieces, read } = chooseReader(buffer)
  yield
  const speakers = new Set<string>()
  const found: Array<Found> = []
  yield* forEachInSlices(pieces, piece => {
    const text = dropCodes(buffer.toString('utf8', piece.from, piece.to)).trim()
    const reading = read(text)
    if (reading?.kind === 'say' && reading.speaker !== null) speakers.add(reading.speaker)
    found.push({ piece, text, reading })
  })
  const { lines, segments } = yield* assemble(found, speakers)
  return {
    parser: parserVersion,
    name,
    address,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    format,
    unread: lines.filter(({ kind }) => kind === 'unread').length,
    segments,
    lines,
  }
}

interface Found {
  readonly piece: Piece
  readonly text: string
  readonly reading: Reading | null
}

interface Reader {
  readonly format: string
  readonly pieces: ReadonlyArray<Piece>
  readonly read: (line: string) => Reading | null
}

const openingBytes = 4_096
/** Lines that are read for the choice of a format. */
const sampleLines = 1_000
/** A longer line takes no part in the choice. */
const sampleLineBytes = 4_096

const chooseReader = (bytes: Buffer): Reader => {
  const opening = bytes.toString('utf8', 0, openingBytes).replace(/^\ufeff/u, '')
  for (const format of transcriptFormats) {
    const pieces = format.isDocument?.(opening) === true ? format.cut?.(bytes) : undefined
    if (!pieces) continue
    const channel = format.channelOf?.(opening) ?? null
    return { format: format.id, pieces, read: line => format.read(line, channel) }
  }
  const pieces = cutLines(bytes)
  const sample = pieces
    .slice(0, sampleLines)
    .filter(({ from, to }) => to - from <= sampleLineBytes)
    .map(({ from, to }) => dropCodes(bytes.toString('utf8', from, to)).trim())
  return { pieces, ...chooseFormat(sample) }
}

const lineFormats = transcriptFormats.filter(({ isDocument }) => isDocument === undefined)

/** Spoken lines weigh more than others, which several formats share. */
const weightOf = (reading: Reading | null): number =>
  reading === null ? 0 : reading.kind === 'say' ? 1_000 : reading.kind === 'act' ? 10 : 1

const chooseFormat = (sample: ReadonlyArray<string>): Omit<Reader, 'pieces'> => {
  let best: { readonly format: TranscriptFormat; readonly weight: number; readonly isTimed: boolean } | null =
    null
  for (const format of lineFormats) {
    const readings = sample.map(line => format.read(line, null))
    const weight = readings.reduce((sum, reading) => sum + weightOf(reading), 0)
    const said = readings.filter(reading => reading?.kind === 'say')
    const timed = said.filter(reading => reading?.time !== null).length
    if (weight > (best?.weight ?? 0)) best = { format, weight, isTimed: timed * 2 > said.length }
  }
  if (best === null) return { format: noFormat, read: () => null }
  const { format, isTimed } = best
  const others = lineFormats.filter(one => one !== format)
  return { format: format.id, read: line => readAs([format, ...others], line, isTimed) }
}

/**
 * Reads a line as the first format that can. Where the lines of a file have times, a line without one continues what
 * was said before, such as a quotation, and has no speaker; headings and notices stand without.
 */
const readAs = (formats: ReadonlyArray<TranscriptFormat>, line: string, isTimed: boolean): Reading | null => {
  for (const format of formats) {
    const reading = format.read(line, null)
    if (reading === null) continue
    if (!isTimed || reading.time !== null || reading.kind === 'place' || reading.kind === 'note')
      return reading
  }
  return null
}

/** Cuts at line ends. A line of white space belongs to the one before it, at the top to the next. */
const cutLines = (bytes: Buffer): ReadonlyArray<Piece> => {
  const pieces: Array<{ from: number; to: number; end: number }> = []
  for (let at = 0; at < bytes.length; ) {
    const { to, end } = lineEnd(bytes, at)
    const last = pieces.at(-1)
    if (!isBlank(bytes, at, to)) pieces.push({ from: at, to, end })
    else if (last !== undefined) last.end = end
    at = end
  }
  return pieces.length > 0 || bytes.length === 0 ? pieces : [{ from: 0, to: bytes.length, end: bytes.length }]
}

/** Where a line ends: before and behind LF, CR LF or CR. */
const lineEnd = (bytes: Buffer, from: number): { readonly to: number; readonly end: number } => {
  let to = from
  while (to < bytes.length && bytes[to] !== 0x0a && bytes[to] !== 0x0d) to += 1
  const isPair = bytes[to] === 0x0d && bytes[to + 1] === 0x0a
  return { to, end: Math.min(bytes.length, to + (isPair ? 2 : 1)) }
}

const isBlank = (bytes: Buffer, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at]
    if (byte === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 2
    else if (byte !== 0x20 && byte !== 0x09) return false
  }
  return true
}

/** Numbers the lines, counts their days, and puts them into segments. Each begins where the one before it ends. */
const assemble = function* (
  found: ReadonlyArray<Found>,
  speakers: ReadonlySet<string>,
): Sliced<Pick<Transcript, 'lines' | 'segments'>> {
  const lines: Array<SpokenLine> = []
  const segments: Array<Segment & { last: number }> = []
  const dayOf = countDays()
  let start = 0
  yield* forEachInSlices(found, ({ piece, text, reading }) => {
    const index = lines.length
    const place = reading?.kind === 'place' ? reading.text : reading?.place
    const current = segments.at(-1)
    if (place !== undefined && (reading?.kind === 'place' || place !== current?.place))
      segments.push({ place, first: index, last: index })
    const segment = segments.at(-1)
    if (segment !== undefined) segment.last = index
    lines.push({
      index,
      time: reading?.time ?? null,
      day: dayOf(reading),
      kind: reading?.kind ?? 'unread',
      channel: reading?.channel ?? null,
      segment: segment === undefined ? null : segments.length - 1,
      ...(reading === null ? { speaker: null, text } : nameActor(reading, speakers)),
      dice: reading === null ? null : findDice(reading.text),
      start,
      end: piece.end,
    })
    start = piece.end
  })
  return { lines, segments }
}

/** The longest beginning of a led emote that speaks elsewhere in the file; else its first word. */
const nameActor = (
  { speaker, text, isLed }: Reading,
  speakers: ReadonlySet<string>,
): Pick<SpokenLine, 'speaker' | 'text'> => {
  if (isLed !== true) return { speaker, text }
  const words = text.slice(0, 200).split(' ', 5)
  const lengths = words.map((_, at) => words.slice(0, words.length - at).join(' '))
  const actor = lengths.find(one => speakers.has(one)) ?? words[0] ?? ''
  return { speaker: actor, text: text.slice(actor.length).trim() }
}

const dayMin = 24 * 60
/** A clock that goes back less than this was read out of order, or changed to winter time. */
const backMin = 60

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Counts midnights over the lines in their order: by their dates, and where these are not stated by the clock. */
const countDays = (): ((reading: Reading | null) => number) => {
  let day = 0
  let lastMin: number | null = null
  let zeroDate: number | null = null
  return reading => {
    if (reading === null || reading.time === null) return day
    const atMin = minutesOf(reading.time)
    if (reading.date !== null) {
      zeroDate ??= reading.date - day
      day = Math.max(0, reading.date - zeroDate)
    } else if (lastMin !== null) {
      // A line from before midnight that stands behind one from after it.
      if (day > 0 && atMin - lastMin > dayMin - backMin) return day - 1
      if (lastMin - atMin > backMin) day += 1
    }
    lastMin = atMin
    return day
  }
}
