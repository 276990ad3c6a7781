import type { PeerRecord } from '../peer-record.js'

/** What is seen of a town. Null: not known now, which is no change. */
export interface SeenTown {
  readonly isDark: boolean | null
  readonly role: string | null
  /** The boot of the last card. */
  readonly bootId: string | null
}

/** A change of a town; `changes` is the number of changes since the last notice of its kind and town. */
export type TownNotice = {
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
