import { pino } from 'pino'
import type { LogLevel } from '#src/cli/options.js'
import { terminalLine } from '#src/domain/events/terminal-line.js'

/** A record of the log: a fixed event name and its fields. Levels are those of pino. */
export interface Log {
  readonly debug: (event: string, fields?: object) => void
  readonly info: (event: string, fields?: object) => void
  readonly warn: (event: string, fields?: object) => void
  readonly error: (event: string, fields?: object) => void
  readonly flush: () => void
}

const errorFields = (fields: object): object =>
  'error' in fields && fields.error instanceof Error
    ? {
        ...fields,
        error: { name: fields.error.name, message: fields.error.message, stack: fields.error.stack },
      }
    : fields

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

/** A log whose records also go to the operational stream. */
export const recordLogTo = (log: Log, record: (fields: object) => void): Log => {
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

/** Writes a record under its `event`. */
export const logRecord =
  (log: Log) =>
  ({ event, ...fields }: { readonly event: string }): void =>
    ordinary.has(event) ? log.debug(event, fields) : log.warn(event, fields)
