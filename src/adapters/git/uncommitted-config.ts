import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { configBounds } from '#protocol/bounds.js'
import type { TreeSource } from '#src/ports/git/tree-source.js'

const path = '.svc/config.json'
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What lies in the work tree; null where there is no plain file of a size that a configuration may have. */
const worked = async (repo: string): Promise<Buffer | null> => {
  try {
    const file = await open(join(repo, path), readOnly)
    try {
      const found = await file.stat()
      return found.isFile() && found.size <= configBounds.bytes ? await file.readFile() : null
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/** Git may write the line ends of a work tree as the system has them. */
const text = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\r\n', '\n')

/**
 * Whether the configuration that lies in a checkout is not the committed one, which alone counts (B 8). Bytes are
 * compared: `git status` would run filters that a hostile checkout names (ADR 0134). A plain directory has no commits.
 */
export const hasUncommittedConfig = async (source: TreeSource): Promise<boolean> => {
  if (source.kind !== 'git') return false
  const [lying, found] = [await worked(source.path), await source.file(path)]
  // A committed file above the bound does not count, which has an error of its own.
  if (lying === null && found !== null && found.bytes.length > configBounds.bytes) return false
  if (lying === null || found === null) return (lying === null) !== (found === null)
  return text(lying) !== text(found.bytes)
}
