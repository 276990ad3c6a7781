import { join } from 'node:path'
import * as t from 'io-ts'
import { makePending } from '#actors/pending.js'
import type { RecorderPorts } from '#actors/recorder.js'
import { objectPack, recordLines, recordTo, type StreamBuffers, streamsWork } from '#actors/streams.js'
import { type LogStream, logStreams } from '#protocol/events.js'
import { segmentLog } from '#src/adapters/logs/segment-log.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { ReadLogs, RecordLines, RecordLog, RecordTo } from '#src/ports/records.js'
import { keysOf } from './owed-audit.js'
import { type RecordsSetup, rulesOf } from './records-setup.js'

export interface HostStreams {
  readonly record: RecordTo
  readonly recordLines: RecordLines
  readonly read: ReadLogs
  /** The audit stream, to search it for lines that it was owed. */
  readonly auditLog: RecordLog
  /** The ports of the actor `streams`. */
  readonly work: RecorderPorts
}

interface Setup extends RecordsSetup {
  readonly wake: (urgent: boolean) => void
}

const waitingMax = { items: 20_000, bytes: 8 * 1024 * 1024 }

const each = <A>(make: (stream: LogStream) => A): { readonly [S in LogStream]: A } => ({
  operational: make('operational'),
  request: make('request'),
  audit: make('audit'),
})

const readLogs =
  (logs: { readonly [S in LogStream]: RecordLog }): ReadLogs =>
  async (stream, before, limit) => {
    const lines = await logs[stream].newest(before ?? Number.MAX_SAFE_INTEGER, limit, () => true)
    const items = lines.flatMap(({ text }) => {
      const record: unknown = JSON.parse(text)
      return t.UnknownRecord.is(record) ? [record] : []
    })
    const last = lines.at(-1)
    return {
      stream,
      count: items.length,
      items,
      next: lines.length === limit && last !== undefined && last.seq > 1 ? last.seq : null,
    }
  }

/**
 * Logs a failure once for each reason in a row, because the log is itself a stream; marks written audit lines
 * as paid.
 */
const lossTold = ({ meter, warn, owed }: Setup) => {
  const failing = new Map<LogStream, string>()
  return {
    lost: (stream: LogStream, count: number, reason: string): void => {
      meter.count('svc_stream_lost_total', { stream }, count)
      if (failing.get(stream) === reason) return
      failing.set(stream, reason)
      warn('stream_failed', { stream, records: count, reason })
    },
    written: (stream: LogStream, count: number, audits: ReadonlyArray<string>): void => {
      meter.count('svc_stream_records_total', { stream }, count)
      if (audits.length > 0) owed.paid(keysOf(audits))
      failing.delete(stream)
    },
  }
}

/** The log streams of a host. */
export const hostStreams = (setup: Setup): HostStreams => {
  const { state, config, scrub, wake } = setup
  const rules = rulesOf(config['server.log_stream_mib'], config['server.log_stream_days'])
  const logs = each(stream => segmentLog(join(state, 'streams'), stream, rules))
  const buffers: StreamBuffers = {
    audit: makePending<string>(waitingMax),
    operational: objectPack(waitingMax),
    request: objectPack(waitingMax),
  }
  const { lost, written } = lossTold(setup)
  for (const stream of logStreams) setup.meter.count('svc_stream_lost_total', { stream }, 0)
  const ports = { buffers, wake, nowMs: realClock.nowMs, scrub, lost }
  return {
    record: recordTo(ports),
    recordLines: recordLines(ports),
    read: readLogs(logs),
    auditLog: logs.audit,
    work: streamsWork({ logs, buffers, lost, written }),
  }
}
