import { nameKey } from '#protocol/atoms.js'
import { mergeChanges, mostRepeated, transferKey } from '../list-items.js'
import type { Session, SessionCopy, SessionIntel, SessionPoints } from '../session.js'

/** The completeness of a copy: one point for each of these fields, two for prose (FORMATS 4.4). */
const scoreOf = (copy: SessionCopy): number =>
  [copy.narrators, copy.locations, copy.logs, copy.points].filter(field => field.length > 0).length +
  (copy.title === '' ? 0 : 1) +
  (copy.body === '' ? 0 : 2)

/** Puts the most complete copy first; of equal ones the first. */
const primaryFirst = (
  first: SessionCopy,
  copies: ReadonlyArray<SessionCopy>,
): readonly [SessionCopy, ...SessionCopy[]] => {
  const primary = copies.reduce((best, copy) => (scoreOf(copy) > scoreOf(best) ? copy : best), first)
  return [primary, ...copies.filter(copy => copy !== primary)]
}

/** Items of all copies, the first of each key. */
const union = <A>(
  copies: ReadonlyArray<SessionCopy>,
  of: (copy: SessionCopy) => ReadonlyArray<A>,
  key: (item: A) => string,
): ReadonlyArray<A> => {
  const found = new Map<string, A>()
  for (const copy of copies)
    for (const item of of(copy)) if (!found.has(key(item))) found.set(key(item), item)
  return [...found.values()]
}

/** One value per character: that of the primary copy, else of the first copy that names the character. */
const mergePoints = (copies: ReadonlyArray<SessionCopy>): ReadonlyArray<SessionPoints> => {
  const taken = new Set<string>()
  return copies.flatMap(copy => {
    const points = copy.points.filter(one => !taken.has(nameKey(one.character)))
    for (const one of points) taken.add(nameKey(one.character))
    return points
  })
}

const intelKey = (one: SessionIntel): string => `${one.target}\n${one.message}`

/** Merges copies sorted by path. A single copy is returned as it is. */
export const mergeSession = (first: SessionCopy, inOrder: ReadonlyArray<SessionCopy>): Session => {
  const { line: _line, endLine: _endLine, ...single } = first
  if (inOrder.length === 1) return { ...single, copies: inOrder, inOrder }
  const copies = primaryFirst(first, inOrder)
  const { line: _primaryLine, endLine: _primaryEnd, ...primary } = copies[0]
  return {
    ...primary,
    copies,
    inOrder,
    body: copies.find(copy => copy.body !== '')?.body ?? '',
    locations: union(copies, copy => copy.locations, nameKey),
    otherLists: copies.flatMap(copy => copy.otherLists),
    logs: union(
      copies,
      copy => copy.logs,
      log => log,
    ),
    points: mergePoints(copies),
    participants: union(copies, copy => copy.participants, nameKey),
    changes: mergeChanges(copies.map(copy => copy.changes)),
    transfers: mostRepeated(
      copies.map(copy => copy.transfers),
      transferKey,
    ),
    intel: union(copies, copy => copy.intel, intelKey),
    preserved: union(
      copies,
      copy => copy.preserved,
      block => block.text,
    ),
  }
}
