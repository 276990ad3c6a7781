import { isLeft } from 'fp-ts/lib/Either.js'
import {
  copyTimeoutMs,
  type DerivedCopierPorts,
  type DerivedCopierSetup,
} from '#actors/derived-copier/derived-copier.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { Config } from '#protocol/config/keys.js'
import { type FetchedBytes, type FetchFault, fetchDerived } from '#src/adapters/outbound/fetch-derived.js'
import { keepArtifact, readArtifacts } from '#src/adapters/state/derived-files.js'
import { type Artifact, type Artifacts, kindsLacking } from '#src/domain/fleet/derived/artifact.js'
import { judgeCopy, listBytesMax, type Offer, readOffers } from '#src/domain/fleet/derived/copy-rules.js'
import { type FleetState, otherTowns } from '#src/domain/fleet/fleet-state.js'
import type { Town } from '#src/domain/fleet/topology.js'
import type { DerivedDeps } from '#src/http/handlers/fleet/derived.js'
import type { MintPeer } from '#src/ports/identity/logins.js'
import type { Meter } from '#src/ports/records/meter.js'
import type { Log } from '../records/log.js'
import { reasonOf } from '../start/checkout.js'
import type { PeerTable } from './peer-table.js'

const listTimeoutMs = 10_000
const artifactTimeoutMs = 60_000

export const derivedCopierSetup = (config: Pick<Config, 'fleet.watch_interval_min'>): DerivedCopierSetup => ({
  intervalMs: config['fleet.watch_interval_min'] * 60_000,
})

/** The derived artifacts of this host: in memory for the rows, each also in the state area. */
export interface NodeDerived {
  readonly view: DerivedDeps['derived']
  readonly ports: DerivedCopierPorts
}

export interface DerivedSetup {
  readonly state: string
  /** The commit of the served snapshot; null before the first, and on a plain directory. */
  readonly commit: () => CommitId | null
  /** Reads the stamp of the transcript archive at a commit; null where it has none. Never rejects. */
  readonly readStamp: (commit: CommitId) => Promise<string | null>
  readonly fleet: { readonly state: () => FleetState }
  readonly peers: Pick<PeerTable, 'records'>
  readonly mintPeer: MintPeer
  readonly meter: Pick<Meter, 'count'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly nowMs: () => number
}

/** The towns that answered their last probe: the apex first, then the others by name. */
const reachableTowns = (state: FleetState, peers: DerivedSetup['peers']): ReadonlyArray<Town> => {
  const records = peers.records()
  const rank = ({ name }: Town): string => `${name === state.topology?.apex ? 0 : 1}${name}`
  return [...otherTowns(state).values()]
    .filter(({ name }) => records.get(name)?.isReachable === true)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Opens the artifacts of the state area. Calls no other town. */
export const nodeDerived = (setup: DerivedSetup): NodeDerived => {
  const { state, commit, fleet, peers, meter, log } = setup
  const { artifacts: kept, damaged } = readArtifacts(state)
  for (const { kind, reason } of damaged) log.warn('derived_damaged', { kind, reason })
  let artifacts: Artifacts = kept
  let archive: string | null = null
  let hasToldNoToken = false
  /** The last fault of each town, so that each is logged once. */
  const faults = new Map<string, string>()

  const lacking = () =>
    archive === null || fleet.state().role !== 'replica' ? [] : kindsLacking(artifacts, archive)

  const tellFault = (town: string, reason: string | null): void => {
    if (reason === null) faults.delete(town)
    else if (faults.get(town) !== reason) {
      faults.set(town, reason)
      log.warn('derived_uncopied', { peer: town, reason })
    }
  }

  const keep = async (town: string, artifact: Artifact): Promise<string | null> => {
    try {
      await keepArtifact(state, artifact)
    } catch (error) {
      return reasonOf(error)
    }
    artifacts = new Map(artifacts).set(artifact.kind, artifact)
    const { kind, stamp, bytes } = artifact
    log.info('derived_copied', { kind, peer: town, stamp, bytes: bytes.length })
    return null
  }

  const fetchFrom = async (...args: Parameters<typeof fetchDerived>) => {
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

  /** Copies what a town offers; returns why it could not, null where it could or the town offers nothing. */
  const copyFrom = async (
    town: Town,
    stamp: string,
    token: string,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const limits = { timeoutMs: listTimeoutMs, bytesMax: listBytesMax }
    const list = await fetchFrom(`${town.url}/derived`, token, limits, signal)
    if (isLeft(list)) return list.left
    const offers = readOffers(list.right.bytes.toString('utf8'), kindsLacking(artifacts, stamp), stamp)
    if (isLeft(offers)) return offers.left
    for (const offer of offers.right) {
      const fault = await copyOffer(town, offer, token, signal)
      if (fault !== null) return fault
    }
    return null
  }

  const mint = async (): Promise<string | null> => {
    const token = await setup.mintPeer(setup.nowMs())
    if (token === null && !hasToldNoToken)
      log.info('derived_without_token', { mend: 'kronika keys rotate publishes a key of this host' })
    hasToldNoToken = token === null
    return token
  }

  return {
    view: { archive: () => archive, artifacts: () => artifacts },
    ports: {
      stamp: async () => {
        const at = commit()
        archive = at === null ? null : await setup.readStamp(at)
        return lacking().length > 0
      },
      copy: async ending => {
        const stamp = archive
        const towns = reachableTowns(fleet.state(), peers)
        const token = stamp === null || towns.length === 0 ? null : await mint()
        if (stamp === null || token === null) return 0
        const signal = AbortSignal.any([ending, AbortSignal.timeout(copyTimeoutMs)])
        let asked = 0
        for (const town of towns) {
          if (signal.aborted || lacking().length === 0) break
          asked += 1
          tellFault(town.name, await copyFrom(town, stamp, token, signal))
        }
        return asked
      },
    },
  }
}

const codeOf = (
  fetched: Readonly<{ _tag: 'Left'; left: FetchFault }> | Readonly<{ _tag: 'Right'; right: FetchedBytes }>,
): string => (isLeft(fetched) ? fetched.left : '200')
