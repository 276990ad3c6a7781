import type { RunGit } from './remote/run-git.js'

/**
 * The blobs that a purge removed from the history of the remote, one id a line. A blob that is here is never published
 * again and never merged again; a person takes a line out by writing another blob to the ref.
 */
export const shunnedRef = 'refs/svc/shunned'

/** A blob of a range, with a path at which it lies. */
export interface NamedBlob {
  readonly id: string
  readonly path: string
}

/**
 * The blobs that the history `seen` has at any commit and the history `tip` has at none: what a purge removed, and
 * nothing that was changed or deleted in the ordinary way. A branch that was only wound back removed none: its last
 * commits were taken back, and may be made again.
 */
export const findRemoved = async (
  run: RunGit,
  seen: string,
  tip: string,
): Promise<ReadonlyArray<NamedBlob>> => {
  if ((await run(['rev-list', '--max-count=1', tip, `^${seen}`, '--'])).length === 0) return []
  const before = await blobsIn(run, seen, `^${tip}`)
  if (before.size === 0) return []
  const kept = await blobsIn(run, tip)
  return [...before].flatMap(([id, path]) => (kept.has(id) || id === emptyBlob ? [] : [{ id, path }]))
}

export const readShunned = async (run: RunGit): Promise<ReadonlySet<string>> => {
  const printed = (await run(['cat-file', 'blob', shunnedRef], {}, [0, 128])).toString('utf8')
  return new Set(printed.split('\n').filter(Boolean))
}

/**
 * Writes the list with these blobs in it, durably, and returns it. What the accepted history `tip` has leaves the list:
 * a person who accepts a history accepts its files.
 */
export const shunBlobs = async (
  run: RunGit,
  blobs: ReadonlyArray<NamedBlob>,
  tip: string,
): Promise<ReadonlySet<string>> => {
  const known = await readShunned(run)
  const there = known.size === 0 ? new Map<string, string>() : await blobsIn(run, tip)
  const kept = [...known].filter(id => !there.has(id))
  const all = new Set([...kept, ...blobs.map(({ id }) => id)])
  if (all.size === known.size && kept.length === known.size) return known
  const input = `${[...all].sort().join('\n')}\n`
  const blob = (await run(['hash-object', '-w', '--no-filters', '--stdin'], { input }))
    .toString('utf8')
    .trim()
  await run(['update-ref', shunnedRef, blob])
  return all
}

/** The shunned blobs that commits bring: those of `to` that `from` does not have. None where nothing was purged. */
export const findShunned = async (
  run: RunGit,
  from: string | null,
  to: string,
): Promise<ReadonlyArray<NamedBlob>> => {
  const shunned = await readShunned(run)
  if (shunned.size === 0) return []
  const brought = await blobsIn(run, to, ...(from === null ? [] : [`^${from}`]))
  return [...brought].flatMap(([id, path]) => (shunned.has(id) ? [{ id, path }] : []))
}

/** The paths of blobs for a sentence. */
export const namePaths = (blobs: ReadonlyArray<NamedBlob>): string => {
  const paths = [...new Set(blobs.map(({ path }) => path))].sort()
  const more = paths.length > namedMax ? ` and ${paths.length - namedMax} more` : ''
  return paths.slice(0, namedMax).join(', ') + more
}

/** Every lore has it, and it tells nothing. */
const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** The blobs that commits reach, by id; git may also list some that the excluded commits reach. */
const blobsIn = async (
  run: RunGit,
  ...range: ReadonlyArray<string>
): Promise<ReadonlyMap<string, string>> => {
  const filter = ['--objects', '--filter=object:type=blob', '--filter-provided-objects']
  const printed = (await run(['rev-list', ...filter, ...range, '--'])).toString('utf8')
  return new Map(
    printed
      .split('\n')
      .filter(Boolean)
      .map(line => [line.slice(0, 40), line.slice(41)]),
  )
}

const namedMax = 10
