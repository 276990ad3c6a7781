import type { Day } from '#protocol/atoms.js'
import { type Pin, type RefRow, type RefState, type Refs, refRows } from '#protocol/ledger.js'
import { inGameDate } from './calendar.js'
import { kadencjaOf } from './kadencja.js'
import { replay } from './replay.js'
import type { Ledger, Transition } from './transition.js'

const rowsOf = (ledger: Ledger, ref: RefRow): ReadonlyArray<Transition> =>
  ledger.transitions.get(ref.ref) ?? []

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
