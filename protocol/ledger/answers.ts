import * as t from 'io-ts'
import { Day } from '../atoms/day.js'
import { Evidence, TransitionRow, Value } from './transition.js'
import { Cardinality, RefKind } from './vocabulary.js'

const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])

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

export const InstrumentStatus = t.keyof({ obowiązujące: null, wygasłe: null }, 'InstrumentStatus')

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
