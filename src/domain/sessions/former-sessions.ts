import type { NameKey } from '#protocol/atoms.js'
import { perValueInSlices } from '#src/domain/caching/per-value.js'
import { readQuantity } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import {
  closeLedgerPath,
  type Effects,
  effectsHash,
  effectsText,
  noEffects,
  sessionsByLedgerKey,
} from './effects/closed-sessions.js'
import { mergeSession } from './merge.js'
import { formerKey, parseFormerFileInSlices, wasQuantity } from './reading/session-file.js'
import type { CloseLedger, Session, SessionCopy, Sessions } from './session.js'

/** The files with the sessions that are read from them now. */
export interface ReadLore {
  readonly files: ReadonlyMap<string, SourceFile>
  readonly sessions: Sessions
}

const isQuantity = (text: string): boolean => readQuantity(text, 'either') !== null

/** What effects did under one of the two readers: the same text for the same. */
const actText = (effects: Effects, isRead: (text: string) => boolean): string => {
  const refused = effects.changes.flatMap(({ tags }) =>
    tags.filter(({ tag, value }) => tag === 'ilość' && !isRead(splitRange(value).text)),
  )
  return `${effectsText(effects)}\n${refused.map(({ value }) => value).join('\n')}`
}

const readsAlike = (now: SessionCopy, before: SessionCopy | undefined): boolean =>
  before !== undefined &&
  now.header === before.header &&
  actText(now, isQuantity) === actText(before, wasQuantity)

/** The former sessions of a file by its text; null where it reads as before. */
const known = new WeakMap<SourceFile, ReadonlyArray<SessionCopy> | null>()

const formerCopiesInSlices = function* (
  file: SourceFile,
  now: ReadonlyArray<SessionCopy>,
): Sliced<ReadonlyArray<SessionCopy> | null> {
  const cached = known.get(file)
  if (cached !== undefined) return cached
  const before = yield* parseFormerFileInSlices(file)
  const isAlike = now.length === before.length && now.every((copy, at) => readsAlike(copy, before[at]))
  known.set(file, isAlike ? null : before)
  return isAlike ? null : before
}

const byPlace = (one: SessionCopy, other: SessionCopy): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line

const addTo = (groups: Map<string, Array<SessionCopy>>, key: string, copy: SessionCopy): void => {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [copy])
  else group.push(copy)
}

/** Reads every file of sessions by the former reader too; computed once for each lore and each file. */
export const formerSessionsInSlices = perValueInSlices(function* ({
  files,
  sessions,
}: ReadLore): Sliced<FormerSessions> {
  const now = new Map<string, Array<SessionCopy>>()
  yield* forEachInSlices(sessions.all, ({ copies }) => {
    for (const copy of copies) addTo(now, copy.path, copy)
  })
  const differing = new Map<string, ReadonlyArray<SessionCopy>>()
  for (const [path, file] of files) {
    if (roleOf(path) !== 'sessions') continue
    const before = yield* formerCopiesInSlices(file, (now.get(file.path) ?? []).sort(byPlace))
    if (before !== null) differing.set(file.path, before)
    yield
  }
  const former = new Map<NameKey, Array<Session>>()
  for (const [path, before] of differing)
    for (const copy of [...before, ...(now.get(path) ?? [])]) former.set(ledgerKeyOf(copy), [])
  const groups = new Map<string, Array<SessionCopy>>()
  const collect = (copies: ReadonlyArray<SessionCopy>): void => {
    for (const copy of copies) if (former.has(ledgerKeyOf(copy))) addTo(groups, formerKey(copy.header), copy)
  }
  for (const before of differing.values()) collect(before)
  yield* forEachInSlices(now, ([path, copies]) => collect(differing.has(path) ? [] : copies))
  yield* forEachInSlices(groups.values(), group => {
    const [first, ...others] = group.sort(byPlace)
    if (first !== undefined) former.get(ledgerKeyOf(first))?.push(mergeSession(first, [first, ...others]))
  })
  return former
})

/** Runs `formerSessionsInSlices` to its end without yielding. */
export const formerSessionsOf = (lore: ReadLore): FormerSessions => atOnce(formerSessionsInSlices(lore))

/** The former session that a header meant; null when it meant none, undefined when it is read as before. */
export const formerOf = (former: FormerSessions, header: string): Session | null | undefined => {
  const all = former.get(ledgerKey(header))
  return all === undefined
    ? undefined
    : (all.find(session => formerKey(session.header) === formerKey(header)) ?? all[0] ?? null)
}

/** The kind of the findings about sessions and batches that were settled under the former reader. */
export const readingKind = 'SettledReadingDiffers'

/** Whether a hash of effects at close is that of the former reading. */
export const isFormerHash = (former: FormerSessions, key: NameKey, hash: string): boolean =>
  (former.get(key) ?? []).some(session => effectsHash(session) === hash)

/**
 * A finding for each closed session whose effects the former reader read differently. Sessions that were closed
 * under the present reader, and those that a commit changed after the close, have none.
 */
export const closedReadingFindings = (
  lore: ReadLore & { readonly closeLedger: CloseLedger },
): ReadonlyArray<Finding> => {
  const former = formerSessionsOf(lore)
  // The key of each header of a long ledger takes longer than one slice of work; most lore needs none.
  if (former.size === 0) return []
  const { closed, meanings, entries } = lore.closeLedger
  const headers = new Map(entries.map(({ header }) => [ledgerKey(header), header]))
  return [...former.keys()].flatMap((key): ReadonlyArray<Finding> => {
    const header = headers.get(key)
    if (header === undefined || !closed.has(key)) return []
    const session = sessionsByLedgerKey(lore.sessions).get(key)
    const was = formerOf(former, header) ?? null
    const [now, before] = [session ?? noEffects, was ?? noEffects]
    const differing = differingBlocks(now, before)
    const hash = meanings.get(key)?.effects
    if (differing === '' || (hash !== undefined && hash !== effectsHash(before))) return []
    const place = session ?? was
    return [
      {
        kind: readingKind,
        severity: 'warning',
        file: place?.path ?? closeLedgerPath,
        line: place?.copies[0]?.line ?? null,
        subject: session?.header ?? header,
        reason: `Bloki zamkniętej sesji są teraz czytane inaczej niż przy zamknięciu: ${differing}.`,
        suggestion: 'Zapisz te wiersze tak, żeby znaczyły to, co przy zamknięciu.',
      },
    ]
  })
}

/**
 * Sessions as releases up to 0.4.0 read them, by `ledgerKey`: those of files that they read differently. Several
 * have one key where their headers differed in case, comments or closing `#`s; a key with none was no session.
 * Sessions that are not here are read as before.
 */
type FormerSessions = ReadonlyMap<NameKey, ReadonlyArray<Session>>

const blockNames = { changes: 'Zmiany', transfers: 'Transfer', points: 'PU', intel: 'Intel' } as const

/** The blocks that the two readers read differently, as people call them. */
const differingBlocks = (now: Effects, before: Effects): string =>
  (['changes', 'transfers', 'points', 'intel'] as const)
    .filter(kind => {
      const only = (effects: Effects): Effects => ({ ...noEffects, [kind]: effects[kind] })
      return actText(only(now), isQuantity) !== actText(only(before), wasQuantity)
    })
    .map(kind => blockNames[kind])
    .join(', ')
