import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type CommitId, RepoPath } from '#protocol/atoms.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { isWithin, listRows, type NamedRow, parseNamedRows, twinPaths } from '#src/adapters/git/named-rows.js'
import { refusePath, refuseTwins } from '#src/adapters/git/refuse-path.js'

/** A file that differs between two commits; modes as git writes them, null where it is absent. */
export interface Differing {
  readonly path: RepoPath
  readonly before: BlobId | null
  /**
   * Other blobs that a checkout may have instead of `before`, where the earlier commit has the name twice.
   */
  readonly orBefore?: ReadonlyArray<BlobId | null>
  readonly after: { readonly mode: string; readonly id: BlobId } | null
}

const submodule = '160000'

const blobOf = (id: string): BlobId => {
  const blob = BlobId.decode(id)
  if (isLeft(blob)) throw new Error(`git names ${id}, which is not an object id`)
  return blob.right
}

/** The longest name in a folder and the longest path that Linux and macOS accept, in bytes. */
const [nameBytesMax, pathBytesMax] = [255, 1023]

const hasLongName = (path: string): boolean =>
  Buffer.byteLength(path) > pathBytesMax ||
  path.split('/').some(name => Buffer.byteLength(name) > nameBytesMax)

/** Checks a path that another host may have pushed. Throws for one that would reach outside the lore. */
const pathOf = (text: string): RepoPath => {
  const path = RepoPath.decode(text)
  if (isLeft(path)) return refusePath(text, 'it is not a path inside the lore')
  if (`${text.normalize('NFC').toLowerCase()}/`.startsWith('.svc/state/'))
    return refusePath(text, 'a host keeps its own state there')
  if (text.includes('\u{fffd}')) return refusePath(text, 'it is not UTF-8')
  if (hasLongName(text))
    return refusePath(text, `a name in it is above ${nameBytesMax} bytes, or it is above ${pathBytesMax}`)
  return path.right
}

const listCommit = async (repo: string, commit: CommitId): Promise<ReadonlyArray<NamedRow>> =>
  parseNamedRows(await gitText(listRows(commit), { cwd: repo }))

const refuseSubmodule = (path: string): never => {
  throw new Error(`"${path}" is a submodule, which a host does not support; remove it in git`)
}

const rowOf = (meta: string, path: string): Differing => {
  const [before, mode, old, id] = meta.slice(1).split(' ')
  if (before === undefined || mode === undefined || old === undefined || id === undefined)
    throw new Error(`git diff-tree says "${meta}"`)
  if (before === submodule || mode === submodule) refuseSubmodule(path)
  return {
    path: pathOf(path),
    before: /^0+$/.test(before) ? null : blobOf(old),
    after: /^0+$/.test(mode) ? null : { mode, id: blobOf(id) },
  }
}

const filesWithin = (
  rows: ReadonlyArray<NamedRow>,
  twins: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyArray<NamedRow>> => {
  const files = new Map<string, Array<NamedRow>>()
  for (const row of rows) {
    if (row.type === 'tree' || !isWithin(twins, row.path)) continue
    const known = files.get(row.path)
    if (known === undefined) files.set(row.path, [row])
    else known.push(row)
  }
  return files
}

/**
 * The files at and below names that `from` has twice. A checkout holds at most one of the two, and the commit
 * does not tell which, so they count as different even where the next commit has one of them.
 */
const findMendedFiles = (
  from: ReadonlyArray<NamedRow>,
  to: ReadonlyArray<NamedRow>,
  twins: ReadonlySet<string>,
): ReadonlyArray<Differing> => {
  const [olds, news] = [filesWithin(from, twins), filesWithin(to, twins)]
  return [...new Set([...olds.keys(), ...news.keys()])].map(path => {
    const [before, after] = [olds.get(path) ?? [], news.get(path)?.[0] ?? null]
    if ([...before, ...(news.get(path) ?? [])].some(({ mode }) => mode === submodule)) refuseSubmodule(path)
    const [first, ...others] = [...before.map(({ id }) => blobOf(id)), null]
    return {
      path: pathOf(path),
      before: first ?? null,
      orBefore: others,
      after: after === null ? null : { mode: after.mode, id: blobOf(after.id) },
    }
  })
}

/** The files that differ between two commits. Throws for a path that our checkouts do not accept. */
export const treeDiff = async (
  repo: string,
  from: CommitId,
  to: CommitId,
): Promise<ReadonlyArray<Differing>> => {
  const [olds, news] = await Promise.all([listCommit(repo, from), listCommit(repo, to)])
  refuseTwins(twinPaths(news))
  const text = await gitText(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to], {
    cwd: repo,
  })
  const parts = text.split('\0')
  const twins = twinPaths(olds)
  const rows: Array<Differing> = [...findMendedFiles(olds, news, twins)]
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [meta = '', path = ''] = [parts[at], parts[at + 1]]
    if (!isWithin(twins, path)) rows.push(rowOf(meta, path))
  }
  return rows
}
