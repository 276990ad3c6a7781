import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Instant, VisibleText } from '#protocol/atoms.js'
import { CardRole } from '#protocol/fleet/peers.js'
import { readJson } from '#src/domain/json/json-text.js'
import type { TownView } from './candidates.js'

export const probeKinds = ['fleet-status', 'health'] as const
/** The row that a probe asked: the card, or `/health` of a host that has no card. */
export type ProbeKind = (typeof probeKinds)[number]

export const probeFailures = ['timeout', 'refused', 'tls', 'unreachable', 'bad_card', 'frozen'] as const
/**
 * Why a probe that left this host failed. `bad_card`: the answer is not the card of the town. `frozen`: it is a card
 * whose clock does not go on, such as a copy in a cache.
 */
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
  /** The same moment on the monotonic clock. */
  readonly monotonicMs: number
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
  /** Whether its probes go on changing between success and failure, so that the misses never add up. */
  readonly isFlapping: boolean
  readonly lifeSigns: LifeSigns
}

/** What the watcher of a town remembers between two probes. */
export interface PeerTrack {
  readonly town: string
  readonly record: PeerRecord | null
  readonly skews: ReadonlyArray<SkewSample>
  /** Probes that must end before this host may suspect the town. */
  readonly probesToSettle: number
  /** Whether each of the last probes that left this host was answered, the newest last. */
  readonly outcomes: ReadonlyArray<boolean>
}

/** The fresh probes that a suspicion takes after a pause of this host, or a probe that was not sent. */
export const freshProbes = 3

/** The result of a probe as it counts: an answer by a frozen card is a failure. */
export const judgeAnswer = (
  record: Pick<PeerRecord, 'lifeSigns'> | null | undefined,
  result: ProbeResult,
  monotonicMs: number,
): ProbeResult =>
  result._tag === 'Answered' &&
  result.card !== null &&
  isFrozen(record?.lifeSigns ?? noSigns, result.card, monotonicMs)
    ? { _tag: 'Failed', kind: result.kind, why: 'frozen' }
    : result

export const startTrack = (town: string): PeerTrack => ({
  town,
  record: null,
  skews: [],
  probesToSettle: 0,
  outcomes: [],
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

/**
 * The track after a probe. A probe that was not sent leaves the misses as they are (S8); those before it are old, so
 * suspicion waits for fresh probes.
 */
export const trackProbe = (track: PeerTrack, probe: EndedProbe): PeerTrack => {
  const { result, atMs, monotonicMs, elapsedMs } = probe
  if (result._tag === 'NotSent') return unsettleTrack(track)
  const { record, town } = track
  const isReachable = result._tag === 'Answered'
  const card = isReachable ? result.card : null
  const sample = card === null ? null : skewOf(card, probe)
  const skews = sample === null ? track.skews : [...track.skews, sample].slice(-skewsMax)
  const probesToSettle = Math.max(0, track.probesToSettle - 1)
  const outcomes = [...track.outcomes, isReachable].slice(-outcomesMax)
  return {
    town,
    skews,
    probesToSettle,
    outcomes,
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
      isFlapping: isFlappingBy(outcomes),
      lifeSigns: signsAfter(record?.lifeSigns ?? noSigns, card, monotonicMs),
    },
  }
}

/**
 * The track after the answer to a probe that had counted as missed. It ends the count as any answer does, unless the
 * town has answered since; it is no fresh probe, and took too long to say anything of the clocks.
 */
export const trackLateAnswer = (
  track: PeerTrack,
  { result, atMs, monotonicMs, elapsedMs }: EndedProbe<AnsweredProbe>,
): PeerTrack => {
  const { record } = track
  if (record === null || record.isReachable) return track
  const { kind: probeKind, card } = result
  const answered = { probeKind, card, observedMs: atMs, elapsedMs, isReachable: true, isLate: true }
  const lifeSigns = signsAfter(record.lifeSigns, card, monotonicMs)
  const outcomes = [...track.outcomes.slice(0, -1), true]
  const flaps = { isFlapping: isFlappingBy(outcomes), lifeSigns }
  return {
    ...track,
    outcomes,
    record: { ...record, ...answered, ...flaps, consecutiveMisses: 0, failure: null },
  }
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

const Count = t.refinement(t.number, n => Number.isFinite(n) && n >= 0, 'Count')

/** The status card of another host (A 2.7), as far as this host uses it. */
const PeerCard = t.type(
  {
    town: VisibleText,
    role: CardRole,
    nowUtc: Instant,
    bootUtc: Instant,
    bootId: VisibleText,
    uptimeSeconds: Count,
    imageDigest: VisibleText,
    schemaVersion: t.union([Count, VisibleText, t.null]),
    syncAgeMinutes: t.union([Count, t.null]),
    version: VisibleText,
  },
  'PeerCard',
)
export type PeerCard = Readonly<t.TypeOf<typeof PeerCard>>

/** The age of a sync as a card shows it, in minutes with one decimal; null where it has none. */
export const cardMinutesOf = (ageMs: number | null): number | null =>
  ageMs === null ? null : Math.round(ageMs / 6_000) / 10

/** The card in an answer of the town; null where the text is no card, or is the card of another town. */
export const readPeerCard = (text: string, town: string): PeerCard | null => {
  const parsed = readJson(text, valuesMax)
  if (isLeft(parsed)) return null
  const card = t.exact(PeerCard).decode(parsed.right)
  return isLeft(card) || card.right.town !== town ? null : card.right
}

/** Whether a text is the health of a host. A host without the card row shows nothing else. */
export const isPeerHealth = (text: string): boolean => {
  const parsed = readJson(text, valuesMax)
  return !isLeft(parsed) && PeerHealth.is(parsed.right)
}

/** The most requests that one probe sends. */
export const attemptsMost = 10

/** How long after its sweep has counted as missed an answer of a town still takes that miss back. */
export const lateMs = 15_000

/** When a sweep counts a silent town as missed. A town is asked for this time, so a sweep ends before the next one. */
export const countsAfterMs = (intervalMs: number): number => Math.min(countsAfterMsMost, intervalMs)

/**
 * The time between two requests of a probe. A town that answers within a fifth of `timeoutMs` can answer eight of the
 * ten requests in time.
 */
export const attemptGapMs = (timeoutMs: number): number => timeoutMs / attemptsMost

/** Whether a request had an answer of any kind. A lost packet cannot cause one, so the probe needs no other request. */
export const isConclusive = (result: ProbeResult): boolean =>
  result._tag === 'Answered' || (result._tag === 'Failed' && !silences.has(result.why))

/**
 * The result of a probe whose requests had no answer. Where half of them were not sent, this host is not well, and
 * the silence of the others is no miss (S8). The last ones may be late because a name takes time to resolve.
 */
export const judgeSilence = (results: ReadonlyArray<ProbeResult>): ProbeResult => {
  const failed = results.filter(({ _tag }) => _tag === 'Failed')
  const [first] = failed
  return first !== undefined && failed.length * 2 > results.length ? first : { _tag: 'NotSent' }
}

/** The fresh cards of a town that this host has read; the same card again says nothing of the town now. */
interface LifeSigns {
  /** The newest of them, each by its boot and its clock, and when it was read. */
  readonly seen: ReadonlyArray<{ readonly sign: string; readonly atMs: number }>
  /** The last one; `atMs`: when it was read, on the monotonic clock. */
  readonly last: { readonly bootId: string; readonly nowMs: number; readonly atMs: number } | null
}

/** A clock estimate of one probe. */
interface SkewSample {
  readonly skewMs: number
  readonly errorMs: number
}

const skewsMax = 8

/** The probes that flapping is seen by, and the changes among them that make it. */
const outcomesMax = 10
const flapsLeast = 5
/** The cards that are known again: a cache of several servers answers with one card of each. */
const seenMax = 16
/** Below this a round trip may take as long as the clock of a card lags. */
const lagFromMs = 60_000

/** A town that runs again answers all open requests at once, with one card: its second copy is no sign of a cache. */
const sameMomentMs = 1_000

const noSigns: LifeSigns = { seen: [], last: null }
const signOf = ({ bootId, nowUtc }: PeerCard): string => `${bootId} ${nowUtc}`

/**
 * Whether a card does not show that its town is alive now: this host has read it at an earlier moment, or the clock of
 * the same boot went on by less than half of the time since. A clock that was set back shows another time, which is a
 * sign of life.
 */
const isFrozen = ({ seen, last }: LifeSigns, card: PeerCard, monotonicMs: number): boolean => {
  const sign = signOf(card)
  if (seen.some(one => one.sign === sign && monotonicMs - one.atMs > sameMomentMs)) return true
  if (last === null || last.bootId !== card.bootId) return false
  const passedMs = monotonicMs - last.atMs
  const wentOnMs = Date.parse(card.nowUtc) - last.nowMs
  return wentOnMs >= 0 && passedMs > lagFromMs && wentOnMs < passedMs / 2
}

const signsAfter = (signs: LifeSigns, card: PeerCard | null, atMs: number): LifeSigns =>
  card === null
    ? signs
    : {
        seen: [...signs.seen, { sign: signOf(card), atMs }].slice(-seenMax),
        last: { bootId: card.bootId, nowMs: Date.parse(card.nowUtc), atMs },
      }

const isFlappingBy = (outcomes: ReadonlyArray<boolean>): boolean =>
  outcomes.filter((outcome, at) => at > 0 && outcome !== outcomes[at - 1]).length >= flapsLeast

const skewOf = (card: PeerCard, { atMs, elapsedMs }: EndedProbe): SkewSample => ({
  skewMs: Date.parse(card.nowUtc) - (atMs - elapsedMs / 2),
  errorMs: elapsedMs / 2,
})

/** The error bound of the shortest round trip among the samples. */
const bestErrorMs = (samples: ReadonlyArray<SkewSample>): number | null =>
  samples.length === 0 ? null : Math.min(...samples.map(({ errorMs }) => errorMs))

/** A card has ten values; unknown keys may bring some more. */
const valuesMax = 1_000

/** The part of `/health` that shows a host of this kind. */
const PeerHealth = t.type(
  { status: t.keyof({ ok: null, degraded: null }), version: VisibleText },
  'PeerHealth',
)

const countsAfterMsMost = 15_000

const silences: ReadonlySet<ProbeFailure> = new Set<ProbeFailure>(['timeout', 'unreachable'])
