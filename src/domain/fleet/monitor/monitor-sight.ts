import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { MonitorDocument, type MonitorFailure, type VantageSplit } from '#protocol/fleet/monitor.js'
import { readJson } from '#src/domain/json/json-text.js'

/** A document of 256 towns has some 1,000 values; unknown keys may bring more. */
const valuesMax = 5_000

/** The document in a text of the monitor; Left for a text of another shape. */
export const readMonitorDocument = (text: string): Either<'bad_document', MonitorDocument> => {
  const parsed = readJson(text, valuesMax)
  if (isLeft(parsed)) return left('bad_document')
  const document = MonitorDocument.decode(parsed.right)
  return isLeft(document) ? left('bad_document') : right(document.right)
}

/** What this host has of the monitor. */
export interface MonitorSight {
  /** The last document that was read; null before the first. */
  readonly document: MonitorDocument | null
  /** When it was fetched, on the wall clock. */
  readonly fetchedMs: number
  /** When its `generatedUtc` was first seen, on the monotonic clock. */
  readonly changedAtMs: number
  /** Why the last fetch brought none; null where it did. */
  readonly failure: MonitorFailure | null
}

export const noMonitorSight: MonitorSight = { document: null, fetchedMs: 0, changedAtMs: 0, failure: null }

export interface TwoClocks {
  readonly wallMs: number
  readonly monotonicMs: number
}

/** How a fetch of the document has ended. */
export type FetchedDocument =
  | { readonly _tag: 'Read'; readonly document: MonitorDocument }
  | { readonly _tag: 'Failed'; readonly why: MonitorFailure }

/** Takes the end of a fetch. One that brought no document leaves the document and its age as they are. */
export const takeFetched = (
  sight: MonitorSight,
  fetched: FetchedDocument,
  { wallMs, monotonicMs }: TwoClocks,
): MonitorSight => {
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
  { document, changedAtMs }: MonitorSight,
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
