import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { TreeSource } from '#src/ports/git/tree-source.js'
import { boundTreeSource, type SourceBounds } from './bounded-source.js'
import { git } from './git-command.js'
import { openGitSource } from './git-source.js'
import { openNamedFolder } from './named-folder.js'

/** Why a tree of `corpora.*` is not opened. */
export type TreeRefusal = 'path' | 'silent' | 'neither'

const pathCharsMax = 4096
/** How long the disk of a tree may take to tell what is at its path. */
const probeMs = 5_000
const bounds: SourceBounds = { limitMs: 10_000, restMs: 60_000 }
const folderBounds = { namesMax: 10_000, fileBytesMax: 8 * 1024 * 1024 }

const isPath = (named: string): boolean => {
  if (named.length > pathCharsMax) return false
  for (let at = 0; at < named.length; at += 1) if (named.charCodeAt(at) < 0x20) return false
  return true
}

/** Folders of a checkout that are not lore: git's own, and the private state area. */
const isPrivate = (below: string): boolean =>
  /^(?:\.git|\.svc\/state)(?:\/|$)/.test(below.split(sep).join('/').toLowerCase())

const isFolderOfLore = async (lore: string, path: string): Promise<boolean> => {
  try {
    const below = relative(await realpath(lore), await realpath(path))
    return (
      below !== '' &&
      below !== '..' &&
      !below.startsWith(`..${sep}`) &&
      !isAbsolute(below) &&
      !isPrivate(below)
    )
  } catch {
    return false
  }
}

/**
 * Opens the tree that a key of the committed configuration names, relative to the lore or absolute. Any
 * person with push rights writes that key, so it may name only a git checkout, or a plain folder inside the
 * lore of which only `names` are read. This process does not touch the path until a child of git told what is
 * there: a disk that hangs blocks only the child.
 */
export const openCorpusTree = async (
  lore: string,
  named: string,
  names: ReadonlyArray<string>,
  monotonicMs: () => number,
): Promise<Either<TreeRefusal, TreeSource>> => {
  if (!isPath(named)) return left('path')
  const path = isAbsolute(named) ? resolve(named) : resolve(lore, named)
  const args = ['-C', path, 'rev-parse', '--is-inside-work-tree', '--show-prefix']
  const { code, stdout } = await git(args, { cwd: '/', limitMs: probeMs, outputBytesMax: 65_536 })
  if (code === null) return left('silent')
  if (code === 0 && stdout.toString('utf8') === 'true\n\n')
    return right(boundTreeSource(openGitSource(path), bounds, monotonicMs))
  if (!(await isFolderOfLore(lore, path))) return left('neither')
  return right(boundTreeSource(openNamedFolder(path, names, folderBounds), bounds, monotonicMs))
}
