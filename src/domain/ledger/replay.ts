import type { Day } from '#protocol/atoms.js'
import { ops, type RefRow, type RefState } from '#protocol/ledger.js'
import { instrumentsOf } from './instruments.js'
import { type SeatNotice, seatsOf } from './seats.js'
import type { Transition } from './transition.js'

/** The state after a replay, and what it reports. */
export interface Replayed {
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
