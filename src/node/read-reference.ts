import { readFile } from 'node:fs/promises'
import type { ReadReference, ReferenceFile } from '#src/ports/host.js'
import { referenceFiles } from '#src/reference/page-files.js'

/** Relative to `src/node/` of the sources, and to `dist/src/`, where every file of a built program is. */
const folder = new URL('../../docs/reference/html/', import.meta.url)

const kept = new Map<string, ReferenceFile>()

const typeOf = (name: string): string | undefined =>
  Object.hasOwn(referenceFiles, name) ? referenceFiles[name] : undefined

/**
 * Reads a page of the reference of this version, each file once. Reads only the listed names, so no path
 * leaves the folder. Null for any other name, and where the package was installed without its documents.
 */
export const readReference: ReadReference = async name => {
  const type = typeOf(name)
  if (type === undefined) return null
  const known = kept.get(name)
  if (known !== undefined) return known
  try {
    const file = { type, bytes: await readFile(new URL(name, folder)) }
    kept.set(name, file)
    return file
  } catch {
    return null
  }
}
