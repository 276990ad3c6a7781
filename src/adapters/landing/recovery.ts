import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type RepoPath, type Tree } from '#protocol/atoms.js'
import type { GitBatch } from '#src/adapters/git/git-batch.js'
import { git, gitText } from '#src/adapters/git/git-command.js'
import type { Intent, Intents } from '#src/ports/records.js'
import { type ComparedCheckout, inspectPaths } from './checkout/dirty.js'
import { draftFile, hasCommittedContent } from './checkout/work-tree.js'
import { type Disk, isCode } from './disk.js'
import { type GitFolder, mapAtMost } from './failure.js'
import { type GitIndex, stageFiles, stageLookup } from './index-file.js'
import type { HeldIndex } from './index-lock.js'
import { draftObject, isDraftObject } from './objects/object-writer.js'
import { convertFiles, type MovedFile, putAll, type SealPorts } from './objects/seal.js'
import { awaitOrphans, isAncestor, sweepRefLocks } from './refs.js'

/** Whether a crash left files of ours. */
export const isLittered = async (area: string, folder: GitFolder): Promise<boolean> =>
  (await namesIn(area)).length > 0 || (await halfObjects(folder)).length > 0

/**
 * Completes what a crash left unfinished, under git's lock on the index. A write that HEAD has gets its index
 * and work tree where these still have the earlier content; any other write is lost, and its caller never got
 * a success. May itself be interrupted at any point and run again.
 */
export const recoverIntents = async (ports: RecoveryPorts, held: HeldIndex): Promise<RecoveredIntents> => {
  const { disk, repo, tree, area, intents } = ports
  await sweepArea(ports)
  const open = intents.prepared(tree)
  await removeLeftLocks(ports, open)
  const { landed, lost } = await verdictsOf(repo, open)
  const owed = await owedOf(repo, landed)
  const checkout = { ...ports, index: held.index }
  const stale = await staleFiles(ports, checkout, owed)
  const paths = stale.map(({ path }) => path)
  const converting = await ports.conversions.converting(ports.folder, held.index, paths)
  const files = await convertFiles(ports.conversions, stale, converting)
  await disk.makeFolder(area)
  const waiting = await mapAtMost(files, file => draftFile(disk, area, file, file.lying))
  const left = await putAll(disk, repo, waiting)
  if (owed.length > 0) {
    await held.prepare(nextIndex(held.index, owed))
    await held.replace()
  }
  intents.settle(
    landed.map(({ id }) => id),
    'done',
  )
  intents.settle(
    lost.map(({ id }) => id),
    // Only a write of the lore may be at the remote without the branch here.
    tree === 'lore' ? 'lost' : 'unmade',
  )
  return { landed, lost, left }
}

/**
 * Writes a durable file and row where a landing would, and deletes them. Returns null, or why that failed
 * (D28).
 */
export const proveDisk = async (
  disk: Disk,
  area: string,
  folder: Promise<GitFolder>,
  intents: Intents | null,
): Promise<string | null> => {
  try {
    await takes(disk, join(area, `probe-${randomBytes(8).toString('hex')}`))
    await takes(disk, draftObject((await folder).objects))
    intents?.prove()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

interface RecoveryPorts extends Omit<SealPorts, 'refs'> {
  readonly tree: Tree
  readonly intents: Intents
  readonly objects: GitBatch
}

/** A path that a landed write touched: the earlier blobs that may be there, and what HEAD has there now. */
interface Owed {
  readonly path: RepoPath
  readonly before: ReadonlySet<BlobId | null>
  readonly now: { readonly mode: string; readonly id: BlobId } | null
}

const beforeByPath = (landed: ReadonlyArray<Intent>): ReadonlyMap<RepoPath, ReadonlySet<BlobId | null>> => {
  const before = new Map<RepoPath, Set<BlobId | null>>()
  for (const { paths } of landed)
    for (const { path, old } of paths)
      before.set(path, (before.get(path) ?? new Set<BlobId | null>()).add(old))
  return before
}

/** The files of HEAD at these paths, with one call of git. */
const headFiles = async (
  repo: string,
  paths: ReadonlyArray<RepoPath>,
): Promise<ReadonlyMap<string, NonNullable<Owed['now']>>> => {
  const text = await gitText(['ls-tree', '-z', '--full-tree', 'HEAD', '--', ...paths], { cwd: repo })
  const rows = text.split('\0').flatMap(row => {
    const [, mode, id, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/su.exec(row) ?? []
    const blob = BlobId.decode(id)
    return mode === undefined || path === undefined || isLeft(blob)
      ? []
      : [[path, { mode, id: blob.right }] as const]
  })
  return new Map(rows)
}

const owedOf = async (repo: string, landed: ReadonlyArray<Intent>): Promise<ReadonlyArray<Owed>> => {
  const before = beforeByPath(landed)
  if (before.size === 0) return []
  const now = await headFiles(repo, [...before.keys()])
  return [...before].map(([path, olds]) => ({ path, before: olds, now: now.get(path) ?? null }))
}

/** The index in which entries that still have their earlier blob are updated to HEAD. */
const nextIndex = (index: GitIndex, owed: ReadonlyArray<Owed>): GitIndex => {
  const at = stageLookup(index)
  const stale = owed.filter(({ path, before }) => {
    const entry = at(path)
    return entry === null ? before.has(null) : entry.stage === 0 && [...before].some(id => id === entry.id)
  })
  return stageFiles(index, new Map(stale.map(({ path, now }) => [path, now])))
}

type OwedFile = Pick<MovedFile, 'path' | 'after' | 'lying'>

/** The files of the work tree that still have their earlier content. A person's later changes stay. */
const staleFiles = async (
  { objects }: RecoveryPorts,
  checkout: ComparedCheckout,
  owed: ReadonlyArray<Owed>,
): Promise<ReadonlyArray<OwedFile>> => {
  const files: Array<OwedFile> = []
  const leaving = new Set(owed.flatMap(({ path, now }) => (now === null ? [path] : [])))
  const there = await inspectPaths(
    checkout,
    owed.map(({ path, before, now }) => ({ path, blobs: [now?.id ?? null, ...before] })),
    leaving,
  )
  for (const { path, before, now } of owed) {
    const lying = there.get(path) ?? { _tag: 'Absent' }
    const isStale = [...before].some(blob => hasCommittedContent(lying, blob))
    if (!isStale || hasCommittedContent(lying, now?.id ?? null)) continue
    const bytes = now === null ? null : ((await objects.object(now.id))?.bytes ?? null)
    if (now !== null && bytes === null) throw new Error(`the blob ${now.id} cannot be read; run \`git fsck\``)
    const after = now === null || bytes === null ? null : { ...now, bytes }
    files.push({ path, after, lying })
  }
  return files
}

const namesIn = async (area: string): Promise<ReadonlyArray<string>> => {
  try {
    return await readdir(area)
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return []
    throw error
  }
}

/** The names of unfinished objects that a crash left. */
const halfObjects = async ({ objects }: GitFolder): Promise<ReadonlyArray<string>> =>
  (await namesIn(objects)).filter(isDraftObject)

/** Removes files that a crash left. Each has a name that only we use; nothing else is ever removed (D4). */
const sweepArea = async ({ disk, area, folder }: RecoveryPorts): Promise<void> => {
  for (const name of await namesIn(area)) await disk.remove(join(area, name))
  for (const name of await halfObjects(folder)) await disk.remove(join(folder.objects, name))
}

/**
 * Removes the locks of gits that were killed with their daemon, after waiting for those that outlived it
 * (F7).
 */
const removeLeftLocks = async ({ disk, repo }: RecoveryPorts, open: ReadonlyArray<Intent>): Promise<void> => {
  if (open.length === 0) return
  const sinceMs = Math.min(...open.map(({ atMs }) => atMs))
  const commits = open.map(({ commit }) => commit)
  await awaitOrphans(repo)
  const doubtful = await sweepRefLocks(disk, repo, { commits, sinceMs })
  if (doubtful !== null)
    throw new Error(
      `${doubtful} exists while a git process works in the checkout; try again when it has ended`,
    )
}

interface RecoveredIntents {
  readonly landed: ReadonlyArray<Intent>
  readonly lost: ReadonlyArray<Intent>
  /** Files that a person changed since; they keep the person's changes. */
  readonly left: ReadonlyArray<string>
}

const probe = Buffer.alloc(4096, 'kronika\n')

const takes = async (disk: Disk, path: string): Promise<void> => {
  const folder = dirname(path)
  await disk.makeFolder(folder)
  try {
    await disk.write(path, probe, 0o600)
    await disk.syncFolder(folder)
  } finally {
    await disk.remove(path)
  }
}

/** The outcome of writes that a crash left open. */
interface Verdicts {
  /** The branch contains them: their index and work tree may still need a refresh. */
  readonly landed: ReadonlyArray<Intent>
  /** The branch never moved to them. */
  readonly lost: ReadonlyArray<Intent>
}

/**
 * Whether a commit has every file as the intent left it. A trailer alone proves nothing: any person can write
 * one.
 */
const hasFilesOf = async (repo: string, commit: string, { paths }: Intent): Promise<boolean> => {
  const args = ['ls-tree', '-z', '--full-tree', commit, '--', ...paths.map(({ path }) => path)]
  const listed = await git(args, { cwd: repo })
  const there = new Map(
    listed.stdout
      .toString('utf8')
      .split('\0')
      .flatMap(row => {
        const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/su.exec(row) ?? []
        return id === undefined || path === undefined ? [] : [[path, id] as const]
      }),
  )
  return listed.code === 0 && paths.every(one => (there.get(one.path) ?? null) === one.new)
}

/**
 * A person may have rewritten history since, which changes ids: the trailer still identifies the write (F3).
 */
const isNamedInHistory = async (repo: string, intent: Intent): Promise<boolean> => {
  const named = `^Svc-Intent: ${intent.id.replace(/[^\w-]/gu, '.')}$`
  const found = await git(['log', '-1', '--format=%H', `--grep=${named}`, 'HEAD'], { cwd: repo })
  const commit = found.stdout.toString('utf8').trim()
  return found.code === 0 && commit !== '' && (await hasFilesOf(repo, commit, intent))
}

/**
 * Finds which of the open intents HEAD contains. The parent of a landed commit landed too, so a batch costs
 * one look-up.
 */
const verdictsOf = async (repo: string, open: ReadonlyArray<Intent>): Promise<Verdicts> => {
  const landed: Array<Intent> = []
  const lost: Array<Intent> = []
  const below = new Set<string>()
  for (const intent of open.toReversed()) {
    const isIn =
      below.has(intent.commit) ||
      (await isAncestor(repo, intent.commit, 'HEAD')) ||
      (await isNamedInHistory(repo, intent))
    if (isIn && intent.parent !== null) below.add(intent.parent)
    ;(isIn ? landed : lost).unshift(intent)
  }
  return { landed, lost }
}
