import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type CommitId } from '#protocol/atoms/commit.js'
import { RepoPath } from '#protocol/atoms/path.js'
import { gitText } from '#src/adapters/git/git-command.js'

/** A file that differs between two commits; modes as git writes them, null where there is none. */
export interface Differing {
  readonly path: RepoPath
  readonly before: BlobId | null
  readonly after: { readonly mode: string; readonly id: BlobId } | null
}

const submodule = '160000'

const blobOf = (id: string): BlobId => {
  const blob = BlobId.decode(id)
  if (isLeft(blob)) throw new Error(`git names ${id}, which is no object id`)
  return blob.right
}

/** The longest name that Linux and macOS take in a folder, and the longest path. */
const [nameBytesMax, pathBytesMax] = [255, 1023]

const hasLongName = (path: string): boolean =>
  Buffer.byteLength(path) > pathBytesMax ||
  path.split('/').some(name => Buffer.byteLength(name) > nameBytesMax)

/** Long texts are cut: the words go into a report. */
const shownMax = 120

const refusePath = (path: string, why: string): never => {
  const shown = path.length > shownMax ? `${path.slice(0, shownMax)}…` : path
  throw new Error(`the commit has a file at "${shown}", which no checkout takes: ${why}; remove it in git`)
}

/** What another host may have pushed and no checkout of ours takes: it would reach past the lore. */
const pathOf = (text: string): RepoPath => {
  const path = RepoPath.decode(text)
  if (isLeft(path)) return refusePath(text, 'it is no path inside the lore')
  if (`${text.normalize('NFC').toLowerCase()}/`.startsWith('.svc/state/'))
    return refusePath(text, 'a host keeps its own state there')
  if (text.includes('\u{fffd}')) return refusePath(text, 'it is no UTF-8')
  if (hasLongName(text))
    return refusePath(text, `a name in it is above ${nameBytesMax} bytes, or it is above ${pathBytesMax}`)
  return path.right
}

/** Refuses a tree that has one name twice, which git itself never makes: a checkout has room for one of the two. */
const refuseTwins = async (repo: string, commit: CommitId): Promise<void> => {
  const text = await gitText(['ls-tree', '-r', '-t', '-z', '--full-tree', commit], {
    cwd: repo,
  })
  const seen = new Set<string>()
  for (const row of text.split('\0').filter(Boolean)) {
    const path = row.slice(row.indexOf('\t') + 1)
    if (seen.has(path)) refusePath(path, 'its tree has this name twice')
    seen.add(path)
  }
}

const rowOf = (meta: string, path: string): Differing => {
  const [before, mode, old, id] = meta.slice(1).split(' ')
  if (before === undefined || mode === undefined || old === undefined || id === undefined)
    throw new Error(`git diff-tree says "${meta}"`)
  if (before === submodule || mode === submodule)
    throw new Error(`"${path}" is a submodule; remove it in git, a host takes none`)
  return {
    path: pathOf(path),
    before: /^0+$/.test(before) ? null : blobOf(old),
    after: /^0+$/.test(mode) ? null : { mode, id: blobOf(id) },
  }
}

/** The files that differ between two commits. Throws for what no checkout of ours takes. */
export const treeDiff = async (
  repo: string,
  from: CommitId,
  to: CommitId,
): Promise<ReadonlyArray<Differing>> => {
  await refuseTwins(repo, to)
  const text = await gitText(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to], {
    cwd: repo,
  })
  const parts = text.split('\0')
  const rows: Array<Differing> = []
  for (let at = 0; at + 1 < parts.length; at += 2) rows.push(rowOf(parts[at] ?? '', parts[at + 1] ?? ''))
  return rows
}
