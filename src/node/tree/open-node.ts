import type { CorpusKeeperMessage, LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type { Loaded, LoadPorts } from '#actors/corpus-keeper/load.js'
import type { ModeCell } from '#actors/write-gate/mode.js'
import type { Config } from '#protocol/host/config.js'
import { kernelMeter } from '#src/adapters/metrics/kernel-meter.js'
import { attachMeter } from '#src/adapters/metrics/process-meter.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { machineToken } from '#src/adapters/state/state-area.js'
import type { ServeOptions } from '#src/cli/options.js'
import { commitVerifier } from '#src/domain/audit/verified-commits.js'
import { firstFleetState } from '#src/domain/fleet/fleet-state.js'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { tiersOfConfig } from '#src/domain/search/query.js'
import { openWriteLimit } from '#src/http/credentials/caller-limits.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { realEntropy } from '#src/kernel/entropy.js'
import { type Kernel, type KernelOptions, openKernel } from '#src/kernel/kernel.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { Enactor } from '#src/ports/chat.js'
import type { WorkloadRunners } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import { makeCell } from '#src/snapshot/cell.js'
import { unreadLedgers } from '#src/snapshot/left-out.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { hostEnactor } from '../chat/enactor.js'
import { openChat } from '../chat/open-chat.js'
import { nodeAliasAutopilot, nodeLineageAutopilot } from '../fleet/autopilots.js'
import { nodeCloseReminder } from '../fleet/close-reminder.js'
import { fleetNotifier, joinFleet } from '../fleet/fleet.js'
import { realHost } from '../fleet/host-clocks.js'
import { nodeMapCheckup } from '../fleet/map-checkup.js'
import { nodePeers } from '../fleet/peers.js'
import { modeCell, modeStateOf, noGitDetail, tellMode } from '../fleet/role.js'
import { callForge, missingSettingOf } from '../fleet/takeover-work.js'
import { frontOptions, type Listeners, openListeners } from '../front.js'
import { limitCallers, makeFollowers } from '../gate/limit-callers.js'
import { blockWatch } from '../gate/watch.js'
import { fleetKeySource, fleetMint, fleetSigner, peerMint } from '../identity/fleet-keys.js'
import { afterUnref, type HostTokens, hostTokens, refusalTeller } from '../identity/tokens.js'
import { hostMeasureMaps } from '../maps.js'
import { nodeModels } from '../models/models.js'
import { buildId, packageVersion } from '../package-files.js'
import { nodeReaders, type OpenReader, openReader } from '../readers/readers.js'
import {
  type Log,
  type LogView,
  logRecord,
  type OpenLog,
  openRecords,
  stderrLog,
  tellFindings,
} from '../records/records.js'
import { nodeSearch } from '../search/search.js'
import { hostSearch } from '../search/texts.js'
import { type OpenSearchThreads, openSearchThreads } from '../search/threads/messages.js'
import type { Checkout } from '../start/checkout.js'
import { readEnvironment } from '../start/environment.js'
import type { HostConfig } from '../start/host-trust.js'
import type { HeldTrees } from '../start/trees.js'
import { hostSync } from '../sync/sync.js'
import { openLineageEvidence } from '../transcripts/lineage-evidence.js'
import { nodeMentions } from '../transcripts/mentions.js'
import { type OpenIndexThread, openIndexThread } from '../transcripts/threads/messages.js'
import { nodeTranscripts } from '../transcripts/transcripts.js'
import { collectGauges, type PlacedTree, placeTree, type TreePorts } from './actors.js'
import type { HostNode } from './node.js'
import type { ActorRefs } from './refs.js'

/** What a test of the whole node replaces: the log, the kernel, the threads, the enactor and the runners. */
export interface Seams {
  readonly openLog: OpenLog
  readonly openKernel: (options: KernelOptions) => Kernel
  readonly openReader: OpenReader
  readonly openSearch: OpenSearchThreads
  readonly openTranscripts: OpenIndexThread
  /** Carries out closes and reports; null on a host that does not, absent: that of this build. */
  readonly enactor?: Enactor | null
  /** Run the workloads that the fleet owns; absent: those of this build. */
  readonly runners?: WorkloadRunners
}

/** How this process shows its log. */
export const logViewOf = ({ logLevel = 'info' }: Pick<ServeOptions, 'logLevel'>): LogView => ({
  level: logLevel,
  isTerminal: process.stderr.isTTY,
})

/** A node with its actors, placed and not running. */
export interface OpenNode {
  readonly node: HostNode
  readonly tree: PlacedTree
}

/** Opens a node from a held checkout and its configuration. Starts nothing. */
export const openNode = (
  options: ServeOptions,
  checkout: Checkout,
  { config, findings, given, addresses, trees }: HostConfig,
  seams: Seams = realSeams,
  further: HeldTrees['trees'] = new Map(),
): OpenNode => {
  const [bootMs, threaded] = [realClock.nowMs(), withThreads(config, options)]
  const [held, lastLook] = [makeCell<Loaded>(), makeCell<LookOutcome>()]
  const snapshot = (): Snapshot | null => held.get()?.build.snapshot ?? null
  const sync = hostSync(checkout, config)
  const metrics = prometheus(meter => collectGauges(kernel, gate, snapshot, checkout, () => inFleet)(meter))
  const [{ meter }, { secrets }, { town }, view] = [metrics, given, options, logViewOf(options)]
  const { openLog, enactor = hostEnactor(() => node), runners = nodeRunners(config, () => node) } = seams
  const { records, log } = openRecords({ checkout, config, secrets, town, view, bootMs, meter, openLog })
  tellFindings(log, findings, given.findings)
  const mode = openMode(town, config, checkout, log)
  const blocks = blockWatch({ checkout, config, addresses, held, lastLook, sync, log })
  const gate = gateReader({ snapshot, sync, blocks, lastLook, mode })
  const kernel = seams.openKernel({ meter: kernelMeter(meter), log: logRecord(log) })
  const notifier = fleetNotifier(() => ({ refs, state: inFleet.fleet.state() }))
  const peers = nodePeers({ ...notifier, host: realHost, config, meter, log, records, kernel })
  const tree = placeTree(kernel, { config: threaded, sync, town, runners }, { peers: peers.child, further })
  const { refs } = tree
  const shared = { checkout, config, records, log, refs, meter }
  records.attach(refs)
  const [tokens, program] = [openTokens(town, { ...shared, bootMs, snapshot, mode }), describeProgram(meter)]
  const inFleet = joinFleet(
    { ...notifier, checkout, config, trees, held, sync, mode, peers, records, log, town, meter },
    { secrets, tokens, version: program.version },
  )
  const node: HostNode = {
    options,
    checkout,
    ...program,
    bootMs,
    secrets,
    log,
    config,
    held,
    lastLook,
    snapshot,
    gate,
    mode,
    blocks,
    metrics,
    records,
    tokens,
    sync,
    trees: tree.trees,
    ...inFleet,
    ...openChat({ ...shared, ...inFleet, snapshot, secrets, sync, peers }, enactor),
    runners,
    refs,
    peers,
    ...openThreads(seams, { ...inFleet, config: threaded, checkout, held, log, meter }, refs),
    ...openRequests({ ...shared, takeovers: inFleet.takeovers }),
  }
  return { node, tree }
}

/** A running node: its tree, and its listeners, whose addresses are on the ready line. */
export interface RunningTree {
  readonly tree: ActorTree
  readonly listeners: Listeners
}

/** Starts the tree with the real ports; `amend` lets a test of the whole node replace some of them. */
export const runNode = (
  { node, tree: placed }: OpenNode,
  load: LoadPorts,
  ends: Ends,
  amend: (ports: TreePorts) => TreePorts = ports => ports,
): RunningTree => {
  const { config, log, options, texts } = node
  if (load.works !== null) texts.works.set(load.works)
  const samples = load.trees?.get('probki')
  if (samples !== undefined) node.tuning.set(samples)
  const front = frontOptions(node, ends.shutdown)
  const listeners = openListeners(() => front, {
    api: options.port ?? config['server.port'],
    ops: options.opsPort ?? 0,
  })
  const tree = placed.run(amend(placed.ports({ ...node, load, listeners })), notice => {
    log.error('gave_up', { supervisor: notice.supervisor, error: notice.error })
    ends.onGiveUp()
  })
  return { tree, listeners }
}

/** The workloads that this build can run. `node` is called when a tick begins. */
const nodeRunners = (config: Config, node: () => HostNode): WorkloadRunners =>
  new Map([
    ['close_reminder', nodeCloseReminder(config, node)],
    ['map_checkup', nodeMapCheckup(config, node)],
    ['lineage_autopilot', nodeLineageAutopilot(config, node)],
    ['alias_autopilot', nodeAliasAutopilot(config, node)],
  ])

const realSeams: Seams = {
  openLog: stderrLog,
  openKernel,
  openReader,
  openSearch: openSearchThreads,
  openTranscripts: openIndexThread,
}

const lookDeadlineMs = 60_000
/** How long a sign-in waits for a commit that may publish this host's key. */
const mintLookMs = 5_000

const lookThrough = (keeper: Ref<CorpusKeeperMessage>, deadlineMs: number) =>
  ask<CorpusKeeperMessage, LookOutcome>(keeper, replyTo => ({ _tag: 'Refresh', replyTo }), deadlineMs)

const failureOf = (look: LookOutcome | null): string | null =>
  look?._tag === 'LookFailed' ? look.reason : null

/** The mode of a start; a plain directory accepts no writes, nor does a host before it knows its role (D47). */
const openMode = (town: string, config: Config, { isGit, runtime }: Checkout, log: Log): ModeCell => {
  if (!isGit) return modeCell('ReadOnly', noGitDetail, tellMode(log))
  if (config['server.read_only']) return modeCell('ReadOnly', null, tellMode(log))
  const { mode, detail } = modeStateOf(firstFleetState(town, runtime.obeyedTopology.find()))
  return modeCell(mode, detail, tellMode(log))
}

/** Reads the state that the gate's arms depend on, from memory. */
const gateReader =
  ({
    snapshot,
    sync,
    blocks,
    lastLook,
    mode,
  }: Pick<HostNode, 'snapshot' | 'sync' | 'blocks' | 'lastLook' | 'mode'>): HostNode['gate'] =>
  () => ({
    format: snapshot()?.format.state ?? 'Current',
    unreadLedgers: unreadLedgers(snapshot()),
    syncStale: sync.isStale(),
    repositoryGone: blocks.isGone(),
    staleReason: failureOf(lastLook.get()),
    stateGone: blocks.isStateGone(),
    ...mode.get(),
  })

type Minting = Pick<
  HostNode,
  'checkout' | 'config' | 'bootMs' | 'records' | 'snapshot' | 'mode' | 'log' | 'refs'
>

/** Opens the tokens of a host whose name in the fleet is `town`. */
const openTokens = (
  town: string,
  { checkout, config, bootMs, records, snapshot, mode, log, refs }: Minting,
): HostTokens => {
  const findSigningKey = fleetSigner({
    town,
    source: fleetKeySource(process.env, checkout.state),
    snapshot,
    look: () => lookThrough(refs.keeper, mintLookMs),
    warn: log.warn,
  })
  return hostTokens({
    machineHash: tokenHash(machineToken(checkout.state)),
    runtime: checkout.runtime,
    config,
    bootMs,
    audit: records.audit,
    mintFleet: fleetMint(findSigningKey, () => mode.get().mode),
    mintPeer: peerMint(findSigningKey),
  })
}

/** Opens what has threads of its own. Starts none of them. */
const openThreads = (
  seams: Seams,
  sources: Pick<HostNode, 'config' | 'checkout' | 'held' | 'log' | 'derived'> & { readonly meter: Meter },
  refs: ActorRefs,
): Pick<HostNode, 'texts' | 'search' | 'readers' | 'transcripts' | 'mentions' | 'evidence'> => {
  const { config, checkout, held, log, derived } = sources
  const texts = hostSearch(held, checkout, log)
  const { documents } = texts
  const search = nodeSearch({ ...sources, open: seams.openSearch, tier: refs.search, documents })
  const readers = nodeReaders({
    ...sources,
    threads: config['server.reader_threads'],
    open: seams.openReader,
    pool: refs.readers,
    joinSearch: search.threads.exchange.join,
  })
  const transcripts = nodeTranscripts({
    held,
    log,
    source: checkout.source,
    state: checkout.state,
    open: seams.openTranscripts,
    actor: refs.transcripts,
    exchange: tiersOfConfig(config['server.search_index']).includes('speech')
      ? search.threads.exchange
      : null,
  })
  const evidence = openLineageEvidence(transcripts.index, daemonBreather())
  const mentions = nodeMentions({
    derived,
    log,
    thread: transcripts.mentions,
    commit: () => held.get()?.build.snapshot.commit ?? null,
    changed: () => void tell(refs.mentions, { _tag: 'Wake' }),
  })
  return { texts, search, readers, transcripts, mentions, evidence }
}

/** The version of the program and the environment that it runs in, which the meter shows too. */
const describeProgram = (meter: Meter): Pick<HostNode, 'version' | 'build' | 'environment'> => {
  const version = packageVersion()
  const environment = readEnvironment(process.env)
  attachMeter(meter)
  meter.gauge('svc_build_info', { version, schema: '2', image: environment.imageDigest }, 1)
  return { version, build: buildId(), environment }
}

interface RequestSources
  extends Pick<HostNode, 'checkout' | 'config' | 'records' | 'log' | 'refs' | 'takeovers'> {
  readonly meter: Meter
}

/** Opens what requests share: the limits of callers, their refusals, the models, and the look at HEAD. */
const openRequests = ({
  checkout,
  config,
  records,
  log,
  refs,
  meter,
  takeovers,
}: RequestSources): Pick<
  HostNode,
  | 'refusals'
  | 'callers'
  | 'writeLimit'
  | 'followers'
  | 'isVerified'
  | 'look'
  | 'measureMaps'
  | 'tuning'
  | 'models'
> => ({
  tuning: makeCell(),
  models: nodeModels(checkout.state, config, {
    jobs: checkout.runtime.jobs,
    forge: callForge(takeovers),
    missingSetting: () => missingSettingOf(takeovers.forge),
    audit: records.audit,
    publish: records.publish,
    meter,
    log,
    wake: () => void tell(refs.models, { _tag: 'Wake' }),
    nowMs: realClock.nowMs,
    newId: realEntropy.id,
  }),
  measureMaps: hostMeasureMaps(config, meter, records.publish),
  refusals: refusalTeller({ log, audit: records.audit, nowMs: realClock.nowMs, after: afterUnref }),
  callers: limitCallers(),
  writeLimit: openWriteLimit({
    perMinute: config['server.own_writes_per_minute'],
    burst: config['server.own_writes_burst'],
  }),
  followers: makeFollowers(),
  isVerified: commitVerifier(checkout.runtime.intents.find),
  look: (deadlineMs = lookDeadlineMs) => lookThrough(refs.keeper, deadlineMs),
})

/** The configuration with the reader threads of the command where it sets none. */
const withThreads = (config: Config, { readerThreads = 0 }: ServeOptions): Config => ({
  ...config,
  'server.reader_threads': config['server.reader_threads'] || readerThreads,
})

/** How a tree ends its process: when the root gives up, and on `POST /admin/shutdown`. */
interface Ends {
  readonly onGiveUp: () => void
  readonly shutdown: () => void
}
