import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ConvergeLint } from '#protocol/places.js'

const lintFileIn = (state: string): string => join(state, 'converge-lint.json')

/** The lint that the last converge recorded; null where there is none, or none that is readable. */
export const readLintRecord = (state: string): ConvergeLint | null => {
  try {
    const record = ConvergeLint.decode(JSON.parse(readFileSync(lintFileIn(state), 'utf8')))
    return isLeft(record) ? null : record.right
  } catch {
    return null
  }
}

const writeAndSync = (path: string, flags: string, write: (handle: number) => void): void => {
  const handle = openSync(path, flags, 0o600)
  try {
    write(handle)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Replaces the record atomically: a reader, and a boot after a crash, finds the old one or the new one. */
export const writeLintRecord = (state: string, record: ConvergeLint): void => {
  const draft = `${lintFileIn(state)}.new`
  writeAndSync(draft, 'w', handle => writeFileSync(handle, JSON.stringify(record)))
  renameSync(draft, lintFileIn(state))
  writeAndSync(state, 'r', () => undefined)
}
