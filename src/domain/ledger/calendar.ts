import { isLeft } from 'fp-ts/lib/Either.js'
import { type CommitId, type Day, dayOf } from '#protocol/atoms.js'
import { Calendar, type Kadencja, type LedgerFinding, type TransitionRow } from '#protocol/lore/ledger.js'
import { parseJson } from '#src/domain/json/json-text.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { parseBound } from '#src/domain/lore/rows/days.js'

/**
 * Parses `governance/calendar.json`, `{"YYYY-MM-DD": "in-game date"}` (ADR 1033). An invalid file gives no
 * calendar, and a finding.
 */
export const calendarOf = (
  file: SourceFile,
): { readonly days: ReadonlyMap<string, string> | null; readonly findings: ReadonlyArray<LedgerFinding> } => {
  const decoded = Calendar.decode(parseJson(file.text))
  if (!isLeft(decoded)) {
    const days = Object.entries(decoded.right).filter(([day]) => dayOf(day) !== null)
    return { days: new Map(days), findings: [] }
  }
  const finding: LedgerFinding = {
    kind: 'GovernanceCalendarUnreadable',
    severity: 'error',
    ref: '',
    seq: null,
    subject: null,
    file: file.path,
    line: null,
    reason: 'Kalendarza nie da się odczytać; daty w świecie gry są puste.',
  }
  return { days: null, findings: [finding] }
}

/** The in-game date of a day; null without a calendar or when it has no entry (D45). */
export const inGameDate = (calendar: ReadonlyMap<string, string> | null, day: Day): string | null =>
  calendar?.get(day) ?? null

/** Whether a Rada takes office on the day (B 4.9). */
export const isTakingOffice = (day: Day): boolean => day.endsWith('-12-31')

/** The kadencja of a day: 31 December to 30 December, named by the year in which it ends (D45). */
export const kadencjaOf = (day: Day): Kadencja => {
  const year = Number(day.slice(0, 4)) + (isTakingOffice(day) ? 1 : 0)
  const pad = (value: number): string => String(value).padStart(4, '0')
  return { year, from: dayOf(`${pad(year - 1)}-12-31`) ?? day, to: dayOf(`${pad(year)}-12-30`) ?? day }
}

/**
 * The last day that the `until` of a row covers; a month lasts to its last day. Null: open, or unreadable (a
 * finding).
 */
export const lastDayOf = (row: Transition): Day | null =>
  row.until === null
    ? null
    : parseBound(row.until_precision === 'month' ? row.until.slice(0, 7) : row.until, 'to')

/** Whether something that ends with `last` is still in force on `day`. */
export const isInForceOn = (last: Day | null, day: Day): boolean => last === null || day <= last

/**
 * One accepted row of `governance/ledger/<ref>.jsonl` (B 2.8), with every field; rows with an unknown op are
 * kept (D45).
 */
export interface Transition extends TransitionRow {
  /**
   * Whether a higher source says otherwise on the same matter and day: the row is recorded there and not
   * applied (B 4.9).
   */
  readonly overruled: boolean
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** The governance ledger of the works tree. `corpus` null: the host has no works tree (B 4.9). */
export interface Ledger {
  readonly corpus: { readonly path: string; readonly commit: CommitId | null } | null
  /** By ref, in replay order: date, then seq. */
  readonly transitions: ReadonlyMap<string, ReadonlyArray<Transition>>
  readonly findings: ReadonlyArray<LedgerFinding>
  /** In-game date by day, from `governance/calendar.json`; null when absent (D45). */
  readonly calendar: ReadonlyMap<string, string> | null
}
