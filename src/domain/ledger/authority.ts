import { confidences, sourceAuthorities } from '#protocol/ledger.js'
import type { Transition } from './calendar.js'

/** The place of a word among words that are ordered strongest first; null and unknown words come last. */
const rankIn = (words: ReadonlyArray<string>, word: string | null): number => {
  const at = word === null ? -1 : words.indexOf(word)
  return at < 0 ? words.length : at
}

/**
 * Compares two rows; below zero when `left` weighs more. The higher source weighs more, and of one source the
 * higher confidence (B 4.9).
 */
export const byWeight = (left: Transition, right: Transition): number =>
  rankIn(sourceAuthorities, left.source_authority) - rankIn(sourceAuthorities, right.source_authority) ||
  rankIn(confidences, left.confidence) - rankIn(confidences, right.confidence)

/**
 * The matter that a row decides. Two rows on one matter and day cannot both be the state
 * (docs/spec/governance-ledger.md#replay). For a `set` it is the value, for an `appoint` the seat, for the
 * ops of absence whether the subject is present, and for any other op the document that the subject names.
 * `single` means that the ref has one seat (cardinality `one`), so all its appointments of a day are one
 * matter.
 */
const matterOf = (row: Transition, single: boolean): string => {
  const subject = (row.subject ?? '').toLowerCase()
  if (row.op === 'set') return `${row.date}\u0000value`
  if (row.op === 'appoint') return `${row.date}\u0000seat\u0000${single ? '' : subject}`
  const absence = row.op === 'leave' || row.op === 'return' || row.op === 'suspend' || row.op === 'dispense'
  return `${row.date}\u0000${absence ? 'presence' : 'instrument'}\u0000${subject}`
}

const noteOf = (row: Transition): string =>
  [
    row.source_authority ?? 'bez źródła',
    row.op,
    ...(row.subject === null ? [] : [row.subject]),
    ...(row.value === null ? [] : [String(row.value)]),
    `#${row.seq}`,
  ].join(' · ')

/** Whether a row has a lower source than another one. */
const isWeaker = (row: Transition, than: Transition): boolean =>
  rankIn(sourceAuthorities, row.source_authority) > rankIn(sourceAuthorities, than.source_authority)

/**
 * Returns the rows in their order and marks those that a higher source overrules. Of the rows on one matter
 * and day the weightiest (the first of equals) stays. Each row with a lower source than that becomes
 * `overruled`, and the weightiest describes it in its `conflicts`. A lower confidence alone overrules
 * nothing. Replay skips overruled rows. `single` is true for a ref with cardinality `one`.
 */
export const settleTransitions = (
  rows: ReadonlyArray<Transition>,
  single: boolean,
): ReadonlyArray<Transition> => {
  const best = new Map<string, Transition>()
  for (const row of rows) {
    const matter = matterOf(row, single)
    const known = best.get(matter)
    if (known === undefined || byWeight(row, known) < 0) best.set(matter, row)
  }
  const notes = new Map<Transition, Array<string>>()
  const weaker = new Set<Transition>()
  for (const row of rows) {
    const winner = best.get(matterOf(row, single))
    if (winner === undefined || !isWeaker(row, winner)) continue
    weaker.add(row)
    const noted = notes.get(winner)
    if (noted === undefined) notes.set(winner, [noteOf(row)])
    else noted.push(noteOf(row))
  }
  return rows.map(row =>
    weaker.has(row)
      ? { ...row, overruled: true }
      : { ...row, conflicts: [...row.conflicts, ...(notes.get(row) ?? [])] },
  )
}
