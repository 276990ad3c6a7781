import { type NameKey, nameKey } from '#protocol/atoms.js'
import { changeMap, type LayeredMap, layeredMapOf } from '#src/domain/caching/layered-map.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { atOnce, forEachInSlices, mergeSorted, type Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'
import type { SessionFile } from '../reading/session-file.js'
import type { Session, SessionCopy, Sessions } from '../session.js'
import { divergenceFindings } from './divergence.js'
import { mergeSession } from './merged-session.js'

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
const inTime = (left: Session, right: Session): number => {
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
