import { type GitBatch, type GitObject, openGitBatch } from '#src/adapters/git/git-batch.js'
import { mergeCeiling } from '#src/domain/lore/merging/merge-file.js'
import { gitLimitMs } from '../remote/run-git.js'

/** A UTF-16 unit takes at most three bytes in UTF-8: a longer blob is above the ceiling and is not read. */
export const mergeBytesMax = 3 * mergeCeiling.charsMax

/** Reads blobs of a checkout through two git processes, however many there are. */
export interface BlobReader {
  /** The size of a blob in bytes; null for an object of another type. Rejects where the object is missing. */
  readonly size: (id: string) => Promise<number | null>
  readonly read: (id: string) => Promise<Buffer>
  readonly has: (id: string) => Promise<boolean>
  readonly close: () => void
}

/** Rejects when `signal` aborts, or git has not answered within its limit. */
const answerOf = (asked: Promise<GitObject | null>, signal: AbortSignal): Promise<GitObject | null> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(new Error('the merge was cancelled')))
    const onLimit = (): void =>
      end(() => reject(new Error(`git cat-file did not answer within ${gitLimitMs / 1000} s`)))
    const timer = setTimeout(onLimit, gitLimitMs)
    signal.addEventListener('abort', onAbort, { once: true })
    asked.then(
      object => end(() => resolve(object)),
      (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
    )
    if (signal.aborted) onAbort()
  })

/** Reads blobs through two git processes that start at the first read. A read of a missing blob throws. */
export const openBlobReader = (repo: string, signal: AbortSignal): BlobReader => {
  const sizes = openGitBatch(repo, 'sizes')
  const contents = openGitBatch(repo)
  const ask = (batch: GitBatch, id: string): Promise<GitObject | null> => answerOf(batch.object(id), signal)
  const objectOf = async (batch: GitBatch, id: string): Promise<GitObject> => {
    const object = await ask(batch, id)
    if (object === null) throw new Error(`the blob ${id} cannot be read; run \`git fsck\``)
    return object
  }
  return {
    size: async id => {
      const { type, size } = await objectOf(sizes, id)
      return type === 'blob' ? size : null
    },
    read: async id => (await objectOf(contents, id)).bytes,
    has: async id => (await ask(sizes, id)) !== null,
    close: () => {
      sizes.close()
      contents.close()
    },
  }
}
