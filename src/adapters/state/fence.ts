import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { openSqlite, sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { folderBesideGit, makeStateArea } from './state-area.js'
import { type StateTrouble, stateTrouble } from './state-trouble.js'

/** The exclusive hold of one process on a state area (D3). */
export interface Fence {
  readonly release: () => void
}

/**
 * Takes the fence of a state area: an exclusively locked SQLite file, which the system frees when the process
 * ends, for whatever reason. Node has no flock (D3).
 */
export const takeFence = (state: string, who: string): Fence | FenceHeld => {
  makeStateArea(state)
  for (const path of [fenceIn(state), holderIn(state)]) makePrivate(path)
  const fence = lockFence(state)
  if (!('holder' in fence)) writeFileSync(holderIn(state), `${who}\n`)
  return fence
}

/**
 * Takes every fence of a checkout, or none. Left: which process holds one of them, or why a folder is not
 * writable. Creates the state area unless the fence in the git directory is held.
 */
export const takeCheckoutFences = (
  repo: string,
  state: string,
  who: string,
): Either<FenceHeld | StateTrouble, Fence> => {
  const taken: Array<Fence> = []
  const beside = folderBesideGit(repo)
  const release = (): void => {
    for (const fence of taken) fence.release()
  }
  for (const folder of fenceFolders(repo, state)) {
    try {
      const fence = takeFence(folder, who)
      if ('holder' in fence) {
        release()
        return left(fence)
      }
      taken.push(fence)
    } catch (error) {
      // The git directory and the state area elsewhere are fenced; writes report what they cannot use there.
      if (folder !== state && folder !== beside && beside !== null) continue
      release()
      return left(stateTrouble(folder, error))
    }
  }
  return right({ release })
}

/** The process that holds a checkout or its state area now; null where there is none. Creates nothing. */
export const checkoutHolder = (repo: string, state: string): string | null => {
  for (const folder of fenceFolders(repo, state)) {
    const holder = fenceHolder(folder)
    if (holder !== null) return holder
  }
  return null
}

/** The holder's description, as that process wrote it. */
interface FenceHeld {
  readonly holder: string
}

const isBusy = (error: unknown): boolean => sqliteCode(error)?.startsWith('SQLITE_BUSY') === true

const holderOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return 'another process'
  }
}

const holderIn = (state: string): string => join(state, 'fence.holder')
const fenceIn = (state: string): string => join(state, 'fence.db')

const lockFence = (state: string): Fence | FenceHeld => {
  const database = openSqlite(fenceIn(state), 0)
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return { holder: holderOf(holderIn(state)) }
    throw error
  }
  return { release: database.close }
}

const ownerOnly = 0o600

/**
 * Makes a missing file, and takes the rights of others from one that an earlier build made. It opens no file that is
 * there: closing it would free the lock of this process on it (POSIX).
 */
const makePrivate = (path: string): void => {
  if (existsSync(path)) chmodSync(path, ownerOnly)
  else closeSync(openSync(path, 'a', ownerOnly))
}

/** The process that holds the fence of a state area now; null where there is none. */
const fenceHolder = (state: string): string | null => {
  if (!existsSync(fenceIn(state))) return null
  const fence = lockFence(state)
  if ('holder' in fence) return fence.holder
  fence.release()
  return null
}

/**
 * The folders whose fences a process takes for one checkout (docs/spec/running.md#one-host), in this order.
 * The first is in the git directory of the checkout (a linked worktree has its own), so that removing the
 * state area does not free the checkout; a plain directory has none.
 */
const fenceFolders = (repo: string, state: string): ReadonlyArray<string> => {
  const beside = folderBesideGit(repo)
  const inside = join(repo, '.svc/state')
  return [...(beside === null ? [] : [beside]), inside, ...(relative(inside, state) === '' ? [] : [state])]
}
