import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type BlobId, type RepoPath, requirePath } from '#protocol/atoms.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import {
  fileBytesMax,
  isEnactedLedger,
  isLoreFolder,
  isRead,
  ledgerPaths,
  roleOf,
  type SourceFile,
} from '#src/domain/lore/layout.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import type { TreeEntry, TreeListing, TreeSource } from '#src/ports/git.js'
import { type Budget, bytesOf, countRowsIn, inBudgetOrder, startBudget } from '#src/snapshot/budget.js'
import { type ParsedFile, parseFileInSlices } from '#src/snapshot/parsed-file.js'
import {
  aboveBudget,
  findingOfSkipped,
  isLfsPointer,
  lfsPointerFinding,
  notUtf8Finding,
  tooLargeFinding,
  unreadableFinding,
  unreadLedgerFinding,
} from './findings.js'
import { type IdentityFiles, withIdentity } from './identity-files.js'
import {
  decodeFile,
  fitsWhole,
  isTooLarge,
  type ReadEntry,
  readEntries,
  shareTexts,
  withFile,
} from './read-entries.js'

/** The files of a tree that are read, by path and in its order, and those that are left out. */
export interface CorpusLore {
  readonly files: ReadonlyMap<string, ParsedFile>
  /** Paths of files that are too large or above the budget of the tree. */
  readonly leftOut: ReadonlySet<string>
  readonly findings: ReadonlyArray<Finding>
  /** The listing as read, for the next load. */
  readonly entries: ReadonlyArray<ReadEntry>
}

/** What a load reuses from the previous one. */
export type LoreBefore = Pick<CorpusLore, 'files' | 'entries'>

export const noLore: LoreBefore = { files: new Map(), entries: [] }

/** What a load of the lore reads from. */
export interface LoreReading {
  readonly source: TreeSource
  /** The identity files, which were read before the tree and are never left out. */
  readonly identity: IdentityFiles
  readonly budget: Budget
  readonly breathe: () => Promise<void>
}

/**
 * The files of a listing, reusing those of `before` where neither path nor content changed. Files too large
 * for the host are left out with a finding, always the same ones for the same tree. Throws where git lost the
 * object of a file.
 */
export const loreFiles = async (
  reading: LoreReading,
  { entries, skipped }: TreeListing,
  before: LoreBefore,
): Promise<CorpusLore> => {
  const findings: Array<Finding> = skipped
    .filter(({ path }) => isRead(roleOf(path)) || isLoreFolder(path))
    .map(findingOfSkipped)
  const { identity } = reading
  const known = readEntries(entries, before.entries, path => identity.get(path) ?? before.files.get(path))
  const read = await readOutcomes(
    reading,
    known.filter(({ entry, isWanted }) => isWanted && !isTooLarge(entry)),
  )
  const files = new Map<string, ParsedFile>()
  const leftOut = new Set<string>()
  const above: Array<TreeEntry> = []
  const next = known.map(one => {
    const { entry, isWanted } = one
    if (!isWanted) return one
    const own = identity.get(entry.path)
    const outcome = read.get(entry.path) ?? one.file
    const file = own ?? outcome
    if (own?.source.unread === true)
      findings.push(isTooLarge(entry) ? tooLargeFinding(entry) : unreadableFinding(entry))
    if (isTooLarge(entry) && own === undefined) findings.push(tooLargeFinding(entry))
    else if (file === null) findings.push(unreadableFinding(entry))
    else if (file === 'LeftOut') above.push(entry)
    else {
      files.set(entry.path, file)
      if (file.source.undecodable) findings.push(notUtf8Finding(file.source))
      if (isLfsPointer(file.source)) findings.push(lfsPointerFinding(file.source))
    }
    if (file === 'LeftOut' || (isTooLarge(entry) && own === undefined)) leftOut.add(entry.path)
    return withFile(one, outcome === 'LeftOut' ? null : outcome)
  })
  return {
    files: withIdentity(files, identity),
    leftOut,
    findings: [
      ...findings,
      ...firstFindings(above, aboveBudget(reading.budget)),
      ...unreadLedgersIn({ entries, skipped }, path => files.get(path)?.source).map(unreadLedgerFinding),
    ],
    entries: next,
  }
}

/** The ledgers of a listing that are not read whole, and those whose paths have something else. */
export const unreadLedgersIn = (
  { entries, skipped }: TreeListing,
  sourceAt: (path: string) => SourceFile | undefined,
): ReadonlyArray<RepoPath> => {
  const near = [...entries, ...skipped].map(({ path }) => path).filter(path => path.startsWith('.svc'))
  const isAt = (ledger: string) => (path: string) =>
    path === ledger || path.startsWith(`${ledger}/`) || ledger.startsWith(`${path}/`)
  return ledgerPaths
    .filter(ledger => {
      const source = sourceAt(ledger)
      return source === undefined ? near.some(isAt(ledger)) : source.undecodable || isLfsPointer(source)
    })
    .map(requirePath)
}

/** The result for a file that was to be read. */
type Outcome = ParsedFile | 'LeftOut'

/**
 * How many reads of one load may wait for their parse, by number and by size: this bounds the raw bytes in
 * memory.
 */
const readsAhead = 64
const bytesAhead = 4 * fileBytesMax

interface Reading {
  readonly entry: TreeEntry
  readonly outcome: Promise<Either<unknown, Buffer | null>>
}

/**
 * Reads `entries` in order, a bounded number ahead. The consumer may skip entries; an entry for which
 * `isOpen` returns false is not read. A failed read throws only where its bytes are taken.
 */
const readAhead = (
  source: TreeSource,
  entries: ReadonlyArray<TreeEntry>,
  isOpen: (entry: TreeEntry) => boolean,
): ((entry: TreeEntry) => Promise<Buffer | null>) => {
  const reading: Array<Reading> = []
  let [next, bytes] = [0, 0]
  const fill = (): void => {
    while (reading.length < readsAhead && bytes < bytesAhead && next < entries.length) {
      const entry = entries[next]
      next += 1
      if (entry === undefined || !isOpen(entry)) continue
      reading.push({ entry, outcome: source.read(entry).then(right, left) })
      bytes += bytesOf(entry)
    }
  }
  return async wanted => {
    for (;;) {
      fill()
      const first = reading.shift()
      if (first === undefined) return null
      bytes -= bytesOf(first.entry)
      if (first.entry !== wanted) continue
      fill()
      const outcome = await first.outcome
      if (isLeft(outcome)) throw outcome.left
      return outcome.right
    }
  }
}

/**
 * The entries whose text is read: the first of each blob that the previous load does not have at that path.
 */
const toRead = (
  entries: ReadonlyArray<TreeEntry>,
  isKnown: (entry: TreeEntry) => boolean,
): ReadonlyArray<TreeEntry> => {
  const blobs = new Set<BlobId>()
  return entries.filter(entry => {
    const isFirst = !blobs.has(entry.blob)
    blobs.add(entry.blob)
    return isFirst && !isKnown(entry)
  })
}

type FindKnown = (entry: TreeEntry) => ParsedFile | undefined

/**
 * The files that fit the budget, in the order in which they used it. Files of one blob share one text;
 * `texts` holds those that exist.
 */
const readFiles = async (
  { source, budget, breathe }: LoreReading,
  entries: ReadonlyArray<TreeEntry>,
  knownAt: FindKnown,
  texts: Map<BlobId, SourceFile>,
): Promise<ReadonlyMap<string, Outcome>> => {
  const [text, rows] = [startBudget(budget.textBytes), startBudget(budget.rows)]
  const read = new Map<string, Outcome>()
  const within = inBudgetOrder(entries).filter(entry => {
    const fits = isEnactedLedger(entry.path) || text.take(entry, bytesOf(entry))
    if (!fits) read.set(entry.path, 'LeftOut')
    return fits
  })
  const ahead = toRead(within, entry => knownAt(entry) !== undefined || texts.has(entry.blob))
  const isOpen = (entry: TreeEntry): boolean => isEnactedLedger(entry.path) || rows.isOpen(entry)
  const [isAhead, nextBytes] = [new Set(ahead), readAhead(source, ahead, isOpen)]
  const sourceOf = async (entry: TreeEntry): Promise<SourceFile | null> => {
    const shared = texts.get(entry.blob)
    if (shared !== undefined) return { ...shared, path: entry.path }
    // The first file of the blob may have been left out before it was read.
    const bytes = await (isAhead.has(entry) ? nextBytes(entry) : source.read(entry))
    return bytes === null ? null : decodeFile(entry, bytes)
  }
  for (const entry of within) {
    if (!isOpen(entry)) {
      read.set(entry.path, 'LeftOut')
      continue
    }
    const known = knownAt(entry)
    const file = known?.source ?? (await sourceOf(entry))
    if (file === null) continue
    if (!texts.has(file.blob)) texts.set(file.blob, file)
    if (!isEnactedLedger(entry.path) && !rows.take(entry, countRowsIn(file))) read.set(entry.path, 'LeftOut')
    else read.set(entry.path, known ?? (await runWithPauses(parseFileInSlices(file), breathe)))
    if (known === undefined) await breathe()
  }
  return read
}

const unbounded: Budget = { textBytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY }

/**
 * The result for each file that is read or left out, by path. Where the whole tree fits, no order leaves
 * anything out, so this looks only at the files that are not read yet.
 */
const readOutcomes = (
  reading: LoreReading,
  files: ReadonlyArray<ReadEntry>,
): Promise<ReadonlyMap<string, Outcome>> => {
  if (!fitsWhole(reading.budget, files)) {
    const known = new Map(files.map(({ entry, file }) => [entry, file ?? undefined]))
    return readFiles(
      reading,
      files.map(({ entry }) => entry),
      entry => known.get(entry),
      new Map(),
    )
  }
  const unread = files.filter(({ file }) => file === null)
  return readFiles(
    { ...reading, budget: unbounded },
    unread.map(({ entry }) => entry),
    () => undefined,
    shareTexts(files, unread),
  )
}
