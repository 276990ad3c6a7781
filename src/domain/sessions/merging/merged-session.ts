import { nameKey } from '#protocol/atoms/name.js'
import type {
  ChangedTag,
  Session,
  SessionChange,
  SessionCopy,
  SessionIntel,
  SessionPoints,
  SessionTransfer,
} from '../session.js'

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

/**
 * Items of all copies, each as often as in the copy that repeats it most: a second copy is no second act, but
 * a repeat inside one copy is (FORMATS 4.4).
 */
const mostRepeated = <A>(
  copies: ReadonlyArray<SessionCopy>,
  of: (copy: SessionCopy) => ReadonlyArray<A>,
  key: (item: A) => string,
): ReadonlyArray<A> => {
  const taken = new Map<string, number>()
  return copies.flatMap(copy => {
    const seen = new Map<string, number>()
    return of(copy).filter(item => {
      const id = key(item)
      const nth = (seen.get(id) ?? 0) + 1
      seen.set(id, nth)
      if (nth <= (taken.get(id) ?? 0)) return false
      taken.set(id, nth)
      return true
    })
  })
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

interface Stated {
  readonly change: SessionChange
  readonly tag: ChangedTag
}

const changesIn = (copy: SessionCopy): ReadonlyArray<Stated> =>
  copy.changes.flatMap(change => change.tags.map(tag => ({ change, tag })))

const mergeChanges = (copies: ReadonlyArray<SessionCopy>): ReadonlyArray<SessionChange> => {
  const stated = mostRepeated(
    copies,
    changesIn,
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

const transferKey = (one: SessionTransfer): string =>
  [one.amount, nameKey(one.denomination), nameKey(one.source), nameKey(one.destination)].join('\n')

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
    changes: mergeChanges(copies),
    transfers: mostRepeated(copies, copy => copy.transfers, transferKey),
    intel: union(copies, copy => copy.intel, intelKey),
    preserved: union(
      copies,
      copy => copy.preserved,
      block => block.text,
    ),
  }
}
