import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileBytesMax } from '#actors/corpus-keeper/findings.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { isLoreFolder } from '#src/domain/lore/layout.js'
import type { TreeSource } from '#src/ports/git.js'
import { hasSession, isLorePath, maySession } from '#src/snapshot/lore-signs.js'
import { quoteWord } from '../commands/quote-word.js'

/**
 * Whether a folder is a git repository without a work tree, as created by `git init --bare` or `git clone
 * --bare`.
 */
export const isBareRepository = (path: string): boolean =>
  ['HEAD', 'objects', 'refs'].every(name => existsSync(join(path, name))) && !existsSync(join(path, '.git'))

const inits = 'Name the lore checkout, or make the repository of a new community with `kronika init DIR`'

/** The text of a file that may contain sessions; null where it cannot be read or is too large for one. */
const textOf = async (
  source: TreeSource,
  entry: Parameters<TreeSource['read']>[0],
): Promise<string | null> =>
  entry.bytes > fileBytesMax ? null : ((await source.read(entry))?.toString('utf8') ?? null)

const withoutCommit = (path: string): string =>
  `${path} is a git repository without a commit, so it has no lore. Commit the lore. ${inits}.`

const branchesShownMax = 20

/**
 * For a clone whose remote names a branch that does not exist, so that nothing is checked out: the branches
 * that were fetched, and the command that checks one out. Null where no branch was fetched.
 */
const refuseUnborn = async (path: string): Promise<string | null> => {
  const format = '--format=%(refname:lstrip=3)'
  const listed = await gitText(['for-each-ref', format, 'refs/remotes'], { cwd: path })
  const branches = [...new Set(listed.split('\n').filter(name => name !== '' && name !== 'HEAD'))]
  const [first] = branches
  if (first === undefined) return null
  const named = branches.slice(0, branchesShownMax).join(', ')
  const wanted = branches.find(name => name === 'main' || name === 'master') ?? first
  return (
    `${path} has no branch checked out: HEAD names a branch without a commit, as after a clone of a remote whose ` +
    `HEAD names none. The remote has ${named}. Check one out: ` +
    `\`git -C ${quoteWord(path)} switch ${quoteWord(wanted)}\`.`
  )
}

const whatIsThere = async (source: TreeSource): Promise<string | null> => {
  if ((await source.file('.svc/format.json')) !== null) return null
  const head = await source.head()
  if (source.kind === 'git' && head.commit === null)
    return (await refuseUnborn(source.path)) ?? withoutCommit(source.path)
  const { entries, skipped } = await source.list(head)
  if (entries.some(({ path }) => isLorePath(path))) return null
  for (const entry of entries) {
    if (!maySession(entry.path)) continue
    const text = await textOf(source, entry)
    if (text !== null && hasSession(text)) return null
  }
  const link = skipped.find(({ path, reason }) => reason === 'symlink' && isLoreFolder(path))
  if (link !== undefined)
    return `${source.path} has ${link.path} as a symbolic link, which no host follows. Commit the folder itself.`
  if (entries.length + skipped.length === 0) return `${source.path} is empty. ${inits}.`
  return (
    `${source.path} has no lore: no .svc/format.json, no encje/, no legacy file such as Gracze.md, and no session ` +
    `header such as "### 2026-02-01, Title, Narrator" in any .md file. ${inits}.`
  )
}

/**
 * Why a tree is refused because it holds no lore, and what to do; null where it holds lore. Ignores the error
 * of an unreadable tree, because the load reports it. Costs one read where the format is stamped; otherwise
 * it reads the tree, linear in its size.
 */
export const refuseWithoutLore = (source: TreeSource): Promise<string | null> =>
  whatIsThere(source).catch(() => null)
