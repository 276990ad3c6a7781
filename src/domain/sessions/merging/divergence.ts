import { nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { pointsValueKey } from '../list-items.js'
import type { Session, SessionCopy } from '../session.js'

/**
 * Fields of copies that are compared. A difference in `PU` blocks awards; differences in the others are only
 * reported.
 */
export const comparedFields = [
  'Generation',
  'Locations',
  'Logs',
  'PU',
  'Participants',
  'Zmiany',
  'Transfer',
  'Intel',
  'Preserved',
  'Description',
] as const
export type ComparedField = (typeof comparedFields)[number]

const sortAndJoin = (all: ReadonlyArray<string>): string => [...all].sort().join('\n')

const readers: Readonly<Record<ComparedField, (copy: SessionCopy) => string>> = {
  Generation: copy => copy.generation,
  Locations: copy => sortAndJoin(copy.locations),
  Logs: copy => sortAndJoin(copy.logs),
  PU: copy => sortAndJoin(copy.points.map(one => `${one.character}: ${one.value ?? ''}`)),
  Participants: copy => sortAndJoin(copy.participants),
  Zmiany: copy =>
    copy.changes
      .flatMap(change => change.tags.map(one => `${change.entity} @${one.tag}: ${one.value}`))
      .join('\n'),
  Transfer: copy =>
    copy.transfers
      .map(one => `${one.amount} ${one.denomination}, ${one.source} -> ${one.destination}`)
      .join('\n'),
  Intel: copy => sortAndJoin(copy.intel.map(one => `${one.target}: ${one.message}`)),
  Preserved: copy => sortAndJoin(copy.preserved.map(one => one.text)),
  Description: copy => copy.body,
}

const differs = (copies: ReadonlyArray<SessionCopy>, read: (copy: SessionCopy) => string): boolean => {
  const [first] = copies
  return first !== undefined && copies.some(copy => read(copy) !== read(first))
}

/** The value of a compared field in a copy, as one text. */
export const valueIn = (copy: SessionCopy, field: ComparedField): string => readers[field](copy)

/** The fields in which the copies of a session differ; none for a single copy. */
export const fieldsThatDiffer = perValue(
  ({ copies }: Session): ReadonlyArray<ComparedField> =>
    copies.length < 2 ? [] : comparedFields.filter(field => differs(copies, readers[field])),
)

/**
 * Characters for whom copies state different PU, which blocks the batch (FORMATS 4.4). A copy that states
 * none agrees.
 */
export const disputedPoints = perValue((session: Session): ReadonlyArray<string> => {
  if (session.copies.length < 2) return []
  const said = new Map<string, { readonly name: string; readonly values: Set<string> }>()
  for (const copy of session.copies) {
    const own = new Map<string, Array<string>>()
    for (const { character, value } of copy.points) {
      const key = nameKey(character)
      const stated = own.get(key)
      if (stated === undefined) own.set(key, [pointsValueKey(value)])
      else stated.push(pointsValueKey(value))
      if (!said.has(key)) said.set(key, { name: character, values: new Set<string>() })
    }
    for (const [key, stated] of own) said.get(key)?.values.add(stated.sort().join(' + '))
  }
  return [...said.values()].filter(one => one.values.size > 1).map(one => one.name)
})

/** The names of the fields in the file. */
const fieldNames: Readonly<Record<ComparedField, string>> = {
  Generation: 'zapis sesji',
  Locations: 'Lokacje',
  Logs: 'Logi',
  PU: 'PU',
  Participants: 'Uczestnicy',
  Zmiany: 'Zmiany',
  Transfer: 'Transfer',
  Intel: 'Intel',
  Preserved: 'pozostałe bloki',
  Description: 'opis',
}

const placesOfCopies = (session: Session): string =>
  session.copies.map(copy => `${copy.path}:${copy.line}`).join(', ')

const made = perValue((session: Session): ReadonlyArray<Finding> => {
  const [primary] = session.copies
  if (session.copies.length < 2 || primary === undefined) return []
  const at = { file: primary.path, line: primary.line, subject: session.header }
  const disputed = disputedPoints(session)
  const fields = fieldsThatDiffer(session)
  const told = fields.map(field => fieldNames[field]).join(', ')
  const points: ReadonlyArray<Finding> =
    disputed.length === 0
      ? []
      : [
          {
            ...at,
            kind: 'DivergentPoints',
            severity: 'error',
            reason: `Kopie sesji podają różne PU (${disputed.join(', ')}): ${placesOfCopies(session)}.`,
            suggestion:
              'Wpisz tę samą liczbę w każdej kopii; do tego czasu cały miesiąc tej sesji nie zostanie rozliczony.',
          },
        ]
  const copies: ReadonlyArray<Finding> =
    fields.length === 0
      ? []
      : [
          {
            ...at,
            kind: 'DivergentCopies',
            severity: fields.some(field => field !== 'Description' && field !== 'Preserved')
              ? 'warning'
              : 'info',
            reason: `Kopie sesji różnią się (${told}): ${placesOfCopies(session)}.`,
            suggestion: 'Zostaw jedną kopię albo doprowadź wszystkie do tej samej treści.',
          },
        ]
  return [...points, ...copies]
})

const noFindings: ReadonlyArray<Finding> = []

/** Findings of a session whose copies differ. */
export const divergenceFindings = (session: Session): ReadonlyArray<Finding> =>
  session.copies.length < 2 ? noFindings : made(session)
