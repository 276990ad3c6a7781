import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { configBounds } from '#protocol/bounds.js'
import type { TreeSource } from '#src/ports/git.js'
import { git } from './git-command.js'
import { boundTreeSource, openGitSource, type SourceBounds } from './git-source.js'
import { openNamedFolder } from './named-folder.js'

/** Why a tree of `corpora.*` is not opened. */
export type TreeRefusal = 'path' | 'silent' | 'neither'

/**
 * Why a tree is read: it lies inside the `lore`, the operator `allowed` it, an earlier host `read` it, or it is
 * `unknown` what the operator allows.
 */
export type TreeStanding = 'lore' | 'allowed' | 'read' | 'unknown'

/** Whether a tree outside the lore may be read, by its real path. */
export type TreeRule = (root: string) => Exclude<TreeStanding, 'lore'> | null

/** The real path of a place; null where it has none that this process may find out, which allows nothing. */
export const realOf = (path: string): Promise<string | null> => realpath(path).catch(() => null)

/** Why a checkout at this real path may be read; null where it may not. */
export const judgeCheckout = async (
  lore: string,
  root: string,
  rule: TreeRule,
): Promise<TreeStanding | null> => {
  const realLore = await realOf(lore)
  return realLore !== null && isInLore(realLore, root) ? 'lore' : rule(root)
}

/**
 * Opens the tree that a key of the committed configuration names, relative to the lore or absolute. Any
 * person with push rights writes that key, so it may name only a git checkout inside the lore or one that `rule`
 * allows, or a plain folder inside the lore of which only `names` are read. This process does not touch the path until
 * a child of git told what is there: a disk that hangs blocks only the child. Every refused place outside the lore
 * has the same reason: a finding must not tell a committer what else is on the machine.
 */
export const openCorpusTree = async (
  { lore, rule }: { readonly lore: string; readonly rule: TreeRule },
  named: string,
  names: ReadonlyArray<string>,
  monotonicMs: () => number,
): Promise<Either<TreeRefusal, CorpusTree>> => {
  if (!isPath(named)) return left('path')
  const path = isAbsolute(named) ? resolve(named) : resolve(lore, named)
  const checkout = await findCheckout(path)
  if (isLeft(checkout)) return checkout
  const root = checkout.right
  const opened = (source: TreeSource, standing: TreeStanding): Either<never, CorpusTree> =>
    right({ source: boundTreeSource(source, bounds, monotonicMs), root: source.path, standing })
  if (root !== null) {
    const standing = await judgeCheckout(lore, root, rule)
    if (standing === null) return left('neither')
    const stands = async (): Promise<boolean> => {
      const now = await findCheckout(root)
      return !isLeft(now) && now.right === root
    }
    return opened(guardTree(openGitSource(root), stands), standing)
  }
  const [realLore, folder] = [await realOf(lore), await realOf(path)]
  if (realLore === null || folder === null || folder === realLore || !isInLore(realLore, folder))
    return left('neither')
  const stands = async (): Promise<boolean> => (await realOf(folder)) === folder
  return opened(guardTree(openNamedFolder(folder, names, folderBounds), stands), 'lore')
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

interface CorpusTree {
  readonly source: TreeSource
  /** The real path of its folder. */
  readonly root: string
  readonly standing: TreeStanding
}

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

/** Folders of a checkout that are not lore: those of git at any depth, and the private state area. */
const isPrivate = (below: string): boolean =>
  /(?:^|\/)\.git(?:\/|$)|^\.svc\/state(?:\/|$)/.test(below.split(sep).join('/').toLowerCase())

/** Whether a real path is the lore, or a folder of it that is not private. */
const isInLore = (realLore: string, root: string): boolean => {
  const below = relative(realLore, root)
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below) && !isPrivate(below)
}

const rootArgs = ['rev-parse', '--is-inside-work-tree', '--show-prefix', '--show-toplevel']

/** Asks git for the real path of the checkout whose root a path is; null where it is none, left without an answer. */
const findCheckout = async (path: string): Promise<Either<'silent', string | null>> => {
  const limits = { cwd: '/', limitMs: probeMs, outputBytesMax: 65_536 }
  const { code, stdout } = await git(['-C', path, ...rootArgs], limits)
  if (code === null) return left('silent')
  const text = stdout.toString('utf8')
  return right(code === 0 && text.startsWith('true\n\n') ? text.slice('true\n\n'.length, -1) : null)
}

/**
 * A source that fails once another folder is at its path: a commit may put a link in the place of a folder. Git is
 * asked once for each commit, whose content never changes.
 */
const guardTree = (source: TreeSource, stands: () => Promise<boolean>): TreeSource => {
  let known: string | null = null
  const check = async <A>(answer: A): Promise<A> => {
    if (await stands()) return answer
    throw new Error('w jego miejscu jest inny folder niż przy starcie hosta')
  }
  const isGit = source.kind === 'git'
  return {
    ...source,
    head: async () => {
      const head = await source.head()
      if (!isGit || head.id !== known) await check(head)
      known = head.id
      return head
    },
    read: async entry => (isGit ? source.read(entry) : check(await source.read(entry))),
    file: async path => check(await source.file(path)),
  }
}

const path = '.svc/config.json'
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The configuration file in a work tree; `Absent` also where it is not a regular file. */
type LyingConfig =
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
