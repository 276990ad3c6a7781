import { createHash } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Day, type FurtherTree, requirePath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { type LanguageFiles, languageFileNames } from '#src/domain/language/language.js'
import type { Ledger } from '#src/domain/ledger/calendar.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { fileBytesMax, type SourceFile } from '#src/domain/lore/layout.js'
import { isWorksDocument } from '#src/domain/search/texts/pdf-documents.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { archiveOf, type LogArchive, loreArchiveFolder, noArchive } from '#src/domain/transcripts/archive.js'
import type { Head, TreeEntry, TreeListing, TreeSource } from '#src/ports/git.js'
import { type Budget, treeBudget } from '#src/snapshot/budget.js'
import { type Build, buildSnapshotInSlices, type Inputs } from '#src/snapshot/build.js'
import type { ParsedFile } from '#src/snapshot/parsed-file.js'
import type { TreeHeads } from '#src/snapshot/snapshot.js'
import { type AnnotationPorts, type Annotations, annotationsOf } from './annotations.js'
import { noCommitFinding, tooLargeFinding } from './findings.js'
import {
  type IdentityFiles,
  type IdentityRead,
  identityAt,
  isSameIdentity,
  noIdentity,
  withholdIdentity,
  withIdentity,
} from './identity-files.js'
import { type CorpusLore, loreFiles, noLore } from './lore-files.js'
import {
  annotationsTree,
  languageTree,
  listNamedFiles,
  moderatorsTree,
  type NamedEntries,
  type NamedFiles,
  noEntries,
  noFiles,
  readNamedFiles,
  rosterIn,
  samplesTree,
  worksTree,
} from './named-files.js'
import type { ReadEntry } from './read-entries.js'
import { readTuning, type TuningRead } from './tuning-files.js'

/** What one load passes on to the next. */
export interface Loaded {
  /** The commit that the tree was read from. */
  readonly loreHead: Head
  /**
   * Whether `identity` is of a newer commit than the tree, which is still being read or cannot be read (D63).
   */
  readonly ahead: boolean
  readonly day: Day
  readonly lore: ReadonlyMap<string, ParsedFile>
  /** The listing that `lore` was read from. */
  readonly entries: ReadonlyArray<ReadEntry>
  readonly identity: IdentityFiles
  readonly works: NamedFiles
  readonly moderators: NamedFiles
  readonly language: NamedFiles
  /** The documents of the works tree, and the lemmas of texts: only search needs them. */
  readonly documents: WorksListing
  readonly annotations: Annotations
  /** The labelled samples of the annotation tree. */
  readonly samples: NamedFiles
  /** The fine-tuning samples of `corpora.probki`. */
  readonly tuning: TuningRead
  readonly treeHeads: TreeHeads
  /** Everything that `build` depends on; reader threads get the same. */
  readonly inputs: Inputs
  readonly build: Build
}

export interface LoadPorts extends AnnotationPorts {
  readonly lore: TreeSource
  readonly moderators: TreeSource | null
  readonly language: TreeSource | null
  /** The trees whose heads the snapshot has; absent: none. That of `corpora.adnotacje` is `annotations`. */
  readonly trees?: ReadonlyMap<FurtherTree, TreeSource>
  /** The host's configuration. Every snapshot uses it, whatever configuration its commit holds. */
  readonly config: Config
  readonly today: () => Day
  /** Findings of the start: those of the configuration. */
  readonly bootFindings: ReadonlyArray<Finding>
  /** The size limits of the lore; if absent, `treeBudget`. */
  readonly budget?: Budget
}

/**
 * Looks at the heads and the day. Returns null when nothing changed, otherwise the next state, for which it
 * read and parsed only changed files (D14). It reads the identity files first and by path, so that rights
 * never wait for a tree that is large or cannot be loaded (D63). Throws where a source is broken: a HEAD that
 * existed before and is missing means a broken object database, never an empty world; then only the machine
 * has rights. Throws where the object of a needed file is lost: its content must not count as absent.
 */
export const load = async (
  ports: LoadPorts,
  before: Loaded | null,
  watch: LoadWatch = unwatched,
): Promise<Loaded | null> => {
  const day = ports.today()
  const reading = readTuning(tuningPorts(ports), before?.tuning ?? null)
  const [current, works, others, [annotated, treeHeads]] = await Promise.all([
    currentIdentity(ports, before),
    readNamedFiles(ports.works, worksTree, before?.works ?? noFiles),
    readOthers(ports, before, reading),
    readTreeHeads(ports, before, reading),
  ])
  const { moderators } = others
  let base = before
  const publishRights = async (identity: IdentityFiles): Promise<void> => {
    const rights = { day, identity, moderators }
    if (base === null || hasRights(base, rights)) return
    base = await ahead(ports, base, rights)
    watch.onIdentity(base)
  }
  if (isLeft(current)) {
    await publishRights(withholdIdentity(before?.identity ?? noIdentity))
    throw current.left
  }
  const { head } = current.right
  const { files: identity, lost } = current.right.identity
  const isSameLore = before !== null && before.loreHead.id === head.id && !before.ahead
  const isSameWorks = before !== null && before.works === works
  const isSameRest = before?.day === day && isSameBeside(before, { ...others, annotated, treeHeads })
  if (isSameLore && isSameWorks && isSameRest) return null
  if (!isSameLore) await publishRights(identity)
  const failure = isSameLore ? null : watch.failureOf(head.id)
  if (failure !== null) throw new Error(failure)
  if (lost !== null) throw lost
  const listing = await ports.lore.list(head)
  const lore = await loreFiles(
    { source: ports.lore, identity, budget: ports.budget ?? treeBudget, breathe: ports.breathe },
    listing,
    base === null ? noLore : { files: base.lore, entries: base.entries },
  )
  const corpusBefore = isSameWorks ? before.build.snapshot.ledger.corpus : undefined
  const searched = await readSearchTrees(ports, lore.files, works, annotated, before)
  const found = { ...searched, archive: archiveAt(ports, listing, base), corpusBefore }
  const inputs = inputsOf(ports, head, lore, { day, works, ...others, treeHeads, ...found })
  return {
    loreHead: head,
    ahead: false,
    day,
    lore: lore.files,
    entries: lore.entries,
    identity,
    works,
    ...others,
    treeHeads,
    ...searched,
    inputs,
    build: await buildOf(ports, inputs, base),
  }
}

/** What a load reads of the trees beside the lore and the works. */
const readOthers = async (
  ports: LoadPorts,
  before: Loaded | null,
  reading: Promise<TuningRead>,
): Promise<Pick<Loaded, 'moderators' | 'language' | 'samples' | 'tuning'>> => {
  const [moderators, language, samples, tuning] = await Promise.all([
    readNamedFiles(ports.moderators, moderatorsTree, before?.moderators ?? noFiles),
    readNamedFiles(ports.language, languageTree, before?.language ?? noFiles),
    readNamedFiles(ports.annotations ?? null, samplesTree, before?.samples ?? noFiles),
    reading,
  ])
  return { moderators, language, samples, tuning }
}

const tuningPorts = ({ trees, config, breathe }: LoadPorts) => ({
  source: trees?.get('probki') ?? null,
  isConfigured: config['corpora.probki'] !== '',
  breathe,
})

/** The archive of transcripts: the one place that knows which tree has it. */
const archiveAt = (
  { config }: Pick<LoadPorts, 'config'>,
  { entries }: TreeListing,
  before: Loaded | null,
): LogArchive =>
  config['corpora.logi'] === '' ? archiveOf(entries, loreArchiveFolder, before?.inputs.archive) : noArchive

/** The id for a tree combined with the identity of another commit; no commit gives the same text. */
const aheadId = (
  ports: LoadPorts,
  { loreHead, works, language, annotations }: Loaded,
  { identity, moderators }: Pick<Rights, 'identity' | 'moderators'>,
): string =>
  digest(
    inputsId(ports, loreHead, { works, moderators, language, annotated: annotations.files }),
    ...[...identity].flatMap(([path, { source }]) => [path, source.blob]),
  )

/** What the rights of a request derive from, beside the tree. */
interface Rights {
  readonly day: Day
  readonly identity: IdentityFiles
  readonly moderators: NamedFiles
}

/** Callbacks of a running `load`. */
interface LoadWatch {
  /**
   * Receives the previous state with the newest identity, ahead of the tree: rights must not wait for it
   * (D63).
   */
  readonly onIdentity: (loaded: Loaded) => void
  /**
   * Called before the tree of `headId` is read. A reason means that reading would fail again, and `load`
   * fails with it.
   */
  readonly failureOf: (headId: string) => string | null
}

const unwatched: LoadWatch = { onIdentity: () => undefined, failureOf: () => null }

const buildOf = (ports: LoadPorts, inputs: Inputs, before: Loaded | null): Promise<Build> =>
  runWithPauses(buildSnapshotInSlices(inputs, before?.build ?? null), ports.breathe)

/** The previous state with the current rights. The tree and everything parsed from it stay the same. */
const ahead = async (
  ports: LoadPorts,
  before: Loaded,
  { day, identity, moderators }: Rights,
): Promise<Loaded> => {
  const lore = withIdentity(before.lore, identity)
  const id = aheadId(ports, before, { identity, moderators })
  const inputs: Inputs = { ...before.inputs, id, day, lore, moderators: rosterIn(moderators.files) }
  const build = await buildOf(ports, inputs, before)
  return { ...before, ahead: true, day, identity, moderators, lore, inputs, build }
}

const hasRights = (before: Loaded, { day, identity, moderators }: Rights): boolean =>
  before.day === day && before.moderators === moderators && isSameIdentity(before.identity, identity)

/**
 * Runs the work again after a throw: a git child that died is restarted by the next call, so one fault is no
 * failure.
 */
const twice = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch {
    return work()
  }
}

interface CurrentIdentity {
  readonly head: Head
  readonly identity: IdentityRead
}

const currentIdentity = async (
  { lore }: LoadPorts,
  before: Loaded | null,
): Promise<Either<unknown, CurrentIdentity>> => {
  try {
    const head = await twice(lore.head)
    if (before !== null && before.loreHead.commit !== null && head.commit === null)
      return left(
        new Error(`HEAD names no commit that can be read; ${before.loreHead.commit} is still served`),
      )
    const identity = await twice(() => identityAt(lore, head, before?.identity ?? noIdentity))
    return right({ head, identity })
  } catch (error) {
    return left(error)
  }
}

/** What a look found beside the lore. */
interface Beside {
  readonly day: Day
  readonly works: NamedFiles
  readonly moderators: NamedFiles
  readonly language: NamedFiles
  readonly samples: NamedFiles
  readonly tuning: TuningRead
  readonly treeHeads: TreeHeads
  readonly documents: WorksListing
  readonly annotations: Annotations
  readonly archive: LogArchive
  /** The corpus of the previous ledger, where the works are unchanged. */
  readonly corpusBefore: Ledger['corpus'] | undefined
}

const inputsOf = (
  ports: LoadPorts,
  head: Head,
  lore: CorpusLore,
  {
    day,
    works,
    moderators,
    language,
    samples,
    tuning,
    treeHeads,
    documents,
    annotations,
    archive,
    corpusBefore,
  }: Beside,
): Inputs => {
  const empty = ports.lore.kind === 'git' && head.commit === null ? [noCommitFinding()] : []
  const corpus =
    ports.works === null || works.head === null ? null : { path: ports.works.path, commit: works.head.commit }
  return {
    commit: head.commit,
    id: inputsId(ports, head, { works, moderators, language, annotated: annotations.files }),
    treeHeads,
    day,
    config: ports.config,
    lore: lore.files,
    works: { corpus: corpusBefore === undefined ? corpus : corpusBefore, files: works.files },
    moderators: rosterIn(moderators.files),
    language: ports.config['corpora.lang'] === '' ? null : languageFilesIn(language.files),
    lexicon: annotations.lexicon,
    samples: samples.files,
    tuning: tuning.store,
    leftOut: lore.leftOut,
    archive,
    findings: [
      ...ports.bootFindings,
      ...empty,
      ...lore.findings,
      ...works.findings,
      ...moderators.findings,
      ...language.findings,
      ...samples.findings,
      ...tuning.findings,
      ...documents.findings,
      ...annotations.findings,
    ],
  }
}

const isSameBeside = (
  before: Loaded,
  others: Pick<Loaded, 'moderators' | 'language' | 'samples' | 'tuning' | 'treeHeads'> & {
    readonly annotated: NamedEntries
  },
): boolean =>
  before.treeHeads === others.treeHeads &&
  before.moderators === others.moderators &&
  before.language === others.language &&
  before.samples === others.samples &&
  before.tuning === others.tuning &&
  before.annotations.files === others.annotated

/** A file under the path that findings show, because it lies in another repository than the lore. */
const shown = perValue(
  (file: SourceFile): SourceFile => ({ ...file, path: requirePath(`corpora.lang/${file.path}`) }),
)

/** The files of language data among those of their tree. An unchanged file stays the same object. */
const languageFilesIn = (files: ReadonlyArray<SourceFile>): LanguageFiles => {
  const named = (name: string): SourceFile | null => {
    const file = files.find(one => one.path === name)
    return file === undefined ? null : shown(file)
  }
  return {
    forms: named(languageFileNames.forms),
    titles: named(languageFileNames.titles),
    lemmas: named(languageFileNames.lemmas),
  }
}

/** A hash over texts, none of which may have a NUL. */
const digest = (...parts: ReadonlyArray<string>): string =>
  createHash('sha1').update(parts.join('\0')).digest('hex')

const configId = perValue((config: Config) => digest(JSON.stringify(config)))

/** What a tree of annotations says of texts; another commit of it may change only other files. */
const annotationsId = perValue(({ head, entries }: NamedEntries) =>
  head === null ? '' : digest(...entries.flatMap(({ path, blob }) => [path, blob])),
)

/**
 * The id includes the configuration: with another one the host may answer differently from the same commit.
 */
const inputsId = (
  { config }: { readonly config: Config },
  lore: Head,
  trees: Readonly<Record<'works' | 'moderators' | 'language', Pick<NamedFiles, 'head'>>> & {
    readonly annotated: NamedEntries
  },
): string =>
  digest(
    lore.id,
    ...[trees.works, trees.moderators, trees.language].map(({ head }) => head?.id ?? ''),
    annotationsId(trees.annotated),
    configId(config),
  )

/**
 * The files of annotations, and the heads of the trees as they are now; those of `before` where all are the same. A
 * tree that cannot be read has none, and delays no other part of the look beyond the bound of its source.
 */
const readTreeHeads = async (
  { annotations = null, trees = new Map() }: LoadPorts,
  loaded: Loaded | null,
  reading: Promise<TuningRead>,
): Promise<readonly [annotated: NamedEntries, treeHeads: TreeHeads]> => {
  const before = loaded?.treeHeads ?? null
  const annotated = await listNamedFiles(annotations, annotationsTree, loaded?.annotations.files ?? noEntries)
  // The head of a tree whose files were read is the one that they are of.
  const headOf = async (tree: FurtherTree, source: TreeSource): Promise<Head | null> => {
    if (tree === 'adnotacje') return annotated.head
    return tree === 'probki' ? (await reading).entries.head : source.head().catch(() => null)
  }
  const heads = await Promise.all(
    [...trees].map(async ([tree, source]) => {
      const head = await headOf(tree, source)
      return head === null ? [] : [[tree, head] as const]
    }),
  )
  const now: TreeHeads = new Map(heads.flat())
  const isSame = before?.size === now.size && [...now].every(([tree, { id }]) => before.get(tree)?.id === id)
  return [annotated, isSame ? before : now]
}

/** The documents of the works tree, by path; their texts are read when they are indexed. */
interface WorksListing {
  readonly head: Head | null
  readonly entries: ReadonlyMap<string, TreeEntry>
  readonly findings: ReadonlyArray<Finding>
}

const noWorks: WorksListing = { head: null, entries: new Map(), findings: [] }

/** The most documents of one tree. */
const documentsMax = 100_000

/**
 * The documents of the works tree at a head. Never throws: a tree that cannot be listed has the documents of the
 * last look, and is tried again at the next.
 */
const listWorks = async (
  source: TreeSource | null,
  head: Head | null,
  before: WorksListing,
): Promise<WorksListing> => {
  if (source === null || head === null) return before.head === null ? before : noWorks
  if (before.head?.id === head.id) return before
  try {
    const { entries } = await source.list(head)
    const wanted = entries.filter(({ path }) => isWorksDocument(path))
    const large = wanted.filter(({ bytes }) => bytes > fileBytesMax)
    const small = wanted.filter(({ bytes }) => bytes <= fileBytesMax).slice(0, documentsMax)
    return {
      head,
      entries: new Map(small.map(entry => [entry.path, entry])),
      findings: large.map(entry =>
        tooLargeFinding({ ...entry, path: requirePath(`corpora.dziel/${entry.path}`) }),
      ),
    }
  } catch {
    return before
  }
}

/** What only search reads. */
interface SearchTrees {
  readonly documents: WorksListing
  readonly annotations: Annotations
}

/** Reads the documents of the works tree and the lemmas of texts; what did not change stays as `before` has it. */
const readSearchTrees = async (
  ports: AnnotationPorts,
  lore: ReadonlyMap<string, ParsedFile>,
  works: NamedFiles,
  annotated: NamedEntries,
  before: SearchTrees | null,
): Promise<SearchTrees> => {
  const documents = await listWorks(ports.works, works.head, before?.documents ?? noWorks)
  const texts = { lore, works: documents.entries }
  return { documents, annotations: await annotationsOf(ports, annotated, texts, before?.annotations ?? null) }
}
