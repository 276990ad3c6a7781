import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ConvergeFailure } from '#protocol/host/sync.js'
import { ConvergeLint } from '#protocol/lore/places.js'

/**
 * The failure that the last converge recorded; null where it succeeded, where none is recorded, and where the
 * record has another form. Throws where a record exists and cannot be read.
 */
export const readConvergeFailure = (state: string): ConvergeFailure | null => {
  let text: string
  try {
    text = readFileSync(fileIn(state), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    const record: unknown = JSON.parse(text)
    return ConvergeFailure.is(record) ? record : null
  } catch {
    // Not JSON: another build wrote it, or the disk lost it. The next converge replaces it.
    return null
  }
}

/** Stores how a converge failed; null: it succeeded. It is only a hint for `doctor`, so it is not fsynced. */
export const writeConvergeFailure = (state: string, failure: ConvergeFailure | null): void => {
  if (failure === null) return rmSync(fileIn(state), { force: true })
  const draft = `${fileIn(state)}.new`
  writeFileSync(draft, JSON.stringify(failure), { mode: 0o600 })
  renameSync(draft, fileIn(state))
}

/** The lint that the last converge recorded; null where there is none, or none that is readable. */
export const readLintRecord = (state: string): ConvergeLint | null => {
  try {
    const record = ConvergeLint.decode(JSON.parse(readFileSync(lintFileIn(state), 'utf8')))
    return isLeft(record) ? null : record.right
  } catch {
    return null
  }
}

/** Replaces the record atomically: a reader, and a boot after a crash, finds the old one or the new one. */
export const writeLintRecord = (state: string, record: ConvergeLint): void => {
  const draft = `${lintFileIn(state)}.new`
  writeAndSync(draft, 'w', handle => writeFileSync(handle, JSON.stringify(record)))
  renameSync(draft, lintFileIn(state))
  writeAndSync(state, 'r', () => undefined)
}

const fileIn = (state: string): string => join(state, 'converge-failed.json')

const lintFileIn = (state: string): string => join(state, 'converge-lint.json')

const writeAndSync = (path: string, flags: string, write: (handle: number) => void): void => {
  const handle = openSync(path, flags, 0o600)
  try {
    write(handle)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
