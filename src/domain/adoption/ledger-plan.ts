import { type Day, type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { boundText, dayPlus, type Range } from '#src/domain/lore/rows/days.js'
import { nameIndexOf } from '#src/domain/names/name-index.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { type Award, type Batch, parseBatches } from '#src/domain/points/batches.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import { findingOfNotice, type History, type HistoryRun } from './legacy/outline.js'
import { byFrom, type LegacyRow, quoteRow } from './legacy/registry.js'

export const batchesPath = '.svc/pu/batches.jsonl'

/** A JSON-lines file with lines appended; null when there are none. */
export const extendText = (file: SourceFile | undefined, lines: ReadonlyArray<string>): string | null => {
  if (lines.length === 0) return null
  const before = file?.text ?? ''
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return `${before}${gap}${lines.join('\n')}\n`
}

/**
 * The PU ledger with a batch for each run of the history: its time is kept, its grants are unknown (FORMATS
 * 9, step 9). History is compared without case (FORMATS 6.3).
 */
export const planBatches = (
  file: SourceFile | undefined,
  history: History,
  historyPath: RepoPath | null,
  sessions: Sessions,
  entities: Entities,
): { readonly text: string | null; readonly findings: ReadonlyArray<Finding> } => {
  const byHistoryKey = new Map(sessions.all.map(session => [nameKey(session.key), session]))
  const { ids } = parseBatches(file ?? null)
  const batches = oneEach(history.runs).map(run => batchOf(run, byHistoryKey, entities))
  const stale = history.runs
    .flatMap(run => run.sessions)
    .filter(({ header }) => !byHistoryKey.has(nameKey(header)))
  return {
    text: extendText(
      file,
      batches.filter(batch => !ids.has(batch.id)).map(batch => JSON.stringify(batch)),
    ),
    findings:
      historyPath === null
        ? []
        : stale.map(({ header, line }) =>
            findingOfNotice({
              kind: 'StaleHistoryHeader',
              severity: 'info',
              file: historyPath,
              line,
              subject: header,
              reason: `The history names the session "${header}", which is in no file; it was kept in its batch.`,
            }),
          ),
  }
}

export interface Settled {
  readonly rows: ReadonlyArray<LegacyRow>
  readonly findings: ReadonlyArray<Finding>
}

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

const awardOf = (character: string): Award => ({
  character,
  granted: null,
  sumaBefore: null,
  sumaAfter: null,
  nadmiarBefore: null,
  nadmiarAfter: null,
})

/** The month of all the sessions; null when they span several or none is known. */
const monthOf = (sessions: ReadonlyArray<Session>): string | null => {
  const months = new Set(sessions.map(session => session.date.slice(0, 7)))
  return months.size === 1 ? ([...months][0] ?? null) : null
}

const awardsOf = (sessions: ReadonlyArray<Session>, entities: Entities): ReadonlyArray<Award> => {
  const names = nameIndexOf(entities)
  const written = sessions.flatMap(session => session.points.map(points => points.character))
  const owners = written.map(
    name => resolveName(names, name, { types: ['Postać'], upTo: 'alias' }).entity?.name ?? name,
  )
  return [...new Set(owners)].map(awardOf)
}

const batchOf = (run: HistoryRun, byHistoryKey: ReadonlyMap<NameKey, Session>, entities: Entities): Batch => {
  const known = run.sessions.flatMap(({ header }) => byHistoryKey.get(nameKey(header)) ?? [])
  return {
    id: run.stamp === null ? 'legacy' : `legacy ${run.stamp}`,
    month: monthOf(known),
    at: run.at,
    source: 'legacy',
    sessions: run.sessions.map(({ header }) => byHistoryKey.get(nameKey(header))?.header ?? header),
    awards: awardsOf(known, entities),
  }
}

/** Joins runs with one stamp into one batch: the predecessor appended twice within a minute. */
const oneEach = (runs: ReadonlyArray<HistoryRun>): ReadonlyArray<HistoryRun> => {
  const byStamp = new Map<string | null, HistoryRun>()
  for (const run of runs) {
    const before = byStamp.get(run.stamp)
    byStamp.set(
      run.stamp,
      before === undefined ? run : { ...before, sessions: [...before.sessions, ...run.sessions] },
    )
  }
  return [...byStamp.values()]
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
