import { type Instant, instantOf } from '#protocol/atoms/instant.js'
import type { LogStream } from '#protocol/events/streams.js'
import type { RecordLines, RecordTo } from '#src/ports/records/streams.js'
import type { StreamBuffers } from './streams.js'

export interface RecordPorts {
  readonly buffers: StreamBuffers
  /** Tells the streams that something waits. */
  readonly wake: (urgent: boolean) => void
  readonly nowMs: () => number
  /** Takes secrets out of a text. */
  readonly scrub: (text: string) => string
  readonly lost: (stream: LogStream, count: number, reason: string) => void
}

const recordCharsMax = 16 * 1024

const nameCharsMax = 200

/** What names a record: its event, or who did what in which write. */
const named = (fields: object): object =>
  Object.fromEntries(
    ['event', 'action', 'actor', 'intent', 'id', 'commit'].flatMap(key => {
      const value: unknown = Reflect.get(fields, key)
      return typeof value === 'string' && value.length <= nameCharsMax ? [[key, value]] : []
    }),
  )

const shortOf = (at: Instant, fields: object): string =>
  JSON.stringify({ at, event: null, ...named(fields), cut: true })

/** A record as JSON; one that is too long, or is no JSON, keeps its name and nothing else. */
const jsonOf = (at: Instant, fields: object): string => {
  try {
    const json = JSON.stringify({ at, ...fields })
    return json.length > recordCharsMax ? shortOf(at, fields) : json
  } catch {
    return shortOf(at, fields)
  }
}

/** The instant now; the records of one millisecond share its text. */
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

/** Puts records into the buffers of the streams. The first of a flush wakes the actor, audit always. */
export const recordTo = ({ buffers, wake, nowMs, scrub, lost }: RecordPorts): RecordTo => {
  const now = instants(nowMs)
  return (stream, fields) => {
    const json = scrub(jsonOf(now(), fields))
    const buffer = buffers[stream]
    const isFirst = buffer.isEmpty()
    if (!buffer.add(json, json.length)) return lost(stream, 1, 'too many wait for the disk')
    if (isFirst || stream === 'audit') wake(stream === 'audit')
  }
}

/** The same for records of one kind, whose lines are made by what knows their shape. */
export const recordLines =
  ({ buffers, wake, nowMs, scrub, lost }: RecordPorts): RecordLines =>
  (stream, lines) => {
    const now = instants(nowMs)
    const lineOf = lines(scrub)
    const buffer = buffers[stream]
    return record => {
      const at = now()
      const isFirst = buffer.isEmpty()
      if (!buffer.add(lineOf(at, record))) return lost(stream, 1, 'too many wait for the disk')
      if (isFirst) wake(false)
    }
  }
