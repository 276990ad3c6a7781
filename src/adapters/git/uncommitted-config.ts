import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { configBounds } from '#protocol/bounds.js'
import type { TreeSource } from '#src/ports/git.js'

const path = '.svc/config.json'
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The configuration file in a work tree; `Absent` also where it is not a regular file. */
export type LyingConfig =
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'Oversized'; readonly size: number }
  | { readonly _tag: 'Present'; readonly bytes: Buffer }

const absent: LyingConfig = { _tag: 'Absent' }

const readLying = async (repo: string): Promise<LyingConfig> => {
  try {
    const file = await open(join(repo, path), readOnly)
    try {
      const found = await file.stat()
      if (!found.isFile()) return absent
      if (found.size > configBounds.bytes) return { _tag: 'Oversized', size: found.size }
      return { _tag: 'Present', bytes: await file.readFile() }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return absent
    throw error
  }
}

/** Git may write a work tree with the line ends of the system. */
const text = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\r\n', '\n')

const isCommitted = (lying: LyingConfig, committed: Buffer | null): boolean => {
  // A committed file above the bound is ignored, and has its own error.
  if (lying._tag !== 'Present')
    return committed === null ? lying._tag === 'Absent' : committed.length > configBounds.bytes
  return committed !== null && text(lying.bytes) === text(committed)
}

/**
 * The configuration file of a checkout where it differs from the committed one, which alone counts (B 8);
 * otherwise null. Compares bytes: `git status` would run filters that a hostile checkout names (ADR 1017).
 * Null for a plain directory, which has no commits.
 */
export const readUncommittedConfig = async (source: TreeSource): Promise<LyingConfig | null> => {
  if (source.kind !== 'git') return null
  const [lying, found] = [await readLying(source.path), await source.file(path)]
  return isCommitted(lying, found?.bytes ?? null) ? null : lying
}
