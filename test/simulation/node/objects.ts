import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms/commit.js'

/** A commit as a value: what git would say of it, with the texts of its files by path. */
export interface SimCommit {
  readonly id: CommitId
  readonly parents: ReadonlyArray<CommitId>
  readonly files: ReadonlyMap<string, string>
  readonly message: string
}

/** Every commit that was ever made in one simulated world. Who has which of them, a repository says. */
export interface Objects {
  readonly make: (commit: Omit<SimCommit, 'id'>) => SimCommit
  readonly get: (id: CommitId) => SimCommit
  /** The commit and all before it. */
  readonly history: (id: CommitId) => ReadonlySet<CommitId>
  readonly isAncestor: (ancestor: CommitId, id: CommitId) => boolean
  /** The nearest common ancestor; null where there is none. */
  readonly mergeBase: (one: CommitId, other: CommitId) => CommitId | null
}

const commitId = (text: string): CommitId => {
  const id = CommitId.decode(createHash('sha1').update(text).digest('hex'))
  if (isLeft(id)) throw new Error('a SHA-1 is a commit id')
  return id.right
}

/** The intent that a commit names; null for one that was made beside the daemons. */
export const intentOf = ({ message }: SimCommit): string | null =>
  /^Svc-Intent: (.+)$/mu.exec(message)?.[1] ?? null

export const openObjects = (): Objects => {
  const commits = new Map<CommitId, SimCommit>()
  const histories = new Map<CommitId, ReadonlySet<CommitId>>()
  const get = (id: CommitId): SimCommit => {
    const commit = commits.get(id)
    if (commit === undefined) throw new Error(`no commit ${id}`)
    return commit
  }
  const history = (id: CommitId): ReadonlySet<CommitId> => {
    const known = histories.get(id)
    if (known !== undefined) return known
    const seen = new Set([id])
    for (const parent of get(id).parents) for (const one of history(parent)) seen.add(one)
    histories.set(id, seen)
    return seen
  }
  return {
    make: ({ parents, files, message }) => {
      const id = commitId(JSON.stringify([parents, [...files].sort(), message]))
      const commit = { id, parents, files, message }
      commits.set(id, commit)
      return commit
    },
    get,
    history,
    isAncestor: (ancestor, id) => history(id).has(ancestor),
    mergeBase: (one, other) => {
      const mine = history(one)
      const common = [...history(other)].filter(id => mine.has(id))
      return common.sort((a, b) => history(b).size - history(a).size)[0] ?? null
    },
  }
}
