import { randomUUID } from 'node:crypto'
import { type Either, getOrElseW, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { JobRunnerMessage, JobRunnerPorts, StartOutcome } from '#actors/job-runner.js'
import type { SyncReport } from '#actors/repository-sync/state.js'
import { type AdoptOutcome, headUnread } from '#actors/write-gate/adopt.js'
import type { Adopt, ReindexOutcome, ReindexRequest, SetMode } from '#actors/write-gate/messages.js'
import { closeForDisk, type GatePorts, type ModeCell, type SetModeOutcome } from '#actors/write-gate/mode.js'
import type { AfterWrite, PlanPorts } from '#actors/write-gate/plan-on.js'
import type { CommitId, Tree } from '#protocol/atoms.js'
import { gateAnswerWithinMs } from '#protocol/host/admin.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { lineOrigins } from '#src/adapters/history/git-history.js'
import { closeGit } from '#src/adapters/sync/remote/close-git.js'
import { openPublisher } from '#src/adapters/sync/remote/remote.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { describeForPlayer } from '#src/domain/dispatch/descriptions.js'
import { auditLinesOfWrite } from '#src/domain/events/audit-of.js'
import { admitBy } from '#src/http/credentials/admission.js'
import { credentialsOf } from '#src/http/credentials/authenticate.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { type AskAdvice, askTrouble, explainUnanswered } from '#src/kernel/ask-trouble.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TreeSource } from '#src/ports/git.js'
import type { AdoptionFollow, WriteGate } from '#src/ports/landing.js'
import type { JobStore, Jobs } from '#src/ports/records.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { builtInHooks } from '#src/writing/batch/hooks.js'
import type { ContainsCommit, WritePort } from '#src/writing/command.js'
import { planCommandBy, planners } from '#src/writing/plan-command.js'
import { massFetchOf } from '../archive/mass-fetch.js'
import { callForge } from '../fleet/takeover-work.js'
import { describeForgeAbsence } from '../fleet/view.js'
import { fleetKeySource, type SignerSources, signerNow, signLanding } from '../identity/fleet-keys.js'
import { type Records, recoveryLog } from '../records/records.js'
import { remotePlaceOf } from '../sync/repository-sync.js'
import type { HostSync } from '../sync/sync.js'
import { performTaskBy } from '../tasks.js'
import { searchWithSpeech } from '../transcripts/transcripts.js'
import type { HostNode } from '../tree/node.js'
import { type DeferPorts, deferBy } from './defer.js'
import { enactBy, enactPorts } from './enact.js'
import type { Followers } from './limit-callers.js'
import { adoptionPlan, type Checked, writePort } from './preview.js'
import { dirtyAt, headFilesIn } from './watch.js'

/** Adopts through the gate, whose arms do not apply (A 4.1.3). */
export const adoptThrough =
  (gate: Gate, { during }: Followers): WriteGate['adopt'] =>
  (dryRun, origin, claimed, follow = {}) =>
    during(follow.progress, follower => {
      const asked = { dryRun, origin, claimed, follower }
      return askGate(
        gate,
        (replyTo: ReplyTo<AdoptOutcome>): Adopt => ({ _tag: 'Adopt', ...asked, replyTo }),
        follow,
      )
    })

/** Adopts through the gate, which checks its arms in its turn (D28, S18). */
export const reindexThrough =
  (gate: Gate, { during }: Followers): WriteGate['reindex'] =>
  (dryRun, origin, claimed, follow = {}) =>
    during(follow.progress, follower => {
      const asked = { dryRun, origin, claimed, follower }
      return askGate(
        gate,
        (replyTo: ReplyTo<ReindexOutcome>): ReindexRequest => ({ _tag: 'Reindex', ...asked, replyTo }),
        follow,
      )
    })

/** What the front needs of the write gate, and of what closes it. */
export const writeGateOf = ({ blocks, callers, followers, gate, mode, refs }: HostNode): WriteGate => ({
  mode: () => mode.get().mode,
  modeReason: () => modeReason(mode.get()),
  staleReason: () => gate().staleReason ?? null,
  blockers: blocks.blockers,
  isGone: blocks.isGone,
  setMode: setModeThrough(refs.gate),
  adopt: callers.limitAdoptions(adoptThrough(refs.gate, followers)),
  reindex: callers.limitAdoptions(reindexThrough(refs.gate, followers)),
})

/** The ports of the write gate on this host. */
export const gatePorts = (node: HostNode): GatePorts => {
  const { checkout, config } = node
  const { source } = checkout
  const landing = checkout.landing === null ? null : signLanding(checkout.landing, signerOf(node))
  const { fresh, published } = freshCorpus({ ...node, source })
  const planning = planPorts(node)
  const { nowMs, admit } = planning
  const { publish } = node.records
  const newIntent = (): string => randomUUID()
  return {
    ...planning,
    adoption: {
      source,
      landing,
      nowMs,
      fresh,
      admit,
      newIntent,
      plan: adoptionPlan(config),
      lineOrigins: lineOrigins(source.path),
      ...(landing === null ? {} : { dirtyNow: dirtyAt(landing) }),
      published: commit => published(commit, 'lore'),
      done: (commit, { Files = [], Findings }, line) => {
        node.log.info('adopted', { commit, route: line.route, actor: line.actor, files: Files.length })
        publish('adoption:done', { commit, files: Files.length, findings: Findings.length })
        node.records.audit({ ...line, commit })
      },
      diskRefused: reason => void closeForDisk({ mode: node.mode, publish }, reason),
    },
    // Costs one stat for each batch: no write is acknowledged on a state area that vanished since the last
    // watch.
    arms: () => ({ ...node.gate(), stateGone: !node.checkout.runtime.stands() }),
    fresh,
    landing,
    push: openPublisher(remotePlaceOf(node)),
    published,
    recovered: async (found, tree) => {
      recoveryLog(node.log, tree)(found)
      await node.records.payOwed()
      void node.releaseNotices(false)
    },
    mode: node.mode,
    settleRole: node.roleMode.settle,
    tellFollower: node.followers.tell,
    publish,
    meter: node.metrics.meter,
    afterWrite: afterWrites(node.records, node.log.info, node.releaseNotices),
    after: realClock.after,
    monotonicMs: realClock.monotonicMs,
    newIntent,
  }
}

/** The write port of this host: for the front, and for jobs. */
export const hostWritePort = (node: HostNode): WritePort => {
  const { refs, snapshot } = node
  const planning = planPorts(node)
  const ports = { ...planning, gate: refs.gate, snapshot, checked: checkedLandingOf(node) }
  const enacting = enactPorts(node, writePort(ports), writePort(ports, true), ports.containsCommit)
  return deferBy(deferPorts(node, planning, { write: enactBy(enacting), converge: enacting.converge }))
}

/**
 * The write port as the front has it: why the remote does not have a write by chat is told in Polish, because the
 * `detail` is for the player, as what its plan is refused with.
 */
export const frontWritePort = (write: WritePort): WritePort => {
  const rows: Table = routes
  return async (command, isCallerThere) => {
    const outcome = await write(command, isCallerThere)
    if (!isLeft(outcome) || outcome.left._tag !== 'NotPublished') return outcome
    const { left: refusal } = outcome
    return rows[command.row]?.byChat === 'person'
      ? left({ ...refusal, detail: describeForPlayer(refusal) })
      : outcome
  }
}

const deferPorts = (
  node: HostNode,
  plan: PlanPorts,
  enacting: Pick<DeferPorts, 'write' | 'converge'>,
): DeferPorts => {
  const { checkout, config, held, look, takeovers, records, log } = node
  const { fresh } = freshCorpus({ source: checkout.source, trees: node.trees, held, look })
  const { forge } = takeovers
  const signer = signerOf(node)
  return {
    ...enacting,
    isByRequest: config['server.publish_mode'] === 'mr',
    ground: async () => {
      const closed = gateRefusal({ ...node.gate(), stateGone: !checkout.runtime.stands() }, false)
      if (closed !== null) return left(closed)
      const snapshot = await fresh()
      return snapshot === null ? left(headUnread()) : right(snapshot)
    },
    plan,
    git: closeGit(remotePlaceOf(node), atMs => signerNow(signer, atMs)),
    forge: forge._tag === 'Forge' ? callForge(takeovers) : null,
    missing:
      forge._tag === 'Forge'
        ? ''
        : `Mode mr needs a forge. This host has none: ${describeForgeAbsence(forge.why)}`,
    publish: records.publish,
    log,
  }
}

/**
 * Whether the history of a snapshot contains a commit, or one that took the place of a history with that commit when a
 * rewrite of the remote was accepted.
 */
export const containsCommitIn =
  (source: TreeSource, sync: Pick<HostSync, 'report'>): ContainsCommit =>
  async (commit, { commit: head }) => {
    const contains = (of: CommitId, one: CommitId) => source.contains({ commit: of, id: of }, one)
    const has = async (of: CommitId, one: CommitId, replaced: SyncReport['replaced']): Promise<boolean> => {
      if (await contains(of, one)) return true
      for (const { from, to } of replaced) {
        const later = replaced.filter(other => other.from !== from)
        if ((await contains(from, one)) && (await has(of, to, later))) return true
      }
      return false
    }
    return head !== null && has(head, commit, sync.report.get()?.replaced ?? [])
  }

/** The ports of the plan, for dry runs and commits on this host. */
export const planPorts = (node: HostNode): PlanPorts & Pick<GatePorts, 'admit'> => {
  const { checkout, tokens, sync } = node
  const admit = admitBy(credentialsOf(tokens.machineHash, tokens.kinds), routes, node.snapshot)
  return {
    admit,
    plan: planCommandBy({ table: routes, planners, admit }),
    containsCommit: containsCommitIn(checkout.source, sync),
    hooks: builtInHooks,
    nowMs: realClock.nowMs,
    read: readCommittedBytes(tree => (tree === 'lore' ? checkout.source : node.trees.get(tree)?.source)),
    trees: writtenTreesOf(node),
    warn: node.log.warn,
  }
}

/**
 * What every host does after a write (A 4.1.4): writes its log line, its event, and its audit lines
 * (ADR 1012), and looks whether its notices may go.
 */
export const afterWrites = (
  { publish, audit }: Pick<Records, 'publish' | 'audit'>,
  info: (event: string, fields: object) => void,
  releaseNotices: HostNode['releaseNotices'],
): ReadonlyArray<AfterWrite> => [
  {
    name: 'log',
    run: ({ tree, commit, route, actor, subject }) =>
      info('wrote', { ...(tree === undefined ? {} : { tree }), commit, route, actor, subject }),
  },
  {
    name: 'events',
    run: fact => {
      const { tree, commit, actor, touches } = fact
      if (tree !== undefined) return publish('tree:committed', { ...fact, tree })
      publish('write:committed', fact)
      for (const { kind, name } of touches)
        if (kind === 'permissions') publish('governance:changed', { commit, gameId: name, actor })
    },
  },
  {
    name: 'audit',
    run: fact => {
      for (const line of auditLinesOfWrite(fact)) audit({ ...line, commit: fact.commit })
    },
  },
  {
    name: 'notices',
    run: ({ hasNotices }) => {
      if (hasNotices) void releaseNotices(false)
    },
  },
]

/** The jobs as handlers use them: `start` goes through the runner, reads go to the store. */
export const jobsThrough = (
  runner: Ref<JobRunnerMessage>,
  store: JobStore,
  failed: (jobId: string, error: unknown) => void,
): Jobs => ({
  start: async (kind, task) => {
    const started = await startThrough(runner, kind, task)
    return mapLeft(({ detail }: RefusalOf<'Overloaded' | 'JobRunning'>) => refuse('Overloaded', detail))(
      started,
    )
  },
  startSingle: (kind, task) => startThrough(runner, kind, task),
  find: store.find,
  newId: randomUUID,
  keep: (id, kind, result) => {
    const nowMs = realClock.nowMs()
    try {
      store.queue(id, kind, nowMs)
      store.begin(id, nowMs)
      store.end(id, { _tag: 'Completed', json: JSON.stringify(result) }, nowMs)
    } catch (error) {
      failed(id, error)
    }
  },
})

const startThrough: StartThrough = async (runner, kind, task) => {
  const asked = (replyTo: ReplyTo<StartOutcome>): JobRunnerMessage => ({ _tag: 'Start', kind, task, replyTo })
  const answer = await ask<JobRunnerMessage, StartOutcome>(runner, asked, startDeadlineMs)
  return getOrElseW(
    (failure: AskFailure): StartOutcome =>
      left(
        refuse(
          'Overloaded',
          `${askTrouble('the job runner', failure)}; if the job started, the log has it. Try again.`,
        ),
      ),
  )(answer)
}

type StartThrough = (
  runner: Ref<JobRunnerMessage>,
  ...job: Parameters<Jobs['start']>
) => Promise<StartOutcome>

/** The ports of the job runner on this host. */
export const jobRunnerPorts = (node: HostNode): JobRunnerPorts => {
  const { checkout, followers, log, metrics, records, snapshot, refs } = node
  return {
    store: checkout.runtime.jobs,
    clock: realClock,
    publish: records.publish,
    meter: metrics.meter,
    perform: performTaskBy({
      table: routes,
      adopt: adoptThrough(refs.gate, followers),
      reindex: reindexThrough(refs.gate, followers),
      write: hostWritePort(node),
      snapshot,
      admit: planPorts(node).admit,
      rebuildSearch: searchWithSpeech(node).rebuildSearch,
      fetchLogs: massFetchOf(node, hostWritePort(node)),
    }),
    failed: (what, jobId, error) => log.error(what, { jobId, error }),
  }
}

/** Ends before the front refuses the request as late. */
const adoptDeadlineMs = gateAnswerWithinMs - 10_000

const advice: AskAdvice = {
  mayHaveActed: 'it may have been carried out. Check GET /health and the log before you try again.',
  didNothing: 'nothing was changed. Try again after the seconds of Retry-After.',
}

type Gate = Ref<Adopt | ReindexRequest | SetMode>

/** Asks the gate. Left with `Overloaded` where it does not answer in time. */
const askGate = async <E, A>(
  gate: Gate,
  asked: (replyTo: ReplyTo<Either<E, A>>) => Adopt | ReindexRequest | SetMode,
  { isCallerThere }: Pick<AdoptionFollow, 'isCallerThere'> = {},
): Promise<Either<E | RefusalOf<'Overloaded'>, A>> => {
  const answer = await ask(gate, asked, adoptDeadlineMs, isCallerThere)
  if (isLeft(answer))
    return left(refuse('Overloaded', explainUnanswered('the write gate', answer.left, advice)))
  return answer.right
}

const setModeThrough =
  (gate: Gate): WriteGate['setMode'] =>
  (mode, actor, claimed) =>
    askGate(
      gate,
      (replyTo: ReplyTo<SetModeOutcome>): SetMode => ({ _tag: 'SetMode', mode, actor, claimed, replyTo }),
    )

const signerOf = ({ checkout, options, snapshot }: HostNode): SignerSources => ({
  town: options.town,
  source: fleetKeySource(process.env, checkout.state),
  snapshot,
})

const checkedLandingOf = ({ checkout: { landing, source }, trees, held, look }: HostNode): Checked | null =>
  landing === null
    ? null
    : { landing, headFiles: headFilesIn(source), fresh: freshCorpus({ source, trees, held, look }).fresh }

/** Why a host is read-only; null while it accepts writes. */
const modeReason = ({ mode, detail }: ReturnType<ModeCell['get']>): string | null =>
  mode === 'ReadWrite'
    ? null
    : (detail ??
      'POST /admin/mode or server.read_only of the configuration set it; POST /admin/mode changes it.')

/** The bytes of a committed file of a tree, by its blob. */
export const readCommittedBytes =
  (sourceOf: (tree: Tree) => TreeSource | undefined): PlanPorts['read'] =>
  async ({ path, before }, tree) =>
    before === null ? null : ((await sourceOf(tree)?.read({ path, blob: before, bytes: 0 })) ?? null)

/** The trees beside the lore as the gate writes them: each commit is signed as those of the lore are. */
const writtenTreesOf = (node: HostNode): PlanPorts['trees'] => {
  const { trees, look } = node
  const refresh = async (): Promise<void> => {
    await look()
  }
  return new Map(
    [...trees].map(([name, { landing, source, sync }]) => [
      name,
      {
        landing: signLanding(landing, signerOf(node)),
        headFiles: headFilesIn(source),
        isStale: sync.isStale,
        refresh,
      },
    ]),
  )
}

/** How the gate sees the corpus: what HEAD names now, and what is published to readers. */
interface FreshCorpus {
  readonly fresh: () => Promise<Snapshot | null>
  readonly published: (commit: CommitId, tree: Tree) => Promise<boolean>
}

interface FreshPorts {
  readonly source: TreeSource
  readonly trees: HostNode['trees']
  readonly held: Cell<Loaded>
  readonly look: HostNode['look']
}

const looksMax = 5

const publishLimitMs = 10_000

const pauseMs = 50

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, pauseMs))

const headOf = async (source: TreeSource) => {
  try {
    return await source.head()
  } catch {
    return null
  }
}

/**
 * Asks the keeper to look until it holds what HEAD names, or until it has published a commit; both give up
 * after a limit.
 */
const freshCorpus = ({ source, trees, held, look }: FreshPorts): FreshCorpus => {
  const shows = async (commit: CommitId, tree: Tree): Promise<boolean> => {
    const loaded = held.get()
    if (loaded === null) return false
    if (tree !== 'lore') {
      const head = loaded.treeHeads.get(tree)
      if (head === undefined || head.commit === commit) return head !== undefined
      return (
        (await trees
          .get(tree)
          ?.source.contains(head, commit)
          .catch(() => false)) ?? false
      )
    }
    return loaded.loreHead.commit === commit || source.contains(loaded.loreHead, commit).catch(() => false)
  }
  return {
    fresh: async () => {
      for (let looks = 0; looks < looksMax; looks += 1) {
        const head = await headOf(source)
        const loaded = held.get()
        if (head !== null && loaded?.ahead === false && loaded.loreHead.commit === head.commit)
          return loaded.build.snapshot
        const outcome = await look()
        if (isLeft(outcome) || outcome.right._tag === 'LookFailed') await pause()
      }
      return null
    },
    published: async (commit, tree) => {
      const endMs = performance.now() + publishLimitMs
      for (;;) {
        const outcome = await look(publishLimitMs)
        if (!isLeft(outcome) && (await shows(commit, tree))) return true
        if (performance.now() > endMs) return false
        await pause()
      }
    },
  }
}

const startDeadlineMs = 5_000
