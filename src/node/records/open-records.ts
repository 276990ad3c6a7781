import type { Config } from '#protocol/config.js'
import { machineToken } from '#src/adapters/state/state-area.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { makeScrubber } from '#src/domain/redaction/scrub.js'
import type { Meter } from '#src/ports/records.js'
import { type SecretFinding, type Secrets, valuesOf } from '../identity/keys/secrets.js'
import type { Checkout } from '../start/checkout.js'
import { type Log, type LogView, recordLogTo } from './log.js'
import { hostRecords, type Records } from './records.js'

/** Opens a log whose every line has `base` and passes through `scrub`. */
export type OpenLog = (base: object, scrub: (text: string) => string, view: LogView) => Log

export interface RecordsOpening {
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
