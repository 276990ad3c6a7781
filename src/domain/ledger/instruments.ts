import { type Day, nameKey } from '#protocol/atoms.js'
import type { Instrument } from '#protocol/lore/ledger.js'
import { isInForceOn, lastDayOf, type Transition } from './calendar.js'

/**
 * Replays the rows of an instrument ref, all of them on or before `at`. The status is computed, never stored
 * (B 3).
 */
export const instrumentsOf = (rows: ReadonlyArray<Transition>, at: Day): ReadonlyArray<Instrument> => {
  const standing = new Map<string, Standing>()
  for (const row of rows) {
    const key = nameKey(row.subject ?? '')
    const before = standing.get(key)
    const next =
      row.op === 'enact'
        ? enactInstrument(row)
        : row.op === 'amend'
          ? amendInstrument(before, row)
          : repealInstrument(before, row)
    standing.set(key, next)
  }
  return [...standing.values()].map(each => instrumentOf(each, at))
}

interface Standing {
  readonly since: Day
  readonly amended: Day | null
  readonly until: string | null
  readonly last: Day | null
  readonly repealed: boolean
  readonly version: string | null
  readonly deFacto: boolean | null
  readonly row: Transition
}

/** The name of the wording in force: its stated version, else the act, else the day of the act (ADR 1033). */
const versionOf = (row: Transition): string =>
  row.value === null ? (row.act ?? row.instrument_date ?? row.date) : String(row.value)

const enactInstrument = (row: Transition): Standing => ({
  since: row.date,
  amended: null,
  until: row.until,
  last: lastDayOf(row),
  repealed: false,
  version: versionOf(row),
  deFacto: row.de_facto,
  row,
})

const amendInstrument = (before: Standing | undefined, row: Transition): Standing => {
  const next = enactInstrument(row)
  if (before === undefined) return { ...next, amended: row.date }
  const bound = row.until === null ? { until: before.until, last: before.last } : {}
  return {
    ...next,
    since: before.since,
    amended: row.date,
    repealed: before.repealed,
    deFacto: row.de_facto ?? before.deFacto,
    ...bound,
  }
}

/** Applies a repeal, which ends the instrument on its own day, or after its `until`. */
const repealInstrument = (before: Standing | undefined, row: Transition): Standing => {
  const base = before ?? { ...enactInstrument(row), version: null }
  const deFacto = row.de_facto ?? base.deFacto
  return row.until === null
    ? { ...base, until: row.date, repealed: true, deFacto, row }
    : { ...base, until: row.until, last: lastDayOf(row), deFacto, row }
}

const instrumentOf = (standing: Standing, at: Day): Instrument => ({
  subject: standing.row.subject ?? '',
  since: standing.since,
  amended: standing.amended,
  until: standing.until,
  version: standing.version,
  status: standing.repealed || !isInForceOn(standing.last, at) ? 'wygasłe' : 'obowiązujące',
  de_facto: standing.deFacto,
  confidence: standing.row.confidence,
  source_authority: standing.row.source_authority,
  evidence: standing.row.evidence,
})
