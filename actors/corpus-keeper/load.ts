import { createHash } from 'node:crypto'
import type { Day } from '#protocol/atoms/day.js'
import { type Budget, treeBudget } from '#src/corpus/budget.js'
import { type Build, type Inputs, slicedBuild } from '#src/corpus/build.js'
import type { ParsedFile } from '#src/corpus/parsed-file.js'
import type { Finding } from '#src/lore/finding.js'
import { breathing } from '#src/lore/sliced.js'
import type { SourceFile } from '#src/lore/source-file.js'
import type { Head, TreeEntry, TreeSource } from '#src/ports/tree-source.js'
import { fileBytesMax, noCommit } from './findings.js'
import { loreFiles } from './lore-files.js'
import { type Moderators, moderatorsIn, noModerators } from './moderators.js'
import { decodedFile } from './source-file.js'

/** Everything that the next load takes over from this one. */
export interface Loaded {
  readonly loreHead: Head
  readonly worksHead: Head | null
  readonly moderatorsHead: Head | null
  readonly day: Day
  readonly lore: ReadonlyMap<string, ParsedFile>
  readonly works: ReadonlyArray<SourceFile>
  readonly moderators: Moderators
  /** All that `build` is a function of: what a reader thread is told. */
  readonly inputs: Inputs
  readonly build: Build
}

export interface LoadPorts {
  readonly lore: TreeSource
  readonly works: TreeSource | null
  readonly moderators: TreeSource | null
  readonly today: () => Day
  /** Lets the event loop turn when the slice of time is used up. */
  readonly breathe: () => Promise<void>
  /** Findings of the boot: the configuration. */
  readonly bootFindings: ReadonlyArray<Finding>
  /** What the lore may hold together; absent: `treeBudget`. */
  readonly budget?: Budget
}

const isLedger = (entry: TreeEntry): boolean =>
  /^governance\/(ledger\/[^/]+\.jsonl|calendar\.json)$/.test(entry.path) && entry.bytes <= fileBytesMax

const worksFiles = async (
  works: TreeSource,
  head: Head,
  before: ReadonlyArray<SourceFile>,
): Promise<ReadonlyArray<SourceFile>> => {
  const known = new Map(before.map(file => [file.path, file]))
  const { entries } = await works.list(head)
  const files: Array<SourceFile> = []
  for (const entry of entries.filter(isLedger)) {
    const old = known.get(entry.path)
    const bytes = old?.blob === entry.blob ? null : await works.read(entry)
    if (old?.blob === entry.blob) files.push(old)
    else if (bytes !== null) files.push(decodedFile(entry, bytes))
  }
  return files
}

const inputsId = (lore: Head, works: Head | null): string =>
  createHash('sha1')
    .update(`${lore.id}\0${works?.id ?? ''}`)
    .digest('hex')

/**
 * Looks at the heads and the day; null when nothing changed, else the next state, in which only changed files were read
 * and parsed again (D14, ARCHITECTURE "Reading"). Throws where a source breaks: a HEAD that was there and
 * is not is a broken object database, never an empty world.
 */
export const load = async (ports: LoadPorts, before: Loaded | null): Promise<Loaded | null> => {
  const [loreHead, worksHead, moderatorsHead] = await Promise.all([
    ports.lore.head(),
    ports.works?.head() ?? null,
    ports.moderators?.head() ?? null,
  ])
  if (before !== null && before.loreHead.commit !== null && loreHead.commit === null)
    throw new Error(`HEAD names no commit that can be read; ${before.loreHead.commit} is still served`)
  const day = ports.today()
  const sameLore = before !== null && before.loreHead.id === loreHead.id
  const sameWorks = before !== null && before.worksHead?.id === worksHead?.id
  const sameModerators = before !== null && before.moderatorsHead?.id === moderatorsHead?.id
  if (sameLore && sameWorks && sameModerators && before.day === day) return null
  const reading = { source: ports.lore, budget: ports.budget ?? treeBudget, breathe: ports.breathe }
  const { files, leftOut, findings } = await loreFiles(
    reading,
    await ports.lore.list(loreHead),
    before?.lore ?? new Map(),
  )
  const empty = ports.lore.kind === 'git' && loreHead.commit === null ? [noCommit()] : []
  const works =
    ports.works === null || worksHead === null
      ? []
      : sameWorks
        ? before.works
        : await worksFiles(ports.works, worksHead, before?.works ?? [])
  const moderators =
    ports.moderators === null
      ? noModerators
      : sameModerators
        ? before.moderators
        : await moderatorsIn(ports.moderators)
  const corpus = ports.works === null ? null : { path: ports.works.path, commit: worksHead?.commit ?? null }
  const kept = sameWorks ? before.build.snapshot.ledger.corpus : corpus
  const inputs: Inputs = {
    commit: loreHead.commit,
    id: inputsId(loreHead, worksHead),
    day,
    lore: files,
    works: { corpus: kept, files: works },
    moderators: moderators.file,
    leftOut,
    findings: [...ports.bootFindings, ...empty, ...findings, ...moderators.findings],
  }
  const build = await breathing(slicedBuild(inputs, before?.build ?? null), ports.breathe)
  return { loreHead, worksHead, moderatorsHead, day, lore: files, works, moderators, inputs, build }
}
