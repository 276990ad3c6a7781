import type { Day } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { boundText, dayPlus } from '#src/domain/lore/rows/day-step.js'
import type { Range } from '#src/domain/lore/rows/range.js'
import { byFrom } from './legacy/active-row.js'
import { findingOfNotice } from './legacy/noticed.js'
import { type LegacyRow, quoteRow } from './legacy/registry-row.js'

export interface Settled {
  readonly rows: ReadonlyArray<LegacyRow>
  readonly findings: ReadonlyArray<Finding>
}

const first = '0000-00-00'
const last = '9999-99-99'

const starts = (row: LegacyRow): string => row.range.from ?? first
const ends = (row: LegacyRow): string => row.range.to ?? last

const boundRow = (row: LegacyRow, range: Range): LegacyRow => ({
  ...row,
  range,
  from: range.from === row.range.from ? row.from : range.from === null ? '' : boundText(range.from, 'from'),
  to: range.to === row.range.to ? row.to : range.to === null ? '' : boundText(range.to, 'to'),
})

/** The part of a row before a day; null when nothing is left. */
const before = (row: LegacyRow, day: Day | null): LegacyRow | null => {
  if (day === null || starts(row) >= day) return null
  if (ends(row) < day) return row
  const to = dayPlus(day, -1)
  return to === null ? null : boundRow(row, { from: row.range.from, to })
}

/** The part of a row after a day; null when nothing is left. */
const after = (row: LegacyRow, day: Day | null): LegacyRow | null => {
  if (day === null || ends(row) <= day) return null
  if (starts(row) > day) return row
  const from = dayPlus(day, 1)
  return from === null ? null : boundRow(row, { from, to: row.range.to })
}

/**
 * Lays a row over the segments so far: where they overlap, the row wins. Rows must come in order of their
 * first days.
 */
const layRow = (segments: ReadonlyArray<LegacyRow>, row: LegacyRow): ReadonlyArray<LegacyRow> => {
  const at = segments.findLastIndex(segment => ends(segment) < starts(row)) + 1
  const touched = segments.slice(at)
  const parts = (cut: (segment: LegacyRow) => LegacyRow | null): ReadonlyArray<LegacyRow> =>
    touched.flatMap(segment => cut(segment) ?? [])
  return [
    ...segments.slice(0, at),
    ...parts(segment => before(segment, row.range.from)),
    row,
    ...parts(segment => after(segment, row.range.to)),
  ]
}

const origin = ({ path, line, value }: LegacyRow): string => `${path}:${line}:${value}`

const changeFindings = (
  row: LegacyRow,
  now: ReadonlyArray<LegacyRow>,
  subject: string,
): ReadonlyArray<Finding> => {
  if (now.length === 1 && now[0]?.from === row.from && now[0].to === row.to) return []
  const at = { file: row.path, line: row.line, subject } as const
  if (now.length === 0) {
    const reason = `@${row.tag} ${quoteRow(row)} of ${subject} is covered by a later row and was not adopted.`
    return [findingOfNotice({ ...at, kind: 'RowSuperseded', severity: 'info', reason })]
  }
  const parts = now.map(quoteRow).join(', ')
  const reason = `@${row.tag} ${quoteRow(row)} of ${subject} overlaps a later row; it was adopted as ${parts}.`
  return [findingOfNotice({ ...at, kind: 'OverlapClosed', severity: 'info', reason })]
}

const isInverted = (row: LegacyRow): boolean => starts(row) > ends(row)

/**
 * Changes the rows of a scalar so that at most one covers any day, and every day keeps its value: the older
 * range ends the day before the newer starts, and continues after a newer one that ended first (FORMATS 1.5,
 * 10 Time; ADR 1030).
 */
export const settleRows = (rows: ReadonlyArray<LegacyRow>, subject: string): Settled => {
  if (rows.length < 2) return { rows, findings: [] }
  const sound = rows.filter(row => !isInverted(row))
  const kept = byFrom(sound).reduce(layRow, [])
  const parts = new Map<string, Array<LegacyRow>>()
  for (const part of kept) {
    const known = parts.get(origin(part))
    if (known === undefined) parts.set(origin(part), [part])
    else known.push(part)
  }
  return {
    rows: [...kept, ...rows.filter(isInverted)],
    findings: sound.flatMap(row => changeFindings(row, parts.get(origin(row)) ?? [], subject)),
  }
}
