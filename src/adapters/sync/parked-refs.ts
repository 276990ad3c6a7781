import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms/commit.js'
import type { ParkedRef, Remote } from '#src/ports/git/remote.js'
import type { SyncGitResult } from './sync-git.js'

const zero = '0'.repeat(40)

/** A parked ref with the content of its commit: tree and parents. */
interface Parked extends ParkedRef {
  readonly word: string
}

const linesOf = ({ code, stdout }: SyncGitResult): ReadonlyArray<string> =>
  code === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : []

/** The refs below `refs/svc/parked/` of a checkout; new ones are numbered in `folder`. */
export const openParkedRefs = (
  local: (args: ReadonlyArray<string>) => Promise<SyncGitResult>,
  folder: string,
): Pick<Remote, 'park' | 'parked'> => {
  const all = async (): Promise<ReadonlyArray<Parked>> => {
    const format = '--format=%(refname) %(objectname) %(tree) %(parent)'
    return linesOf(await local(['for-each-ref', format, 'refs/svc/parked/'])).map(line => {
      const [ref = '', commit = '', ...word] = line.split(' ')
      return { ref, commit, word: word.join(' ') }
    })
  }

  const park: Remote['park'] = async commit => {
    const own = (await all()).filter(({ ref }) => ref.startsWith(`${folder}/`))
    const [word] = linesOf(await local(['log', '-1', '--format=%T %P', commit, '--']))
    const same = own.find(one => one.word === word)
    const known = CommitId.decode(same?.commit)
    if (same !== undefined && !isLeft(known)) return { ref: same.ref, commit: known.right, isNew: false }
    const last = own.reduce((most, { ref }) => Math.max(most, Number(ref.slice(folder.length + 1)) || 0), 0)
    const ref = `${folder}/${last + 1}`
    const made = await local(['update-ref', ref, commit, zero])
    if (made.code !== 0) throw new Error(`git could not park ${commit}: ${made.stderr.trim()}`)
    return { ref, commit, isNew: true }
  }

  return {
    parked: async () => (await all()).map(({ ref, commit }) => ({ ref, commit })),
    park,
  }
}
