import type * as t from 'io-ts'
import { instantOf } from '#protocol/atoms.js'
import { type EventKind, eventKinds } from '#protocol/events.js'
import type { Publish } from '#src/ports/records.js'
import type { PendingEvents } from './event-journal.js'

export interface PublishPorts {
  readonly waiting: PendingEvents
  /** Tells the journal that events wait. */
  readonly wake: () => void
  readonly nowMs: () => number
  /** Redacts secrets from a text. */
  readonly scrub: (text: string) => string
  readonly lost: (kinds: ReadonlyArray<EventKind>, reason: string) => void
}

const jsonBytesMax = 256 * 1024

const encodeBy = (codec: t.Mixed, payload: unknown): unknown => codec.encode(payload)

/** The JSON of an event; null where the codec of its kind rejects the payload. Never throws. */
const jsonOf = (kind: EventKind, payload: unknown, atMs: number): string | null => {
  try {
    const codec = eventKinds[kind]
    if (!codec.is(payload)) return null
    // Encoding drops fields that the codec does not name.
    const encoded: unknown = encodeBy(codec, payload)
    return JSON.stringify({ at: instantOf(atMs), kind, payload: encoded })
  } catch {
    return null
  }
}

/**
 * Passes events to the journal. A payload that its codec rejects is a bug of the sender, and is counted as
 * lost.
 */
export const publishTo =
  ({ waiting, wake, nowMs, scrub, lost }: PublishPorts): Publish =>
  (kind, payload) => {
    const json = jsonOf(kind, payload, nowMs())
    if (json === null) return lost([kind], 'its payload does not match its kind')
    const clean = scrub(json)
    const bytes = Buffer.byteLength(clean)
    if (bytes > jsonBytesMax) return lost([kind], 'it is too large')
    if (!waiting.add({ kind, json: clean }, bytes)) return lost([kind], 'the queue for the disk is full')
    wake()
  }
