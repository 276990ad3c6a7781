import { type Instant, instantOf } from '#protocol/atoms.js'
import { type LogStream, logStreams } from '#protocol/host/events.js'
import type { PackedObjects, RecordLines, RecordTo, StreamLog } from '#src/ports/records.js'
import type { Pending } from './pending.js'
import { type RecorderPorts, recorder } from './recorder.js'

const flushDelayMs = 40

/**
 * The streams store what the host reports of itself (B 4.5): `operational` its log, `request` a line for each
 * request, `audit` who changed what. The first two are written a moment later, without fsync: a kill may cost
 * their last lines. Audit is written at once, with fsync, and no write waits for it (A 4.1.4, ADR 1024).
 * Recovers like the journal.
 */
export const streams = recorder('streams', flushDelayMs)

/**
 * The waiting records as JSON. Audit lines are read back when they are written; the other streams have too
 * many.
 */
export interface StreamBuffers {
  readonly audit: Pending<string>
  readonly operational: ObjectPack
  readonly request: ObjectPack
}

/**
 * The ports of the recorder that serves the streams. A stream that fails to tidy or close does not stop the
 * others.
 */
export const streamsWork = (ports: StreamsPorts): RecorderPorts => {
  const each = async (work: (stream: LogStream) => Promise<unknown>): Promise<void> => {
    for (const stream of logStreams)
      await work(stream).catch((error: unknown) => ports.lost(stream, 0, reasonOf(error)))
  }
  return {
    open: async () => {
      for (const stream of logStreams) await ports.logs[stream].open()
    },
    flush: () => each(stream => flush(ports, stream)),
    tidy: () => each(stream => ports.logs[stream].tidy()),
    close: () => each(stream => ports.logs[stream].close()),
  }
}

/**
 * Encodes an object when it is added: each garbage collection would copy one that waits as text or as a
 * closure, which costs more than encoding it.
 */
export const objectPack = (limits: { readonly items: number; readonly bytes: number }): ObjectPack => {
  let bytes: Buffer = Buffer.allocUnsafe(firstBytes)
  let ends: Array<number> = []
  let used = 0
  return {
    add: object => {
      if (ends.length >= limits.items || used + object.length > limits.bytes) return false
      const most = used + object.length * bytesPerUnit
      if (most > bytes.length) bytes = growBuffer(bytes, used, most)
      used += bytes.write(object, used)
      ends.push(used)
      return true
    },
    takeAll: () => {
      const taken = { bytes: bytes.subarray(0, used), ends }
      bytes = Buffer.allocUnsafe(Math.max(firstBytes, used))
      ends = []
      used = 0
      return taken
    },
    isEmpty: () => ends.length === 0,
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

type StreamLogs = { readonly [S in LogStream]: StreamLog }

interface StreamsPorts {
  readonly logs: StreamLogs
  readonly buffers: StreamBuffers
  /** `audits` are the records of the audit stream as JSON; empty for the other streams. */
  readonly written: (stream: LogStream, count: number, audits: ReadonlyArray<string>) => void
  readonly lost: (stream: LogStream, count: number, reason: string) => void
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What one flush appends to a stream. */
interface Batch {
  readonly count: number
  readonly audits: ReadonlyArray<string>
  readonly append: () => Promise<unknown>
}

const takeBatch = ({ logs, buffers }: StreamsPorts, stream: LogStream): Batch => {
  if (stream === 'audit') {
    const audits = buffers.audit.takeAll()
    return { count: audits.length, audits, append: () => logs.audit.append(audits, true) }
  }
  const objects = buffers[stream].takeAll()
  return { count: objects.ends.length, audits: [], append: () => logs[stream].appendPacked(objects) }
}

const flush = async (ports: StreamsPorts, stream: LogStream): Promise<void> => {
  if (ports.buffers[stream].isEmpty()) return
  const { count, audits, append } = takeBatch(ports, stream)
  try {
    await append()
  } catch (error) {
    return ports.lost(stream, count, reasonOf(error))
  }
  ports.written(stream, count, audits)
}

/** JSON objects that wait for the disk as bytes, in order, bounded by count and bytes. */
interface ObjectPack {
  /** Returns false where it is full: the object is lost. */
  readonly add: (object: string) => boolean
  readonly takeAll: () => PackedObjects
  readonly isEmpty: () => boolean
}

const firstBytes = 64 * 1024
const bytesPerUnit = 3

const growBuffer = (from: Buffer, used: number, least: number): Buffer => {
  const larger = Buffer.allocUnsafe(Math.max(from.length * 2, least))
  from.copy(larger, 0, 0, used)
  return larger
}

interface RecordPorts {
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
