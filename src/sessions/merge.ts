import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValue } from '#src/lore/per-value.js'
import { divergenceFindings } from './divergence.js'
import { mergedSession } from './merged-session.js'
import type { Session, SessionCopy, Sessions } from './session.js'
import type { SessionFile } from './session-file.js'

const merged = new WeakMap<SessionCopy, Session>()

/** The session of a group of copies: the very same object as long as every copy is the same object. */
const sessionOf = (copies: ReadonlyArray<SessionCopy>): Session | null => {
  const [first] = copies
  if (first === undefined) return null
  const known = merged.get(first)
  if (known !== undefined && sameCopies(known, copies)) return known
  const session = mergedSession(first, copies)
  merged.set(first, session)
  return session
}

const sameCopies = (session: Session, copies: ReadonlyArray<SessionCopy>): boolean =>
  session.inOrder.length === copies.length && session.inOrder.every((copy, at) => copy === copies[at])

const groups = (files: ReadonlyArray<SessionFile>): ReadonlyMap<string, ReadonlyArray<SessionCopy>> => {
  const byKey = new Map<string, Array<SessionCopy>>()
  for (const { copies } of files)
    for (const copy of copies) {
      const group = byKey.get(copy.key)
      if (group === undefined) byKey.set(copy.key, [copy])
      else group.push(copy)
    }
  return byKey
}

const byKeyText = (left: Session, right: Session): number => (left.key < right.key ? -1 : 1)

/** By date, then header. Days are gathered first: there are far fewer of them than sessions. */
const inTime = (sessions: Iterable<Session>): ReadonlyArray<Session> => {
  const days = new Map<string, Array<Session>>()
  for (const session of sessions) {
    const day = days.get(session.date)
    if (day === undefined) days.set(session.date, [session])
    else day.push(session)
  }
  return [...days.keys()].sort().flatMap(day => days.get(day)?.sort(byKeyText) ?? [])
}

const narratorKeys = perValue(
  (session: Session): ReadonlyArray<NameKey> => [...new Set(session.narrators.map(nameKey))],
)

const narratedBy = (all: ReadonlyArray<Session>): ReadonlyMap<NameKey, ReadonlyArray<Session>> => {
  const byNarrator = new Map<NameKey, Array<Session>>()
  for (const session of all)
    for (const key of narratorKeys(session)) {
      const known = byNarrator.get(key)
      if (known === undefined) byNarrator.set(key, [session])
      else known.push(session)
    }
  return byNarrator
}

/**
 * Merges the copies of each header (FORMATS 4.4). Files come sorted by path. A session none of whose copies
 * changed is the same object as before, so that what was derived from it stands.
 */
export const mergeSessions = (files: ReadonlyArray<SessionFile>): Sessions => {
  const byKey = new Map<string, Session>()
  for (const [key, copies] of groups(files)) {
    const session = sessionOf(copies)
    if (session !== null) byKey.set(key, session)
  }
  const all = inTime(byKey.values())
  return {
    all,
    byKey,
    byNarrator: narratedBy(all),
    findings: [...files.flatMap(file => file.findings), ...all.flatMap(divergenceFindings)],
  }
}
