import { readFile } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { isDamage } from '#src/domain/admin/blockers.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { diskRefusal, refusedPath } from './disk.js'
import { UnreadableIndex } from './index-file.js'

export const detached: LandingFailure = { _tag: 'Detached' }

/** The failure for what git or an error says: with the code of `blocked` where it is one of those causes. */
export const failureOfText = (reason: string): LandingFailure => {
  if (refusedByGit.test(reason)) return { _tag: 'Blocked', code: 'repository_read_only', reason }
  return isDamage(reason) ? { _tag: 'Blocked', code: 'object_damaged', reason } : { _tag: 'Failed', reason }
}

/** The failure for a landing that threw: of the disk, of the checkout, or otherwise with the error's own message. */
export const failureOf = (error: unknown): LandingFailure => {
  const disk = diskRefusal(error)
  if (disk !== null) return { _tag: 'Disk', reason: disk }
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof UnreadableIndex) return { _tag: 'Blocked', code: 'index_unreadable', reason }
  return refusedPath(error) === null
    ? failureOfText(reason)
    : { _tag: 'Blocked', code: 'repository_read_only', reason }
}

/**
 * Text for an answer: paths below the checkout become relative, other paths of the host are replaced
 * (SECURITY 4).
 */
export const hideHostPaths = (repo: string, words: string): string =>
  words.replaceAll(`${repo}/`, '').replaceAll(hostPath, 'a file of the host')

/** A failure as an answer may show it. */
export const hidePathsOfFailure = (repo: string, failure: LandingFailure): LandingFailure => {
  switch (failure._tag) {
    case 'Locked':
      return { ...failure, lock: hidePath(repo, failure.lock) }
    case 'Disk':
    case 'Blocked':
    case 'Unpublished':
    case 'Failed':
      return { ...failure, reason: hideHostPaths(repo, failure.reason) }
    case 'Detached':
    case 'Moved':
    case 'Dirty':
      return failure
  }
}

/**
 * The most files that a landing opens at once: more gain nothing with libuv's four threads, and each uses a
 * descriptor.
 */
export const openAtOnce = 32

/** Does the work for each item, `atOnce` at a time, and returns the results in the order of the items. */
export const mapAtMost = async <A, B>(
  items: ReadonlyArray<A>,
  work: (item: A) => Promise<B>,
  atOnce = openAtOnce,
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}

/** Where git keeps what a landing touches; in a linked worktree these are different folders. */
export interface GitFolder {
  readonly objects: string
  readonly index: string
  readonly head: string
  /** The attributes of this clone, which are not committed. */
  readonly info: string
  /** Our private files beside the index, on its file system. */
  readonly own: string
}

/**
 * Whether HEAD names a branch. A commit made otherwise is on no branch when a person's rebase or bisect ends.
 */
export const isOnBranch = async ({ head }: GitFolder): Promise<boolean> =>
  (await readFile(head, 'utf8')).startsWith('ref: refs/heads/')

/** Asks git where its files are. */
export const gitFolder = async (repo: string): Promise<GitFolder> => {
  const named = await gitText(
    [
      ...['rev-parse', '--path-format=absolute', '--git-dir'],
      ...['objects', 'index', 'info/attributes'].flatMap(path => ['--git-path', path]),
    ],
    { cwd: repo },
  )
  const [directory, objects, index, info] = named.split('\n')
  if (directory === undefined || objects === undefined || index === undefined || info === undefined)
    throw new Error('git did not say where its objects are')
  return { objects, index, info, head: join(directory, 'HEAD'), own: join(directory, 'kronika') }
}

const refusedByGit = /Permission denied|Operation not permitted|Read-only file system/

/** Any path of the host, as errors of node and git quote it. */
const hostPath = /(?<![\w.~-])\/[^\s'":,()]*/gu

const hidePath = (repo: string, path: string): string => {
  const below = isAbsolute(path) ? relative(repo, path) : path
  return below.startsWith('..') ? basename(path) : below
}
