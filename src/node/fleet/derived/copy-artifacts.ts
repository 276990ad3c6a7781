import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { DerivedKind } from '#protocol/fleet/derived.js'
import { type FetchedBytes, type FetchFault, fetchDerived } from '#src/adapters/outbound/fetch-text.js'
import { type Artifact, judgeCopy, listBytesMax, type Offer, readOffers } from '#src/domain/fleet/derived.js'
import type { Town } from '#src/domain/fleet/topology.js'
import type { Meter } from '#src/ports/records.js'

const listTimeoutMs = 10_000
const artifactTimeoutMs = 60_000

export interface CopySetup {
  readonly meter: Pick<Meter, 'count'>
  /** Keeps a copy. Returns why it could not be kept, null where it is. */
  readonly keep: (town: string, artifact: Artifact) => Promise<string | null>
}

/** What is wanted of a town: artifacts of these kinds that describe this archive. */
export interface CopyWish {
  readonly kinds: ReadonlyArray<DerivedKind>
  readonly archive: string
  /** The peer token. */
  readonly token: string
}

const codeOf = (fetched: Either<FetchFault, FetchedBytes>): string => (isLeft(fetched) ? fetched.left : '200')

/**
 * Makes the function that copies what a town offers. It returns why it could not, null where it could or the town
 * offers nothing. Never rejects, and ends within its limits.
 */
export const copyFromTown = ({ meter, keep }: CopySetup) => {
  const fetchFrom: typeof fetchDerived = async (...args) => {
    const fetched = await fetchDerived(...args)
    meter.count('svc_outbound_requests_total', { target: 'peer', code: codeOf(fetched) })
    return fetched
  }
  const copyOffer = async (
    { name, url }: Town,
    offer: Offer,
    token: string,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const limits = { timeoutMs: artifactTimeoutMs, bytesMax: offer.bytes }
    const fetched = await fetchFrom(`${url}/derived/${offer.kind}`, token, limits, signal)
    if (isLeft(fetched)) return fetched.left
    const copy = judgeCopy(offer, fetched.right)
    return isLeft(copy) ? copy.left : keep(name, copy.right)
  }
  return async (
    town: Town,
    { kinds, archive, token }: CopyWish,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const limits = { timeoutMs: listTimeoutMs, bytesMax: listBytesMax }
    const list = await fetchFrom(`${town.url}/derived`, token, limits, signal)
    if (isLeft(list)) return list.left
    const offers = readOffers(list.right.bytes.toString('utf8'), kinds, archive)
    if (isLeft(offers)) return offers.left
    for (const offer of offers.right) {
      const fault = await copyOffer(town, offer, token, signal)
      if (fault !== null) return fault
    }
    return null
  }
}
