import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import type { Transcript } from './transcript.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

const Sidecar = t.type(
  {
    parser: t.number,
    name: t.string,
    address: t.string,
    sha256: t.string,
    format: t.string,
    lines: t.readonlyArray(
      t.type({
        index: t.number,
        time: textOrNull,
        day: t.number,
        kind: t.keyof({ say: null, act: null, note: null, place: null, unread: null }),
        channel: textOrNull,
        segment: numberOrNull,
        speaker: textOrNull,
        text: t.string,
        dice: textOrNull,
        start: t.number,
        end: t.number,
      }),
    ),
    segments: t.readonlyArray(t.type({ place: t.string, first: t.number, last: t.number })),
    unread: t.number,
  },
  'TranscriptSidecar',
)

/**
 * The transcript of a sidecar as committed; null where the text is none: no JSON, a field of another type, or lines that
 * are not numbered from 0.
 */
export const readSidecar = (text: string): Transcript | null => {
  const parsed = readJson(text)
  if (isLeft(parsed)) return null
  const decoded = Sidecar.decode(parsed.right)
  if (isLeft(decoded)) return null
  return decoded.right.lines.every(({ index }, at) => index === at) ? decoded.right : null
}

/** A transcript that has no readable sidecar: it is archived, and none of its lines is known. */
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
