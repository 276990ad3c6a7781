import type { Pending } from '#actors/pending.js'
import { type RecorderPorts, recorder } from '#actors/recorder.js'
import { type LogStream, logStreams } from '#protocol/events.js'
import type { StreamLog } from '#src/ports/records.js'
import type { ObjectPack } from './packed.js'

const flushDelayMs = 40

/**
 * The streams store what the host reports of itself (B 4.5): `operational` its log, `request` a line for each
 * request, `audit` who changed what. The first two are written a moment later, without fsync: a kill may cost
 * their last lines. Audit is written at once, with fsync, and no write waits for it (A 4.1.4, ADR 1024).
 * Recovers like the journal.
 */
export const streams = recorder('streams', flushDelayMs)

export type StreamLogs = { readonly [S in LogStream]: StreamLog }
/**
 * The waiting records as JSON. Audit lines are read back when they are written; the other streams have too
 * many.
 */
export interface StreamBuffers {
  readonly audit: Pending<string>
  readonly operational: ObjectPack
  readonly request: ObjectPack
}

export interface StreamsPorts {
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
