import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms/commit.js'
import type { Conflict, Side } from '#src/lore/merging/conflict.js'
import { type MergedFile, slicedMerge } from '#src/lore/merging/merge-file.js'
import { recordRules } from '#src/lore/merging/record-rules.js'
import { breathing } from '#src/lore/sliced.js'
import type { Fetched, Integrated, RemoteFailure } from '#src/ports/remote.js'
import { withoutContested } from './contested-paths.js'
import { type ConflictedPath, causeOf, mergedTreeOf } from './git-words.js'
import { changedByBoth, listedPaths } from './listed-paths.js'
import { mergeTree, type RunGit } from './merge-tree.js'
import { type SyncGitResult, syncGit } from './sync-git.js'

export interface IntegrateOptions {
  readonly repo: string
  /** The private state area, for the index that the merged tree is made in. */
  readonly state: string
  readonly remote: string
  /** Lets the event loop turn between slices of a merge. */
  readonly breathe: () => Promise<void>
}

const limitMs = 60_000

/** A file of the merge as it will stand; null: it goes. */
interface Resolved {
  readonly path: string
  readonly mode: string
  readonly blob: string | null
}

interface Resolution {
  readonly published: Resolved
  readonly own: Resolved
  readonly conflicts: ReadonlyArray<Conflict>
}

class GitEnded extends Error {
  readonly result: SyncGitResult
  constructor(command: string, result: SyncGitResult) {
    super(`git ${command} failed: ${causeOf(result.stderr)}`)
    this.result = result
  }
}

const failed = (error: unknown): RemoteFailure => ({
  _tag: 'Failed',
  action: error instanceof GitEnded && error.result.timedOut ? 'timeout' : 'failed',
  detail: error instanceof Error ? error.message : String(error),
})

const decoder = new TextDecoder('utf8', { fatal: true, ignoreBOM: true })

const decoded = (bytes: Buffer): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** What a row, block or file is called where a person reads of it. */
const said = (path: string, { block, row, cause }: Conflict): string =>
  `${path}${block === null ? '' : ` ### ${block}`}${row === null ? '' : ` ${row}`} (${cause})`

const author = { GIT_AUTHOR_NAME: 'Kronika', GIT_AUTHOR_EMAIL: 'kronika@localhost' }
const committer = { GIT_COMMITTER_NAME: 'Kronika', GIT_COMMITTER_EMAIL: 'kronika@localhost' }

/**
 * Merges the remote's head into ours without a work tree: git's text merge first, then block and row for
 * what it could not merge (D30). Makes objects alone; no ref moves. What was published stands, our word is
 * in `parked` (ADR 0131).
 */
export const integrate = async (
  { repo, state, remote, breathe }: IntegrateOptions,
  { head, remote: theirs, branch }: Fetched,
  atMs: number,
  signal: AbortSignal,
): Promise<Integrated | RemoteFailure> => {
  const run: RunGit = async (args, more = {}, codes = [0]) => {
    const result = await syncGit(args, { cwd: repo, signal, limitMs, ...more })
    if (result.code === null || !codes.includes(result.code)) throw new GitEnded(args[0] ?? '', result)
    return result.stdout
  }
  const text = async (...args: Parameters<typeof run>): Promise<string> =>
    (await run(...args)).toString('utf8').trim()
  const content = (blob: string): Promise<Buffer> => run(['cat-file', 'blob', blob])

  /**
   * The base of a path: of several merge bases git's own merge may hold conflict marks, then the first one
   * counts.
   */
  const baseOf = async (file: ConflictedPath, bases: ReadonlyArray<string>): Promise<Buffer | null> => {
    const [first, second] = bases
    if (second === undefined || first === undefined) return file.base === null ? null : content(file.base)
    const result = await syncGit(['cat-file', 'blob', `${first}:${file.path}`], {
      cwd: repo,
      signal,
      limitMs,
    })
    return result.code === 0 ? result.stdout : null
  }

  const resolve = async (file: ConflictedPath, bases: ReadonlyArray<string>): Promise<Resolution> => {
    const { path, mode } = file
    const whole = (side: Side): Resolved => ({ path, mode, blob: file[side] })
    const bytes = {
      base: await baseOf(file, bases),
      ours: file.ours === null ? null : await content(file.ours),
      theirs: file.theirs === null ? null : await content(file.theirs),
    }
    const texts = mapped(bytes)
    const isText = (['base', 'ours', 'theirs'] as const).every(
      side => (bytes[side] === null) === (texts[side] === null),
    )
    if (!isText || !mode.startsWith('100'))
      return {
        published: whole('theirs'),
        own: whole('ours'),
        conflicts: [{ block: null, row: null, cause: 'changed' }],
      }
    const merge = (stands: Side): Promise<MergedFile> =>
      breathing(slicedMerge(path, texts, { stands }), breathe)
    const written = async (merged: string | null): Promise<Resolved> => {
      const blob = merged === null ? null : await text(['hash-object', '-w', '--stdin'], { input: merged })
      return { path, mode, blob }
    }
    const { text: stood, conflicts } = await merge('theirs')
    const published = await written(stood)
    const own = conflicts.length === 0 ? published : await written((await merge('ours')).text)
    return { published, own, conflicts }
  }

  /** Lists of records that both sides changed: how git merged their lines says nothing of the records. */
  const bothChanged = async (bases: ReadonlyArray<string>): Promise<ReadonlyArray<ConflictedPath>> => {
    const paths = [...recordRules.keys()]
    const at = async (commit: string | undefined) =>
      commit === undefined ? [] : listedPaths(await text(['ls-tree', '-z', commit, '--', ...paths]))
    return changedByBoth({ base: await at(bases[0]), ours: await at(head), theirs: await at(theirs ?? head) })
  }

  const treeWith = async (tree: string, files: ReadonlyArray<Resolved>): Promise<string> => {
    const index = join(state, `sync-index-${randomBytes(6).toString('hex')}`)
    const env = { GIT_INDEX_FILE: index }
    const lines = files.map(
      ({ path, mode, blob }) => `${blob === null ? '0' : mode} ${blob ?? zero}\t${path}\0`,
    )
    try {
      await run(['read-tree', tree], { env })
      await run(['update-index', '-z', '--index-info'], { env, input: lines.join('') })
      return await text(['write-tree'], { env })
    } finally {
      await rm(index, { force: true })
      await rm(`${index}.lock`, { force: true })
    }
  }

  const treeWithout = (commit: string, paths: ReadonlyArray<string>): Promise<string> =>
    treeWith(
      commit,
      paths.map(path => ({ path, mode: '0', blob: null })),
    )

  /** A commit that git merges and that no ref ever names. */
  const plainCommit = (tree: string, parents: ReadonlyArray<string>): Promise<string> =>
    text(['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-F', '-'], {
      input: 'sync: what git merges\n',
      env: { ...author, ...committer },
    })

  const commit = async (tree: string, subject: string, body: ReadonlyArray<string>): Promise<CommitId> => {
    const date = `${Math.floor(atMs / 1000)} +0000`
    const message = [subject, '', ...body, 'Svc-Actor: machine', 'Svc-Route: sync', ''].join('\n')
    const id = await text(['commit-tree', tree, '-p', head, '-p', theirs ?? head, '-F', '-'], {
      input: message,
      env: { ...author, ...committer, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    })
    const known = CommitId.decode(id)
    if (isLeft(known)) throw new Error('git commit-tree named no commit')
    return known.right
  }

  try {
    const bases = (await text(['merge-base', '--all', head, theirs ?? head], {}, [0, 1]))
      .split('\n')
      .filter(Boolean)
    if (bases.length === 0)
      return {
        _tag: 'Failed',
        action: 'no_common_history',
        detail: `${remote}/${branch} and this repository share no commit; make one from the other by hand.`,
      }
    bases.sort()
    const { pair, contested } = await withoutContested(
      { run, treeWithout, commit: plainCommit },
      { bases, ours: head, theirs: theirs ?? head },
    )
    const printed = await mergeTree(run, state, pair)
    const merged = mergedTreeOf(printed.toString('utf8'))
    if (merged === null) throw new Error('git merge-tree printed no tree')
    const lists = await bothChanged(bases)
    const conflicted = [...merged.conflicted, ...contested]
    const known = new Set(conflicted.map(file => file.path))
    const wanted = [...conflicted, ...lists.filter(file => !known.has(file.path))]
    const resolutions: Array<Resolution> = []
    for (const file of wanted.sort((one, other) => (one.path < other.path ? -1 : 1)))
      resolutions.push(await resolve(file, bases))
    const open = resolutions.filter(one => one.conflicts.length > 0)
    const made = (side: 'published' | 'own'): Promise<string> =>
      treeWith(
        merged.tree,
        resolutions.map(one => one[side]),
      )
    const tree = resolutions.length === 0 ? merged.tree : await made('published')
    const subject = `sync: merge ${remote}/${branch}`
    if (open.length === 0)
      return {
        _tag: 'Integrated',
        commit: await commit(tree, subject, []),
        resolved: resolutions.length,
        parked: null,
      }
    const reasons = open.flatMap(one => one.conflicts.map(conflict => said(one.published.path, conflict)))
    const lines = [
      'What this host had and others published otherwise:',
      ...reasons.map(line => `- ${line}`),
      '',
    ]
    return {
      _tag: 'Integrated',
      commit: await commit(tree, subject, lines),
      resolved: resolutions.length - open.length,
      parked: {
        commit: await commit(await made('own'), `sync: this host's word against ${remote}/${branch}`, lines),
        files: open.map(one => one.published.path),
        reason: reasons.slice(0, 20).join('; '),
      },
    }
  } catch (error) {
    return failed(error)
  }
}

const zero = '0'.repeat(40)

const mapped = (bytes: {
  readonly base: Buffer | null
  readonly ours: Buffer | null
  readonly theirs: Buffer | null
}): { readonly base: string | null; readonly ours: string | null; readonly theirs: string | null } => ({
  base: bytes.base === null ? null : decoded(bytes.base),
  ours: bytes.ours === null ? null : decoded(bytes.ours),
  theirs: bytes.theirs === null ? null : decoded(bytes.theirs),
})
