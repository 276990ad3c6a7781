import { requirePath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { isWorksDocument } from '#src/domain/search/texts/pdf-documents.js'
import type { Head, TreeEntry, TreeSource } from '#src/ports/git.js'
import type { ParsedFile } from '#src/snapshot/parsed-file.js'
import { type AnnotationPorts, type Annotations, annotationsOf } from './annotations.js'
import { fileBytesMax, tooLargeFinding } from './findings.js'
import type { NamedEntries, NamedFiles } from './named-files.js'

/** The documents of the works tree, by path; their texts are read when they are indexed. */
export interface WorksListing {
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
export interface SearchTrees {
  readonly documents: WorksListing
  readonly annotations: Annotations
}

/** Reads the documents of the works tree and the lemmas of texts; what did not change stays as `before` has it. */
export const readSearchTrees = async (
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
