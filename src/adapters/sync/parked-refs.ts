import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { GitResult } from '#src/adapters/git/git-command.js'
import type { ParkedRef, Remote } from '#src/ports/git.js'
import { gitFolder } from '../landing/failure.js'
import { countStaleLock } from '../landing/index-lock.js'
import { isMergeDraft } from './merge/blobs.js'
import { mergeFolderName, treeIndexName } from './merge/merge-tree.js'
import { rewrittenRef } from './remote/follow-tip.js'
import { fetchedRef } from './remote/run-git.js'

/** Names the commit that took the place of another one, which is the end of the name. */
export const replacedFolder = 'refs/svc/replaced/'

/** The refs below `refs/svc/parked/` of a checkout; new ones are numbered in `folder`. */
export const openParkedRefs = (
  local: (args: ReadonlyArray<string>) => Promise<GitResult>,
  folder: string,
): Pick<Remote, 'park' | 'held'> => {
  const listBelow = async (...names: ReadonlyArray<string>): Promise<ReadonlyArray<Parked>> => {
    const format = '--format=%(refname) %(objectname) %(tree) %(parent)'
    return linesOf(await local(['for-each-ref', format, ...names])).map(line => {
      const [ref = '', commit = '', ...word] = line.split(' ')
      return { ref, commit, word: word.join(' ') }
    })
  }

  const park: Remote['park'] = async commit => {
    const own = await listBelow(`${folder}/`)
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

  const held: Remote['held'] = async () => {
    const names = ['refs/svc/parked/', replacedFolder, rewrittenRef, fetchedRef]
    const refs = await listBelow(...names)
    const find = (name: string): CommitId | null => {
      const commit = CommitId.decode(refs.find(({ ref }) => ref === name)?.commit)
      return isLeft(commit) ? null : commit.right
    }
    const [seen, tip] = [find(fetchedRef), find(rewrittenRef)]
    return {
      parked: refs
        .filter(({ ref }) => ref.startsWith('refs/svc/parked/'))
        .map(({ ref, commit }) => ({ ref, commit })),
      rewrite: seen === null || tip === null ? null : { seen, tip: tip === seen ? null : tip },
      replaced: refs.flatMap(({ ref, commit }) => {
        const name = ref.startsWith(replacedFolder) ? ref.slice(replacedFolder.length) : ''
        const [from, to] = [CommitId.decode(name), CommitId.decode(commit)]
        return isLeft(from) || isLeft(to) ? [] : [{ from: from.right, to: to.right }]
      }),
    }
  }

  return { held, park }
}

/**
 * Removes what a killed git or merge of ours left: locks of refs below `refs/svc/`, which only this daemon
 * writes, temporary indexes and folders of merges, and unfinished objects. Call it only before a fetch, when
 * no git of ours is alive. Locks of any other ref may be a person's.
 */
export const sweepLeftovers = async (repo: string, state: string): Promise<void> => {
  const { objects } = await gitFolder(repo)
  const locks = (await filesBelow(join(dirname(objects), 'refs/svc'))).filter(path => path.endsWith('.lock'))
  const indexes = await readdir(state)
  const drafts = indexes.filter(name => treeIndexName.test(name))
  const folders = indexes.filter(name => mergeFolderName.test(name))
  const objectDrafts = (await readdir(objects)).filter(isMergeDraft).map(name => join(objects, name))
  const left = [...objectDrafts, ...[...drafts, ...folders].map(name => join(state, name))]
  for (const path of locks) countStaleLock(path)
  for (const path of [...locks, ...left]) await rm(path, { recursive: true, force: true })
}

const zero = '0'.repeat(40)

/** A ref with the content of its commit: tree and parents. */
interface Parked extends ParkedRef {
  readonly word: string
}

const linesOf = ({ code, stdout }: GitResult): ReadonlyArray<string> =>
  code === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : []

const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, encoding: 'utf8' }).catch(() => [])
  return entries.map(name => join(folder, name))
}
