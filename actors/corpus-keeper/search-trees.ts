import type { BlobId } from '#protocol/atoms/commit.js'
import { requirePath } from '#protocol/atoms/path.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import {
  type AnnotatedTree,
  annotatedBy,
  hashBytes,
  hashText,
  type ReadSidecar,
  readSidecar,
  sidecarFinding,
} from '#src/domain/search/lemma-sidecar.js'
import { lexiconText } from '#src/domain/search/lexicon.js'
import { isWorksDocument } from '#src/domain/search/works-paths.js'
import type { Head, TreeEntry, TreeSource } from '#src/ports/git/tree-source.js'
import type { ParsedFile } from '#src/snapshot/parsed-file.js'
import { fileBytesMax, tooLargeFinding } from './findings.js'
import type { NamedFiles } from './named-files.js'

/** The documents of the works tree, by path; their texts are read when they are indexed. */
export interface WorksListing {
  readonly head: Head | null
  readonly entries: ReadonlyMap<string, TreeEntry>
  readonly findings: ReadonlyArray<Finding>
}

export const noWorks: WorksListing = { head: null, entries: new Map(), findings: [] }

/** The most documents of one tree. */
const documentsMax = 100_000

/**
 * The documents of the works tree at a head. Never throws: a tree that cannot be listed has the documents of the
 * last look, and is tried again at the next.
 */
export const listWorks = async (
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

/** A sidecar that was read, for the blob of the text that it was compared with. */
interface KnownSidecar {
  readonly file: SourceFile
  readonly text: BlobId
  readonly read: ReadSidecar
}

/** The annotation tree: lemmas of texts by `<tree>/<path>`. */
export interface Annotations {
  readonly files: NamedFiles
  readonly known: ReadonlyMap<string, KnownSidecar>
  /** Every form with its lemmas as a file of the form of `lematy.tsv`; null where no text has any. */
  readonly lexicon: SourceFile | null
  readonly findings: ReadonlyArray<Finding>
}

export interface AnnotatedTexts {
  readonly lore: ReadonlyMap<string, ParsedFile>
  readonly works: WorksListing
  readonly readWorks: (entry: TreeEntry) => Promise<Buffer | null>
  readonly breathe: () => Promise<void>
}

const hashOf = perValue((file: SourceFile) => hashText(file))

interface Text {
  readonly blob: BlobId
  readonly read: () => Promise<{ readonly sha256: string; readonly text: string } | null>
}

const textOf = (texts: AnnotatedTexts, tree: AnnotatedTree, path: string): Text | null => {
  if (tree === 'lore') {
    const file = texts.lore.get(path)?.source
    return file === undefined
      ? null
      : { blob: file.blob, read: () => Promise.resolve({ sha256: hashOf(file), text: file.text }) }
  }
  const entry = texts.works.entries.get(path)
  if (entry === undefined) return null
  const read: Text['read'] = async () => {
    const bytes = await texts.readWorks(entry).catch(() => null)
    return bytes === null ? null : { sha256: hashBytes(bytes), text: bytes.toString('utf8') }
  }
  return { blob: entry.blob, read }
}

/**
 * The annotations of the texts as they are now. A sidecar is read again only if it or its text changed. One
 * whose text differs is a finding, and is not used; one whose text is gone is neither.
 */
export const annotationsOf = async (
  files: NamedFiles,
  texts: AnnotatedTexts,
  before: Annotations | null,
): Promise<Annotations> => {
  const known = new Map<string, KnownSidecar>()
  const findings: Array<Finding> = [...files.findings]
  let isSame = before !== null && before.files.files.length === files.files.length
  for (const file of files.files) {
    const about = annotatedBy(file.path)
    const text = about === null ? null : textOf(texts, about.tree, about.path)
    if (about === null || text === null) continue
    const key = `${about.tree}/${about.path}`
    const old = before?.known.get(key)
    if (old?.file === file && old.text === text.blob) known.set(key, old)
    else {
      isSame = false
      const content = await text.read()
      if (content !== null)
        known.set(key, { file, text: text.blob, read: readSidecar(file.text, content.sha256, content.text) })
      await texts.breathe()
    }
    const read = known.get(key)?.read
    if (read !== undefined && read._tag !== 'Read') findings.push(sidecarFinding(file.path, read._tag))
  }
  if (isSame && before !== null && before.known.size === known.size) return { ...before, files, findings }
  return { files, known, lexicon: lexiconOf(known), findings }
}

const lexiconOf = (known: Annotations['known']): SourceFile | null => {
  const text = lexiconText([...known.values()].flatMap(({ read }) => (read._tag === 'Read' ? [read] : [])))
  const first = known.values().next().value
  return text === '' || first === undefined
    ? null
    : { path: requirePath('corpora.adnotacje/lematy.tsv'), blob: first.file.blob, text, undecodable: false }
}
