import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileBytesMax } from '#actors/corpus-keeper/findings.js'
import { hasSession, isLorePath, maySession } from '#src/corpus/lore-signs.js'
import type { TreeSource } from '#src/ports/tree-source.js'

/** Whether a folder is a git repository without a work tree, as `git init --bare` and `git clone --bare` make it. */
export const isBareRepository = (path: string): boolean =>
  ['HEAD', 'objects', 'refs'].every(name => existsSync(join(path, name))) && !existsSync(join(path, '.git'))

const inits = 'Name the lore checkout, or make the repository of a new community with `kronika init DIR`'

/** The text of a file that may hold sessions; null where it cannot be read or is too large to be one. */
const textOf = async (
  source: TreeSource,
  entry: Parameters<TreeSource['read']>[0],
): Promise<string | null> =>
  entry.bytes > fileBytesMax ? null : ((await source.read(entry))?.toString('utf8') ?? null)

const whatIsThere = async (source: TreeSource): Promise<string | null> => {
  if ((await source.file('.svc/format.json')) !== null) return null
  const head = await source.head()
  if (source.kind === 'git' && head.commit === null)
    return `${source.path} is a git repository without a commit, so it has no lore. Commit the lore. ${inits}.`
  const { entries, skipped } = await source.list(head)
  if (entries.some(({ path }) => isLorePath(path))) return null
  for (const entry of entries) {
    if (!maySession(entry.path)) continue
    const text = await textOf(source, entry)
    if (text !== null && hasSession(text)) return null
  }
  if (entries.length + skipped.length === 0) return `${source.path} is empty. ${inits}.`
  return (
    `${source.path} holds no lore: no .svc/format.json, no encje/, no legacy file such as Gracze.md, and no session ` +
    `header such as "### 2026-02-01, Title, Narrator" in any .md file. ${inits}.`
  )
}

/**
 * Why a tree is refused as one that holds no lore, and what to do; null where it holds some. A tree that cannot be read
 * is not refused here: whoever reads it reports that. Costs one read where the format is stamped; else reads the tree,
 * linear in its size.
 */
export const refuseWithoutLore = (source: TreeSource): Promise<string | null> =>
  whatIsThere(source).catch(() => null)
