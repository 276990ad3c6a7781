import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId, FurtherTree, Tree } from '#protocol/atoms.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { isDamage } from '#src/domain/admin/blockers.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { auditLinesOfWrite } from '#src/domain/events/audit-of.js'
import { treeOf } from '#src/domain/lore/changes.js'
import { isAwaited } from '#src/kernel/actor/ref.js'
import type { Draft, Landing, LandingFailure, LandingSession } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { authorOf, commitMessage, type PlannedBatch } from '#src/writing/batch/plan-batch.js'
import type { Command } from '#src/writing/command.js'
import { checkoutBlocked, headUnread } from './adopt.js'
import type { AttemptOutcome, SettledWrite, Write } from './messages.js'
import type { GatePorts } from './mode.js'
import {
  type AfterWritePorts,
  afterWrite,
  type ComposedWrite,
  type ComposedWrites,
  composeWrites,
  type PlannedWrites,
  type PlanPorts,
  planOn,
  type WriteFact,
} from './plan-on.js'
import { callerLeft, dirtyRefusal, failureRefusalIn } from './refusals.js'

/** The ports of an attempt at a batch. */
export type BatchPorts = PlanPorts &
  AfterWritePorts &
  Pick<GatePorts, 'admit' | 'landing' | 'push' | 'fresh' | 'arms' | 'newIntent' | 'monotonicMs'>

/** Runs a step and records its seconds in `svc_write_step_seconds`. A step that rejects is not recorded. */
export const timeStep = async <A>(
  ports: Pick<GatePorts, 'monotonicMs' | 'meter'>,
  step: string,
  work: () => Promise<A>,
): Promise<A> => {
  const beganMs = ports.monotonicMs()
  const done = await work()
  ports.meter.observe('svc_write_step_seconds', { step }, (ports.monotonicMs() - beganMs) / 1000)
  return done
}

/**
 * Attempts a batch once: loads HEAD, checks the arms, drops the writes whose callers have left, plans the
 * others on that snapshot and commits those that are ready. A write that was planned lands even if its caller
 * leaves. It never retries: `decideBatch` decides what follows. Rejects when a port rejects.
 *
 * `Refused`: the host has no git, an arm is closed, or HEAD cannot be read. No command was planned.
 *
 * `Failed`: the landing failed, and nothing was committed.
 *
 * `Settled`: one entry for each write that was committed, refused or dropped, met dirty files, or changes
 * nothing (it is answered with the commit of the snapshot). A write that `planBatch` deferred has no entry, and
 * the gate plans it again. `facts` has one item for each commit. `unfinished` concerns index and work tree,
 * not the commands.
 */
export const attemptBatch = async (
  ports: BatchPorts,
  writes: ReadonlyArray<AskedWrite>,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { landing } = ports
  if (landing === null)
    return {
      _tag: 'Refused',
      refusal: refuse(
        'ReadOnly',
        'This host serves a directory without git, so it takes no writes. Run `git init` and start it again.',
      ),
    }
  const snapshot = await timeStep(ports, 'look', ports.fresh)
  const closed = gateRefusal(ports.arms(), false)
  if (snapshot === null) return { _tag: 'Refused', refusal: closed ?? headUnread() }
  if (closed !== null) return { _tag: 'Refused', refusal: closed }
  const { awaited, dropped } = sortByCaller(writes)
  const plan = await planWhole(
    ports,
    snapshot,
    awaited.map(({ command }) => command),
  )
  if (isLeft(plan)) return { _tag: 'Refused', refusal: plan.left }
  const planned = plan.right
  const { tree, apart } = planned.batch
  const publishes = awaited.some(one => one.publishes)
  const landed =
    planned.batch.ready.length === 0
      ? right(nothingLanded)
      : await timeStep(ports, 'land', () =>
          landBatch(ports, landing, { snapshot, planned, publishes }, signal),
        )
  if (isLeft(landed)) {
    const failure = landed.left
    if (tree !== 'lore' && failure._tag === 'Moved') await ports.trees.get(tree)?.refresh()
    return { _tag: 'Failed', failure, tree, apart: placesOf(awaited, apart) }
  }
  const { facts, unfinished } = landed.right
  const settled = settledOf(ports, snapshot, planned.batch, landed.right).flatMap(one => {
    const write = awaited[one.at]
    return write === undefined ? [] : [{ ...one, at: write.at }]
  })
  return { _tag: 'Settled', tree, settled: [...settled, ...dropped], facts, unfinished }
}

/** How often a batch is tried when the branch moved under it: each time a person or a converge was faster. */
export const triesMax = 6

/** The result of a batch: the settled writes, by their place in it. The others are planned again. */
export interface BatchEnd {
  readonly tree: Tree
  readonly settled: ReadonlyArray<SettledWrite>
  readonly facts: ReadonlyArray<WriteFact>
  /** Why the landing failed, or why index and work tree are behind; null where neither is the case. */
  readonly failure: LandingFailure | null
}

/** Decides what follows from the `tries`-th attempt at a batch of `count` writes. */
export const decideBatch = (count: number, tries: number, outcome: AttemptOutcome): BatchDecision => {
  switch (outcome._tag) {
    case 'Refused':
      return refuseAll(count, outcome.refusal, { tree: 'lore', failure: null })
    case 'Failed': {
      const { tree, failure, apart } = outcome
      return failure._tag === 'Moved' && tries < triesMax
        ? { _tag: 'TryAgain' }
        : refuseAll(count, failureRefusalIn(tree, failure), { tree, failure }, apart)
    }
    case 'Settled': {
      const { tree, settled, facts, unfinished: failure } = outcome
      const end = { tree, settled, facts, failure }
      const last = settled.flatMap(({ commit }) => commit ?? []).at(-1)
      return last === undefined ? { _tag: 'Answer', end } : { _tag: 'Publish', commit: last, end }
    }
  }
}

/** The end of a batch whose commits were not published in time. */
export const hideUnseen = (end: BatchEnd): BatchEnd => ({
  ...end,
  settled: end.settled.map(one =>
    one.commit === null ? one : { ...one, outcome: left(unseen(one.commit)) },
  ),
})

/** How many writes ended in which way. */
export const countResults = ({ settled, facts }: BatchEnd) => {
  const dropped = settled.filter(({ isDropped }) => isDropped === true).length
  const refused = settled.filter(({ outcome }) => isLeft(outcome)).length - dropped
  return {
    committed: facts.length,
    refused,
    unchanged: Math.max(0, settled.length - refused - dropped - facts.length),
    dropped,
  }
}

/**
 * The result of landing a batch: its commits by place, the writes that dirty files kept from landing, and those
 * whose right had ended.
 */
interface LandedBatch {
  readonly facts: ReadonlyArray<WriteFact>
  readonly commits: ReadonlyMap<number, CommitId>
  readonly dirty: ComposedWrites['dirty']
  readonly refused: ReadonlyArray<{ readonly at: number; readonly refusal: Refusal }>
  /** Why index or work tree are behind the branch, although the commits were made. */
  readonly unfinished: LandingFailure | null
  /** The commit whose push was not answered, and its facts; null where the branch moved. */
  readonly unsure: { readonly commit: CommitId; readonly facts: ReadonlyArray<WriteFact> } | null
}

type LandPorts = Pick<GatePorts, 'trees' | 'newIntent' | 'nowMs' | 'admit' | 'push'>

/** Planned writes, the snapshot that they were planned on, and whether the remote must have them first. */
interface Attempted {
  readonly snapshot: Snapshot
  readonly planned: PlannedWrites
  readonly publishes: boolean
}

const factOf = (
  { command, set }: ComposedWrite,
  draft: Draft | undefined,
  commit: CommitId | undefined,
): ReadonlyArray<WriteFact> =>
  draft === undefined || commit === undefined
    ? []
    : [
        {
          ...furtherOf(treeOf(set)),
          commit,
          route: command.route,
          actor: draft.actor,
          token: command.actor.token,
          intent: draft.intent,
          subject: set.subject,
          touches: set.touches,
          audit: set.audit ?? [],
          hasNotices: (set.notices ?? []).length > 0,
        },
      ]

/** The commit of a composed write, on behalf of the person whom its plan names, otherwise of its caller. */
export const draftOf = (
  ports: Pick<GatePorts, 'newIntent'>,
  { command, set, after }: ComposedWrite,
): Draft => {
  const intent = ports.newIntent()
  const { route } = command
  const actor =
    set.person === undefined ? command.actor : { ...command.actor, name: set.person, gracz: set.person }
  return {
    intent,
    actor: actor.name,
    route,
    author: authorOf(actor),
    message: commitMessage(set.subject, intent, { ...set, actor, route }),
    after,
    audit: auditLinesOfWrite({
      ...set,
      ...furtherOf(treeOf(set)),
      intent,
      route,
      actor: actor.name,
      token: actor.token,
    }),
    notices: set.notices ?? [],
  }
}

/**
 * Checks the right of each write again. The session may have waited seconds for the lock of another git, and a
 * token that was revoked or expired meanwhile must not write (S30, ADR 1018).
 */
const admitWrites = (
  { admit, nowMs }: LandPorts,
  snapshot: Snapshot,
  { batch, bytes }: PlannedWrites,
): Pick<PlannedWrites, 'batch' | 'bytes'> & Pick<LandedBatch, 'refused'> => {
  const checked = batch.ready.map(write => ({ write, caller: admit(write.command, snapshot, nowMs()) }))
  const ready = checked.flatMap(({ write, caller }) => (isLeft(caller) ? [] : [write]))
  const refused = checked.flatMap(({ write: { at }, caller }) =>
    isLeft(caller) ? [{ at, refusal: caller.left }] : [],
  )
  return { batch: { ...batch, ready }, bytes, refused }
}

const landIn = async (
  ports: LandPorts,
  session: LandingSession,
  { snapshot, planned, publishes }: Attempted,
  signal: AbortSignal,
): Promise<Either<LandingFailure, LandedBatch>> => {
  const found = await session.inspect(planned.files)
  if (isLeft(found)) return found
  const { refused, ...admitted } = admitWrites(ports, snapshot, planned)
  const { clean, dirty } = composeWrites(admitted, found.right)
  const drafts = clean.map(one => draftOf(ports, one))
  const outcome = await session.commit({
    drafts,
    atMs: ports.nowMs(),
    ...(publishes && planned.batch.tree === 'lore' ? { publish: commit => ports.push(commit, signal) } : {}),
  })
  const factsOf = (commits: ReadonlyArray<CommitId>): ReadonlyArray<WriteFact> =>
    clean.flatMap((one, place) => factOf(one, drafts[place], commits[place]))
  if (isLeft(outcome)) {
    const unsure = unsureOf(outcome.left)
    return unsure === null
      ? outcome
      : right({ ...nothingLanded, dirty, refused, unsure: { commit: unsure, facts: factsOf([unsure]) } })
  }
  const { commits, unfinished = null } = outcome.right
  return right({
    dirty,
    refused,
    unfinished,
    unsure: null,
    facts: factsOf(commits),
    commits: new Map(clean.flatMap(({ at }, place) => (commits[place] ? [[at, commits[place]]] : []))),
  })
}

/** The commit of which it is not known whether the remote took it. */
const unsureOf = (failure: LandingFailure): CommitId | null =>
  failure._tag === 'Unpublished' && failure.pushed._tag === 'Unknown' ? failure.commit : null

/**
 * Lands writes that were planned on one snapshot, each as a commit. Leaves out those whose files hold a
 * person's changes, and those whose right ended before the lock was taken.
 */
const landBatch = async (
  ports: LandPorts,
  lore: Landing,
  attempted: Attempted,
  signal: AbortSignal,
): Promise<Either<LandingFailure, LandedBatch>> => {
  const { snapshot, planned } = attempted
  const { tree } = planned.batch
  const written = tree === 'lore' ? lore : (ports.trees.get(tree)?.landing ?? lore)
  const base = tree === 'lore' ? snapshot.commit : (snapshot.treeHeads.get(tree)?.commit ?? null)
  const opened = await written.open(base, signal)
  if (isLeft(opened)) return opened
  try {
    return await landIn(ports, opened.right, attempted, signal)
  } finally {
    await opened.right.close()
  }
}

const nothingLanded: LandedBatch = {
  commits: new Map(),
  dirty: [],
  refused: [],
  facts: [],
  unfinished: null,
  unsure: null,
}

/**
 * The entries of the writes that were refused, change nothing, met dirty files or were committed. A deferred
 * write gets none.
 */
const settledOf = (
  ports: AfterWritePorts,
  { commit: head }: Snapshot,
  planned: PlannedBatch<Command>,
  landed: LandedBatch,
): ReadonlyArray<SettledWrite> => [
  ...[...planned.refused, ...landed.refused].map(({ at, refusal }) => ({
    at,
    commit: null,
    outcome: left(refusal),
  })),
  ...planned.same.map(({ at, set: { status = null, answer: body } }) => ({
    at,
    commit: null,
    outcome: right({ status, body, commit: head }),
  })),
  ...landed.dirty.map(({ at, files }) => ({ at, commit: null, outcome: left(dirtyRefusal(files)) })),
  ...planned.ready.flatMap(({ at, set: { status = null, answer: body } }): ReadonlyArray<SettledWrite> => {
    if (landed.unsure !== null) {
      const { commit, facts } = landed.unsure
      const unsure = { commit, follow: () => afterWrite(ports, facts) }
      return [{ at, commit: null, outcome: right({ status, body, commit: null, unsure }) }]
    }
    const commit = landed.commits.get(at)
    if (commit === undefined) return []
    const written =
      planned.tree === 'lore' ? { commit } : { commit: head, further: { tree: planned.tree, commit } }
    return [{ at, commit, outcome: right({ status, body, ...written }) }]
  }),
]

const furtherOf = (tree: Tree): { readonly tree?: FurtherTree } => (tree === 'lore' ? {} : { tree })

/** Places among the awaited writes as places in the batch. */
const placesOf = (
  awaited: ReadonlyArray<{ readonly at: number }>,
  places: ReadonlySet<number>,
): ReadonlySet<number> => new Set([...places].flatMap(place => awaited[place]?.at ?? []))

type AskedWrite = Pick<Write, 'command' | 'publishes' | 'replyTo'>

/** The writes of a batch, sorted by whether their callers still wait; `at` is the place in the batch. */
const sortByCaller = (writes: ReadonlyArray<AskedWrite>) => {
  const awaited: Array<{ readonly at: number; readonly command: Command; readonly publishes: boolean }> = []
  const dropped: Array<SettledWrite> = []
  for (const [at, { command, publishes, replyTo }] of writes.entries())
    if (isAwaited(replyTo)) awaited.push({ at, command, publishes })
    else dropped.push({ at, commit: null, outcome: left(callerLeft()), isDropped: true })
  return { awaited, dropped }
}

/** Plans the writes; a damaged object of git that a plan reads refuses them by its code. */
const planWhole = async (
  ...given: Parameters<typeof planOn>
): Promise<Either<Refusal, Awaited<ReturnType<typeof planOn>>>> => {
  try {
    return right(await planOn(...given))
  } catch (error) {
    if (!(error instanceof Error && isDamage(error.message))) throw error
    return left(checkoutBlocked('object_damaged', 'An object of git that the write needs cannot be read'))
  }
}

/** What follows from one attempt at a batch. */
type BatchDecision =
  | { readonly _tag: 'TryAgain' }
  /** The commits exist, and readers do not see them yet. */
  | { readonly _tag: 'Publish'; readonly commit: CommitId; readonly end: BatchEnd }
  | { readonly _tag: 'Answer'; readonly end: BatchEnd }

const refuseAll = (
  count: number,
  refusal: Refusal,
  end: Pick<BatchEnd, 'tree' | 'failure'>,
  apart: ReadonlySet<number> = new Set(),
): BatchDecision => {
  const places = Array.from({ length: count }, (_, at) => at).filter(at => !apart.has(at))
  const settled = places.map(at => ({ at, commit: null, outcome: left(refusal) }))
  return { _tag: 'Answer', end: { ...end, settled, facts: [] } }
}

/** The refusal for a commit that exists and is not served yet; the caller must not send the write again. */
const unseen = (commit: CommitId): Refusal =>
  refuse(
    'Overloaded',
    `The write succeeded as commit ${commit}, but is not served yet. Do not send it again.`,
  )
