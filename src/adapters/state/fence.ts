import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite, sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { makeStateArea } from './state-area.js'

/** The exclusive hold of one process on a state area (D3). */
export interface Fence {
  readonly release: () => void
}

/** The holder's description, as that process wrote it. */
export interface FenceHeld {
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

/** The process that holds the fence of a state area now; null where there is none. */
export const fenceHolder = (state: string): string | null => {
  if (!existsSync(fenceIn(state))) return null
  const fence = lockFence(state)
  if ('holder' in fence) return fence.holder
  fence.release()
  return null
}
