import { randomBytes } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms/commit.js'
import type { FileChange } from '#src/lore/file-change.js'
import type { CommitDraft, CommitFailure, Committer } from '#src/ports/committer.js'
import { git } from './git-command.js'

const quoted = (path: string): string => (path.includes('"') ? `"${path.replaceAll('"', '\\"')}"` : path)

const data = (text: string): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(text, 'utf8')
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]
}

const changeLines = (change: FileChange): ReadonlyArray<Buffer> =>
  change.after === null
    ? [Buffer.from(`D ${quoted(change.path)}\n`)]
    : [Buffer.from(`M 100644 inline ${quoted(change.path)}\n`), ...data(change.after)]

/** The stream that `git fast-import` makes one commit of. */
const stream = (draft: CommitDraft, ref: string): Buffer =>
  Buffer.concat([
    Buffer.from(`commit ${ref}\n`),
    Buffer.from(
      `committer ${draft.author.name} <${draft.author.email}> ${Math.floor(draft.atMs / 1000)} +0000\n`,
    ),
    ...data(draft.message),
    ...(draft.parent === null ? [] : [Buffer.from(`from ${draft.parent}\n`)]),
    ...draft.changes.flatMap(changeLines),
    Buffer.from('\ndone\n'),
  ])

const failed = (reason: string): Either<CommitFailure, never> => left({ _tag: 'Failed', reason })

/** Tracked files that differ from HEAD, in the index or in the work tree. */
const dirtyFiles = async (cwd: string): Promise<Either<CommitFailure, ReadonlyArray<string>>> => {
  const status = await git(['status', '--porcelain=v1', '-z', '--untracked-files=no'], { cwd })
  if (status.code !== 0) return failed(status.stderr.trim())
  const rows = status.stdout.toString('utf8').split('\0')
  return right(rows.filter(row => row.length > 3).map(row => row.slice(3)))
}

/**
 * `read-tree -m` with one tree where there is no commit yet, with two otherwise: it refuses to touch what is
 * not its own.
 */
const checkout = async (
  cwd: string,
  draft: CommitDraft,
  commit: string,
  dryRun: boolean,
): Promise<string | null> => {
  const trees = draft.parent === null ? [commit] : [draft.parent, commit]
  const result = await git(['read-tree', '-m', '-u', ...(dryRun ? ['-n'] : []), ...trees], { cwd })
  return result.code === 0 ? null : result.stderr.trim()
}

/** Paths that git names in a refusal of `read-tree`, each on a line of its own or in quotes. */
const refusedFiles = (stderr: string): ReadonlyArray<string> =>
  [...stderr.matchAll(/(?:'([^'\n]+)'|^\s+(\S.*)$)/gm)].map(found => found[1] ?? found[2] ?? '')

const land = async (
  cwd: string,
  draft: CommitDraft,
  ref: string,
): Promise<Either<CommitFailure, CommitId>> => {
  const made = await git(['fast-import', '--quiet', '--done', '--date-format=raw'], {
    cwd,
    input: stream(draft, ref),
  })
  if (made.code !== 0) return failed(made.stderr.trim())
  const named = await git(['rev-parse', '--verify', ref], { cwd })
  const commit = CommitId.decode(named.stdout.toString('utf8').trim())
  if (isLeft(commit)) return failed(named.stderr.trim())
  const obstacle = await checkout(cwd, draft, commit.right, true)
  if (obstacle !== null) return left({ _tag: 'Dirty', files: refusedFiles(obstacle) })
  const zero = '0'.repeat(40)
  const moved = await git(['update-ref', '-m', 'kronika', 'HEAD', commit.right, draft.parent ?? zero], {
    cwd,
  })
  if (moved.code !== 0) return left({ _tag: 'Moved' })
  const refusal = await checkout(cwd, draft, commit.right, false)
  return refusal === null
    ? commit
    : failed(`committed ${commit.right}; the work tree was not refreshed: ${refusal}`)
}

/**
 * Commits to the checked-out branch of a repository. Refuses while tracked files are changed; never touches
 * others (D4).
 */
export const gitCommitter =
  (cwd: string): Committer =>
  async draft => {
    await git(['update-index', '-q', '--refresh'], { cwd })
    const dirty = await dirtyFiles(cwd)
    if (isLeft(dirty)) return dirty
    if (dirty.right.length > 0) return left({ _tag: 'Dirty', files: dirty.right })
    const ref = `refs/svc/draft/${randomBytes(8).toString('hex')}`
    try {
      return await land(cwd, draft, ref)
    } finally {
      await git(['update-ref', '-d', ref], { cwd })
    }
  }
