import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId } from '#protocol/atoms.js'
import { type GitBatch, openGitBatch } from '#src/adapters/git/git-batch.js'
import { endGroup } from '#src/adapters/process-groups.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { GitHistory, LineOrigin, PastCommit, PastWanted } from '#src/ports/git.js'
import { git, gitText, spawnGit } from '../git/git-command.js'
import { listCommits } from './unified-diff.js'

/** History by git's own walk: child processes do the work, and this process reads their output. */
export interface OpenHistory extends GitHistory {
  readonly close: () => void
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

/**
 * The author, time and message of a commit, from the text of its object. Never throws: missing parts are
 * empty.
 */
export const commitText = (bytes: Buffer): Omit<PastCommit, 'id' | 'files' | 'cut'> => {
  const text = bytes.toString('utf8')
  const end = text.indexOf('\n\n')
  const head = (end < 0 ? text : text.slice(0, end)).split('\n')
  const message = end < 0 ? '' : text.slice(end + 2, end + 2 + messageMax)
  const line = (key: string): string =>
    head.find(one => one.startsWith(`${key} `))?.slice(key.length + 1) ?? ''
  const author = signature(line('author'))
  return {
    author: author.name,
    authoredMs: author.atMs,
    committedMs: signature(line('committer')).atMs,
    subject: message.trimStart().split('\n', 1)[0]?.trim() ?? '',
    trailers: trailersOf(message),
    bytes,
  }
}

/**
 * The versions of a file on the branch of HEAD, newest first, at most `max`. A merge counts as one version.
 * Walks the history only as far as needed. Throws where git fails or takes longer than 30 s.
 */
export const fileVersions = async (
  repo: string,
  path: string,
  max: number,
): Promise<ReadonlyArray<FileVersion>> => {
  const walk = 'log -m --first-parent --raw --no-abbrev --no-renames --no-ext-diff --no-textconv --format=%H'
  const printed = await gitText(
    [...walk.split(' '), `--max-count=${max}`, 'HEAD', '--', `:(literal,top)${path}`],
    { cwd: repo, limitMs },
  )
  let commit = ''
  return printed.split('\n').flatMap(line => {
    if (line.startsWith(':')) return versionOf(commit, line)
    if (line !== '') commit = line
    return []
  })
}

/** The commit that added each line of a file as it is in `at`. Empty where git fails. */
export const lineOrigins =
  (repo: string) =>
  async (at: CommitId, path: string): Promise<ReadonlyArray<LineOrigin>> => {
    const settings = ['-c', 'blame.ignoreRevsFile=']
    const result = await git([...settings, 'blame', '--porcelain', '--no-textconv', at, '--', path], {
      cwd: repo,
    })
    return result.code === 0 ? readPorcelain(result.stdout.toString('utf8')) : []
  }

interface HistoryOptions {
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

const lastMs = Date.UTC(9999, 11, 31)

/** The name and time of `Name <address> 1700000000 +0100`; the address is private and dropped. */
const signature = (text: string): { readonly name: string; readonly atMs: number } => {
  const name = text.split('<', 1)[0]?.trim() ?? ''
  const seconds = Number(/(\d{1,15}) [+-]\d{4}$/.exec(text.slice(-40))?.[1] ?? 0)
  return { name, atMs: Math.min(seconds * 1000, lastMs) }
}

const trailersOf = (message: string): PastCommit['trailers'] => {
  const last =
    message
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  const of = (key: string): string | null => {
    const line = last.split('\n').findLast(one => one.startsWith(`${key}: `))
    return line === undefined ? null : line.slice(key.length + 2).trim()
  }
  return { actor: of('Svc-Actor'), route: of('Svc-Route'), intent: of('Svc-Intent') }
}

const messageMax = 64 * 1024

/** A committed version of one file. */
interface FileVersion {
  readonly commit: CommitId
  readonly blob: BlobId
}

const limitMs = 30_000
const row = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]/

const versionOf = (commit: string, line: string): ReadonlyArray<FileVersion> => {
  const [id, blob] = [CommitId.decode(commit), BlobId.decode(row.exec(line)?.[1])]
  // A version that removed the file has the id of zeros, which is not a blob.
  return isLeft(id) || isLeft(blob) || /^0+$/.test(blob.right) ? [] : [{ commit: id.right, blob: blob.right }]
}

/**
 * Parses `git blame --porcelain`: a head per line that begins with the commit, and the line itself after a
 * tab.
 */
const readPorcelain = (text: string): ReadonlyArray<LineOrigin> => {
  const origins: Array<LineOrigin> = []
  let commit: CommitId | null = null
  for (const row of text.split('\n')) {
    if (row.startsWith('\t')) {
      if (commit !== null) origins.push({ commit, line: row.slice(1).replace(/\r$/u, '') })
      continue
    }
    const id = /^([0-9a-f]{40}) \d+ \d+/u.exec(row)?.[1]
    if (id === undefined) continue
    const read = CommitId.decode(id)
    commit = isLeft(read) ? null : read.right
  }
  return origins
}

/** Limits work that costs a child process: a few at a time, and a few more in a queue. */
interface HistoryTurns {
  /** Resolves to the function that ends the turn; null where the queue is full. */
  readonly take: () => Promise<(() => void) | null>
}

/** At most `atOnce` turns at a time; at most `waitingMax` callers wait for one. */
const makeHistoryTurns = (atOnce: number, waitingMax: number): HistoryTurns => {
  let taken = 0
  const waiting: Array<() => void> = []
  const giveBack = (): (() => void) => {
    let given = false
    return () => {
      if (given) return
      given = true
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else next()
    }
  }
  return {
    take: async () => {
      if (taken < atOnce) taken += 1
      else {
        if (waiting.length >= waitingMax) return null
        await new Promise<void>(resolve => waiting.push(resolve))
      }
      return giveBack()
    },
  }
}
