import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { MonitorDocument, type MonitorFailure, type VantageSplit } from '#protocol/fleet/monitor.js'
import { readJson } from '#src/domain/json/json-text.js'
import type { PeerRecord } from './peers.js'

/** The document in a text of the monitor; Left for a text of another shape. */
export const readMonitorDocument = (text: string): Either<'bad_document', MonitorDocument> => {
  const parsed = readJson(text, valuesMax)
  if (isLeft(parsed)) return left('bad_document')
  const document = MonitorDocument.decode(parsed.right)
  return isLeft(document) ? left('bad_document') : right(document.right)
}

export const noMonitorView: MonitorView = { document: null, fetchedMs: 0, changedAtMs: 0, failure: null }

export interface TwoClocks {
  readonly wallMs: number
  readonly monotonicMs: number
}

/** Takes the end of a fetch. One that brought no document leaves the document and its age as they are. */
export const takeFetched = (
  sight: MonitorView,
  fetched: FetchedDocument,
  { wallMs, monotonicMs }: TwoClocks,
): MonitorView => {
  if (fetched._tag === 'Failed') return { ...sight, failure: fetched.why }
  const { document } = fetched
  const isSame = sight.document?.generatedUtc === document.generatedUtc
  const changedAtMs = isSame ? sight.changedAtMs : monotonicMs
  return { document, fetchedMs: wallMs, changedAtMs, failure: null }
}

/**
 * Whether there is no document, or it is older than the threshold: by its date, or by how long this host has seen no
 * other one. The second holds where the clock of the monitor is ahead.
 */
export const isMonitorStale = (
  { document, changedAtMs }: MonitorView,
  staleAfterMs: number,
  { wallMs, monotonicMs }: TwoClocks,
): boolean =>
  document === null ||
  wallMs - Date.parse(document.generatedUtc) > staleAfterMs ||
  monotonicMs - changedAtMs > staleAfterMs

/** The towns that the monitor and this host see differently, by name. A town that only one of them knows is none. */
export const vantageSplitsOf = (
  document: MonitorDocument | null,
  peers: ReadonlyMap<string, { readonly isReachable: boolean }>,
): ReadonlyArray<VantageSplit> =>
  (document?.towns ?? [])
    .flatMap(({ town, reachable: monitorSaysReachable }) => {
      const peerSaysReachable = peers.get(town)?.isReachable
      return peerSaysReachable === undefined || peerSaysReachable === monitorSaysReachable
        ? []
        : [{ town, peerSaysReachable, monitorSaysReachable }]
    })
    .sort((a, b) => (a.town < b.town ? -1 : 1))

/** What is seen of a town. Null: not known now, which is no change. */
export interface SeenTown {
  readonly isDark: boolean | null
  readonly role: string | null
  /** The boot of the last card. */
  readonly bootId: string | null
}

/** The towns as they were reported; null while this host has no duty. */
export type TownWatch = ReadonlyMap<string, WatchedTown> | null

/** A town is reported at most once in this time for each kind of change. */
export const quietMs = 600_000

/** Reads a record: a town is dark after `afterSweeps` failed probes in a row of a host that did not pause. */
export const seenTownOf = (
  { card, isReachable, consecutiveMisses, isSettling }: PeerRecord,
  afterSweeps: number,
): SeenTown => {
  const isSuspect = !isSettling && consecutiveMisses >= afterSweeps
  return {
    isDark: isReachable ? false : isSuspect ? true : null,
    role: isReachable ? (card?.role ?? null) : null,
    bootId: card?.bootId ?? null,
  }
}

/**
 * Compares the towns with what was reported, at a monotonic time. A host that takes the duty takes what it sees as
 * its baseline and reports later changes alone; a host without the duty reports nothing. A town that is new is part
 * of the baseline.
 */
export const watchTowns = (
  watch: TownWatch,
  seen: ReadonlyMap<string, SeenTown>,
  hasDuty: boolean,
  atMs: number,
): { readonly watch: TownWatch; readonly notices: ReadonlyArray<TownNotice> } => {
  if (!hasDuty) return { watch: null, notices: [] }
  const looks = [...seen].map(([town, one]): readonly [string, TownLook] => {
    const before = watch?.get(town) ?? null
    return before === null
      ? [town, { next: { isDark: startValue(one.isDark), role: startValue(one.role) }, notices: [] }]
      : [town, watchTown(town, before, one, atMs)]
  })
  return {
    watch: new Map(looks.map(([town, { next }]) => [town, next])),
    notices: looks.flatMap(([, { notices }]) => notices),
  }
}

/** The text of a notice in Polish; with the number of changes where there were several. */
export const describeTownNotice = (notice: TownNotice): string =>
  notice.changes > 1
    ? `${describeChange(notice)} Zmiany od poprzedniej wiadomości: ${notice.changes}.`
    : describeChange(notice)

/** A takeover that has ended; `failure` is null where the town took the role over. */
export interface EndedTakeover {
  readonly town: string
  readonly apex: string
  readonly term: number
  readonly failure: string | null
}

/** The text of the end of a takeover in Polish. */
export const describeTakeoverEnd = ({ town, apex, failure }: EndedTakeover): string =>
  failure === null
    ? `Host ${town} został głównym hostem. Poprzednio był nim host ${apex}.`
    : `Host ${town} nie został głównym hostem. Powód: \`${failure}\`.`

/** A document of 256 towns has some 1,000 values; unknown keys may bring more. */
const valuesMax = 5_000

/** What this host has of the monitor. */
interface MonitorView {
  /** The last document that was read; null before the first. */
  readonly document: MonitorDocument | null
  /** When it was fetched, on the wall clock. */
  readonly fetchedMs: number
  /** When its `generatedUtc` was first seen, on the monotonic clock. */
  readonly changedAtMs: number
  /** Why the last fetch brought none; null where it did. */
  readonly failure: MonitorFailure | null
}

/** How a fetch of the document has ended. */
type FetchedDocument =
  | { readonly _tag: 'Read'; readonly document: MonitorDocument }
  | { readonly _tag: 'Failed'; readonly why: MonitorFailure }

/** A change of a town; `changes` is the number of changes since the last notice of its kind and town. */
type TownNotice = {
  readonly town: string
  readonly bootId: string | null
  readonly changes: number
} & (
  | { readonly kind: 'dark' | 'back' }
  | { readonly kind: 'role'; readonly role: string; readonly before: string }
)

/** One value of a town: as it is, as it was last reported, and its changes since. */
interface Watched<A> {
  readonly now: A
  readonly reported: A
  readonly reportedMs: number | null
  readonly changes: number
}

interface WatchedTown {
  readonly isDark: Watched<boolean | null>
  readonly role: Watched<string | null>
}

const startValue = <A>(value: A): Watched<A> => ({
  now: value,
  reported: value,
  reportedMs: null,
  changes: 0,
})

/** The value after a look; `isDue` says whether its changes are reported now. */
const watchValue = <A>(
  watched: Watched<A | null>,
  seen: A | null,
  atMs: number,
): { readonly next: Watched<A | null>; readonly isDue: boolean } => {
  // The first value that is known is no change.
  if (watched.now === null) return { next: startValue(seen), isDue: false }
  const now = seen ?? watched.now
  const changes = watched.changes + (now === watched.now ? 0 : 1)
  const isDue = changes > 0 && (watched.reportedMs === null || atMs - watched.reportedMs >= quietMs)
  return isDue
    ? { next: { now, reported: now, reportedMs: atMs, changes: 0 }, isDue }
    : { next: { ...watched, now, changes }, isDue }
}

interface TownLook {
  readonly next: WatchedTown
  readonly notices: ReadonlyArray<TownNotice>
}

const watchTown = (town: string, before: WatchedTown, seen: SeenTown, atMs: number): TownLook => {
  const dark = watchValue(before.isDark, seen.isDark, atMs)
  const role = watchValue(before.role, seen.role, atMs)
  const { bootId } = seen
  const changesOf = <A>(watched: Watched<A>, now: A): number =>
    watched.changes + (now === watched.now ? 0 : 1)
  const notices: Array<TownNotice> = []
  if (dark.isDue) {
    const changes = changesOf(before.isDark, dark.next.now)
    notices.push({ kind: dark.next.now === true ? 'dark' : 'back', town, bootId, changes })
  }
  if (role.isDue) {
    const changes = changesOf(before.role, role.next.now)
    const [now, reported] = [role.next.now ?? '', before.role.reported ?? '']
    notices.push({ kind: 'role', town, bootId, changes, role: now, before: reported })
  }
  return { next: { isDark: dark.next, role: role.next }, notices }
}

const roleNames: Readonly<Record<string, string>> = {
  primary: 'główny',
  'stepping-down': 'ustępujący',
  replica: 'zapasowy',
  '': 'samodzielny',
}

const nameRole = (role: string): string => roleNames[role] ?? role

const describeChange = (notice: TownNotice): string => {
  switch (notice.kind) {
    case 'dark':
      return `Host ${notice.town} nie odpowiada.`
    case 'back':
      return `Host ${notice.town} znów odpowiada.`
    case 'role':
      return `Host ${notice.town} zmienił rolę: ${nameRole(notice.before)} → ${nameRole(notice.role)}.`
  }
}
