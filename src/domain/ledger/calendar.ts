import { isLeft } from 'fp-ts/lib/Either.js'
import { type Day, dayOf } from '#protocol/atoms.js'
import { Calendar, type LedgerFinding } from '#protocol/ledger.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

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
