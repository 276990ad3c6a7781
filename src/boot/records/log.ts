import { pino } from 'pino'

/** A record of the log: a fixed event name and its fields. Levels are those of pino. */
export interface Log {
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

/** JSON lines on stderr, one for each record, `scrub` behind them all (issue: stdout carries the ready line alone). */
export const stderrLog = (base: object, scrub: (text: string) => string): Log => {
  const target = pino.destination({ fd: 2, sync: true })
  const logger = pino(
    { base, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'event', hooks: { streamWrite: scrub } },
    target,
  )
  return {
    info: (event, fields = {}) => logger.info(errorFields(fields), event),
    warn: (event, fields = {}) => logger.warn(errorFields(fields), event),
    error: (event, fields = {}) => logger.error(errorFields(fields), event),
    flush: () => target.flushSync(),
  }
}

/** A log whose records also go to the operational stream. */
export const recordedLog = (log: Log, record: (fields: object) => void): Log => {
  const told =
    (level: 'info' | 'warn' | 'error') =>
    (event: string, fields: object = {}): void => {
      log[level](event, fields)
      record({ level, event, ...errorFields(fields) })
    }
  return { info: told('info'), warn: told('warn'), error: told('error'), flush: log.flush }
}

/** Events of the ordinary course; every other record of the kernel or the front wants a person's eye. */
const ordinary: ReadonlySet<string> = new Set(['started', 'ready', 'stopped'])

/** Writes a record whose `event` is its name. */
export const logRecord =
  (log: Log) =>
  ({ event, ...fields }: { readonly event: string }): void =>
    ordinary.has(event) ? log.info(event, fields) : log.warn(event, fields)
