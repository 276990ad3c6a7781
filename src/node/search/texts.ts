import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import { pathOf, type Tier } from '#protocol/atoms.js'
import { type MissFile, openMissFile } from '#src/adapters/search/miss-file.js'
import { type FileRole, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { namesTopics, pathNamesTopics } from '#src/domain/lore/topic-text.js'
import { lemmasIn } from '#src/domain/search/query.js'
import { type DocumentPlan, type LemmasOfForm, nextDocuments } from '#src/domain/search/texts/documents.js'
import { groupTexts, planGroup } from '#src/domain/search/texts/groups.js'
import type {
  AnnotatedTree,
  CopyPlace,
  SearchText,
  TextCut,
  TextGroup,
  TierTexts,
} from '#src/domain/search/texts/lemma-sidecar.js'
import {
  contentStamp,
  documentVersion,
  passageInSlices,
  passageOfFile,
  pdfSuffix,
} from '#src/domain/search/texts/pdf-documents.js'
import { addMiss, missKey, solveMiss } from '#src/domain/search/zero-results.js'
import type { Session, SessionCopy } from '#src/domain/sessions/session.js'
import { mapInSlices, runWithPauses, type Sliced } from '#src/domain/slicing/sliced.js'
import { anyLine } from '#src/domain/transcripts/questions.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { Log } from '#src/node/records/records.js'
import type { Checkout } from '#src/node/start/checkout.js'
import type { TreeEntry, TreeSource } from '#src/ports/git.js'
import type { Host, SearchPorts } from '#src/ports/host.js'
import type { TranscriptIndex } from '#src/ports/transcripts.js'
import { type Cell, makeCell } from '#src/snapshot/cell.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import {
  type DocumentHead,
  type DocumentPort,
  emptyDocuments,
  type SearchDocument,
  type TierContent,
} from '../../domain/search/document.js'
import type { NodeSearch } from './search.js'

/** The texts that search reads, and the queries that found nothing. */
export interface HostSearch {
  readonly documents: (tier: Tier) => DocumentPort
  /** Set once the trees of the configuration are open. */
  readonly works: Cell<TreeSource>
  readonly misses: MissFile
}

export const hostSearch = (
  held: Cell<Loaded>,
  checkout: Pick<Checkout, 'state'>,
  log: Pick<Log, 'warn'>,
): HostSearch => {
  const works = makeCell<TreeSource>()
  return {
    documents: documentsOf({
      held,
      works: works.get,
      breathe: daemonBreather(),
      warn: log.warn,
    }),
    works,
    misses: openMissFile(join(checkout.state, 'search', 'zero-results.jsonl'), error => {
      log.warn('zero_results_not_written', { reason: String(error) })
    }),
  }
}

/** What the rows of search need of this host, on the main thread. */
export const searchOf = (
  { works, misses }: HostSearch,
  { asker }: Pick<NodeSearch, 'asker'>,
  checkout: Pick<Checkout, 'source'>,
  transcripts: Pick<TranscriptIndex, 'ask'>,
): Pick<Host, 'misses' | 'search'> => ({
  search: {
    asker,
    readPassage: withSpeech(transcripts, passagesFromTrees(checkout.source, works.get, daemonBreather())),
    record: recordOutcomes(misses),
  },
  misses: misses.misses,
})

/** What documents of the lore are made of. */
export type LoreTexts = Pick<Loaded, 'lore' | 'inputs' | 'annotations' | 'loreHead' | 'build'>

/** The sections of the lore. */
export const loreContent = function* (loaded: LoreTexts, breathe: Breathe): Sliced<TierContent> {
  const searched = [...loaded.lore].filter(
    ([path]) => searchedRoles.has(roleOf(path)) && !pathNamesTopics(path),
  )
  const versions = yield* mapInSlices(
    searched,
    ([path, { source }]) => [path, textVersion(loaded, 'lore', path, source.blob)] as const,
  )
  const groups = async function* (paths: ReadonlyArray<string>): AsyncGenerator<TextGroup, void> {
    const group = groupTexts()
    for (const path of paths) {
      const file = loaded.lore.get(path)?.source
      if (file !== undefined) yield* group.add(searchText(loaded, 'lore', file), at => ({ _tag: 'Lore', at }))
      await breathe()
    }
    yield* group.rest()
  }
  return contentOfTexts(loaded, { stamp: stampOfLore(loaded), sources: new Map(versions) }, groups, breathe)
}

/** The sessions. A session is a source with the documents of all its copies. */
export const sessionContent = function* (loaded: LoreTexts, breathe: Breathe): Sliced<TierContent> {
  const versions = new Map<string, string>()
  const versionOf: VersionOfFile = path => {
    const known = versions.get(path)
    if (known !== undefined) return known
    const version = textVersion(loaded, 'lore', path, loaded.lore.get(path)?.source.blob ?? '')
    versions.set(path, version)
    return version
  }
  const sessions = yield* sessionSources(loaded, versionOf)
  yield
  const groups = async function* (keys: ReadonlyArray<string>): AsyncGenerator<TextGroup, void> {
    const group = groupTexts()
    const wanted = keys.flatMap(key => sessions.get(key)?.session ?? [])
    for (const session of wanted.sort((one, other) => (one.path < other.path ? -1 : 1))) {
      for (const copy of session.inOrder) {
        const file = loaded.lore.get(copy.path)?.source
        if (file === undefined) continue
        const cut = (at: number): TextCut => ({ _tag: 'Session', at, copy: placeOf(copy) })
        yield* group.add(searchText(loaded, 'lore', file), cut)
      }
      await breathe()
    }
    yield* group.rest()
  }
  const sources = new Map([...sessions].map(([key, { version }]) => [key, version]))
  return contentOfTexts(loaded, { stamp: stampOfLore(loaded), sources }, groups, breathe)
}

/** Reads passages on a reader thread, which has the texts of the lore and no trees. */
export const passagesInMemory: SearchPorts['readPassage'] = (document, snapshot) => {
  if (document.kind === 'speech') return Promise.resolve(undefined)
  if (isMoved(document, snapshot)) return Promise.resolve(null)
  const file = fileInMemory(document, snapshot)
  return Promise.resolve(file === null ? undefined : passageOfFile(file, document))
}

/** Adds a query that found nothing to the list, and marks one of the list that now finds something. */
export const recordOutcomes =
  (file: MissFile): Exclude<SearchPorts['record'], null> =>
  ({ query, tiers, total, commit, ...asked }) =>
    file.change(misses =>
      total === 0
        ? addMiss(misses, query, tiers, asked)
        : solveMiss(misses, missKey(query, tiers), commit ?? 'unversioned'),
    )

interface ContentSources extends WorksReading {
  readonly held: Cell<Loaded>
  /** Null where the host has no works tree, and before its trees are open. */
  readonly works: () => TreeSource | null
}

type MakeContent = (loaded: Loaded) => TierContent | Promise<TierContent>

/** The port of one tier over the cell: its content is made in slices after each publication, the newest alone. */
const portOver = (
  { held, warn }: Pick<ContentSources, 'held' | 'warn'>,
  tier: Tier,
  make: MakeContent,
): DocumentPort => {
  let [content, made, isMaking]: [TierContent | null, Loaded | null, boolean] = [null, null, false]
  const watchers: Array<() => void> = []
  const remake = async (): Promise<void> => {
    if (isMaking) return
    isMaking = true
    try {
      for (let loaded = held.get(); loaded !== null && loaded !== made; loaded = held.get()) {
        const next = await make(loaded)
        made = loaded
        if (next.stamp === content?.stamp) continue
        content = next
        for (const watcher of watchers) watcher()
      }
    } catch (error) {
      // The next publication tries again; until then the last content stays.
      warn('search_content_failed', { tier, reason: error instanceof Error ? error.message : String(error) })
    } finally {
      isMaking = false
    }
  }
  held.watch(() => void remake())
  void remake()
  return { tier, current: () => content, watch: changed => void watchers.push(changed) }
}

/** The documents of each tier of a host; transcripts have none yet. */
const documentsOf =
  (setup: ContentSources) =>
  (tier: Tier): DocumentPort => {
    const { works, breathe } = setup
    if (tier === 'lore')
      return portOver(setup, tier, loaded => runWithPauses(loreContent(loaded, breathe), breathe))
    if (tier === 'session')
      return portOver(setup, tier, loaded => runWithPauses(sessionContent(loaded, breathe), breathe))
    return tier === 'external'
      ? portOver(setup, tier, loaded => worksContent(loaded, works(), setup))
      : emptyDocuments(tier)
  }

type Breathe = () => Promise<void>

const searchedRoles: ReadonlySet<FileRole> = new Set(['sessions', 'character'])

/** The blob of `lematy.tsv`, which the documents depend on; empty where there is none. */
const languageVersion = ({ inputs, lore }: Pick<Loaded, 'inputs' | 'lore'>): string =>
  (inputs.language === null ? lore.get('jezyk/lematy.tsv')?.source : inputs.language.lemmas)?.blob ?? ''

/** A file with the lemmas of its sidecar. */
const searchText = (
  { annotations }: Pick<Loaded, 'annotations'>,
  tree: AnnotatedTree,
  file: SourceFile,
): SearchText => {
  const known = annotations.known.get(`${tree}/${file.path}`)?.read
  return { file, stated: known?._tag === 'Read' ? known.offsets : null }
}

/** The content of a tier that is made of groups of texts. */
const contentOfTexts = (
  { build }: Pick<Loaded, 'build'>,
  { stamp, sources }: Pick<TierContent, 'stamp' | 'sources'>,
  groups: TierTexts['groups'],
  breathe: Breathe,
): TierContent => {
  const { lemmas } = build.snapshot.language.data
  return {
    stamp,
    sources,
    read: chosen => readGroups(groups(chosen), lemmasIn(lemmas), breathe),
    texts: { lemmas, groups },
  }
}

/** The version of the documents of one text, whose blob is `blob`. */
const textVersion = (
  loaded: Pick<Loaded, 'annotations' | 'inputs' | 'lore'>,
  tree: AnnotatedTree,
  path: string,
  blob: string,
): string =>
  [
    documentVersion,
    blob,
    loaded.annotations.known.get(`${tree}/${path}`)?.file.blob ?? '',
    languageVersion(loaded),
  ].join('.')

const stampOfLore = (loaded: LoreTexts): string =>
  contentStamp({
    commit: loaded.build.snapshot.commit,
    tree: loaded.loreHead.id,
    annotations: loaded.annotations.files.head?.id ?? '',
    language: languageVersion(loaded),
    setup: '',
  })

const placeOf = ({ header, key, line, endLine, date, dateEnd, title }: SessionCopy): CopyPlace => ({
  header,
  key,
  line,
  endLine,
  date,
  dateEnd,
  title,
})

/** Makes the documents of a text, in slices, and yields them in batches that are sent in one turn. */
const readBatches = async function* (
  planning: Sliced<DocumentPlan>,
  breathe: () => Promise<void>,
): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
  const plan = await runWithPauses(planning, breathe)
  for (let from: number | null = 0; from !== null; ) {
    const { documents, next }: { documents: ReadonlyArray<SearchDocument>; next: number | null } =
      await runWithPauses(nextDocuments(plan, from), breathe)
    yield documents
    await breathe()
    from = next
  }
}

/** Makes the documents of each group of texts. */
const readGroups = async function* (
  groups: AsyncIterable<TextGroup>,
  ofForm: LemmasOfForm,
  breathe: () => Promise<void>,
): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
  for await (const group of groups)
    for (const planning of planGroup(group, ofForm)) yield* readBatches(planning, breathe)
}

const floorOf = ({ config }: Snapshot): number => config['scrape.pdf_confidence_floor']

const isOfLore = ({ kind }: DocumentHead): boolean => kind === 'lore' || kind === 'session'

/** The file of the document, where the snapshot has the text of its blob. */
const fileInMemory = (document: DocumentHead, { files }: Snapshot): SourceFile | null => {
  const file = isOfLore(document) ? files.get(document.path) : undefined
  return file === undefined || file.blob !== document.blob ? null : file
}

const blobIdOf = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** A plain folder gives the bytes that its file has now, which need not be those of the blob. */
const readBlob = async (source: TreeSource | null, { path, blob }: DocumentHead): Promise<Buffer | null> => {
  const decoded = pathOf(path)
  if (source === null || decoded === null || blob === null) return null
  const bytes = await source.read({ path: decoded, blob, bytes: 0 }).catch(() => null)
  return bytes === null || (source.kind === 'directory' && blobIdOf(bytes) !== blob) ? null : bytes
}

/** A text of the lore that the current tree does not have any more is moved, and shows nothing. */
const isMoved = (document: DocumentHead, { files }: Snapshot): boolean =>
  isOfLore(document) && !files.has(document.path)

/** Reads lines of transcripts from their index, which has them decoded; null once the archive has other bytes. */
const withSpeech =
  (index: Pick<TranscriptIndex, 'ask'>, others: SearchPorts['readPassage']): SearchPorts['readPassage'] =>
  async (document, snapshot) => {
    if (document.kind !== 'speech') return others(document, snapshot)
    if (snapshot.archive.get(document.source)?.text.blob !== document.blob) return null
    const at: readonly [string, ReadonlyArray<number>] = [document.source, [(document.line ?? 1) - 1]]
    const found = await index.ask('years', { at: [at], filter: anyLine, linesMax: 1 })
    return isLeft(found) ? null : (found.right[0]?.lines[0]?.text ?? null)
  }

/** Reads passages on the main thread, one blob at a time: from memory, else from the tree that has it. */
const passagesFromTrees =
  (
    lore: TreeSource,
    works: () => TreeSource | null,
    breathe: () => Promise<void>,
  ): SearchPorts['readPassage'] =>
  async (document, snapshot) => {
    await breathe()
    if (isMoved(document, snapshot)) return null
    const file = fileInMemory(document, snapshot)
    if (file !== null) return passageOfFile(file, document)
    const bytes = await readBlob(isOfLore(document) ? lore : works(), document)
    return bytes === null
      ? null
      : await runWithPauses(passageInSlices(bytes, document, floorOf(snapshot)), breathe)
  }

/** Names the state of the texts that documents of a file are made of. */
type VersionOfFile = (path: string) => string

/** Each session with the versions of the files that hold its copies. One whose header names topics is left out. */
const sessionSources = function* (
  { build }: Pick<Loaded, 'build'>,
  versionOf: VersionOfFile,
): Sliced<ReadonlyMap<string, { readonly session: Session; readonly version: string }>> {
  const entries = yield* mapInSlices(
    build.snapshot.sessions.all.filter(({ header }) => !namesTopics(header)),
    session =>
      [
        session.key,
        {
          session,
          version: session.inOrder.map(({ path, line }) => `${versionOf(path)}:${line}`).join(),
        },
      ] as const,
  )
  return new Map(entries)
}

/** What reading the works tree needs of the host. */
interface WorksReading {
  readonly breathe: () => Promise<void>
  readonly warn: (event: string, fields: Readonly<Record<string, string>>) => void
}

/** The documents of the works tree. Texts are read from it when they are indexed. */
const worksContent = (
  loaded: Loaded,
  source: TreeSource | null,
  { breathe, warn }: WorksReading,
): TierContent => {
  const { documents, annotations, inputs } = loaded
  const floor = inputs.config['scrape.pdf_confidence_floor']
  const textOf = async (entry: TreeEntry): Promise<SearchText | null> => {
    const bytes = await source?.read(entry).catch((error: unknown) => {
      // The document is left out of the index until its file changes.
      warn('search_text_unreadable', { path: entry.path, reason: String(error) })
      return null
    })
    return bytes === null || bytes === undefined
      ? null
      : searchText(loaded, 'dziel', decodeFile(entry, bytes))
  }
  const groups = async function* (sources: ReadonlyArray<string>): AsyncGenerator<TextGroup, void> {
    const group = groupTexts()
    for (const path of sources) {
      const entry = documents.entries.get(path) ?? documents.entries.get(`${path}.json`)
      const text = entry === undefined ? null : await textOf(entry)
      if (text !== null)
        yield* group.add(text, at =>
          text.file.path.endsWith(pdfSuffix)
            ? { _tag: 'Pdf', at, confidenceFloor: floor }
            : { _tag: 'Works', at },
        )
      await breathe()
    }
    yield* group.rest()
  }
  const stamp = contentStamp({
    commit: null,
    tree: documents.head?.id ?? '',
    annotations: annotations.files.head?.id ?? '',
    language: languageVersion(loaded),
    setup: String(floor),
  })
  const sources = new Map(
    [...documents.entries].map(([path, { blob }]) => [
      path.endsWith(pdfSuffix) ? path.slice(0, -'.json'.length) : path,
      `${textVersion(loaded, 'dziel', path, blob)}.${path.endsWith(pdfSuffix) ? floor : ''}`,
    ]),
  )
  return contentOfTexts(loaded, { stamp, sources }, groups, breathe)
}
