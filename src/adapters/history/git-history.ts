import { isLeft } from 'fp-ts/lib/Either.js'
import { type BlobId, CommitId } from '#protocol/atoms.js'
import { type GitBatch, openGitBatch } from '#src/adapters/git/git-batch.js'
import { gitText, spawnGit } from '#src/adapters/git/git-command.js'
import { endGroup } from '#src/adapters/process-groups.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { GitHistory, PastCommit, PastWanted } from '#src/ports/git.js'
import { listCommits } from './changed-files.js'
import { commitText } from './commit-text.js'
import { makeHistoryTurns } from './turns.js'

/** History by git's own walk: child processes do the work, and this process reads their output. */
export interface OpenHistory extends GitHistory {
  readonly close: () => void
}

export interface HistoryOptions {
  readonly repo: string
  readonly has: GitHistory['has']
  readonly monotonicMs: () => number
  /** Larger files are not read, because a version is split and compared without yielding. */
  readonly bytesMax?: number
  /** How long a walk may last. */
  readonly budgetMs?: number
}

const walksAtOnce = 2
const walksWaiting = 8
/** Time after the budget of a walk before a hanging git is killed. */
const hangMs = 10_000

const dateArgs = ({ fromMs, toMs }: PastWanted): ReadonlyArray<string> => [
  ...(fromMs === null ? [] : [`--max-age=${Math.ceil(fromMs / 1000)}`]),
  ...(toMs === null ? [] : [`--min-age=${Math.floor(toMs / 1000)}`]),
]

const listArgs = (wanted: PastWanted): ReadonlyArray<string> => [
  'rev-list',
  `--skip=${wanted.skip}`,
  `--max-count=${wanted.max}`,
  ...dateArgs(wanted),
  ...(wanted.path === null ? [] : ['--full-history']),
  wanted.head,
  '--',
  ...(wanted.path === null ? [] : [`:(literal,top)${wanted.path}`]),
]

const diffArgs = 'diff-tree --stdin -r -z -c -M -l200 --root --always --no-abbrev --raw'.split(' ')

/**
 * The commits with the files that they changed, as git lists them. Ends its children when the reader stops,
 * for whatever reason.
 */
const readCommits = async function* (
  options: { readonly cwd: string; readonly signal: AbortSignal },
  contents: GitBatch,
  wanted: PastWanted,
): AsyncGenerator<PastCommit> {
  const ids = await gitText(listArgs(wanted), options)
  if (ids === '') return
  const child = spawnGit(diffArgs, options)
  const end = (): void => endGroup(child, 'SIGKILL')
  options.signal.addEventListener('abort', end, { once: true })
  const ended = new Promise<number | null>(resolve => {
    child.on('error', () => resolve(null))
    child.on('close', resolve)
  })
  child.stdin.on('error', () => undefined)
  child.stderr.resume()
  child.stdin.end(`${ids}\n`)
  try {
    for await (const { id, files, cut } of listCommits(child.stdout)) {
      const [commit, object] = [CommitId.decode(id), await contents.object(id)]
      if (isLeft(commit) || object === null)
        throw new Error(`the commit ${id} cannot be read; run \`git fsck\``)
      yield { id: commit.right, ...commitText(object.bytes), files, cut }
    }
    if ((await ended) !== 0) throw new Error('git diff-tree ended early; run `git fsck`')
  } finally {
    options.signal.removeEventListener('abort', end)
    end()
  }
}

/**
 * The history of a checkout, by `git rev-list` and `diff-tree`; `close` ends the children that read objects.
 */
export const openGitHistory = (options: HistoryOptions): OpenHistory => {
  const { repo, has, monotonicMs, bytesMax = 1024 * 1024, budgetMs = 2_000 } = options
  const contents = openGitBatch(repo)
  const sizes = openGitBatch(repo, 'sizes')
  const door = makeHistoryTurns(walksAtOnce, walksWaiting)

  return {
    has,
    commit: async id => {
      const object = await contents.object(id)
      return object?.type === 'commit' ? { id, ...commitText(object.bytes) } : null
    },
    walk: async wanted => {
      const giveBack = await door.take()
      if (giveBack === null) return null
      const startMs = monotonicMs()
      const ending = new AbortController()
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(budgetMs + hangMs)])
      return {
        commits: readCommits({ cwd: repo, signal }, contents, wanted),
        breathe: daemonBreather(),
        spent: () => monotonicMs() - startMs > budgetMs,
        end: () => {
          ending.abort()
          giveBack()
        },
      }
    },
    text: async (blob: BlobId) => {
      const size = (await sizes.object(blob))?.size ?? Number.POSITIVE_INFINITY
      return size > bytesMax ? null : ((await contents.object(blob))?.bytes.toString('utf8') ?? null)
    },
    close: () => {
      contents.close()
      sizes.close()
    },
  }
}
