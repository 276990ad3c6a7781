import * as t from 'io-ts'

export const RefKind = t.keyof({ role: null, instrument: null, rule: null }, 'RefKind')
export type RefKind = t.TypeOf<typeof RefKind>

export const Cardinality = t.keyof({ one: null, many: null, set: null, value: null }, 'Cardinality')
export type Cardinality = t.TypeOf<typeof Cardinality>

export interface RefRow {
  readonly ref: string
  readonly kind: RefKind
  readonly cardinality: Cardinality
  readonly title: string
  /** Whether a hold ends with the kadencja, at the next set of appointments of 31 December (D45). */
  readonly term: boolean
}

const row = (ref: string, kind: RefKind, cardinality: Cardinality, title: string, term = false): RefRow => ({
  ref,
  kind,
  cardinality,
  title,
  term,
})

/** The refs of B 4.9, closed and in its order. A ref without transitions is still a row. */
export const refRows: ReadonlyArray<RefRow> = [
  row('namiestnik', 'role', 'one', 'Namiestnik'),
  row('rada', 'role', 'many', 'Rada', true),
  row('sekretarz', 'role', 'one', 'Sekretarz'),
  row('narratorzy', 'role', 'many', 'Narratorzy'),
  row('rozporzadzenia', 'instrument', 'set', 'Rozporządzenia'),
  row('pu-rules', 'rule', 'value', 'Zasady przyznawania PU'),
  row('mechanika', 'rule', 'value', 'Mechanika'),
  row('nicki', 'rule', 'value', 'Zasady nicków'),
  row('zadania-stale', 'rule', 'value', 'Zadania stałe'),
]

const byRef: ReadonlyMap<string, RefRow> = new Map(refRows.map(each => [each.ref, each]))

/** The row of a ref; null when the ledger has none of that name. */
export const refRowOf = (ref: string): RefRow | null => byRef.get(ref) ?? null

/**
 * The ops that replay applies, by kind of ref (B 4.9, D45). Any other op is a finding and its row is kept.
 */
export const ops = {
  role: ['appoint', 'leave', 'return', 'suspend', 'dispense'],
  instrument: ['enact', 'amend', 'repeal'],
  rule: ['set'],
} as const satisfies Record<RefKind, ReadonlyArray<string>>

/** The source of a date (B 4.9). */
export const dateBases = ['stated', 'instrument', 'regulation', 'period'] as const

/** Sources, highest first: where two disagree the higher one is the state (B 4.9). */
export const sourceAuthorities = ['garmory', 'rozporzadzenie', 'sprawozdanie', 'podpis'] as const

/** The levels of confidence, surest first (B 4.9). */
export const confidences = ['exact', 'wysoka', 'średnia', 'niska'] as const
