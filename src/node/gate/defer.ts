import { createHash, randomUUID } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { draftOf } from '#actors/write-gate/land-batch.js'
import { type ComposedWrite, composeWrites, type PlanPorts, planOn } from '#actors/write-gate/plan-on.js'
import { notPublished } from '#actors/write-gate/refusals.js'
import type { CommitId, RepoPath } from '#protocol/atoms.js'
import { type PendingClose, SessionDeferred } from '#protocol/enactments/closing.js'
import type { ForgeCall, ForgeRequest } from '#protocol/host/forge.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import { describeOutcome } from '#src/domain/forge/merge-request.js'
import { escapeMarkdown } from '#src/domain/forge/wire.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { mergeFileInSlices } from '#src/domain/lore/merging/merge-file.js'
import { ledgerKey, sessionKey } from '#src/domain/lore/session-header.js'
import { closeLedgerPath, deferredRowIn } from '#src/domain/sessions/effects/closed-sessions.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { CloseGit, RemoteTip } from '#src/ports/landing.js'
import type { Publish } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command, WritePort, Written } from '#src/writing/command.js'
import { notMerged } from '#src/writing/finalize-close.js'
import { pendingClose } from '#src/writing/sessions/close.js'
import type { Log } from '../records/records.js'
import type { ReachedRemote } from './enact.js'

export interface DeferPorts {
  /** Makes every other write. */
  readonly write: WritePort
  /** Whether this host publishes by merge requests. */
  readonly isByRequest: boolean
  /** Fetches, merges and pushes what this host has. */
  readonly converge: () => Promise<ReachedRemote>
  /** The snapshot of what HEAD names, or why the gate accepts no write now. */
  readonly ground: () => Promise<Either<Refusal, Snapshot>>
  readonly plan: PlanPorts
  readonly git: CloseGit
  /** Null where this host has no forge; `missing` then names the setting. */
  readonly forge: ForgePort | null
  readonly missing: string
  readonly publish: Publish
  readonly log: Pick<Log, 'info'>
}

/**
 * Makes writes, and defers closes in mode `mr`: the commit with the row of the ledger is made on what the remote has
 * and goes to a merge request of its own; no branch here moves, so the session stays open until the request is merged
 * and fetched. One request is open for a header at most: a branch or a request that is there already is adopted, and
 * its `pending` answered. `finalize-close` first fetches what was merged.
 */
export const deferBy =
  (ports: DeferPorts): WritePort =>
  async (command, isCallerThere) => {
    const { write, isByRequest, converge } = ports
    const isClose = closeRows.has(command.row)
    if (!isByRequest || command.dryRun || (!isClose && command.row !== finalizeRow))
      return write(command, isCallerThere)
    const reached = await converge()
    if (reached._tag === 'Off') return write(command, isCallerThere)
    if (reached._tag !== 'Reached') return left(away(describeReach(reached)))
    if (isClose) return deferClose(ports, { ...command, prepared: { _tag: 'Deferred' } })
    const outcome = await write(command, isCallerThere)
    if (!isLeft(outcome) || outcome.left._tag !== 'CloseNotMerged') return outcome
    const { header } = outcome.left
    return left(notMerged(header, await stateOfRequest(ports, ledgerKey(header))))
  }

const closeRows: ReadonlySet<string> = new Set(['workflows.closeSession', 'workflows.closeSessionByChat'])
const finalizeRow = 'workflows.finalizeClose'

/** The branch of the nth request that closes a session, from 1; another one follows only where one has ended. */
const closeBranchOf = (key: string, nth: number): string =>
  `svc/close/${createHash('sha256').update(key).digest('hex').slice(0, 16)}-${nth}`

const requestsMax = 50
const callLimitMs = 20_000
const gitLimitMs = 60_000

const away = (detail: string): RefusalOf<'NotPublished'> =>
  notPublished('unreachable', `${detail}. Nothing was closed. Send it again.`)

const describeReach = (reached: ReachedRemote): string =>
  reached._tag === 'Away' ? reached.reason : 'Other hosts were faster'

/** The close as planned on this host. */
interface PlannedClose {
  readonly write: ComposedWrite
  readonly answer: SessionDeferred
  readonly snapshot: Snapshot
  readonly files: ReadonlyArray<{
    readonly path: RepoPath
    readonly before: string | null
    readonly after: string | null
  }>
}

const deferClose = async (ports: DeferPorts, command: Command): Promise<Either<Refusal, Written>> => {
  const { forge, missing, git } = ports
  if (forge === null) return left(away(missing))
  try {
    const planned = await planClose(ports, command)
    if (isLeft(planned)) return planned
    const tip = await git.tip(AbortSignal.timeout(gitLimitMs))
    if (tip === null) return left(away('The branch of the remote was not fetched'))
    const found = await findBranch(forge, ledgerKey(planned.right.answer.Deferred))
    if (isLeft(found)) return left(away(found.left))
    const { branch, open } = found.right
    const pushed = open === null ? await pushClose(ports, planned.right, tip, branch) : right(null)
    if (isLeft(pushed)) return pushed
    const pending = pushed.right ?? (await adoptBranch(ports, planned.right, branch))
    if ('_tag' in pending) return left(pending)
    const request = open ?? (await openRequest(forge, planned.right, { branch, target: tip.branch }))
    return typeof request === 'string'
      ? left(away(request))
      : right(tellDeferred(ports, planned.right, request, pending))
  } catch (error) {
    return left(away(error instanceof Error ? error.message : String(error)))
  }
}

const tellDeferred = (
  { publish, log }: DeferPorts,
  { snapshot, answer }: PlannedClose,
  { iid, url }: ForgeRequest,
  pending: PendingClose,
): Written => {
  publish('close:deferred', { header: answer.Deferred, mrIid: iid })
  log.info('close_deferred', { header: answer.Deferred, mrIid: iid })
  return {
    status: null,
    body: { ...answer, Request: { Iid: iid, Url: url }, pending },
    commit: snapshot.commit,
  }
}

/** Plans the close on what HEAD names; the gate's arms apply, although no branch moves. */
const planClose = async (ports: DeferPorts, command: Command): Promise<Either<Refusal, PlannedClose>> => {
  const ground = await ports.ground()
  if (isLeft(ground)) return ground
  const snapshot = ground.right
  const planned = await planOn(ports.plan, snapshot, [command])
  const [refused] = planned.batch.refused
  if (refused !== undefined) return left(refused.refusal)
  const [write] = composeWrites(planned, new Set()).clean
  if (write === undefined || !SessionDeferred.is(write.set.answer))
    throw new Error('the plan of the close is not that of a deferred one')
  const files = [...write.after].map(([path, after]) => ({
    path,
    before: planned.bytes.get(path)?.toString('utf8') ?? null,
    after: after?.toString('utf8') ?? null,
  }))
  return right({ write, answer: write.set.answer, snapshot, files })
}

/**
 * Finds the branch for a close: that of the request that is open, otherwise the first one without a request. Left:
 * what the forge said in place of a list.
 */
const findBranch = async (
  forge: ForgePort,
  key: string,
): Promise<Either<string, { readonly branch: string; readonly open: ForgeRequest | null }>> => {
  for (let nth = 1; nth <= requestsMax; nth += 1) {
    const branch = closeBranchOf(key, nth)
    const requests = await listRequests(forge, branch)
    if (typeof requests === 'string') return left(requests)
    const open = requests.find(({ state }) => state === 'opened' || state === 'locked') ?? null
    if (open !== null || requests.length === 0) return right({ branch, open })
  }
  return left(`${requestsMax} requests that close the session have ended`)
}

const askForge = async (forge: ForgePort, call: ForgeCall) =>
  (await forge(call, callLimitMs, AbortSignal.timeout(callLimitMs))).outcome

const listRequests = async (
  forge: ForgePort,
  sourceBranch: string,
): Promise<ReadonlyArray<ForgeRequest> | string> => {
  const outcome = await askForge(forge, { _tag: 'ListRequests', sourceBranch })
  return outcome._tag === 'Requests' ? outcome.requests : describeForge(describeOutcome(outcome))
}

const describeForge = (outcome: string): string => `A call of the forge brought nothing: ${outcome}`

/**
 * Makes the commit on the remote's tip and pushes it. Null: the branch is there already, with another commit. A part of
 * the close that rests on what the remote has not yet is refused.
 */
const pushClose = async (
  { git, plan }: DeferPorts,
  close: PlannedClose,
  { commit: base }: RemoteTip,
  branch: string,
): Promise<Either<Refusal, PendingClose | null>> => {
  const isThere = await hasSession(git, close, base)
  const after = isThere ? await moveFiles(git, close, base) : null
  if (after === null) return left(unpublished(close.answer.Deferred))
  const draft = { ...draftOf({ newIntent: randomUUID }, close.write), after }
  const commit = await git.commit(base, draft, plan.nowMs())
  const pushed = await git.push(branch, commit, AbortSignal.timeout(gitLimitMs))
  if (pushed._tag === 'Pushed') return right(close.answer.pending)
  return pushed._tag === 'Failed' ? left(away(pushed.detail)) : right(null)
}

const unpublished = (header: string): RefusalOf<'NotPublished'> =>
  notPublished(
    'behind',
    `"${header}", or a file that its close changes, is here as the remote does not have it yet. Nothing was closed. ` +
      'Send it again when the merge request of this host is merged.',
  )

/** Whether the remote has the session as it is here; a staged draft comes with the close. */
const hasSession = async (
  git: CloseGit,
  { snapshot, answer }: PlannedClose,
  base: CommitId,
): Promise<boolean> => {
  for (const copy of snapshot.sessions.byKey.get(sessionKey(answer.Deferred))?.copies ?? []) {
    const own = rawLines(snapshot.files.get(copy.path)?.text ?? '').slice(copy.line - 1, copy.endLine)
    const there = rawLines((await git.read(base, copy.path))?.toString('utf8') ?? '').join('\n')
    if (!there.includes(own.join('\n'))) return false
  }
  return true
}

/** The files of the close as changes of those of `base`; null where both sides changed the same. */
const moveFiles = async (
  git: CloseGit,
  { files }: PlannedClose,
  base: CommitId,
): Promise<ReadonlyMap<RepoPath, Buffer | null> | null> => {
  const moved = new Map<RepoPath, Buffer | null>()
  for (const { path, before, after } of files) {
    const there = (await git.read(base, path))?.toString('utf8') ?? null
    const texts = { base: before, ours: after, theirs: there }
    const { text, conflicts } =
      there === before
        ? { text: after, conflicts: [] }
        : await runDaemonWork(mergeFileInSlices(path, texts, { stands: 'theirs' }))
    if (conflicts.length > 0) return null
    if (text !== there) moved.set(path, text === null ? null : Buffer.from(text))
  }
  return moved
}

/** What the close on a branch withholds that this host, an earlier process or another host pushed. */
const adoptBranch = async (
  { git }: DeferPorts,
  { answer: { Deferred: header } }: PlannedClose,
  branch: string,
): Promise<PendingClose | RefusalOf<'NotPublished'>> => {
  const commit = await git.fetch(branch, AbortSignal.timeout(gitLimitMs))
  if (commit === null || typeof commit !== 'string') return away(`The branch ${branch} was not fetched`)
  const ledger = (await git.read(commit, closeLedgerPath))?.toString('utf8') ?? ''
  const row = deferredRowIn(rawLines(ledger), ledgerKey(header))
  return row === null
    ? away(`The branch ${branch} of the remote does not close "${header}": delete it there`)
    : pendingClose(row)
}

/** Opens the request of a branch, or adopts the one that is there; a text where neither succeeds. */
const openRequest = async (
  forge: ForgePort,
  { write, answer: { Deferred: header } }: PlannedClose,
  { branch, target }: { readonly branch: string; readonly target: string },
): Promise<ForgeRequest | string> => {
  const outcome = await askForge(forge, {
    _tag: 'OpenRequest',
    sourceBranch: branch,
    targetBranch: target,
    title: write.set.subject,
    description: `Closes the session ${escapeMarkdown(header)}. Merged, its Zmiany and Transfers take effect.`,
  })
  if (outcome._tag === 'Request') return outcome.request
  const requests = await listRequests(forge, branch)
  if (typeof requests === 'string') return requests
  return (
    requests.find(({ state }) => state === 'opened' || state === 'locked') ??
    describeForge(describeOutcome(outcome))
  )
}

/** The state of the last request that closes a session, as the forge has it. */
const stateOfRequest = async (
  { forge }: DeferPorts,
  key: string,
): Promise<Parameters<typeof notMerged>[1]> => {
  if (forge === null) return 'unknown'
  let last: 'closed' | 'none' = 'none'
  for (let nth = 1; nth <= requestsMax; nth += 1) {
    const requests = await listRequests(forge, closeBranchOf(key, nth))
    if (typeof requests === 'string') return 'unknown'
    if (requests.length === 0) return last
    if (requests.some(({ state }) => state === 'opened' || state === 'locked')) return 'opened'
    last = 'closed'
  }
  return last
}
