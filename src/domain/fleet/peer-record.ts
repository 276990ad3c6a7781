import type { TownView } from './candidates.js'
import { cardMinutesOf, type PeerCard } from './peer-card.js'

export const probeKinds = ['fleet-status', 'health'] as const
/** The row that a probe asked: the card, or `/health` of a host that has no card. */
export type ProbeKind = (typeof probeKinds)[number]

export const probeFailures = ['timeout', 'refused', 'tls', 'unreachable', 'bad_card'] as const
/** Why a probe that left this host failed. `bad_card`: the answer is not the card of the town. */
export type ProbeFailure = (typeof probeFailures)[number]

export interface AnsweredProbe {
  readonly _tag: 'Answered'
  readonly kind: ProbeKind
  readonly card: PeerCard | null
}

/**
 * How a probe ended. `NotSent`: it never left this host, or this host slept meanwhile, so it says nothing about
 * the town (S8).
 */
export type ProbeResult =
  | AnsweredProbe
  | { readonly _tag: 'Failed'; readonly kind: ProbeKind; readonly why: ProbeFailure }
  | { readonly _tag: 'NotSent' }

export interface EndedProbe<R extends ProbeResult = ProbeResult> {
  readonly result: R
  /** On the wall clock, at its end. */
  readonly atMs: number
  /** The round trip of the request that was answered; the whole probe where it failed. */
  readonly elapsedMs: number
}

/**
 * What this host knows of one other town (A 2.7). The watcher of the town writes it at the end of each probe;
 * readers take the last one from memory.
 */
export interface PeerRecord {
  readonly town: string
  /** The last card that was read; null before one, and of a host that has only `/health`. */
  readonly card: PeerCard | null
  /** The end of the last probe that left this host, on the wall clock. */
  readonly observedMs: number
  readonly elapsedMs: number
  readonly isReachable: boolean
  /** The peer's clock minus this one's, for half a round trip; null before a card was read. */
  readonly skewMs: number | null
  /** The bound of the estimates, either way: half of the shortest round trip of the last eight cards. */
  readonly skewErrorMs: number | null
  readonly probeKind: ProbeKind
  /** Probes that left this host and failed, without a success since (S8); 0 after a restart of the watcher. */
  readonly consecutiveMisses: number
  /** Whether its last answer came after the sweep had counted as missed, and took the misses back. */
  readonly isLate: boolean
  /** Why the last probe failed; null where it did not. */
  readonly failure: ProbeFailure | null
  /**
   * Whether fewer than three probes have ended since this host last paused or could not send one: too few for a
   * suspicion.
   */
  readonly isSettling: boolean
}

/** A clock estimate of one probe. */
interface SkewSample {
  readonly skewMs: number
  readonly errorMs: number
}

/** What the watcher of a town remembers between two probes. */
export interface PeerTrack {
  readonly town: string
  readonly record: PeerRecord | null
  readonly skews: ReadonlyArray<SkewSample>
  /** Probes that must end before this host may suspect the town. */
  readonly probesToSettle: number
}

const skewsMax = 8
/** The fresh probes that a suspicion takes after a pause of this host, or a probe that was not sent. */
export const freshProbes = 3

export const startTrack = (town: string): PeerTrack => ({
  town,
  record: null,
  skews: [],
  probesToSettle: 0,
})

/**
 * The track after a sign that this host is not well, such as a pause: its misses stay (S8), and suspicion waits for
 * fresh probes.
 */
export const unsettleTrack = (track: PeerTrack): PeerTrack => ({
  ...track,
  record: track.record === null ? null : { ...track.record, isSettling: true },
  probesToSettle: freshProbes,
})

const skewOf = (card: PeerCard, { atMs, elapsedMs }: EndedProbe): SkewSample => ({
  skewMs: Date.parse(card.nowUtc) - (atMs - elapsedMs / 2),
  errorMs: elapsedMs / 2,
})

/** The error bound of the shortest round trip among the samples. */
const bestErrorMs = (samples: ReadonlyArray<SkewSample>): number | null =>
  samples.length === 0 ? null : Math.min(...samples.map(({ errorMs }) => errorMs))

/**
 * The track after a probe. A probe that was not sent leaves the misses as they are (S8); those before it are old, so
 * suspicion waits for fresh probes.
 */
export const trackProbe = (track: PeerTrack, probe: EndedProbe): PeerTrack => {
  const { result, atMs, elapsedMs } = probe
  if (result._tag === 'NotSent') return unsettleTrack(track)
  const { record, town } = track
  const isReachable = result._tag === 'Answered'
  const card = isReachable ? result.card : null
  const sample = card === null ? null : skewOf(card, probe)
  const skews = sample === null ? track.skews : [...track.skews, sample].slice(-skewsMax)
  const probesToSettle = Math.max(0, track.probesToSettle - 1)
  return {
    town,
    skews,
    probesToSettle,
    record: {
      town,
      card: isReachable ? card : (record?.card ?? null),
      observedMs: atMs,
      elapsedMs,
      isReachable,
      skewMs: sample?.skewMs ?? record?.skewMs ?? null,
      skewErrorMs: bestErrorMs(skews),
      probeKind: result.kind,
      consecutiveMisses: isReachable ? 0 : (record?.consecutiveMisses ?? 0) + 1,
      isLate: !isReachable && record?.isLate === true,
      failure: isReachable ? null : result.why,
      isSettling: probesToSettle > 0,
    },
  }
}

/**
 * The track after the answer to a probe that had counted as missed. It ends the count as any answer does, unless the
 * town has answered since; it is no fresh probe, and took too long to say anything of the clocks.
 */
export const trackLateAnswer = (
  track: PeerTrack,
  { result, atMs, elapsedMs }: EndedProbe<AnsweredProbe>,
): PeerTrack => {
  const { record } = track
  if (record === null || record.isReachable) return track
  const { kind: probeKind, card } = result
  const answered = { probeKind, card, observedMs: atMs, elapsedMs, isReachable: true, isLate: true }
  return { ...track, record: { ...record, ...answered, consecutiveMisses: 0, failure: null } }
}

/**
 * The record as the rules of a takeover read it, `sinceCardMs` after its card was read: the sync of the town has
 * aged as long, as far as this host knows. While this host settles after a pause, it suspects no town.
 */
export const townViewOf = (
  { card, consecutiveMisses, isReachable, isSettling }: PeerRecord,
  sinceCardMs: number,
): TownView => {
  const ageMinutes = card?.syncAgeMinutes ?? null
  return {
    isReachable,
    consecutiveMisses: isSettling ? 0 : consecutiveMisses,
    syncAgeMinutes: ageMinutes === null ? null : cardMinutesOf(ageMinutes * 60_000 + sinceCardMs),
  }
}
