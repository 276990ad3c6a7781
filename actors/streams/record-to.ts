import { type Instant, instantOf } from '#protocol/atoms.js'
import type { LogStream } from '#protocol/events.js'
import type { RecordLines, RecordTo } from '#src/ports/records.js'
import type { StreamBuffers } from './streams.js'

export interface RecordPorts {
  readonly buffers: StreamBuffers
  /** Tells the streams that records wait. */
  readonly wake: (urgent: boolean) => void
  readonly nowMs: () => number
  /** Redacts secrets from a text. */
  readonly scrub: (text: string) => string
  readonly lost: (stream: LogStream, count: number, reason: string) => void
}

const recordCharsMax = 16 * 1024

const nameCharsMax = 200

/** The fields that identify a record: its event, or who did what in which write. */
const pickNames = (fields: object): object =>
  Object.fromEntries(
    ['event', 'action', 'actor', 'intent', 'id', 'commit'].flatMap(key => {
      const value: unknown = Reflect.get(fields, key)
      return typeof value === 'string' && value.length <= nameCharsMax ? [[key, value]] : []
    }),
  )

const shortOf = (at: Instant, fields: object): string =>
  JSON.stringify({ at, event: null, ...pickNames(fields), cut: true })

/** A record as JSON. One that is too long or not encodable keeps only its identifying fields. */
const jsonOf = (at: Instant, fields: object): string => {
  try {
    const json = JSON.stringify({ at, ...fields })
    return json.length > recordCharsMax ? shortOf(at, fields) : json
  } catch {
    return shortOf(at, fields)
  }
}

/** The current instant; records of the same millisecond share its text. */
const instants = (nowMs: () => number): (() => Instant) => {
  let lastMs = nowMs()
  let text = instantOf(lastMs)
  return () => {
    const ms = nowMs()
    if (ms === lastMs) return text
    lastMs = ms
    text = instantOf(ms)
    return text
  }
}

/**
 * Puts records into the buffers of the streams. The first record of a flush wakes the actor; an audit record
 * always does.
 */
export const recordTo = ({ buffers, wake, nowMs, scrub, lost }: RecordPorts): RecordTo => {
  const now = instants(nowMs)
  return (stream, fields) => {
    const json = scrub(jsonOf(now(), fields))
    const buffer = buffers[stream]
    const isFirst = buffer.isEmpty()
    if (!buffer.add(json, json.length)) return lost(stream, 1, 'the queue for the disk is full')
    if (isFirst || stream === 'audit') wake(stream === 'audit')
  }
}

/** Like `recordTo`, for records of one kind whose lines a specialized function makes. */
export const recordLines =
  ({ buffers, wake, nowMs, scrub, lost }: RecordPorts): RecordLines =>
  (stream, lines) => {
    const now = instants(nowMs)
    const lineOf = lines(scrub)
    const buffer = buffers[stream]
    return record => {
      const at = now()
      const isFirst = buffer.isEmpty()
      if (!buffer.add(lineOf(at, record))) return lost(stream, 1, 'the queue for the disk is full')
      if (isFirst) wake(false)
    }
  }
