import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import { rawLines } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

/**
 * The places of the files of a legacy repository: the manifest over the defaults (FORMATS 1.1). Folders end
 * without a slash.
 */
export interface Manifest {
  readonly path: RepoPath | null
  readonly playersFile: string
  /** The configured registry file; null: `entities.md` at the root. */
  readonly entitiesFile: string | null
  readonly entitiesDir: string | null
  readonly charactersDir: string
  readonly resDir: string
  readonly stateDir: string
  /** Unknown keys, with their values. */
  readonly unknown: ReadonlyArray<{ readonly key: string; readonly value: string; readonly line: number }>
}

export const manifestPath = '.robot-data.psd1'

const pairPattern = /^\s*['"]?([A-Za-z]\w{0,60})['"]?\s*=\s*(?:'((?:[^']|'')*)'|"([^"]*)")/u

const pairsOf = (
  file: SourceFile,
): ReadonlyArray<{ readonly key: string; readonly value: string; readonly line: number }> =>
  rawLines(file.text).flatMap((text, at) => {
    const found = pairPattern.exec(text)
    if (found === null) return []
    const value = found[2] === undefined ? (found[3] ?? '') : found[2].replaceAll("''", "'")
    return [{ key: found[1] ?? '', value, line: at + 1 }]
  })

const pathOf = (value: string | undefined): string | null => {
  const written = (value ?? '').trim().replaceAll('\\', '/')
  const parts = written.split('/').filter(part => part !== '' && part !== '.')
  const path = RepoPath.decode(parts.join('/'))
  return isLeft(path) || written.startsWith('/') ? null : path.right
}

/**
 * Parses `.robot-data.psd1` at the root; without it all places are the defaults. A path outside the root
 * counts as absent.
 */
export const readManifest = (file: SourceFile | undefined): Manifest => {
  const pairs = file === undefined ? [] : pairsOf(file)
  const values = new Map(pairs.map(({ key, value }) => [key.toLowerCase(), value]))
  const known = new Set(['entitiesfile', 'entitiesdir', 'playersfile', 'charactersdir', 'resdir', 'statedir'])
  const resDir = pathOf(values.get('resdir')) ?? '.robot/res'
  return {
    path: file?.path ?? null,
    playersFile: pathOf(values.get('playersfile')) ?? 'Gracze.md',
    entitiesFile: pathOf(values.get('entitiesfile')),
    entitiesDir: pathOf(values.get('entitiesdir')),
    charactersDir: pathOf(values.get('charactersdir')) ?? 'Postaci/Gracze',
    resDir,
    stateDir: pathOf(values.get('statedir')) ?? resDir,
    unknown: pairs.filter(({ key }) => !known.has(key.toLowerCase())),
  }
}
