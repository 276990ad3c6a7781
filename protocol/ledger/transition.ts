import * as t from 'io-ts'
import { Day } from '../atoms/day.js'

const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])
const absentOr = <C extends t.Mixed>(codec: C) => t.union([codec, t.null, t.undefined])

/** The value of a rule or an instrument: JSON without structure. */
export const Value = t.union([t.string, t.number, t.boolean], 'LedgerValue')
export type Value = t.TypeOf<typeof Value>

export const UntilPrecision = t.keyof({ day: null, month: null }, 'UntilPrecision')

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
