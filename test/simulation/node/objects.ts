import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'

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
  readonly isAncestor: (ancestor: CommitId, id: CommitId) => boolean
  /** How many commits a commit has before it, itself among them. */
  readonly size: (id: CommitId) => number
  /** Commits that `to` has and `from` has not, each behind its parents. */
  readonly between: (from: CommitId, to: CommitId) => ReadonlyArray<SimCommit>
  /** The first commit of a history. */
  readonly root: (id: CommitId) => CommitId
  /** A common ancestor that is before no other one. */
  readonly mergeBase: (one: CommitId, other: CommitId) => CommitId
}

/** `before`: a bit for each commit that this one has, itself among them, by the order in which they were made. */
interface IndexedCommit {
  readonly commit: SimCommit
  readonly at: number
  readonly before: Uint32Array
  readonly size: number
}

const commitId = (text: string): CommitId => {
  const id = CommitId.decode(createHash('sha1').update(text).digest('hex'))
  if (isLeft(id)) throw new Error('a SHA-1 is a commit id')
  return id.right
}

/** The intent that a commit names; null for one that was made beside the gate. */
export const intentIdOf = ({ message }: SimCommit): string | null =>
  /^Svc-Intent: (.+)$/mu.exec(message)?.[1] ?? null

const has = (bits: Uint32Array, at: number): boolean => (((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1

const union = (at: number, parents: ReadonlyArray<IndexedCommit>): Uint32Array => {
  const bits = new Uint32Array((at >>> 5) + 1)
  for (const parent of parents)
    for (const [word, value] of parent.before.entries()) bits[word] = (bits[word] ?? 0) | value
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31))
  return bits
}

export const openObjects = (): Objects => {
  const byId = new Map<CommitId, IndexedCommit>()
  const made: Array<IndexedCommit> = []
  const kept = (id: CommitId): IndexedCommit => {
    const found = byId.get(id)
    if (found === undefined) throw new Error(`no commit ${id}`)
    return found
  }
  return {
    make: ({ parents, files, message }) => {
      const id = commitId(JSON.stringify([parents, [...files].sort(), message]))
      const known = byId.get(id)
      if (known !== undefined) return known.commit
      const before = union(made.length, parents.map(kept))
      const size = made.reduce((sum, one) => sum + (has(before, one.at) ? 1 : 0), 1)
      const one: IndexedCommit = { commit: { id, parents, files, message }, at: made.length, before, size }
      made.push(one)
      byId.set(id, one)
      return one.commit
    },
    get: id => kept(id).commit,
    isAncestor: (ancestor, id) => has(kept(id).before, kept(ancestor).at),
    size: id => kept(id).size,
    between: (from, to) => {
      const [mine, theirs] = [kept(from).before, kept(to).before]
      return made.filter(({ at }) => has(theirs, at) && !has(mine, at)).map(({ commit }) => commit)
    },
    root: id => {
      let at = kept(id).commit
      for (let up = at.parents[0]; up !== undefined; up = at.parents[0]) at = kept(up).commit
      return at.id
    },
    mergeBase: (one, other) => {
      const [mine, theirs] = [kept(one).before, kept(other).before]
      const base = made.findLast(({ at }) => has(mine, at) && has(theirs, at))
      if (base === undefined) throw new Error('two histories without a common commit')
      return base.commit.id
    },
  }
}
