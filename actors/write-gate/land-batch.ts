import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { linesOf } from '#src/domain/events/audit-of.js'
import type { Draft, Landing, LandingFailure, TouchedFile } from '#src/ports/git/landing.js'
import { authorOf, commitMessage } from '#src/writing/batch/commit-text.js'
import { composition } from '#src/writing/batch/new-bytes.js'
import type { Ready, SortedBatch } from '#src/writing/batch/sorted-batch.js'
import type { WriteFact } from './after-write.js'
import type { GatePorts } from './ports.js'

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

/** The files of a write that hold uncommitted work of a person. */
export const dirtyFiles = ({ set }: Ready, dirty: ReadonlySet<RepoPath>): ReadonlyArray<string> =>
  set.edits.flatMap(({ path }) => (dirty.has(path) ? [path] : []))

/** What became of the writes of a batch: their commits by place, and the files that kept others from landing. */
export interface LandedBatch {
  readonly facts: ReadonlyArray<WriteFact>
  readonly commits: ReadonlyMap<number, CommitId>
  readonly dirty: ReadonlySet<RepoPath>
  /** Why index or work tree are behind the branch, though the commits stand. */
  readonly unfinished: LandingFailure | null
}

const factOf = (
  { request, set }: Ready,
  draft: Draft | undefined,
  commit: CommitId | undefined,
): ReadonlyArray<WriteFact> =>
  draft === undefined || commit === undefined
    ? []
    : [
        {
          commit,
          route: request.route,
          actor: request.actor.name,
          token: request.actor.token,
          intent: draft.intent,
          subject: set.subject,
          touches: set.touches,
          audit: set.audit ?? [],
        },
      ]

/** Lands writes that were planned on one commit, each as a commit; those that meet work of a person stay out. */
export const landBatch = async (
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
  let drafts: ReadonlyArray<Draft> = []
  const compose = (found: ReadonlySet<RepoPath>): ReadonlyArray<Draft> => {
    dirty = found
    clean = ready.filter(one => isClean(one, found))
    const composed = composition(bytes)
    drafts = clean.map(({ request, set }) => {
      const intent = ports.newIntent()
      const { actor, route } = request
      return {
        intent,
        actor: actor.name,
        route,
        author: authorOf(actor),
        message: commitMessage(set.subject, intent, request),
        after: composed.after(set.edits),
        audit: linesOf({ ...set, intent, route, actor: actor.name, token: actor.token }),
      }
    })
    return drafts
  }
  const outcome = await landing.land({ base, files, compose, atMs: ports.nowMs() }, signal)
  if (isLeft(outcome)) return outcome
  const { commits, unfinished = null } = outcome.right
  return right({
    dirty,
    unfinished,
    facts: clean.flatMap((one, place) => factOf(one, drafts[place], commits[place])),
    commits: new Map(clean.flatMap(({ at }, place) => (commits[place] ? [[at, commits[place]]] : []))),
  })
}
