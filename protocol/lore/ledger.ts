import * as t from 'io-ts'
import { Day } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { DayText, NameText } from '../query.js'
import { read, type Table } from '../route.js'

const RefKind = t.keyof({ role: null, instrument: null, rule: null }, 'RefKind')
type RefKind = t.TypeOf<typeof RefKind>

const Cardinality = t.keyof({ one: null, many: null, set: null, value: null }, 'Cardinality')
type Cardinality = t.TypeOf<typeof Cardinality>

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

const ref = {
  ref: 'Name of the ref, such as `rada`.',
  title: 'Title of the ref, in Polish.',
} as const

const kind = {
  kind: 'Whether it is an office, an instrument or a rule.',
  cardinality: 'How much it holds at a time: one, many, a set or a value.',
} as const

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

const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])
const absentOr = <C extends t.Mixed>(codec: C) => t.union([codec, t.null, t.undefined])

/** The value of a rule or an instrument: JSON without structure. */
const Value = t.union([t.string, t.number, t.boolean], 'LedgerValue')
type Value = t.TypeOf<typeof Value>

const UntilPrecision = t.keyof({ day: null, month: null }, 'UntilPrecision')

/** A post that proves a transition (B 2.8). */
export const Evidence = t.type(
  { post: t.string, author: orNull(t.string), quote: orNull(t.string) },
  'Evidence',
)
export type Evidence = t.TypeOf<typeof Evidence>

/** A row of the log as served (B 2.8); `value` and `de_facto` are ADR 1033. */
export const TransitionRow = t.type(
  {
    ref: t.string,
    seq: t.number,
    date: Day,
    instrument_date: orNull(Day),
    date_basis: orNull(t.string),
    op: t.string,
    subject: orNull(t.string),
    subject_surface: orNull(t.string),
    act: orNull(t.string),
    until: orNull(t.string),
    until_precision: orNull(UntilPrecision),
    sieve: orNull(t.string),
    evidence: t.readonlyArray(Evidence),
    source_authority: orNull(t.string),
    confidence: orNull(t.string),
    conflicts: t.readonlyArray(t.string),
    value: orNull(Value),
    de_facto: orNull(t.boolean),
  },
  'TransitionRow',
)
export type TransitionRow = t.TypeOf<typeof TransitionRow>

/**
 * A line of `governance/ledger/<ref>.jsonl` as a person or a sieve writes it: the fields of B 2.8, most of
 * them optional. Words of the closed vocabularies are read as text here; an unknown one is a finding and the
 * row is kept.
 */
export const LedgerLine = t.type(
  {
    ref: absentOr(t.string),
    seq: t.Int,
    date: Day,
    instrument_date: absentOr(Day),
    date_basis: absentOr(t.string),
    op: t.string,
    subject: absentOr(t.string),
    subject_surface: absentOr(t.string),
    act: absentOr(t.string),
    until: absentOr(t.string),
    until_precision: absentOr(UntilPrecision),
    sieve: absentOr(t.string),
    evidence: absentOr(t.readonlyArray(t.unknown)),
    source_authority: absentOr(t.string),
    confidence: absentOr(t.string),
    conflicts: absentOr(t.readonlyArray(t.unknown)),
    value: absentOr(Value),
    de_facto: absentOr(t.boolean),
  },
  'LedgerLine',
)
export type LedgerLine = t.TypeOf<typeof LedgerLine>

/** One cited post of a line: `post` may be a number, the rest may be left out. */
export const CitedPost = t.type(
  { post: t.union([t.string, t.number]), author: absentOr(t.string), quote: absentOr(t.string) },
  'CitedPost',
)

/** `governance/calendar.json`: in-game date by day (D45, ADR 1033). */
export const Calendar = t.record(t.string, t.string, 'Calendar')

/** Three-valued: null when the ledger does not say (B 4.9). */
const Trivalent = orNull(t.boolean)

export const Holder = t.type(
  {
    subject: t.string,
    since: Day,
    until: orNull(t.string),
    grade: orNull(t.string),
    suspended: Trivalent,
    absent: Trivalent,
    confidence: orNull(t.string),
    source_authority: orNull(t.string),
    evidence: t.readonlyArray(Evidence),
  },
  'Holder',
)
export type Holder = t.TypeOf<typeof Holder>

const InstrumentStatus = t.keyof({ obowiązujące: null, wygasłe: null }, 'InstrumentStatus')

export const Instrument = t.type(
  {
    subject: t.string,
    since: Day,
    amended: orNull(Day),
    until: orNull(t.string),
    version: orNull(t.string),
    status: InstrumentStatus,
    de_facto: Trivalent,
    confidence: orNull(t.string),
    source_authority: orNull(t.string),
    evidence: t.readonlyArray(Evidence),
  },
  'Instrument',
)
export type Instrument = t.TypeOf<typeof Instrument>

/** The state of one ref on one day (B 2.8). `at_ig` is the in-game date, null without a calendar (D45). */
export const RefState = t.type(
  {
    ref: t.string,
    title: t.string,
    at: Day,
    at_ig: orNull(t.string),
    kind: RefKind,
    cardinality: Cardinality,
    applied: t.number,
    holders: t.readonlyArray(Holder),
    instruments: t.readonlyArray(Instrument),
    value: orNull(Value),
  },
  'RefState',
)
export type RefState = t.TypeOf<typeof RefState>

export const LedgerFinding = t.type(
  {
    kind: t.string,
    severity: t.keyof({ error: null, warning: null }),
    ref: t.string,
    seq: orNull(t.number),
    subject: orNull(t.string),
    file: t.string,
    line: orNull(t.number),
    reason: t.string,
  },
  'LedgerFinding',
)
export type LedgerFinding = t.TypeOf<typeof LedgerFinding>

const RefSummary = t.type(
  {
    ref: t.string,
    title: t.string,
    kind: RefKind,
    cardinality: Cardinality,
    transitions: t.number,
    first: orNull(Day),
    last: orNull(Day),
  },
  'RefSummary',
)

export const Refs = t.type(
  {
    count: t.number,
    items: t.readonlyArray(RefSummary),
    corpus: orNull(t.type({ commit: orNull(t.string), transitions: t.number })),
    findings: t.readonlyArray(LedgerFinding),
  },
  'GovernanceRefs',
)
export type Refs = t.TypeOf<typeof Refs>

export const Kadencja = t.type({ year: t.number, from: Day, to: Day }, 'Kadencja')
export type Kadencja = t.TypeOf<typeof Kadencja>

export const Pin = t.type(
  {
    at: Day,
    at_ig: orNull(t.string),
    kadencja: Kadencja,
    refs: t.record(t.string, RefState),
    regulations: t.record(t.string, orNull(t.string)),
  },
  'GovernancePin',
)
export type Pin = t.TypeOf<typeof Pin>

export const GovernanceLog = t.type(
  { ref: t.string, title: t.string, count: t.number, items: t.readonlyArray(TransitionRow) },
  'GovernanceLog',
)

export const Held = t.type(
  {
    held: t.boolean,
    ref: t.string,
    title: t.string,
    subject: t.string,
    matched: orNull(t.string),
    at: Day,
    since: orNull(Day),
    grade: orNull(t.string),
    suspended: Trivalent,
    applied: t.number,
  },
  'GovernanceHeld',
)
export type Held = t.TypeOf<typeof Held>

/** The governance ledger, which is public (B 4.9). Literal rows must come before `{ref}`. */
export const ledgerRoutes = {
  'governance.refs.list': read({
    path: '/governance/refs',
    summary: 'Every ref of the governance ledger, with the findings of its files.',
    capability: null,
    query: {},
    answers: { 200: Refs },
    refusals: [],
    source: 'B 4.9',
    example: {},
  }),
  'governance.pin.get': read({
    path: '/governance/pin',
    summary: 'The whole state of the ledger on one day, derived at read time.',
    capability: null,
    query: { at: DayText },
    answers: { 200: Pin },
    refusals: [],
    source: 'B 4.9',
    example: { query: { at: '2024-02-01' } },
  }),
  'governance.get': read({
    path: '/governance/{ref}',
    summary: 'The state of one ref on one day, by replay.',
    capability: null,
    query: { at: DayText },
    answers: { 200: RefState },
    refusals: ['RefNotFound'],
    source: 'B 4.9',
    example: { path: { ref: 'namiestnik' }, query: { at: '2024-02-01' } },
  }),
  'governance.log.list': read({
    path: '/governance/{ref}/log',
    summary: 'The transitions of one ref, oldest first.',
    capability: null,
    query: { since: DayText, until: DayText },
    answers: { 200: GovernanceLog },
    refusals: ['RefNotFound'],
    source: 'B 4.9',
    example: { path: { ref: 'namiestnik' }, query: { since: '2024-01-01', until: '2024-12-31' } },
  }),
  'governance.held.get': read({
    path: '/governance/{ref}/held',
    summary: 'Whether one subject holds a ref on one day.',
    capability: null,
    query: { subject: NameText, at: DayText },
    answers: { 200: Held },
    refusals: ['RefNotFound', 'ParameterInvalid'],
    source: 'B 4.9',
    example: {
      path: { ref: 'namiestnik' },
      query: { subject: 'Żaneta', at: '2024-06-01' },
      needs: ['subject'],
    },
  }),
} as const satisfies Table

const day = {
  at: 'Day of the answer, `YYYY-MM-DD`.',
  at_ig: 'That day in the calendar of the game; null without a calendar.',
} as const

const sourced = {
  confidence: 'How sure the source is: `exact`, `wysoka`, `średnia` or `niska`; null when not told.',
  source_authority:
    'Kind of the source: `garmory`, `rozporzadzenie`, `sprawozdanie` or `podpis`; null when not told.',
  evidence: 'Posts that bear it out.',
} as const

const until = 'Last day as written: `YYYY-MM-DD` or `YYYY-MM`; null when open.'
const applied =
  'Number of transitions that the state rests on; 0 when the ledger reaches nothing by that day.'

export const ledgerDescriptions: Descriptions = {
  Evidence: {
    post: 'Number or address of the post.',
    author: 'Author of the post; null when not told.',
    quote: 'Words of the post; null when none are cited.',
  },
  Holder: {
    subject: 'Name of who holds the office.',
    since: 'First day, `YYYY-MM-DD`.',
    until,
    grade: 'Grade of the office; null when not told.',
    suspended: 'Whether the holder is suspended; null when the ledger does not say.',
    absent: 'Whether the holder is absent; null when the ledger does not say.',
    ...sourced,
  },
  Instrument: {
    subject: 'Name of the document.',
    since: 'Day it was enacted, `YYYY-MM-DD`.',
    amended: 'Day it was last amended, `YYYY-MM-DD`; null when never.',
    until,
    version: 'Version of the text; null when not told.',
    status: 'Whether it is in force on the day of the answer.',
    de_facto: 'Whether it is followed in practice; null when the ledger does not say.',
    ...sourced,
  },
  RefState: {
    ...ref,
    ...day,
    ...kind,
    applied,
    holders: 'Who holds the office; empty for other kinds.',
    instruments: 'Documents of the set; empty for other kinds.',
    value: 'Value of the rule; null for other kinds and when none is set.',
  },
  RefSummary: {
    ...ref,
    ...kind,
    transitions: 'Number of transitions of the ref.',
    first: 'Day of the first one, `YYYY-MM-DD`; null without any.',
    last: 'Day of the last one, `YYYY-MM-DD`; null without any.',
  },
  GovernanceRefs: {
    items: 'Every ref of the ledger.',
    corpus: 'The works tree that the ledger was read from; null without one.',
    findings: 'Lines that are refused or doubtful.',
  },
  'GovernanceRefs.corpus': {
    commit: 'Commit of the works tree; null on a plain directory.',
    transitions: 'Number of transitions in it.',
  },
  LedgerFinding: {
    kind: 'Kind of the finding, from a closed set.',
    severity: 'Whether it is an error or a warning.',
    ref: 'Name of the ref.',
    seq: 'Number of the line as written; null when it has none.',
    subject: 'Name that the finding is about; null without one.',
    file: 'Path of the file in the works tree.',
    line: 'Line in the file, counted from 1; null when the finding is of the whole file.',
    reason: 'What is wrong, in Polish.',
  },
  Kadencja: {
    year: 'Year that gives the term its number.',
    from: 'First day, `YYYY-MM-DD`.',
    to: 'Last day, `YYYY-MM-DD`.',
  },
  GovernancePin: {
    ...day,
    kadencja: 'Term of the council on that day.',
    refs: 'State of every ref, by its name.',
    regulations: 'Version of each document in force, by its name; null when not told.',
  },
  GovernanceLog: { ...ref, items: 'Transitions, oldest first.' },
  TransitionRow: {
    ref: 'Name of the ref.',
    seq: 'Number of the line in the file of the ref.',
    date: 'Day of the transition, `YYYY-MM-DD`.',
    instrument_date: 'Date of the document that orders it, `YYYY-MM-DD`; null when not told.',
    date_basis:
      'Where `date` comes from: `stated`, `instrument`, `regulation` or `period`; null when not told.',
    op: 'What happens, such as `appoint`, `enact` or `set`.',
    subject: 'Person or document; null when not told.',
    subject_surface: 'The same in the spelling of the source; null when not told.',
    act: 'Document that orders the transition; null when not told.',
    until,
    until_precision: 'Whether `until` is a day or a month; null without `until`.',
    sieve: 'Program that read the transition out of the posts; null when a person wrote it.',
    ...sourced,
    conflicts: 'Lower sources that say otherwise.',
    value: 'Value that a rule is set to, or version of a document; null without one.',
    de_facto: 'Whether it is followed in practice; null when the line does not say.',
  },
  GovernanceHeld: {
    ...ref,
    held: 'True when the subject holds the office on that day.',
    subject: 'Name that was asked for.',
    matched: 'Name in the ledger that it means; null when it means none or several.',
    at: 'Day of the answer, `YYYY-MM-DD`.',
    since: 'First day of the hold, `YYYY-MM-DD`; null when not held.',
    grade: 'Grade of the office; null when not told.',
    suspended: 'Whether the holder is suspended; null when the ledger does not say.',
    applied,
  },
}
