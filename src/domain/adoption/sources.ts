import type { SourceFile } from '#src/domain/lore/source-file.js'
import { locationExclusionsPath } from '#src/domain/places/location-exclusions.js'
import { type Manifest, manifestPath, readManifest } from './legacy/manifest.js'
import { registryFiles } from './legacy/registry-files.js'

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
