import { type Day, nameKey } from '#protocol/atoms.js'
import {
  type Held,
  ops,
  type Pin,
  type RefRow,
  type RefState,
  type Refs,
  refRows,
} from '#protocol/lore/ledger.js'
import { inGameDate, kadencjaOf, type Ledger, type Transition } from './calendar.js'
import { instrumentsOf } from './instruments.js'
import { type SeatNotice, seatsOf } from './seats.js'

/** The state of one ref on a day (B 4.9). `applied` 0 means that the ledger has nothing on or before it. */
export const stateOf = (ledger: Ledger, ref: RefRow, at: Day): RefState => ({
  ref: ref.ref,
  title: ref.title,
  at,
  at_ig: inGameDate(ledger.calendar, at),
  kind: ref.kind,
  cardinality: ref.cardinality,
  ...replay(ref, rowsOf(ledger, ref), at).state,
})

/** Every ref, including those without transitions, and the findings of the ledger's files. */
export const refsOf = (ledger: Ledger): Refs => {
  const items = refRows.map(ref => {
    const rows = rowsOf(ledger, ref)
    const { ref: name, title, kind, cardinality } = ref
    const [first, last] = [rows[0]?.date ?? null, rows[rows.length - 1]?.date ?? null]
    return { ref: name, title, kind, cardinality, transitions: rows.length, first, last }
  })
  const transitions = items.reduce((sum, item) => sum + item.transitions, 0)
  return {
    count: items.length,
    items,
    corpus: ledger.corpus === null ? null : { commit: ledger.corpus.commit, transitions },
    findings: ledger.findings,
  }
}

/** The state of all refs on one day. A document that is not in force has the version null. */
export const pinOf = (ledger: Ledger, at: Day): Pin => {
  const states = refRows.map(ref => stateOf(ledger, ref, at))
  const documents = states.flatMap(state => state.instruments)
  return {
    at,
    at_ig: inGameDate(ledger.calendar, at),
    kadencja: kadencjaOf(at),
    refs: Object.fromEntries(states.map(state => [state.ref, state])),
    regulations: Object.fromEntries(
      documents.map(each => [each.subject, each.status === 'obowiązujące' ? each.version : null]),
    ),
  }
}

/**
 * The state of a ref on a day: its rows up to that day, in replay order (B 4.9). Pure. Rows with an unknown
 * op, without a subject, or overruled by a higher source change nothing and are not counted in `applied`.
 */
export const replay = (ref: RefRow, transitions: ReadonlyArray<Transition>, at: Day): Replayed => {
  const rows = transitions.filter(row => row.date <= at && applies(ref, row))
  const seats = ref.kind === 'role' ? seatsOf(ref, rows, at) : { holders: [], noticed: [] }
  return {
    state: {
      applied: rows.length,
      holders: seats.holders,
      instruments: ref.kind === 'instrument' ? instrumentsOf(rows, at) : [],
      value: ref.kind === 'rule' ? valueOf(rows) : null,
    },
    noticed: seats.noticed,
  }
}

/**
 * The one member that a name means: the equal name, else the only one whose words include all words of the
 * given name, or the reverse (B 4.9). Null when several match: a membership is never guessed.
 */
export const memberNamed = <M extends { readonly subject: string }>(
  members: ReadonlyArray<M>,
  name: string,
): M | null => {
  const equal = members.find(member => nameKey(member.subject) === nameKey(name))
  if (equal !== undefined) return equal
  const asked = tokensOf(name)
  const found = members.filter(member => {
    const tokens = tokensOf(member.subject)
    return within(asked, tokens) || within(tokens, asked)
  })
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Whether `subject` holds the ref on a day. */
export const membershipAt = (ledger: Ledger, ref: RefRow, subject: string, at: Day): Held => {
  const state = stateOf(ledger, ref, at)
  const inForce = state.instruments.filter(each => each.status === 'obowiązujące')
  const members: ReadonlyArray<Member> = [
    ...state.holders,
    ...inForce.map(({ subject: document, since }) => ({
      subject: document,
      since,
      grade: null,
      suspended: null,
    })),
  ]
  const member = memberNamed(members, subject)
  return {
    held: member !== null,
    ref: ref.ref,
    title: ref.title,
    subject,
    matched: member?.subject ?? null,
    at,
    since: member?.since ?? null,
    grade: member?.grade ?? null,
    suspended: member?.suspended ?? null,
    applied: state.applied,
  }
}

const rowsOf = (ledger: Ledger, ref: RefRow): ReadonlyArray<Transition> =>
  ledger.transitions.get(ref.ref) ?? []

/** The state after a replay, and what it reports. */
interface Replayed {
  readonly state: Pick<RefState, 'applied' | 'holders' | 'instruments' | 'value'>
  readonly noticed: ReadonlyArray<SeatNotice>
}

const applies = (ref: RefRow, row: Transition): boolean => {
  const known: ReadonlyArray<string> = ops[ref.kind]
  return !row.overruled && known.includes(row.op) && (ref.kind === 'rule' || row.subject !== null)
}

const valueOf = (rows: ReadonlyArray<Transition>): RefState['value'] => {
  const last = rows[rows.length - 1]
  return last === undefined ? null : (last.value ?? last.subject_surface ?? last.subject)
}

/** A member on a day: a person in a seat, or an instrument in force. */
interface Member {
  readonly subject: string
  readonly since: Day
  readonly grade: string | null
  readonly suspended: boolean | null
}

const tokensOf = (name: string): ReadonlySet<string> => new Set(nameKey(name).match(/[\p{L}\p{N}]+/gu) ?? [])

const within = (small: ReadonlySet<string>, large: ReadonlySet<string>): boolean =>
  small.size > 0 && small.size <= large.size && [...small].every(token => large.has(token))
