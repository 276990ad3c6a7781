import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Segment, SpokenLine, Transcript } from './transcript.js'

/**
 * The text of `<name>.json`: JSON with one line for each segment and each spoken line, so that a diff of git shows what
 * a person reads. It depends only on the value; what is null is left out, and so is the index, which is the order.
 */
export const encodeTranscript = ({ segments, lines, ...head }: Transcript): string => {
  const fields = Object.entries(head).map(
    ([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  )
  return `{\n${fields.join('')} "segments": [${rowsOf(segments)}],\n "lines": [${rowsOf(lines.map(trimLine))}]\n}\n`
}

/**
 * Reads a sidecar back, also one that another version of the parser wrote: unknown fields are left out and absent ones
 * are null. Left is why the text is no sidecar. Never throws.
 */
export const decodeTranscript = (text: string): Either<string, Transcript> => {
  const decoded = Sidecar.decode(parse(text))
  if (isLeft(decoded)) {
    const at = decoded.left[0]?.context.map(({ key }) => key).filter(key => key !== '')
    return left(at === undefined || at.length === 0 ? 'no JSON object' : `the field ${at.join('.')}`)
  }
  const { lines, segments, ...head } = decoded.right
  return right({
    parser: head.parser,
    name: head.name,
    address: head.address,
    sha256: head.sha256,
    format: head.format,
    unread: head.unread,
    segments: segments.map(({ place, first, last }) => ({ place, first, last })),
    lines: lines.map(fillLine),
  })
}

/** A transcript of which nothing can be read: it is archived, and none of its lines is known. */
export const unparsedTranscript = (name: string, address: string): Transcript => ({
  parser: 0,
  name,
  address,
  sha256: '',
  format: 'unparsed',
  lines: [],
  segments: [],
  unread: 0,
})

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const trimLine = ({ index: _index, ...line }: SpokenLine): Partial<SpokenLine> =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null))

const rowsOf = (rows: ReadonlyArray<Segment | Partial<SpokenLine>>): string =>
  rows.length === 0 ? '' : `\n  ${rows.map(row => JSON.stringify(row)).join(',\n  ')}\n `

const nullable = <C extends t.Mixed>(codec: C) => t.union([codec, t.null, t.undefined])

const Line = t.type({
  time: nullable(t.string),
  day: t.number,
  kind: t.keyof({ say: null, act: null, note: null, place: null, unread: null }),
  channel: nullable(t.string),
  segment: nullable(t.number),
  speaker: nullable(t.string),
  text: t.string,
  dice: nullable(t.string),
  start: t.number,
  end: t.number,
})

const Sidecar = t.type({
  parser: t.number,
  name: t.string,
  address: t.string,
  sha256: t.string,
  format: t.string,
  unread: t.number,
  segments: t.array(t.type({ place: t.string, first: t.number, last: t.number })),
  lines: t.array(Line),
})

const fillLine = (line: t.TypeOf<typeof Line>, index: number): SpokenLine => ({
  index,
  time: line.time ?? null,
  day: line.day,
  kind: line.kind,
  channel: line.channel ?? null,
  segment: line.segment ?? null,
  speaker: line.speaker ?? null,
  text: line.text,
  dice: line.dice ?? null,
  start: line.start,
  end: line.end,
})
