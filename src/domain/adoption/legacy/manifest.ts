import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { locationExclusionsPath } from '#src/domain/places/projection.js'

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

/** The registry files of a repository, weakest first; equal ranks by path. */
export const registryFiles = (files: Iterable<SourceFile>, manifest: Manifest): ReadonlyArray<SourceFile> => {
  const ranked = [...files].flatMap(file => {
    const rank = rankOf(file.path.normalize('NFC'), manifest)
    return rank === null ? [] : [{ file, rank }]
  })
  ranked.sort((left, right) => {
    if (left.rank !== right.rank) return left.rank > right.rank ? -1 : 1
    return left.file.path < right.file.path ? -1 : 1
  })
  return ranked.map(({ file }) => file)
}

/** The legacy files that adoption reads, as found (FORMATS 9, step 1). */
export interface Sources {
  readonly manifest: Manifest
  /** Weakest first. */
  readonly registry: ReadonlyArray<SourceFile>
  readonly roster: SourceFile | undefined
  readonly history: SourceFile | undefined
  /** The committed list of format 2, else that of the old layout. */
  readonly exclusions: SourceFile | undefined
  readonly migration: SourceFile | undefined
}

/** The files of a tree by their NFC path. */
export type Tree = ReadonlyMap<string, SourceFile>

export const treeOfFiles = (files: Iterable<SourceFile>): Tree =>
  new Map([...files].map(file => [file.path.normalize('NFC'), file]))

/** Finds the legacy files. When a path of the manifest does not exist, the default place is used. */
export const locateSources = (tree: Tree): Sources => {
  const manifest = readManifest(tree.get(manifestPath))
  const inRes = (name: string): SourceFile | undefined =>
    tree.get(`${manifest.resDir}/${name}`) ?? tree.get(`.robot/res/${name}`)
  return {
    manifest,
    registry: registryFiles(tree.values(), manifest),
    roster: tree.get(manifest.playersFile) ?? tree.get('Gracze.md'),
    history: inRes('pu-sessions.md'),
    exclusions: tree.get(locationExclusionsPath) ?? inRes('location-exclusions.txt'),
    migration: tree.get(`${manifest.stateDir}/migration-state.json`) ?? inRes('migration-state.json'),
  }
}

/** The legacy files whose content moves into format 2; they are never read as sessions (D19). */
export const legacyFilesIn = (sources: Sources): ReadonlyArray<SourceFile> =>
  [...sources.registry, sources.roster, sources.history].filter(file => file !== undefined)

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

const shardPattern = /^.[^-]*-.+-ent\.md$/u
const numberPattern = /-(\d+)-ent\.md$/u

const strayFolders = ['', '.robot.new/', '.robot.new/public/player/', '.robot.new/private/']

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Rank of a registry file. The highest is processed first and is the weakest (FORMATS 1.1). Null: no registry
 * file.
 */
const rankOf = (path: string, manifest: Manifest): number | null => {
  if (path === (manifest.entitiesFile ?? 'entities.md')) return Number.POSITIVE_INFINITY
  const folders = manifest.entitiesDir === null ? strayFolders : [...strayFolders, `${manifest.entitiesDir}/`]
  if (folders.some(folder => path === `${folder}entities.md`)) return 3e15
  const name = baseName(path)
  if (!shardPattern.test(name)) return null
  const number = numberPattern.exec(name)
  return number === null ? 2e15 : Math.min(Number(number[1]), 1e15)
}
