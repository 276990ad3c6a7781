import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { Parked, RemoteFailure, Replayed, ReplayedCommit, Rewrite } from '#src/ports/git.js'
import { type IntegrateOptions, mergeSides, noteParked, parkedSubject } from './integrate.js'
import { pathChangesOf } from './merge/contested-paths.js'
import { commitTree, composeMerge, composeMergeInput, describeParked } from './merge/merge-tree.js'
import { fetchedRef, printedTextOf, type RunGit, remoteFailureOf, runGitIn } from './remote/run-git.js'
import { findRemoved, findShunned, type NamedBlob, shunBlobs } from './shunned.js'

/** The unpublished commits that accepting a rewrite makes again, and the files that it keeps from coming back. */
export interface ReplayPlan {
  readonly commits: ReadonlyArray<Pick<OwnCommit, 'id' | 'subject'>>
  readonly removed: ReadonlyArray<string>
  /** Whether the new history has a commit of the one before. Without one it may be another repository. */
  readonly related: boolean
}

/** What accepting a rewrite would do; writes nothing. */
export const planReplay = async (repo: string, rewrite: Rewrite, head: string): Promise<ReplayPlan> => {
  const run = runGitIn(repo, never)
  const { seen, tip } = rewrite
  const removed = tip === null ? [] : await findRemoved(run, seen, tip)
  const related = tip === null || (await run(['merge-base', seen, tip], {}, [0, 1])).length > 0
  return planOf(await listOwn(run, rewrite, head), removed, related)
}

/**
 * What accepting would do where only commits here have what was purged: they are made again on what the remote has.
 * Null where none would bring it back.
 */
export const planPurge = async (repo: string): Promise<(Rewrite & ReplayPlan) | null> => {
  const run = runGitIn(repo, never)
  const remote = CommitId.decode(await printedTextOf(run(['rev-parse', fetchedRef])))
  if (isLeft(remote)) return null
  const rewrite = { seen: remote.right, tip: remote.right }
  const removed = await findShunned(run, remote.right, 'HEAD')
  if (removed.length === 0) return null
  return { ...rewrite, ...planOf(await listOwn(run, rewrite, 'HEAD'), removed, true) }
}

/**
 * Makes the commits of this host again on the new history, in their order, each with its author, dates and trailers.
 * First records the blobs that the rewrite removed. A commit that does not apply keeps its trailers and what applies;
 * what it left out is in `parked`. One that would bring a removed blob back is left out whole, one whose intent the
 * new history has already is not made again. Creates only objects, and the ref of the shunned blobs.
 */
export const replayCommits = async (
  options: IntegrateOptions,
  rewrite: Rewrite,
  head: CommitId,
  signal: AbortSignal,
): Promise<Replayed | RemoteFailure> => {
  const run = runGitIn(options.repo, signal)
  const tip = rewrite.tip ?? rewrite.seen
  try {
    const shunned = await shunBlobs(run, await findRemoved(run, rewrite.seen, tip), tip)
    const there = await listIntents(run, rewrite)
    const made: Array<ReplayedCommit> = []
    const parked: Array<Parked> = []
    let onto = tip
    for (const own of await listOwn(run, rewrite, head)) {
      signal.throwIfAborted()
      if (own.intent !== null && there.has(own.intent)) continue
      const merged = await applyCommit({ options, run, signal, shunned }, own, onto)
      const tree = await printedTextOf(run(['rev-parse', merged.tree]))
      if (merged.own !== null) {
        const atMs = Number(/^\d+/.exec(own.people['GIT_COMMITTER_DATE'] ?? '')?.[0] ?? '0') * 1_000
        const subject = parkedSubject(`${options.remote}, which was rewritten`)
        const body = describeParked(merged.own.reasons)
        const commit = await composeMerge(run, {
          tree: merged.own.tree,
          parents: [onto],
          subject,
          body,
          atMs,
        })
        parked.push(noteParked(commit, merged.own))
      }
      const id = CommitId.decode(
        await commitTree(run, tree, [onto], withoutSignature(own.message), own.people),
      )
      if (isLeft(id)) throw new Error('git commit-tree named no commit')
      onto = id.right
      made.push({ intent: own.intent, from: own.id, to: onto })
    }
    return { _tag: 'Replayed', commit: onto, made, parked }
  } catch (error) {
    return remoteFailureOf(error)
  }
}

const never = new AbortController().signal

const planOf = (
  own: ReadonlyArray<OwnCommit>,
  removed: ReadonlyArray<NamedBlob>,
  related: boolean,
): ReplayPlan => ({
  commits: own.map(({ id, subject }) => ({ id, subject })),
  removed: [...new Set(removed.map(({ path }) => path))].sort(),
  related,
})

/** A commit of this host that the remote never had. */
interface OwnCommit {
  readonly id: CommitId
  readonly parent: string
  readonly intent: string | null
  readonly subject: string
  /** Who made it and when, as git's variables. */
  readonly people: Readonly<Record<string, string>>
  readonly message: string
}

const people = [
  'AUTHOR_NAME',
  'AUTHOR_EMAIL',
  'AUTHOR_DATE',
  'COMMITTER_NAME',
  'COMMITTER_EMAIL',
  'COMMITTER_DATE',
]

const intentFormat = '%(trailers:key=Svc-Intent,valueonly,separator=%x20)'

/** The commits of this host without merges, parents first: a merge brings only what the new history has its own of. */
const listOwn = async (
  run: RunGit,
  { seen, tip }: Rewrite,
  head: string,
): Promise<ReadonlyArray<OwnCommit>> => {
  const there = tip === null ? [] : [`^${tip}`]
  const fields = ['%H', '%P', intentFormat, '%s', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%B']
  const format = `--format=${fields.join('%x01')}`
  const args = ['log', '-z', '--reverse', '--topo-order', '--no-merges', '--date=raw', format]
  const printed = (await run([...args, head, `^${seen}`, ...there, '--'])).toString('utf8')
  return printed
    .split('\0')
    .filter(Boolean)
    .flatMap(record => {
      const [id, parent = '', intent = '', subject = '', ...rest] = record.split('\u0001')
      const commit = CommitId.decode(id)
      if (isLeft(commit)) return []
      const named = people.map((name, at) => [`GIT_${name}`, rest[at] ?? ''] as const)
      const message = rest.slice(people.length).join('\u0001')
      const made = {
        parent,
        intent: intent === '' ? null : intent,
        subject,
        people: Object.fromEntries(named),
      }
      return [{ id: commit.right, ...made, message }]
    })
}

/** The intents of the commits of the new history that the old one did not have. */
const listIntents = async (run: RunGit, { seen, tip }: Rewrite): Promise<ReadonlySet<string>> => {
  const printed = await printedTextOf(run(['log', `--format=${intentFormat}`, tip ?? seen, `^${seen}`, '--']))
  return new Set(printed.split('\n').filter(Boolean))
}

/** A signature covers the id of the parent, so the one of the commit before is no longer true. */
const withoutSignature = (message: string): string => message.replace(/^Svc-Signature: .*\n?/gmu, '')

interface Tools {
  readonly options: IntegrateOptions
  readonly run: RunGit
  readonly signal: AbortSignal
  readonly shunned: ReadonlySet<string>
}

/** The merge of one commit onto `onto`: its tree, and what was left out. */
const applyCommit = async (
  { options, run, signal, shunned }: Tools,
  { id, parent }: OwnCommit,
  onto: string,
): Promise<{ readonly tree: string; readonly own: Parameters<typeof noteParked>[1] | null }> => {
  const base = await composeMergeInput(run, `${parent}^{tree}`, [])
  const [ours, theirs] = [
    await composeMergeInput(run, `${id}^{tree}`, [base]),
    await composeMergeInput(run, `${onto}^{tree}`, [base]),
  ]
  const { tree, own } = await mergeSides({ options, run, signal, sides: { bases: [base], ours, theirs } })
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', onto, tree]
  const changes = pathChangesOf((await run(args)).toString('utf8'))
  const files = [...changes].flatMap(([path, { blob }]) => (blob !== null && shunned.has(blob) ? [path] : []))
  if (files.length === 0) return { tree, own }
  const reasons = files.map(path => `${path} (purged)`)
  return { tree: `${onto}^{tree}`, own: { tree: own?.tree ?? tree, files, reasons } }
}
