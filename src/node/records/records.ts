import { join } from 'node:path'
import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { pino } from 'pino'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import { eventFeed, journalWork, publishTo, type WaitingEvent } from '#actors/event-journal.js'
import { makePending } from '#actors/pending.js'
import type { RecorderPorts } from '#actors/recorder.js'
import type { WroteNote } from '#actors/repository-sync/state.js'
import { objectPack, recordLines, recordTo, type StreamBuffers, streamsWork } from '#actors/streams.js'
import type { Tree } from '#protocol/atoms.js'
import { instantOf } from '#protocol/atoms.js'
import type { Config, FleetWorkload } from '#protocol/host/config.js'
import { type EventKind, keyOf, type LogStream, logStreams } from '#protocol/host/events.js'
import { type SegmentRules, segmentLog, unkeptLog } from '#src/adapters/logs/segment-log.js'
import { machineToken } from '#src/adapters/state/state-area.js'
import type { LogLevel } from '#src/cli/options.js'
import { auditLineOfEvent } from '#src/domain/events/audit-of.js'
import { terminalLine } from '#src/domain/events/terminal-line.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { makeScrubber } from '#src/domain/redaction/scrub.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { LandingFailure, Recovered } from '#src/ports/landing.js'
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
import { type SecretFinding, type Secrets, valuesOf } from '../identity/secrets.js'
import type { Checkout } from '../start/checkout.js'
import type { ActorRefs } from '../tree/refs.js'

/** What this host records of itself, events and streams, and the functions that add to them. */
export interface Records {
  readonly events: HostEvents
  readonly streams: HostStreams
  readonly publish: Publish
  readonly record: RecordTo
  readonly recordLines: RecordLines
  readonly audit: Audit
  /** Writes the audit lines that the stream is owed from before this boot. */
  readonly payOwed: () => Promise<void>
  /** From now on, notifies the actors when records wait. */
  readonly attach: (refs: Pick<ActorRefs, 'journal' | 'streams'>) => void
}

/** Creates the records of a host. Does not touch the disk before the actors run. */
export const hostRecords = (setup: RecordsSources): Records => {
  let refs: Pick<ActorRefs, 'journal' | 'streams'> | null = null
  const streams = hostStreams({
    ...setup,
    wake: urgent => {
      if (refs !== null) tell(refs.streams, { _tag: 'Wake', urgent })
    },
  })
  const events = hostEvents({
    ...setup,
    wake: () => {
      if (refs !== null) tell(refs.journal, { _tag: 'Wake', urgent: true })
    },
  })
  // Records after the streams closed, such as their own end, are lost: a message in a mailbox would never be
  // read.
  const close = (): Promise<void> => {
    refs = null
    return streams.work.close()
  }
  const paid = new Set<string>()
  const record: Audit = line => streams.record('audit', line)
  // The write of an enactment may reach its hooks after its commit was found in the remote.
  const audit: Audit = line => {
    const key = keyOf(line)
    if (key === null || !paid.has(key)) record(line)
  }
  return {
    events,
    streams: { ...streams, work: { ...streams.work, close } },
    record: streams.record,
    recordLines: streams.recordLines,
    audit,
    payOwed: auditOwedLines({ ...setup, log: streams.auditLog, audit: record }, paid),
    publish: (kind, payload) => {
      events.publish(kind, payload)
      const line = auditLineOfEvent(kind, payload)
      if (line !== null) streams.record('audit', line)
    },
    attach: given => {
      refs = given
    },
  }
}

/** Opens a log whose every line has `base` and passes through `scrub`. */
export type OpenLog = (base: object, scrub: (text: string) => string, view: LogView) => Log

/**
 * Opens the records of a host and its log: each line of the log is also recorded, and the records log their
 * failures.
 */
export const openRecords = (opening: RecordsOpening): { readonly records: Records; readonly log: Log } => {
  const { config, bootMs, meter } = opening
  const { state, runtime } = opening.checkout
  const scrub = makeScrubber([machineToken(state), ...valuesOf(opening.secrets)])
  const records = hostRecords({
    state,
    config,
    bootMs,
    meter,
    scrub,
    owed: runtime.owedAudit,
    warn: (event, fields) => log.warn(event, fields),
  })
  const stderr = opening.openLog({ pid: process.pid, town: opening.town }, scrub, opening.view)
  const log = recordLogTo(stderr, fields => records.record('operational', fields))
  return { records, log }
}

/** Logs what is wrong with the configuration and the secrets at the start. */
export const tellFindings = (
  log: Pick<Log, 'warn' | 'error'>,
  findings: ReadonlyArray<Finding>,
  unusable: ReadonlyArray<SecretFinding>,
): void => {
  for (const { kind, severity, subject, line, reason, suggestion: mend } of findings)
    if (kind === 'AddressChanged') continue
    else if (severity === 'error') log.error('config_broken', { line, reason, mend })
    else log.warn('config_invalid', { key: subject, reason, mend })
  for (const finding of unusable) log.warn('secret_unusable', finding)
}

/** A record of the log: a fixed event name and its fields. Levels are those of pino. */
export interface Log {
  readonly debug: (event: string, fields?: object) => void
  readonly info: (event: string, fields?: object) => void
  readonly warn: (event: string, fields?: object) => void
  readonly error: (event: string, fields?: object) => void
  readonly flush: () => void
}

/** How the log is shown: records below `level` are hidden, and a terminal gets readable lines. */
export interface LogView {
  readonly level: LogLevel
  readonly isTerminal: boolean
}

/**
 * Writes one line to stderr for each record: JSON, or readable text on a terminal. `scrub` is applied to
 * every line. Stdout has only the ready line.
 */
export const stderrLog = (base: object, scrub: (text: string) => string, view: LogView): Log => {
  const target = pino.destination({ fd: 2, sync: true })
  const shown = view.isTerminal ? (line: string): string => terminalLine(scrub(line)) : scrub
  const logger = pino(
    {
      base,
      level: view.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'event',
      hooks: { streamWrite: shown },
    },
    target,
  )
  return {
    debug: (event, fields = {}) => logger.debug(errorFields(fields), event),
    info: (event, fields = {}) => logger.info(errorFields(fields), event),
    warn: (event, fields = {}) => logger.warn(errorFields(fields), event),
    error: (event, fields = {}) => logger.error(errorFields(fields), event),
    flush: () => target.flushSync(),
  }
}

/** Writes a record under its `event`. */
export const logRecord =
  (log: Log) =>
  ({ event, ...fields }: { readonly event: string }): void =>
    ordinary.has(event) ? log.debug(event, fields) : log.warn(event, fields)

/** Logs a failed look, once for each reason in a row, and the first success after it. */
export const lookLog = (log: Log): ((outcome: LookOutcome) => void) => {
  let failing: string | null = null
  return outcome => {
    const reason = outcome._tag === 'LookFailed' ? outcome.reason : null
    if (reason !== null && reason !== failing) log.warn('look_failed', { reason })
    if (reason === null && failing !== null) log.info('look_recovered')
    failing = reason
  }
}

/** Publishes an event for each generation of the snapshot, once. */
export const publishGenerations = (publish: Publish): ((outcome: LookOutcome) => void) => {
  let told = 0
  return outcome => {
    if (outcome._tag === 'LookFailed' || outcome.generation === told) return
    told = outcome.generation
    publish('snapshot:published', { generation: outcome.generation, commit: outcome.commit })
  }
}

/** Tells these actors of each new commit of the branch, once, also of a person's commit. */
export const tellOfCommits = (refs: ReadonlyArray<Ref<WroteNote>>): ((outcome: LookOutcome) => void) => {
  let told: string | null = null
  return outcome => {
    if (outcome._tag === 'LookFailed' || outcome.commit === null || outcome.commit === told) return
    told = outcome.commit
    for (const ref of refs) tell(ref, { _tag: 'Wrote', commit: outcome.commit })
  }
}

/** Logs what a crash had left and how it was settled; nothing where nothing was left. */
export const recoveryLog =
  (log: Log, tree: Tree = 'lore') =>
  (found: Either<LandingFailure, Recovered>): void => {
    const of = tree === 'lore' ? {} : { tree }
    if (isLeft(found)) log.warn('recovery_failed', { ...of, ...found.left })
    else if (found.right.landed.length + found.right.lost.length > 0)
      log.warn('recovered', { ...of, ...found.right })
  }

/**
 * Returns the function that measures the ticks of one name where they end. The overruns begin at 0, so that a rate
 * sees the first one.
 */
export const tickMeter = (
  meter: Pick<Meter, 'count' | 'observe'>,
  tick: TickName,
  budgetMs: number,
): ((elapsedMs: number) => void) => {
  meter.count('svc_tick_overruns_total', { tick }, 0)
  return elapsedMs => {
    meter.observe('svc_tick_duration_seconds', { tick }, elapsedMs / 1_000)
    if (elapsedMs > budgetMs) meter.count('svc_tick_overruns_total', { tick })
  }
}

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
export const hostStreams = (setup: StreamsSources): HostStreams => {
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
export const hostEvents = (setup: EventsSources): HostEvents => {
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
 * (ADR 1012), and of writes that were found; `landed` is when. A second call does not write them again: `done` are the
 * keys of those that were. A failure is logged, and the lines are left to the next boot.
 */
export const auditOwedLines =
  ({ owed, log, audit, warn }: OwedPorts, done = new Set<string>()): (() => Promise<void>) =>
  async () => {
    try {
      const open = owed.before().filter(({ key }) => !done.has(key))
      if (open.length === 0) return
      const there = await findWrittenKeys(log, open)
      owed.paid([...there])
      // Another call may have written some meanwhile; several lines may have one key.
      for (const { key, atMs, line } of open.filter(one => !done.has(one.key))) {
        done.add(key)
        if (!there.has(key)) audit({ ...line, landed: instantOf(atMs) })
      }
    } catch (error) {
      warn('audit_owed', { error })
    }
  }

export interface RecordsSources {
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

interface RecordsOpening {
  readonly checkout: Checkout
  readonly config: Config
  /** The values that no line may contain, beside the machine token. */
  readonly secrets: Secrets
  readonly town: string
  readonly view: LogView
  readonly bootMs: number
  readonly meter: Meter
  readonly openLog: OpenLog
}

const errorFields = (fields: object): object =>
  'error' in fields && fields.error instanceof Error
    ? {
        ...fields,
        error: { name: fields.error.name, message: fields.error.message, stack: fields.error.stack },
      }
    : fields

/** A log whose records also go to the operational stream. */
const recordLogTo = (log: Log, record: (fields: object) => void): Log => {
  const told =
    (level: LogLevel) =>
    (event: string, fields: object = {}): void => {
      log[level](event, fields)
      record({ level, event, ...errorFields(fields) })
    }
  return {
    debug: told('debug'),
    info: told('info'),
    warn: told('warn'),
    error: told('error'),
    flush: log.flush,
  }
}

/**
 * Ordinary events of actors; every other record of the kernel or the front deserves the operator's attention.
 * A late reply is ordinary: its caller stopped waiting and has said so, as `POST /chat/send` does with `QUEUED`.
 */
const ordinary: ReadonlySet<string> = new Set(['started', 'ready', 'stopped', 'late_reply'])

/** A tick of this host, as its metrics name it. */
type TickName = FleetWorkload | 'converge' | 'dispatch'

interface StreamsSources extends RecordsSources {
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
const lossTold = ({ meter, warn, owed }: StreamsSources) => {
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

interface EventsSources extends RecordsSources {
  readonly wake: () => void
}

const eventsWaitingMax = { items: 4096, bytes: 16 * 1024 * 1024 }

const tellOpened =
  ({ meter, warn }: EventsSources) =>
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
