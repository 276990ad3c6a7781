import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite, sqliteCode } from './sqlite.js'

/** The hold of one process on a state area (D3). */
export interface Fence {
  readonly release: () => void
}

/** Who holds it, as that process wrote it. */
export interface Held {
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

/**
 * Takes the fence of a state area: an exclusively locked SQLite file, which the system frees with the process, however
 * it ends. Node has no flock (D3).
 */
export const takeFence = (state: string, who: string): Fence | Held => {
  mkdirSync(state, { recursive: true })
  const holder = join(state, 'fence.holder')
  const database = openSqlite(join(state, 'fence.db'), 0)
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return { holder: holderOf(holder) }
    throw error
  }
  writeFileSync(holder, `${who}\n`)
  return { release: database.close }
}
