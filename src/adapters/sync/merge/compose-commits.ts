import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { Conflict } from '#src/domain/lore/merging/units.js'
import { printedTextOf, type RunGit } from '../remote/run-git.js'

const person = {
  GIT_AUTHOR_NAME: 'Kronika',
  GIT_AUTHOR_EMAIL: 'kronika@localhost',
  GIT_COMMITTER_NAME: 'Kronika',
  GIT_COMMITTER_EMAIL: 'kronika@localhost',
}

/** Makes a commit of the daemon; `dates` are git's variables for the two dates. */
export const commitTree = (
  run: RunGit,
  tree: string,
  parents: ReadonlyArray<string>,
  message: string,
  dates: Readonly<Record<string, string>> = {},
): Promise<string> =>
  printedTextOf(
    run(['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-F', '-'], {
      input: message,
      env: { ...person, ...dates },
    }),
  )

/** Makes a commit as input for git's merge; no ref ever names it. */
export const composeMergeInput = (
  run: RunGit,
  tree: string,
  parents: ReadonlyArray<string>,
): Promise<string> => commitTree(run, tree, parents, 'sync: what git merges\n')

/** A merge commit for the history. */
export interface MergeCommit {
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly subject: string
  readonly body: ReadonlyArray<string>
  readonly atMs: number
}

export const composeMerge = async (
  run: RunGit,
  { tree, parents, subject, body, atMs }: MergeCommit,
): Promise<CommitId> => {
  const date = `${Math.floor(atMs / 1000)} +0000`
  const message = [subject, '', ...body, 'Svc-Actor: machine', 'Svc-Route: sync', ''].join('\n')
  const id = await commitTree(run, tree, parents, message, {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  })
  const known = CommitId.decode(id)
  if (isLeft(known)) throw new Error('git commit-tree named no commit')
  return known.right
}

/** The name of a row, block or file in a text for people. */
export const describeConflict = (path: string, { block, row, cause }: Conflict): string =>
  `${path}${block === null ? '' : ` ### ${block}`}${row === null ? '' : ` ${row}`} (${cause})`

export const describeParked = (reasons: ReadonlyArray<string>): ReadonlyArray<string> => [
  'Changes of this host that a merge left out, because others published a different value:',
  ...reasons.map(line => `- ${line}`),
  '',
]
