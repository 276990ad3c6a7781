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

/** What another host may have pushed and no checkout of ours takes: it would reach past the lore. */
const pathOf = (text: string): RepoPath => {
  const path = RepoPath.decode(text)
  const isPrivate = `${text.normalize('NFC').toLowerCase()}/`.startsWith('.svc/state/')
  if (isLeft(path) || isPrivate || text.includes('\u{fffd}'))
    throw new Error(`the commit has a file at "${text}", which no checkout takes; remove it in git`)
  return path.right
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
  const text = await gitText(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to], {
    cwd: repo,
  })
  const parts = text.split('\0')
  const rows: Array<Differing> = []
  for (let at = 0; at + 1 < parts.length; at += 2) rows.push(rowOf(parts[at] ?? '', parts[at + 1] ?? ''))
  return rows
}
