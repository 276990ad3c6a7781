import { join } from 'node:path'
import * as t from 'io-ts'
import { eventFeed, journalWork, publishTo, type WaitingEvent } from '#actors/event-journal.js'
import { makePending } from '#actors/pending.js'
import type { RecorderPorts } from '#actors/recorder.js'
import { objectPack, recordLines, recordTo, type StreamBuffers, streamsWork } from '#actors/streams.js'
import { instantOf } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { type EventKind, keyOf, type LogStream, logStreams } from '#protocol/host/events.js'
import { type SegmentRules, segmentLog, unkeptLog } from '#src/adapters/logs/segment-log.js'
import { realClock } from '#src/kernel/time/clock.js'
import type {
  Audit,
  EventFeed,
  Meter,
  Opened,
  OwedAudit,
  OwedLine,
  Publish,
  ReadLogs,
  RecordLines,
  RecordLog,
  RecordTo,
} from '#src/ports/records.js'

export interface HostStreams {
  readonly record: RecordTo
  readonly recordLines: RecordLines
  readonly read: ReadLogs
  /** The audit stream, to search it for lines that it was owed. */
  readonly auditLog: RecordLog
  /** The ports of the actor `streams`. */
  readonly work: RecorderPorts
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

export interface HostEvents {
  readonly publish: Publish
  readonly feed: EventFeed
  /** The ports of the actor `event-journal`. */
  readonly journal: RecorderPorts
}

/** The events of a host: how they are published, stored and read. */
export const hostEvents = (setup: EventsSetup): HostEvents => {
  const { state, config, bootMs, meter, warn, scrub, wake } = setup
  const isKept = config['server.event_journal']
  const rules = rulesOf(config['server.event_journal_mib'], config['server.event_journal_days'])
  const log = isKept ? segmentLog(join(state, 'events'), 'events', rules) : unkeptLog(bootMs)
  const feed = eventFeed(isKept ? log : null)
  const waiting = makePending<WaitingEvent>(eventsWaitingMax)
  const lost = (kinds: ReadonlyArray<EventKind>, reason: string): void => {
    for (const kind of kinds) meter.count('svc_events_lost_total', { kind })
    warn('hook_failed', { hook: 'event-journal', events: kinds.length, kind: kinds[0] ?? null, reason })
  }
  return {
    feed,
    publish: publishTo({ waiting, wake, nowMs: realClock.nowMs, scrub, lost }),
    journal: journalWork({
      log,
      feed,
      waiting,
      lost,
      opened: tellOpened(setup),
      appended: (kinds, head, bytes) => {
        for (const kind of kinds) meter.count('svc_events_published_total', { kind })
        meter.gauge('svc_events_last_sequence', {}, head)
        meter.gauge('svc_events_journal_bytes', {}, bytes)
      },
      outOfSequence: (next, head) => {
        meter.count('svc_invariant_violations_total', { invariant: 'S27' })
        warn('journal_out_of_sequence', { next, head })
      },
      untidy: reason => warn('journal_untidy', { reason }),
    }),
  }
}

/**
 * Writes the audit lines of what was committed before this boot and that a crash kept from the audit stream
 * (ADR 1012); `landed` is when. A second call does not write them again. A failure is logged, and the lines
 * are left to the next boot.
 */
export const auditOwedLines = ({ owed, log, audit, warn }: OwedPorts): (() => Promise<void>) => {
  const done = new Set<string>()
  return async () => {
    try {
      const open = owed.before().filter(({ key }) => !done.has(key))
      if (open.length === 0) return
      const there = await findWrittenKeys(log, open)
      owed.paid([...there])
      for (const { key, atMs, line } of open) {
        done.add(key)
        if (!there.has(key)) audit({ ...line, landed: instantOf(atMs) })
      }
    } catch (error) {
      warn('audit_owed', { error })
    }
  }
}

export interface RecordsSetup {
  readonly state: string
  readonly config: Config
  readonly bootMs: number
  readonly meter: Meter
  /** Redacts the secrets of this host from a text. */
  readonly scrub: (text: string) => string
  /** Audit lines that are on disk beside the changes they describe, until the stream has them. */
  readonly owed: OwedAudit
  /** Logs failures of the recording itself. */
  readonly warn: (event: string, fields: object) => void
}

/** The rules of a log of `totalMib` in segments of at most 4 MiB, each covering at most a day. */
export const rulesOf = (totalMib: number, days: number): SegmentRules => ({
  segmentBytes: Math.min(4 * mib, Math.max(64 * 1024, Math.floor((totalMib * mib) / segmentsMin))),
  segmentAgeMs: dayMs,
  totalBytes: totalMib * mib,
  keptMs: days * dayMs,
  nowMs: realClock.nowMs,
})

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

interface EventsSetup extends RecordsSetup {
  readonly wake: () => void
}

const eventsWaitingMax = { items: 4096, bytes: 16 * 1024 * 1024 }

const tellOpened =
  ({ meter, warn }: EventsSetup) =>
  ({ next, tornBytes, corruptLines }: Opened): void => {
    meter.gauge('svc_events_last_sequence', {}, next - 1)
    meter.count('svc_events_torn_records_total', {}, tornBytes > 0 ? 1 : 0)
    meter.count('svc_events_corrupt_records_total', {}, corruptLines)
    if (tornBytes > 0) warn('journal_torn', { bytes: tornBytes, next })
    if (corruptLines > 0) warn('journal_corrupt', { lines: corruptLines, next })
  }

/** The fields of a record of a stream; empty where it is not an object. */
const fieldsOf = (json: string): Readonly<Record<string, unknown>> => {
  const record: unknown = JSON.parse(json)
  return typeof record === 'object' && record !== null ? { ...record } : {}
}

/** The keys of the owed lines among records that the stream now has on disk. */
const keysOf = (records: ReadonlyArray<string>): ReadonlyArray<string> =>
  records.flatMap(json => keyOf(fieldsOf(json)) ?? [])

interface OwedPorts {
  readonly owed: OwedAudit
  readonly log: Pick<RecordLog, 'newest'>
  readonly audit: Audit
  readonly warn: (event: string, fields: object) => void
}

/**
 * The owed lines that the stream has nevertheless: the crash came after its fsync and before they were marked
 * as paid.
 */
const findWrittenKeys = async (
  log: OwedPorts['log'],
  owed: ReadonlyArray<OwedLine>,
): Promise<ReadonlySet<string>> => {
  const wanted = new Set(owed.map(({ key }) => key))
  const lines = await log.newest(Number.MAX_SAFE_INTEGER, wanted.size, ({ text }) =>
    keysOf([text]).some(key => wanted.has(key)),
  )
  return new Set(keysOf(lines.map(({ text }) => text)))
}

const mib = 1024 * 1024
const dayMs = 86_400_000
const segmentsMin = 8
