import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConvergeFailure } from '#protocol/sync.js'

const fileIn = (state: string): string => join(state, 'converge-failed.json')

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
