import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { Write, WriteOutcome } from '#actors/write-gate/messages.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { unifiedDiff } from '#src/adapters/unified-diff.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import type { WritePort, WriteRequest } from '#src/corpus/write-plan.js'
import { type BeforeWrite, rejected } from '#src/corpus/writing/hooks.js'
import { composition } from '#src/corpus/writing/new-bytes.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/ref.js'
import type { TouchedFile } from '#src/ports/landing.js'
import type { TreeSource } from '#src/ports/tree-source.js'

export interface WritePortParts {
  readonly gate: Ref<Write>
  readonly snapshot: () => Snapshot | null
  readonly read: (file: TouchedFile) => Promise<Buffer | null>
  readonly hooks: ReadonlyArray<BeforeWrite>
  readonly nowMs: () => number
}

/** The bytes of a committed file by its blob. */
export const committedBytes =
  (source: TreeSource) =>
  ({ path, before }: TouchedFile): Promise<Buffer | null> =>
    before === null ? Promise.resolve(null) : source.read({ path, blob: before, bytes: 0 })

/** Longer than the slowest batch before it: an asker that gives up does not know what became of its write. */
const writeDeadlineMs = 60_000

const unanswered = (failure: AskFailure): Refusal => {
  switch (failure._tag) {
    case 'Timeout':
    case 'Faulted':
      return refuse(
        'Overloaded',
        'The write gate did not answer in time; the write may stand. Read before you send it again.',
      )
    case 'Full':
    case 'Gone':
    case 'Unavailable':
    case 'Undecodable':
      return refuse('Overloaded', 'The write gate is away or full; nothing was written. Try again.')
    default:
      return absurd(failure)
  }
}

const textOf = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null

/** What a write would do, without the gate: nothing here can write (A 1, S17). */
const preview = async (
  parts: WritePortParts,
  snapshot: Snapshot,
  request: WriteRequest<unknown>,
): Promise<WriteOutcome> => {
  const planned = request.plan(snapshot, parts.nowMs())
  if (isLeft(planned)) return planned
  const { edits, preview: body } = planned.right
  const rejection = rejected(parts.hooks, snapshot, planned.right)
  if (rejection !== null) return left(rejection)
  const before = new Map<RepoPath, Buffer>()
  for (const edit of edits) {
    const bytes = edit.before === null ? null : await parts.read(edit)
    if (bytes !== null) before.set(edit.path, bytes)
  }
  const after = composition(before).after(edits)
  const changes = edits.map(({ path }) => ({
    path,
    before: textOf(before.get(path) ?? null),
    after: textOf(after.get(path) ?? null),
  }))
  return right({ status: null, body: { ...body, diff: unifiedDiff(changes) }, commit: snapshot.commit })
}

/** The one door for writes: a dry run is answered here, everything else by the gate. */
export const writePort =
  (parts: WritePortParts): WritePort =>
  async request => {
    const snapshot = parts.snapshot()
    if (snapshot === null) return left(refuse('Starting', 'The lore is being read; try again in a second.'))
    if (request.dryRun) return preview(parts, snapshot, request)
    const asked = (replyTo: ReplyTo<WriteOutcome>): Write => ({ _tag: 'Write', request, replyTo })
    const answer = await ask<Write, WriteOutcome>(parts.gate, asked, writeDeadlineMs)
    return isLeft(answer) ? left(unanswered(answer.left)) : answer.right
  }
