import { isRight } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'

/** Begins the record of a commit in the output of git. */
const recordStart = '\0'

/**
 * The arguments of `git log` for the changes of one file and the merges that join them. Children come before their
 * parents. A merge has a record for each parent with another version of the file.
 */
export const changeLogArgs = (tip: string, path: string): ReadonlyArray<string> => [
  ...['log', '--simplify-merges', '--topo-order', '--parents', '--no-follow', '--format=%x00%H %P'],
  ...['--diff-merges=separate', '--raw', '--no-abbrev', '--no-renames', tip, '--', path],
]

interface Change {
  readonly parents: ReadonlyArray<string>
  /** Mode and blob after the commit; null of a merge whose parents all have its version. */
  readonly version: string | null
}

/** Changes by commit, children first. */
const readChanges = (output: string): ReadonlyMap<string, Change> => {
  const changes = new Map<string, Change>()
  for (const record of output.split(recordStart).slice(1)) {
    const [head = '', ...lines] = record.split('\n')
    const [id = '', ...parents] = head.trim().split(' ')
    const raw = lines.find(line => line.startsWith(':'))
    const [, mode = '', , blob = ''] = raw?.split(' ') ?? []
    changes.set(id, { parents, version: raw === undefined ? null : `${mode} ${blob}` })
  }
  return changes
}

/**
 * The commit that brought the version of the file at the first commit of `changeLogArgs`; null where no commit has
 * changed the file. A side whose version a merge did not keep does not count, whatever it changed. A merge counts where
 * it has the version of none of its sides. Of two commits that brought the version the descendant counts.
 */
export const findLastChange = (output: string): CommitId | null => {
  const changes = readChanges(output)
  const versionOf = (id: string): string | null => {
    const change = changes.get(id)
    if (change === undefined) return null
    const [parent] = change.parents
    return change.version ?? (parent === undefined ? null : versionOf(parent))
  }
  const [tip] = changes.keys()
  const kept = new Set(tip === undefined ? [] : [tip])
  // Children come first, so every commit that leads to another one was looked at before it.
  for (const [id, { parents }] of changes) {
    if (!kept.has(id)) continue
    const sides = parents.filter(parent => versionOf(parent) === versionOf(id))
    if (sides.length === 0) {
      const commit = CommitId.decode(id)
      return isRight(commit) ? commit.right : null
    }
    for (const side of sides) kept.add(side)
  }
  return null
}
