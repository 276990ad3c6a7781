import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type { WroteNote } from '#actors/repository-sync/state.js'
import type { Config, FleetWorkload } from '#protocol/host/config.js'
import { machineToken } from '#src/adapters/state/state-area.js'
import type { LogLevel } from '#src/cli/options.js'
import { auditLineOfEvent } from '#src/domain/events/audit-of.js'
import { terminalLine } from '#src/domain/events/terminal-line.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { makeScrubber } from '#src/domain/redaction/scrub.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import type { LandingFailure, Recovered } from '#src/ports/landing.js'
import type { Audit, Meter, Publish, RecordLines, RecordTo } from '#src/ports/records.js'
import { type SecretFinding, type Secrets, valuesOf } from '../identity/secrets.js'
import type { Checkout } from '../start/checkout.js'
import type { Doors } from '../tree/doors.js'
import {
  auditOwedLines,
  type HostEvents,
  type HostStreams,
  hostEvents,
  hostStreams,
  type RecordsSetup,
} from './streams.js'

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
  readonly attach: (doors: Pick<Doors, 'journal' | 'streams'>) => void
}

/** Creates the records of a host. Does not touch the disk before the actors run. */
export const hostRecords = (setup: RecordsSetup): Records => {
  let doors: Pick<Doors, 'journal' | 'streams'> | null = null
  const streams = hostStreams({
    ...setup,
    wake: urgent => {
      if (doors !== null) tell(doors.streams, { _tag: 'Wake', urgent })
    },
  })
  const events = hostEvents({
    ...setup,
    wake: () => {
      if (doors !== null) tell(doors.journal, { _tag: 'Wake', urgent: true })
    },
  })
  // Records after the streams closed, such as their own end, are lost: a message in a mailbox would never be
  // read.
  const close = (): Promise<void> => {
    doors = null
    return streams.work.close()
  }
  const audit: Audit = line => streams.record('audit', line)
  return {
    events,
    streams: { ...streams, work: { ...streams.work, close } },
    record: streams.record,
    recordLines: streams.recordLines,
    audit,
    payOwed: auditOwedLines({ ...setup, log: streams.auditLog, audit }),
    publish: (kind, payload) => {
      events.publish(kind, payload)
      const line = auditLineOfEvent(kind, payload)
      if (line !== null) streams.record('audit', line)
    },
    attach: given => {
      doors = given
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
  (log: Log) =>
  (found: Either<LandingFailure, Recovered>): void => {
    if (isLeft(found)) log.warn('recovery_failed', found.left)
    else if (found.right.landed.length + found.right.lost.length > 0) log.warn('recovered', found.right)
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
