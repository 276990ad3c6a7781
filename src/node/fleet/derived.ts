import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ArtifactCopierPorts, type CopierOptions, copyTimeoutMs } from '#actors/fleet/artifact-copier.js'
import type { CommitId } from '#protocol/atoms.js'
import type { DerivedKind } from '#protocol/fleet/derived.js'
import type { Config } from '#protocol/host/config.js'
import { type FetchedBytes, type FetchFault, fetchDerived } from '#src/adapters/outbound/fetch-text.js'
import { keepArtifact, readArtifacts } from '#src/adapters/state/derived-files.js'
import {
  type Artifact,
  type Artifacts,
  judgeCopy,
  kindsLacking,
  listBytesMax,
  type Offer,
  readOffers,
} from '#src/domain/fleet/derived.js'
import { type FleetState, otherTowns } from '#src/domain/fleet/fleet-state.js'
import type { Town } from '#src/domain/fleet/topology.js'
import type { Log } from '#src/node/records/records.js'
import { reasonOf } from '#src/node/start/environment.js'
import type { DerivedArtifacts } from '#src/ports/fleet.js'
import type { MintPeer } from '#src/ports/identity.js'
import type { Meter } from '#src/ports/records.js'
import type { PeerTable } from './peers.js'

export const copierOptions = (config: Pick<Config, 'fleet.watch_interval_min'>): CopierOptions => ({
  intervalMs: config['fleet.watch_interval_min'] * 60_000,
})

/** The derived artifacts of this host: in memory for the rows, each also in the state area. */
export interface NodeDerived {
  readonly view: DerivedArtifacts
  readonly ports: ArtifactCopierPorts
  /** Keeps an artifact that this host made. Returns why it could not be kept, null where it is. */
  readonly keepMade: (artifact: Artifact) => Promise<string | null>
  readonly readStamp: DerivedSources['readStamp']
  /** Calls back after each artifact that is kept. */
  readonly watch: (changed: () => void) => void
}

export interface DerivedSources {
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

/** Opens the artifacts of the state area. Calls no other town. */
export const nodeDerived = (setup: DerivedSources): NodeDerived => {
  const { commit, fleet, peers, meter, log, mintPeer } = setup
  const artifacts = openArtifacts(setup)
  const watchers: Array<() => void> = []
  const keepCopy = async (town: string, artifact: Artifact): Promise<string | null> => {
    const fault = await artifacts.keep(artifact)
    if (fault !== null) return fault
    const { kind, stamp, bytes } = artifact
    log.info('derived_copied', { kind, peer: town, stamp, bytes: bytes.length })
    for (const changed of watchers) changed()
    return null
  }
  const copyFrom = copyFromTown({ meter, keep: keepCopy })
  const { tellFault, tellToken } = copyLog(log)
  /** The towns that brought nothing when they were last asked, the longest ago first. */
  const fruitless = new Set<string>()
  let archive: string | null = null

  const listLacking = (stamp: string | null) =>
    stamp === null || fleet.state().role !== 'replica' ? [] : kindsLacking(artifacts.all(), stamp)

  const copy = async (ending: AbortSignal): Promise<number> => {
    const stamp = archive
    const towns = reachableTowns(fleet.state(), peers, [...fruitless])
    if (stamp === null || towns.length === 0) return 0
    const token = await mintPeer(setup.nowMs())
    tellToken(token !== null)
    if (token === null) return 0
    const signal = AbortSignal.any([ending, AbortSignal.timeout(copyTimeoutMs)])
    let asked = 0
    for (const town of towns) {
      const kinds = listLacking(stamp)
      if (signal.aborted || kinds.length === 0) break
      asked += 1
      tellFault(town.name, await copyFrom(town, { kinds, archive: stamp, token }, signal))
      fruitless.delete(town.name)
      if (listLacking(stamp).length === kinds.length) fruitless.add(town.name)
    }
    return asked
  }

  return {
    view: { archive: () => archive, artifacts: artifacts.all },
    keepMade: artifacts.keep,
    readStamp: setup.readStamp,
    watch: changed => void watchers.push(changed),
    ports: {
      stamp: async () => {
        const at = commit()
        archive = at === null ? null : await setup.readStamp(at)
        return listLacking(archive).length > 0
      },
      copy,
    },
  }
}

const listTimeoutMs = 10_000
const artifactTimeoutMs = 60_000

/** What is wanted of a town: artifacts of these kinds that describe this archive. */
interface CopyWish {
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
const copyFromTown = ({
  meter,
  keep,
}: {
  readonly meter: Pick<Meter, 'count'>
  /** Keeps a copy. Returns why it could not be kept, null where it is. */
  readonly keep: (town: string, artifact: Artifact) => Promise<string | null>
}) => {
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

/**
 * The towns that answered their last probe: the apex first, then the others by name. A town that brought nothing
 * when it was last asked comes after them, the longest ago first, so that slow towns cannot use up the time of
 * every copy.
 */
const reachableTowns = (
  state: FleetState,
  peers: DerivedSources['peers'],
  fruitless: ReadonlyArray<string>,
): ReadonlyArray<Town> => {
  const records = peers.records()
  const fruitlessNth = ({ name }: Town): number => fruitless.indexOf(name)
  const rank = ({ name }: Town): string => `${name === state.topology?.apex ? 0 : 1}${name}`
  return [...otherTowns(state).values()]
    .filter(({ name }) => records.get(name)?.isReachable === true)
    .sort((a, b) => fruitlessNth(a) - fruitlessNth(b) || (rank(a) < rank(b) ? -1 : 1))
}

/** The artifacts of this host: loaded from the state area, and kept there before they count. */
const openArtifacts = ({ state, log }: Pick<DerivedSources, 'state' | 'log'>) => {
  const { artifacts: found, damaged } = readArtifacts(state)
  for (const { kind, reason } of damaged) log.warn('derived_damaged', { kind, reason })
  let artifacts: Artifacts = found
  return {
    all: () => artifacts,
    keep: async (artifact: Artifact): Promise<string | null> => {
      try {
        await keepArtifact(state, artifact)
      } catch (error) {
        return reasonOf(error)
      }
      artifacts = new Map(artifacts).set(artifact.kind, artifact)
      return null
    },
  }
}

/** Logs what a copy met, each thing once until it changes. */
const copyLog = (log: DerivedSources['log']) => {
  const faults = new Map<string, string>()
  let hasToldNoToken = false
  return {
    tellFault: (town: string, reason: string | null): void => {
      if (reason !== null && reason !== faults.get(town)) log.warn('derived_uncopied', { peer: town, reason })
      if (reason === null) faults.delete(town)
      else faults.set(town, reason)
    },
    tellToken: (isThere: boolean): void => {
      if (!isThere && !hasToldNoToken)
        log.info('derived_without_token', {
          mend: 'kronika keys rotate --repo DIR --town TOWN publishes a key of this host',
        })
      hasToldNoToken = !isThere
    },
  }
}
