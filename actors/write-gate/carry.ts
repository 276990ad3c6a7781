import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { gateRefusal } from '#src/admin/gate-arms.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { authorOf, commitMessage } from '#src/corpus/writing/commit-text.js'
import { composition } from '#src/corpus/writing/new-bytes.js'
import { type Ready, type SortedBatch, sortedBatch } from '#src/corpus/writing/sorted-batch.js'
import type { Draft, Landing, LandingFailure, TouchedFile } from '#src/ports/landing.js'
import type { Carried, Write, WriteOutcome } from './messages.js'
import type { GatePorts } from './ports.js'

/** A batch is planned anew this often when the branch moved under it: each time a person or a sync was quicker. */
const triesMax = 6

/** Every file that the writes touch, once, with the blob they were planned on. */
const touchedFiles = (ready: ReadonlyArray<Ready>): ReadonlyArray<TouchedFile> => {
  const files = new Map<RepoPath, TouchedFile>()
  for (const { set } of ready)
    for (const { path, before } of set.edits) if (!files.has(path)) files.set(path, { path, before })
  return [...files.values()]
}

const bytesOf = async (
  ports: GatePorts,
  files: ReadonlyArray<TouchedFile>,
): Promise<ReadonlyMap<RepoPath, Buffer>> => {
  const bytes = new Map<RepoPath, Buffer>()
  for (const file of files) {
    const found = file.before === null ? null : await ports.read(file)
    if (found !== null) bytes.set(file.path, found)
  }
  return bytes
}

const isClean = ({ set }: Ready, dirty: ReadonlySet<RepoPath>): boolean =>
  set.edits.every(edit => !dirty.has(edit.path))

const dirtyFiles = ({ set }: Ready, dirty: ReadonlySet<RepoPath>): ReadonlyArray<string> =>
  set.edits.flatMap(({ path }) => (dirty.has(path) ? [path] : []))

interface LandedBatch {
  readonly commits: ReadonlyMap<number, CommitId>
  readonly dirty: ReadonlySet<RepoPath>
}

const landed = async (
  ports: GatePorts,
  landing: Landing,
  base: CommitId | null,
  { ready }: SortedBatch,
  signal: AbortSignal,
): Promise<Either<LandingFailure, LandedBatch>> => {
  const files = touchedFiles(ready)
  const bytes = await bytesOf(ports, files)
  let dirty: ReadonlySet<RepoPath> = new Set()
  let clean: ReadonlyArray<Ready> = []
  const compose = (found: ReadonlySet<RepoPath>): ReadonlyArray<Draft> => {
    dirty = found
    clean = ready.filter(one => isClean(one, found))
    const composed = composition(bytes)
    return clean.map(({ request, set }) => {
      const intent = ports.newIntent()
      const { actor, route } = request
      return {
        intent,
        actor: actor.name,
        route,
        author: authorOf(actor),
        message: commitMessage(set.subject, intent, request),
        after: composed.after(set.edits),
      }
    })
  }
  const outcome = await landing.land({ base, files, compose, atMs: ports.nowMs() }, signal)
  if (isLeft(outcome)) return outcome
  const { commits } = outcome.right
  return right({
    dirty,
    commits: new Map(clean.flatMap(({ at }, place) => (commits[place] ? [[at, commits[place]]] : []))),
  })
}

/** What a landing that failed answers to those who waited for it. */
const failureRefusal = (failure: LandingFailure): Refusal => {
  switch (failure._tag) {
    case 'Moved':
      return refuse('Overloaded', 'The branch kept moving; nothing was written. Try again.')
    case 'Locked':
      return refuse(
        'Overloaded',
        `Somebody holds ${failure.lock}; nothing was written. Try again when their git has ended.`,
      )
    case 'Dirty':
      return dirtyRefusal(failure.files)
    case 'Disk':
      return refuse('ReadOnly', `The disk refuses writes: ${failure.reason}. Nothing was written.`)
    case 'Failed':
      return refuse('Overloaded', `git could not make the commit: ${failure.reason}`)
  }
}

const dirtyRefusal = (files: ReadonlyArray<string>): Refusal =>
  refuse('WorkTreeDirty', 'Commit or put away what is changed in these files, then try again.', { files })

const settledOf = (
  snapshot: Snapshot,
  sorted: SortedBatch,
  batch: LandedBatch,
): ReadonlyArray<readonly [at: number, outcome: WriteOutcome]> => [
  ...sorted.refused.map(({ at, refusal }) => [at, left(refusal)] as const),
  ...sorted.same.map(({ at, set }) => {
    const { status = null, answer: body } = set
    return [at, right({ status, body, commit: snapshot.commit })] as const
  }),
  ...sorted.ready.map(one => {
    const { status = null, answer: body } = one.set
    const commit = batch.commits.get(one.at)
    return commit === undefined
      ? ([one.at, left(dirtyRefusal(dirtyFiles(one, batch.dirty)))] as const)
      : ([one.at, right({ status, body, commit })] as const)
  }),
]

const carried = (
  writes: ReadonlyArray<Write>,
  settled: ReadonlyArray<readonly [at: number, outcome: WriteOutcome]>,
): Carried => {
  const outcomes = new Map(settled)
  return {
    _tag: 'Carried',
    settled: writes.flatMap(({ replyTo }, at) => {
      const outcome = outcomes.get(at)
      return outcome === undefined ? [] : [{ replyTo, outcome }]
    }),
    deferred: writes.filter((_, at) => !outcomes.has(at)),
  }
}

const allRefused = (writes: ReadonlyArray<Write>, refusal: Refusal): Carried =>
  carried(
    writes,
    writes.map((_, at) => [at, left(refusal)] as const),
  )

/** The commits that stand but could not be shown yet: whoever asks again must look first. */
const unseen = (commit: CommitId): Refusal =>
  refuse('Overloaded', `The write stands as commit ${commit}, but is not served yet; do not send it again.`)

const shown = async (
  ports: GatePorts,
  settled: ReadonlyArray<readonly [at: number, outcome: WriteOutcome]>,
  batch: LandedBatch,
): Promise<ReadonlyArray<readonly [at: number, outcome: WriteOutcome]>> => {
  const last = [...batch.commits.values()].at(-1)
  if (last === undefined || (await ports.published(last))) return settled
  return settled.map(([at, outcome]) => {
    const commit = batch.commits.get(at)
    return [at, commit === undefined ? outcome : left(unseen(commit))] as const
  })
}

const nothingLanded: LandedBatch = { commits: new Map(), dirty: new Set() }

/** Carries out writes that waited together: plans them on HEAD, lands those that do not meet, shows them, answers. */
export const carry = async (
  ports: GatePorts,
  writes: ReadonlyArray<Write>,
  signal: AbortSignal,
): Promise<Carried> => {
  const { landing } = ports
  if (landing === null)
    return allRefused(writes, refuse('ReadOnly', 'A directory without git takes no writes.'))
  let failure: LandingFailure = { _tag: 'Moved' }
  for (let tries = 0; tries < triesMax && failure._tag === 'Moved'; tries += 1) {
    const snapshot = await ports.fresh()
    if (snapshot === null)
      return allRefused(writes, refuse('Overloaded', 'HEAD cannot be read; nothing was written. Try again.'))
    const closed = gateRefusal(ports.arms(), false)
    if (closed !== null) return allRefused(writes, closed)
    const requests = writes.map(({ request }) => request)
    const sorted = sortedBatch(snapshot, requests, ports.nowMs(), ports.hooks)
    if (sorted.ready.length === 0) return carried(writes, settledOf(snapshot, sorted, nothingLanded))
    const batch = await landed(ports, landing, snapshot.commit, sorted, signal)
    if (isLeft(batch)) failure = batch.left
    else return carried(writes, await shown(ports, settledOf(snapshot, sorted, batch.right), batch.right))
  }
  return allRefused(writes, failureRefusal(failure))
}
