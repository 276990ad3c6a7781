import { right } from 'fp-ts/lib/Either.js'
import { hasHiddenCharacter, nfc, pathOf, type RepoPath } from '#protocol/atoms.js'
import type { Config } from '#protocol/config.js'
import { roleOf, type SourceFile, segmentFault } from '#src/domain/lore/layout.js'
import { lossFault } from '#src/domain/lore/rows.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { rejectValue, type Valued } from './values.js'

/** The file that a session is written to; `file` is null when the write creates it. */
export interface SessionFileTarget {
  readonly path: RepoPath
  readonly file: SourceFile | null
}

const shady = /^[.~-]|[. ]$/u

/**
 * Whether every file system can hold a segment and no tool gives it a special meaning (SECURITY 4.8,
 * docs/spec/security.md#security-4-8-26).
 */
const isPlain = (segment: string): boolean =>
  segment.trim() === segment &&
  !shady.test(segment) &&
  !hasHiddenCharacter(segment) &&
  lossFault(segment) === null &&
  segmentFault(segment) === null

const pathBytesMax = 1024

const isNewPath = (path: string): boolean =>
  Buffer.byteLength(path) <= pathBytesMax && path.split('/').every(isPlain)

const corporaKeys = [
  'corpora.dziel',
  'corpora.logi',
  'corpora.adnotacje',
  'corpora.probki',
  'corpora.lang',
  'corpora.mc',
] as const

/** Where a store lies if its key is empty: in this folder of the lore. */
const inLore: Partial<Readonly<Record<(typeof corporaKeys)[number], string>>> = {
  'corpora.logi': 'logi',
  'corpora.lang': 'jezyk',
}

/** The folders that the configuration assigns to other repositories and stores, relative to the lore. */
const corporaIn = (config: Config): ReadonlyArray<string> =>
  corporaKeys
    .map(key => (config[key] === '' ? (inLore[key] ?? '') : config[key]))
    .map(path => nfc(path).replace(/^\.\//u, '').replace(/\/$/u, '').toLowerCase())
    .filter(path => path !== '' && path !== '.')

const liesIn = (folders: ReadonlyArray<string>, path: string): boolean =>
  folders.some(folder => `${path.toLowerCase()}/`.startsWith(`${folder}/`))

/** Whether a file exists where the path needs a folder, or the reverse. */
const isBlocked = (files: ReadonlyMap<string, SourceFile>, path: string): boolean => {
  const wanted = path.toLowerCase()
  for (const known of files.keys()) {
    const other = nfc(known).toLowerCase()
    if (other === wanted || other.startsWith(`${wanted}/`) || wanted.startsWith(`${other}/`)) return true
  }
  return false
}

const fileAt = (files: ReadonlyMap<string, SourceFile>, path: string): SourceFile | null => {
  const known = files.get(path)
  if (known !== undefined) return known
  for (const file of files.values()) if (nfc(file.path) === path) return file
  return null
}

/** The session file that a request names: an existing one, or a new one with a plain name (LAYOUT, D19). */
export const sessionTarget = ({ files, config }: Snapshot, text: string): Valued<SessionFileTarget> => {
  const path = pathOf(nfc(text))
  if (path === null || roleOf(path) !== 'sessions')
    return rejectValue(
      'file',
      'Send the path of a Markdown file of sessions from the root, as sesje/2026.md.',
    )
  const corpora = corporaIn(config)
  if (liesIn(corpora, path))
    return rejectValue('file', `Send a path outside ${corpora.join(', ')}, which belong to other stores.`)
  const file = fileAt(files, path)
  if (file?.undecodable === true)
    return rejectValue('file', 'The file is not UTF-8. Convert it to UTF-8 first.')
  if (file !== null) return right({ path: file.path, file })
  if (!isNewPath(path) || isBlocked(files, path))
    return rejectValue('file', 'Send a name without signs that paths cannot hold, not taken by another file.')
  return right({ path, file: null })
}
