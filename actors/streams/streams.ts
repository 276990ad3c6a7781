import type { Pending } from '#actors/pending.js'
import { type RecorderPorts, recorder } from '#actors/recorder.js'
import { type LogStream, logStreams } from '#protocol/events/streams.js'
import type { PackedObjects, StreamLog } from '#src/ports/record-log.js'
import type { ObjectPack } from './packed.js'

const flushDelayMs = 40

/**
 * The streams keep what the host says of itself (B 4.5): `operational` the records of its log, `request` a line for
 * each request, `audit` who changed what. The first two are written a moment later, without fsync: a kill may cost
 * their last lines. Audit is written at once, with fsync, and nobody waits for it (A 4.1.4, ADR 0142). Recovers like
 * the journal.
 */
export const streams = recorder('streams', flushDelayMs)

export type StreamLogs = { readonly [S in LogStream]: StreamLog }
/** What waits, as JSON. Lines of the audit are looked at when they are written; of the others there are too many. */
export interface StreamBuffers {
  readonly audit: Pending<string>
  readonly operational: ObjectPack
  readonly request: ObjectPack
}

export interface StreamsPorts {
  readonly logs: StreamLogs
  readonly buffers: StreamBuffers
  /** `audits` are the records of the audit stream as JSON; of the other streams there are none. */
  readonly written: (stream: LogStream, count: number, audits: ReadonlyArray<string>) => void
  readonly lost: (stream: LogStream, count: number, reason: string) => void
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const noObjects: PackedObjects = { bytes: Buffer.alloc(0), ends: [] }

const flush = async ({ logs, buffers, written, lost }: StreamsPorts, stream: LogStream): Promise<void> => {
  if (buffers[stream].isEmpty()) return
  const audits = stream === 'audit' ? buffers.audit.takeAll() : []
  const others = stream === 'audit' ? noObjects : buffers[stream].takeAll()
  const count = audits.length + others.ends.length
  try {
    if (stream === 'audit') await logs.audit.append(audits, true)
    else await logs[stream].appendPacked(others)
  } catch (error) {
    return lost(stream, count, reasonOf(error))
  }
  written(stream, count, audits)
}

/** What the recorder does for the streams. One that cannot be tidied or closed keeps none of the others from it. */
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
