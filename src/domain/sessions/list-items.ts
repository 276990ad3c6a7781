import { nameKey } from '#protocol/atoms.js'
import { decimalKey, readDecimal } from '#src/domain/lore/decimal.js'
import type { ChangedTag, SessionChange, SessionPoints, SessionTransfer } from './session.js'

/** Items of the lists of a session: which of them are equal, and what several lists of one kind say together. */

/** A PU value without zeros that do not count, so that `0,3` and `0.30` are equal; empty without a value. */
export const pointsValueKey = (value: string | null): string => {
  const decimal = value === null ? null : readDecimal(value, 'none')
  return decimal === null ? '' : decimalKey(decimal)
}

export const pointsKey = ({ character, value }: Pick<SessionPoints, 'character' | 'value'>): string =>
  `${nameKey(character)}\n${pointsValueKey(value)}`

export const transferKey = (one: Omit<SessionTransfer, 'line'>): string =>
  [one.amount, nameKey(one.denomination), nameKey(one.source), nameKey(one.destination)].join('\n')

/**
 * The items of several lists, each as often as in the list that has it most often: a second list repeats the first,
 * while an item that one list has twice counts twice (docs/spec/lore-session-blocks.md#two-lists).
 */
export const mostRepeated = <A>(
  lists: ReadonlyArray<ReadonlyArray<A>>,
  key: (item: A) => string,
): ReadonlyArray<A> => {
  if (lists.length < 2) return lists[0] ?? []
  const taken = new Map<string, number>()
  return lists.flatMap(list => {
    const seen = new Map<string, number>()
    return list.filter(item => {
      const id = key(item)
      const nth = (seen.get(id) ?? 0) + 1
      seen.set(id, nth)
      if (nth <= (taken.get(id) ?? 0)) return false
      taken.set(id, nth)
      return true
    })
  })
}

interface Stated {
  readonly change: SessionChange
  readonly tag: ChangedTag
}

/** The tags of several lists of Zmiany, each as often as in the list that has it most often. */
export const mergeChanges = (
  lists: ReadonlyArray<ReadonlyArray<SessionChange>>,
): ReadonlyArray<SessionChange> => {
  if (lists.length < 2) return lists[0] ?? []
  const stated = mostRepeated(
    lists.map(list => list.flatMap(change => change.tags.map((tag): Stated => ({ change, tag })))),
    ({ change, tag }) => `${nameKey(change.entity)}\n${tag.tag}\n${tag.value}`,
  )
  const changes = new Map<SessionChange, Array<ChangedTag>>()
  for (const { change, tag } of stated) {
    const tags = changes.get(change)
    if (tags === undefined) changes.set(change, [tag])
    else tags.push(tag)
  }
  return [...changes].map(([change, tags]) => ({ ...change, tags }))
}
