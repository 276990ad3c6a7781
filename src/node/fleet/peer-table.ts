import type { TownView } from '#src/domain/fleet/candidates.js'
import { type HealthSign, healthScoreAfter } from '#src/domain/fleet/fleet-state.js'
import { type PeerCard, type PeerRecord, townViewOf } from '#src/domain/fleet/peers.js'

/**
 * What this host knows of the other towns, in memory: the watchers write it, rows and decisions read it without
 * any I/O (S9). A town without a record was not observed since the start.
 */
export interface PeerTable {
  readonly records: () => ReadonlyMap<string, PeerRecord>
  /**
   * The records as the rules of a takeover read them now: the age of a sync goes on since its card was read. The
   * misses count whether this host is isolated or not.
   */
  readonly views: () => ReadonlyMap<string, TownView>
  readonly set: (record: PeerRecord) => void
  /** Calls `listener` after each probe that was recorded. */
  readonly watch: (listener: () => void) => void
  readonly forget: (town: string) => void
  /** Records whether a call of the remote or the forge reached it. A forge that does not answer says nothing. */
  readonly noteReach: (place: 'remote' | 'forge', isReached: boolean) => void
  /** Whether the last probe of every town failed. */
  readonly isAllDark: () => boolean
  /**
   * Whether every town and the remote failed within a sweep, and nothing was reached since: the cause may be this
   * host, so it suspects no town.
   */
  readonly isIsolated: () => boolean
  /** A watcher began again: the misses of its town count from 0. */
  readonly restart: (town: string) => void
  /** Counts a pause of this host: it suspects no town before three fresh probes of it. */
  readonly pause: () => void
  readonly pauses: () => number
  /** The local health score, 0 to 7. */
  readonly healthScore: () => number
  readonly sign: (sign: HealthSign) => void
}

/** Whether this host is isolated, as its probes and its calls show. */
const openIsolation = (
  monotonicMs: () => number,
  sweepMs: number,
  onChange: (isIsolated: boolean) => void,
) => {
  let [remoteFailedMs, darkSinceMs]: [number | null, number | null] = [null, null]
  let wasIsolated = false
  const isIsolated = (): boolean =>
    remoteFailedMs !== null && darkSinceMs !== null && remoteFailedMs >= darkSinceMs - sweepMs
  const update = (): void => {
    if (isIsolated() === wasIsolated) return
    wasIsolated = !wasIsolated
    onChange(wasIsolated)
  }
  return {
    isIsolated,
    isAllDark: (): boolean => darkSinceMs !== null,
    look: (records: ReadonlyMap<string, PeerRecord>): void => {
      const isDark = records.size > 0 && [...records.values()].every(({ isReachable }) => !isReachable)
      darkSinceMs = isDark ? (darkSinceMs ?? monotonicMs()) : null
      update()
    },
    noteReach: (place: 'remote' | 'forge', isReached: boolean): void => {
      if (isReached) remoteFailedMs = null
      else if (place === 'remote') remoteFailedMs = monotonicMs()
      update()
    },
  }
}

/**
 * Makes an empty table, whose ages go on by this monotonic clock; `sweepMs` is the time between two probes of a town.
 */
export const makePeerTable = (
  monotonicMs: () => number,
  sweepMs = 0,
  onIsolation: (isIsolated: boolean) => void = () => undefined,
): PeerTable => {
  const cardsReadAtMs = new WeakMap<PeerCard, number>()
  let records: ReadonlyMap<string, PeerRecord> = new Map()
  let [score, pauses] = [0, 0]
  const listeners: Array<() => void> = []
  const { look, ...isolation } = openIsolation(monotonicMs, sweepMs, onIsolation)
  const set = (record: PeerRecord): void => {
    const { card } = record
    if (card !== null && !cardsReadAtMs.has(card)) cardsReadAtMs.set(card, monotonicMs())
    records = new Map(records).set(record.town, record)
    look(records)
    for (const listener of listeners) listener()
  }
  const viewAt = (record: PeerRecord, nowMs: number): TownView => {
    const readAtMs = record.card === null ? undefined : cardsReadAtMs.get(record.card)
    return townViewOf(record, nowMs - (readAtMs ?? nowMs))
  }
  return {
    records: () => records,
    views: () => {
      const nowMs = monotonicMs()
      return new Map([...records].map(([town, record]) => [town, viewAt(record, nowMs)]))
    },
    set,
    watch: listener => void listeners.push(listener),
    forget: gone => {
      records = new Map([...records].filter(([town]) => town !== gone))
      look(records)
    },
    ...isolation,
    restart: town => {
      const record = records.get(town)
      if (record !== undefined) set({ ...record, consecutiveMisses: 0 })
    },
    pause: () => {
      pauses += 1
      score = healthScoreAfter(score, 'Paused')
      records = new Map([...records].map(([town, record]) => [town, { ...record, isSettling: true }]))
    },
    pauses: () => pauses,
    healthScore: () => score,
    sign: sign => {
      score = healthScoreAfter(score, sign)
    },
  }
}
