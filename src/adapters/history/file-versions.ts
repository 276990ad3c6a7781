import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId } from '#protocol/atoms.js'
import { gitText } from '../git/git-command.js'

/** A committed version of one file. */
export interface FileVersion {
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
