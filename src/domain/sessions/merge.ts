import { type NameKey, nameKey } from '#protocol/atoms.js'
import { changeMap, type LayeredMap, layeredMapOf } from '#src/domain/caching/layered-map.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { quotableLine } from '#src/domain/lore/topic-text.js'
import {
  atOnce,
  forEachInSlices,
  mergeSorted,
  type Sliced,
  sortInSlices,
} from '#src/domain/slicing/sliced.js'
import { mergeChanges, mostRepeated, pointsValueKey, transferKey } from './reading/block-content.js'
import type { SessionFile } from './reading/session-file.js'
import type { Session, SessionCopy, SessionIntel, SessionPoints, Sessions } from './session.js'

/**
 * Merges the copies of each header (FORMATS 4.4). Files must be sorted by path. A session whose copies did
 * not change stays the same object, so that values derived from it stay cached; the work depends on the
 * changed files only. Yields between them, because a commit may change many.
 */
export const mergeSessionsInSlices = function* (
  files: ReadonlyArray<SessionFile>,
  before: Sessions = nothing,
): Sliced<Sessions> {
  const groups = groupsOf.get(before) ?? noGroups
  const { copies, keys } = yield* regroupCopies(groups, files)
  const gone = new Set([...keys].map(key => groups.byKey.get(key)).filter(isDefined))
  const changes = new Map<string, Session | null>()
  yield* forEachInSlices(keys, key => {
    const group = copies.get(key)
    const first = group?.[0]
    changes.set(key, group === undefined || first === undefined ? null : mergeSession(first, group))
  })
  const byKey = changeMap(groups.byKey, changes)
  yield
  const came = yield* sortInSlices([...keys].map(key => byKey.get(key)).filter(isDefined), inTime)
  const kept = before.all.filter(session => !gone.has(session))
  const all = mergeSorted(kept, came, inTime)
  yield
  const divergences: Array<Finding> = []
  yield* forEachInSlices(all, session => {
    if (session.copies.length > 1) divergences.push(...divergenceFindings(session))
  })
  const byNarrator = updateNarrators(before.byNarrator, gone, came)
  yield
  const findings = [...files.flatMap(file => file.findings), ...divergences]
  const sessions: Sessions = { all, byKey, byNarrator, findings }
  groupsOf.set(sessions, { files, copies, byKey })
  return sessions
}

/** Runs `mergeSessionsInSlices` to its end without yielding. */
export const mergeSessions = (files: ReadonlyArray<SessionFile>, before: Sessions = nothing): Sessions =>
  atOnce(mergeSessionsInSlices(files, before))

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

export type ComparedField = (typeof comparedFields)[number]

/** The value of a compared field in a copy, as one text. */
export const valueIn = (copy: SessionCopy, field: ComparedField): string => readers[field](copy)

/**
 * Fields of copies that are compared. A difference in `PU` blocks awards; differences in the others are only
 * reported.
 */
const comparedFields = [
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

/** Findings of a session whose copies differ. */
export const divergenceFindings = (session: Session): ReadonlyArray<Finding> =>
  session.copies.length < 2 ? noFindings : made(session)

/** The inputs of a merge, kept with its result so that the next merge repeats only what changed. */
interface Groups {
  readonly files: ReadonlyArray<SessionFile>
  readonly copies: LayeredMap<string, ReadonlyArray<SessionCopy>>
  readonly byKey: LayeredMap<string, Session>
}

const nothing: Sessions = { all: [], byKey: new Map(), byNarrator: new Map(), findings: [] }
const noGroups: Groups = {
  files: [],
  copies: layeredMapOf(new Map<string, ReadonlyArray<SessionCopy>>()),
  byKey: layeredMapOf(new Map<string, Session>()),
}
const groupsOf = new WeakMap<Sessions, Groups>()

/** Sorts by date, then key. Both are compared by code units, so that every host gets the same order. */
export const inTime = (left: Pick<Session, 'date' | 'key'>, right: Pick<Session, 'date' | 'key'>): number => {
  if (left.date !== right.date) return left.date < right.date ? -1 : 1
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}

const narratorKeys = perValue(
  (session: Session): ReadonlyArray<NameKey> => [...new Set(session.narrators.map(nameKey))],
)

const byNarratorKey = (sessions: ReadonlyArray<Session>): ReadonlyMap<NameKey, ReadonlyArray<Session>> => {
  const narrated = new Map<NameKey, Array<Session>>()
  for (const session of sessions)
    for (const key of narratorKeys(session)) {
      const known = narrated.get(key)
      if (known === undefined) narrated.set(key, [session])
      else known.push(session)
    }
  return narrated
}

/** The sessions by narrator after removing the sessions in `gone` and adding those in `came`. */
const updateNarrators = (
  before: Sessions['byNarrator'],
  gone: ReadonlySet<Session>,
  came: ReadonlyArray<Session>,
): Sessions['byNarrator'] => {
  const after = new Map(before)
  const added = byNarratorKey(came)
  for (const key of new Set([...[...gone].flatMap(narratorKeys), ...added.keys()])) {
    const kept = (before.get(key) ?? []).filter(session => !gone.has(session))
    const now = mergeSorted(kept, added.get(key) ?? [], inTime)
    if (now.length === 0) after.delete(key)
    else after.set(key, now)
  }
  return after
}

const groupCopies = (files: ReadonlyArray<SessionFile>): ReadonlyMap<string, ReadonlyArray<SessionCopy>> => {
  const byKey = new Map<string, Array<SessionCopy>>()
  for (const { copies } of files)
    for (const copy of copies) {
      const group = byKey.get(copy.key)
      if (group === undefined) byKey.set(copy.key, [copy])
      else group.push(copy)
    }
  return byKey
}

/** The copies by key in the given files; `keys` are those whose copies changed. */
const regroupCopies = function* (
  before: Groups,
  files: ReadonlyArray<SessionFile>,
): Sliced<{ readonly copies: Groups['copies']; readonly keys: ReadonlySet<string> }> {
  const [was, is] = [new Set(before.files), new Set(files)]
  const gone = before.files.filter(file => !is.has(file))
  const came = files.filter(file => !was.has(file))
  const lost = new Set(gone.flatMap(file => file.copies))
  const order = new Map(files.map((file, at) => [file.path, at]))
  const place = (copy: SessionCopy): number => order.get(copy.path) ?? 0
  const changes = new Map<string, ReadonlyArray<SessionCopy> | null>()
  const keys = new Set([...gone, ...came].flatMap(file => file.copies.map(copy => copy.key)))
  const added = groupCopies(came)
  yield
  yield* forEachInSlices(keys, key => {
    const kept = (before.copies.get(key) ?? []).filter(copy => !lost.has(copy))
    const now = [...kept, ...(added.get(key) ?? [])].sort((left, right) => place(left) - place(right))
    changes.set(key, now.length === 0 ? null : now)
  })
  return { copies: changeMap(before.copies, changes), keys }
}

const isDefined = <A>(value: A | undefined): value is A => value !== undefined

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
  const disputed = disputedPoints(session).map(quotableLine)
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
