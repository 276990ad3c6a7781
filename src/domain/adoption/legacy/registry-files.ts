import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Manifest } from './manifest.js'

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
