import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  type Day,
  dayOf,
  instantOf,
  Month,
  type NameKey,
  nameKey,
  type RepoPath,
  requirePath,
} from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { parseJson } from '#src/domain/json/json-text.js'
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  maxOf,
  minOf,
  minus,
  plus,
  readDecimal,
  zero,
} from '#src/domain/lore/figures.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import { type SourceFile, visitLinesInSlices } from '#src/domain/lore/layout.js'
import { civilDay } from '#src/domain/lore/rows/days.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { firstNames } from '#src/domain/names/name-index.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { effectsText, noEffects, sessionsByLedgerKey } from '#src/domain/sessions/effects/closed-sessions.js'
import {
  formerOf,
  formerSessionsOf,
  type ReadLore,
  readingKind,
} from '#src/domain/sessions/former-sessions.js'
import type { Session } from '#src/domain/sessions/session.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'

export const batchesPath = requirePath('.svc/pu/batches.jsonl')

/**
 * Parses `.svc/pu/batches.jsonl`; empty for null. An invalid line is a finding, and so is what a line repeats
 * of an earlier one: it counts once. Never throws; yields between lines.
 */
export const parseBatchesInSlices = function* (file: SourceFile | null): Sliced<Batches> {
  const all: Array<Batch> = []
  const lines = new Map<Batch, number>()
  const findings: Array<Finding> = []
  const counted: Counted = { ids: new Set(), settled: new Map() }
  const { ids } = counted
  if (file === null) return { all, path: null, ids, lines, findings }
  const { path } = file
  yield* visitLinesInSlices(file.text, (text, line) => {
    if (text.trim() === '') return true
    const read = BatchLine.decode(parseJson(text))
    if (isLeft(read)) return findings.push(unreadable(file, line)) > 0
    const batch = freshBatch(read.right, line, counted, (kind, severity, subject, reason, suggestion) => {
      findings.push({ kind, severity, file: path, line, subject, reason, suggestion })
    })
    if (batch === null) return true
    all.push(batch)
    lines.set(batch, line)
    return true
  })
  return { all, path, ids, lines, findings }
}

/** Runs `parseBatchesInSlices` to its end without yielding. */
export const parseBatches = (file: SourceFile | null): Batches => atOnce(parseBatchesInSlices(file))

/** A finding for each batch with a session whose PU the former reader read differently. */
export const batchReadingFindings = (lore: Omit<LedgerLore, 'names'>): ReadonlyArray<Finding> => {
  const { batches, sessions } = lore
  const { path: file, lines } = batches
  if (file === null) return []
  const former = formerSessionsOf(lore)
  if (former.size === 0) return []
  const pointsText = (session: Session | null | undefined): string =>
    effectsText({ ...noEffects, points: session?.points ?? [] })
  return batches.all.flatMap((batch): ReadonlyArray<Finding> => {
    const differing = batch.sessions.filter(header => {
      const before = formerOf(former, header)
      const now = sessionsByLedgerKey(sessions).get(ledgerKey(header))
      return before !== undefined && pointsText(before) !== pointsText(now)
    })
    const { names, more } = firstNames(differing, header => `„${header}”`)
    const rest = more === 0 ? '' : ` i jeszcze ${more}`
    return differing.length === 0
      ? []
      : [
          {
            kind: readingKind,
            severity: 'warning',
            file,
            line: lines.get(batch) ?? null,
            subject: batch.id,
            reason: `PU rozliczonych sesji są teraz czytane inaczej niż dawniej: ${names.join(', ')}${rest}.`,
            suggestion: 'Zapisz te wiersze PU tak, żeby znaczyły to, co rozliczono.',
          },
        ]
  })
}

/**
 * The findings of the ledger: those of its lines, then headers that no session has, and names that do not mean
 * exactly one Postać. What such a row settles or grants counts as before.
 */
export const batchFindings = (lore: LedgerLore): ReadonlyArray<Finding> => {
  const { batches, sessions, names } = lore
  const { path: file, lines } = batches
  if (file === null) return batches.findings
  const known = new Set(sessions.all.map(ledgerKeyOf))
  const isCharacter = (name: string): boolean =>
    resolveName(names, name, { types: ['Postać'], upTo: 'alias' }).entity !== null
  return [
    ...batches.findings,
    ...batchReadingFindings(lore),
    ...batches.all.flatMap((batch): ReadonlyArray<Finding> => {
      const place = { file, line: lines.get(batch) ?? null }
      const stale = batch.sessions.filter(header => !known.has(ledgerKey(header)))
      const unknown = batch.awards.filter(({ character }) => !isCharacter(character))
      return [
        ...stale.map(header => ({
          ...place,
          kind: 'SettledSessionUnknown',
          severity: 'info' as const,
          subject: header,
          reason: 'Rozliczono sesję o tym nagłówku, ale żadna sesja go nie ma.',
          suggestion: 'Jeśli nagłówek zmieniono, przywróć dawny; inaczej sesja liczy się jako nierozliczona.',
        })),
        ...unknown.map(({ character }) => ({
          ...place,
          kind: 'AwardUnknown',
          severity: 'warning' as const,
          subject: character,
          reason: `Nazwa „${character}” z rozliczenia nie wskazuje dokładnie jednej Postaci.`,
          suggestion: 'Dopisz tę pisownię jako @alias Postaci.',
        })),
      ]
    }),
  ]
}

/**
 * The PU of one character in a batch, as numbers with two decimals (D18); null when the history does not
 * record them.
 */
export interface Award {
  readonly character: string
  readonly granted: number | null
  readonly sumaBefore: number | null
  readonly sumaAfter: number | null
  readonly nadmiarBefore: number | null
  readonly nadmiarAfter: number | null
  /** The PU of each settled session, as decimals of any length; absent in rows that adoption made. */
  readonly points?: ReadonlyArray<{ readonly session: string; readonly pu: string }> | undefined
}

/** One line of `.svc/pu/batches.jsonl` (LAYOUT). `month` is null for legacy runs of several months. */
export interface Batch {
  readonly id: string
  readonly month: string | null
  readonly at: string
  readonly source: 'legacy' | 'batch'
  readonly sessions: ReadonlyArray<string>
  readonly awards: ReadonlyArray<Award>
}

/** The PU ledger, in file order. A session and an award are in one batch at most. */
export interface Batches {
  readonly all: ReadonlyArray<Batch>
  readonly path: RepoPath | null
  /** The ids of all lines, of those too that count for nothing. */
  readonly ids: ReadonlySet<string>
  /** The line of each batch, counted from 1. */
  readonly lines: ReadonlyMap<Batch, number>
  readonly findings: ReadonlyArray<Finding>
}

/** A batch with the civil day on which it ran. */
export interface DatedBatch extends Batch {
  readonly day: Day
}

/**
 * The batches with their civil days in a zone (IANA name). `at` must be a valid instant, which the parser
 * checks.
 */
export const dateBatches = (batches: ReadonlyArray<Batch>, zone: string): ReadonlyArray<DatedBatch> =>
  batches.map(batch => ({ ...batch, day: civilDay(Date.parse(batch.at), zone) }))

/** `dateBatches` of a ledger; computed once for each of its values. */
export const datedBatchesOf = perValue(({ all }: Batches) => {
  const byZone = new Map<string, ReadonlyArray<DatedBatch>>()
  return (zone: string): ReadonlyArray<DatedBatch> => {
    const dated = byZone.get(zone) ?? dateBatches(all, zone)
    byZone.set(zone, dated)
    return dated
  }
})

/** The month `YYYY-MM` in which a batch ran, not the one that it settles (D55). */
export const processingMonthOf = (batch: DatedBatch): string => batch.day.slice(0, 7)

/** The month that is `back` months before a day `YYYY-MM-DD`, as `YYYY-MM`. */
export const monthsBefore = (day: string, back: number): string => {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - back
  const year = String(Math.max(0, Math.floor(months / 12))).padStart(4, '0')
  return `${year}-${String((((months % 12) + 12) % 12) + 1).padStart(2, '0')}`
}

/** The two constants of a month (A 8). */
export interface MonthRule {
  readonly monthlyBase: Decimal
  readonly monthlyCap: Decimal
}

/** The result of a month's sessions and a pool (FORMATS 6.4). Nothing here is rounded. */
export interface PointsGrant {
  /** Monthly base plus the PU of the sessions. */
  readonly base: Decimal
  /** Taken from the pool to fill the room below the cap. */
  readonly used: Decimal
  /** The part above the cap, which goes to the pool. */
  readonly overflow: Decimal
  readonly granted: Decimal
  readonly pool: Decimal
}

/**
 * Computes base + sessions, filled up from the pool and cut at the cap. A negative pool adds and takes
 * nothing.
 */
export const grantOf = (sessions: Decimal, pool: Decimal, rule: MonthRule): PointsGrant => {
  const base = plus(rule.monthlyBase, sessions)
  const room = maxOf(minus(rule.monthlyCap, base), zero)
  const used = compareDecimals(pool, zero) > 0 ? minOf(room, pool) : zero
  const overflow = maxOf(minus(base, rule.monthlyCap), zero)
  const left = plus(minus(pool, used), overflow)
  return { base, used, overflow, granted: minOf(plus(base, used), rule.monthlyCap), pool: maxOf(left, zero) }
}

/** The PU constants of A 8 as exact values. */
export interface PuConstants {
  readonly monthlyBase: Decimal
  readonly monthlyCap: Decimal
  readonly electionWindowMonths: number
  readonly electionThreshold: Decimal
  readonly newCharacter: { readonly divisor: Decimal; readonly bonus: Decimal; readonly floor: Decimal }
}

export const puConstants = (settings: PuSettings): PuConstants => ({
  monthlyBase: exact(settings['pu.monthly_base']),
  monthlyCap: exact(settings['pu.monthly_cap']),
  electionWindowMonths: settings['pu.election_window_months'],
  electionThreshold: exact(settings['pu.election_threshold']),
  newCharacter: {
    divisor: exact(settings['pu.new_character.divisor']),
    bonus: exact(settings['pu.new_character.bonus']),
    floor: exact(settings['pu.new_character.floor']),
  },
})

/** Figures have 15 digits at most, so a larger number was not written by a batch. */
const figureMax = 10 ** 15

const Figure = t.union([t.refinement(t.number, value => Math.abs(value) < figureMax, 'Figure'), t.null])

const PointsList = t.readonlyArray(
  t.type({
    session: t.string,
    pu: t.refinement(t.string, text => readDecimal(text, 'none') !== null, 'Points'),
  }),
)

const AwardLine = t.intersection([
  t.type({
    character: t.string,
    granted: Figure,
    sumaBefore: Figure,
    sumaAfter: Figure,
    nadmiarBefore: Figure,
    nadmiarAfter: Figure,
  }),
  t.partial({ points: PointsList }),
])

/** A valid instant with its offset, on a day that exists. */
const isInstant = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T[\d:.]{5,15}(?:Z|[+-]\d{2}:\d{2})$/.test(text) &&
  dayOf(text.slice(0, 10)) !== null &&
  !Number.isNaN(Date.parse(text))

const BatchFields = t.type({
  id: t.string,
  month: t.union([t.string, t.null]),
  at: t.string,
  source: t.keyof({ legacy: null, batch: null }),
  sessions: t.readonlyArray(t.string),
  awards: t.readonlyArray(AwardLine),
})

const exactly = (value: number | null): Decimal => (value === null ? null : decimalOf(value)) ?? zero

/**
 * Whether a batch of the daemon can have an award: it takes nothing, and grants what SUMA rose by. The configured cap
 * is not asked, because an older batch had that of its own time.
 */
const isGrant = ({ granted, sumaBefore, sumaAfter, nadmiarAfter }: t.TypeOf<typeof AwardLine>): boolean =>
  granted !== null &&
  granted >= 0 &&
  (nadmiarAfter === null || nadmiarAfter >= 0) &&
  (sumaBefore === null ||
    sumaAfter === null ||
    compareDecimals(minus(exactly(sumaAfter), exactly(sumaBefore)), exactly(granted)) === 0)

/** A row with numbers that no batch can have was changed by hand: to count it would break the cap. */
const BatchLine = t.refinement(
  BatchFields,
  ({ source, awards }) => source === 'legacy' || awards.every(isGrant),
  'BatchLine',
)

const unreadable = (file: SourceFile, line: number): Finding => ({
  kind: 'BatchUnreadable',
  severity: 'error',
  file: file.path,
  line,
  subject: null,
  reason:
    'Wiersz nie jest rozliczeniem PU albo ma liczby, których żadne rozliczenie nie ma. ' +
    'Póki tu jest, żaden miesiąc nie będzie rozliczony.',
  suggestion: 'Przywróć wiersz z commita, który go zapisał.',
})

type Report = (kind: string, severity: Severity, subject: string, reason: string, suggestion: string) => void

/** The instant of a batch whose own cannot be read, as of adopted sessions that were settled at an unknown time. */
const unknownInstant = instantOf(0)

/** A batch without a month or an instant that does not exist. Its sessions stay settled, so none is paid again. */
const datedBatch = (batch: Batch, report: Report): Batch => {
  const isMonth = batch.month === null || Month.is(batch.month)
  const wrong = [...(isMonth ? [] : [batch.month]), ...(isInstant(batch.at) ? [] : [batch.at])]
  if (wrong.length === 0) return batch
  const dates = wrong.map(date => `„${date}”`).join(', ')
  const reason = `Rozliczenie „${batch.id}” ma datę, której nie ma: ${dates}; jego sesje pozostają rozliczone.`
  report('BatchDate', 'error', batch.id, reason, 'Popraw datę według commita, który zapisał wiersz.')
  return {
    ...batch,
    month: isMonth ? batch.month : null,
    at: isInstant(batch.at) ? batch.at : unknownInstant,
  }
}

/** What the lines above a batch have counted already. */
interface Counted {
  readonly ids: Set<string>
  /** The line that settled a session, by the key of its header. */
  readonly settled: Map<NameKey, number>
}

const freshSessions = (
  batch: Batch,
  line: number,
  { settled }: Counted,
  report: Report,
): ReadonlyArray<string> =>
  batch.sessions.filter(header => {
    const first = settled.get(ledgerKey(header))
    settled.set(ledgerKey(header), first ?? line)
    if (first === undefined) return true
    const place = first === line ? 'w tym samym wierszu' : `w wierszu ${first}`
    const reason = `Sesja jest już rozliczona ${place}; drugi raz się nie liczy.`
    report(
      'SessionSettledTwice',
      'error',
      header,
      reason,
      'Zostaw sesję w tym rozliczeniu, które jest prawdziwe.',
    )
    return false
  })

const freshAwards = (batch: Batch, report: Report): Batch['awards'] => {
  const seen = new Set<NameKey>()
  return batch.awards.filter(({ character }) => {
    const isFirst = !seen.has(nameKey(character))
    seen.add(nameKey(character))
    const reason = `Postać „${character}” ma w rozliczeniu „${batch.id}” więcej niż jeden wpis; liczy się pierwszy.`
    if (!isFirst) report('AwardRepeated', 'error', character, reason, 'Zostaw jeden wpis Postaci.')
    return isFirst
  })
}

/**
 * A batch without what the lines above it have counted; null when nothing is left. Sessions of a row whose id
 * is known stay settled, but its awards do not count again.
 */
const freshBatch = (batch: Batch, line: number, counted: Counted, report: Report): Batch | null => {
  const isKnown = counted.ids.has(batch.id)
  counted.ids.add(batch.id)
  const sessions = freshSessions(batch, line, counted, isKnown ? () => {} : report)
  const isRepeated = isKnown || (sessions.length === 0 && batch.sessions.length > 0)
  const reason = `Wiersz powtarza rozliczenie „${batch.id}”; jego wpisy PU drugi raz się nie liczą.`
  if (isRepeated) report('BatchRepeated', 'error', batch.id, reason, 'Usuń wiersz, który się powtarza.')
  if (isRepeated && sessions.length === 0) return null
  return { ...datedBatch(batch, report), sessions, awards: isRepeated ? [] : freshAwards(batch, report) }
}

/** The batches with the lore that their headers and names refer to. */
interface LedgerLore extends ReadLore {
  readonly batches: Batches
  readonly names: NameIndex
}

/** The configuration keys that they are read from (B 8). */
interface PuSettings {
  readonly 'pu.monthly_base': number
  readonly 'pu.monthly_cap': number
  readonly 'pu.election_window_months': number
  readonly 'pu.election_threshold': number
  readonly 'pu.new_character.divisor': number
  readonly 'pu.new_character.bonus': number
  readonly 'pu.new_character.floor': number
}

const exact = (value: number): Decimal => decimalOf(value) ?? zero
