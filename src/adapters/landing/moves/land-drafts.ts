import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { BlobId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { Batch, Landed, LandingFailure } from '#src/ports/git/landing.js'
import { type Found, found } from '../checkout/dirty.js'
import { type Chain, chainOf } from '../objects/chain.js'
import { type MovedFile, sealMove } from '../objects/seal.js'
import { intentsOf, toldTo } from '../told.js'
import { type LandingContext, sealPortsOf } from './context.js'
import { holdBase } from './hold-base.js'
import { finishSealed } from './mend.js'

/** What the whole chain makes of each file: the last draft that touches it says. */
const movedFiles = (batch: Batch, chain: Chain, { lying }: Found): ReadonlyArray<MovedFile> => {
  const before = new Map<RepoPath, BlobId | null>(batch.files.map(file => [file.path, file.before]))
  const last = new Map(chain.files.flatMap(files => [...files]))
  return [...last].map(([path, blob]) => ({
    path,
    before: before.get(path) ?? null,
    after: blob === null ? null : { mode: null, id: blob.id, bytes: blob.content },
    lying: lying.get(path) ?? { _tag: 'Absent' },
  }))
}

/** Makes the commits of a batch and moves the branch to the last of them. */
export const landDrafts = (
  context: LandingContext,
  batch: Batch,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, Landed>> =>
  holdBase(context, batch.base, async (held, folder) => {
    const lies = await found(context.repo, held, batch.files)
    const drafts = batch.compose(lies.dirty)
    if (drafts.length === 0) return right({ commits: [], left: [] })
    const chain = await chainOf(context.objects, batch.base, drafts, batch.atMs, batch.sign)
    const to = chain.commits.at(-1)
    if (to === undefined) throw new Error('a draft makes a commit')
    const sealed = await sealMove(
      sealPortsOf(context, folder),
      held,
      {
        from: batch.base,
        to,
        atMs: batch.atMs,
        objects: chain.objects,
        files: movedFiles(batch, chain, lies),
        ...toldTo(context.intents, intentsOf(batch, drafts, chain)),
      },
      superseded,
    )
    return isLeft(sealed) ? sealed : right(await finishSealed(context, sealed.right, chain.commits))
  })
