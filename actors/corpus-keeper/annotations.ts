import { type BlobId, requirePath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import {
  type AnnotatedText,
  type AnnotatedTree,
  annotationTarget,
  bytesOfText,
  hashInSlices,
  type LemmaBudget,
  lemmaBudget,
  pathInFindings,
  type ReadSidecar,
  readSidecar,
  sidecarFinding,
} from '#src/domain/search/texts/lemma-sidecar.js'
import { lexiconText } from '#src/domain/search/texts/sections.js'
import { runWithPauses, type Sliced } from '#src/domain/slicing/sliced.js'
import type { TreeEntry, TreeSource } from '#src/ports/git.js'
import { bytesOf } from '#src/snapshot/budget.js'
import type { ParsedFile } from '#src/snapshot/parsed-file.js'
import { unreadableFinding } from './findings.js'
import type { NamedEntries } from './named-files.js'
import { decodeFile } from './read-entries.js'

/** What was read of a sidecar, for the blob of the text that it was compared with. Its own text is not held. */
export interface KnownSidecar {
  readonly file: TreeEntry
  readonly text: BlobId
  readonly read: ReadSidecar
}

/** The annotation tree: lemmas of texts by `<tree>/<path>`. */
export interface Annotations {
  readonly files: NamedEntries
  readonly known: ReadonlyMap<string, KnownSidecar>
  /** Every form with its lemmas as a file of the form of `lematy.tsv`; null where no text has any. */
  readonly lexicon: SourceFile | null
  readonly findings: ReadonlyArray<Finding>
}

/** The texts that sidecars may be about. */
export interface AnnotatedTexts {
  readonly lore: ReadonlyMap<string, ParsedFile>
  readonly works: ReadonlyMap<string, TreeEntry>
}

export interface AnnotationPorts {
  readonly works: TreeSource | null
  /** The annotation tree; absent where the host has none. */
  readonly annotations?: TreeSource | null
  /** The limits of all sidecars; if absent, `lemmaBudget`. */
  readonly lemmas?: LemmaBudget
  /** Yields to the event loop when the slice of time is used up. */
  readonly breathe: () => Promise<void>
}

/**
 * The annotations of the texts as they are now, read one file after another. A sidecar is read again only if
 * it, its text or what is left of the budget changed. One that is not used is a finding; one whose text is
 * gone is none.
 */
export const annotationsOf = async (
  ports: AnnotationPorts,
  files: NamedEntries,
  texts: AnnotatedTexts,
  before: Annotations | null,
): Promise<Annotations> => {
  const known = new Map<string, KnownSidecar>()
  const findings: Array<Finding> = [...files.findings]
  const budget = ports.lemmas ?? lemmaBudget
  let left = budget
  for (const entry of files.entries) {
    const about = annotationTarget(entry.path)
    const text = about === null ? null : textOf(ports, texts, about.tree, about.path)
    if (about === null || text === null) continue
    const key = `${about.tree}/${about.path}`
    const one = await readOne(ports, entry, text, left, before?.known.get(key))
    if (one === 'Lost') findings.push(unreadableFinding({ ...entry, path: pathInFindings(entry.path) }))
    if (one === 'Lost' || one === null) continue
    known.set(key, one)
    left = leftAfter(left, one)
    if (one.read._tag !== 'Read') findings.push(sidecarFinding(entry.path, one.read._tag, budget))
  }
  if (before !== null && isSame(known, before.known)) return { ...before, files, findings }
  return { files, known, lexicon: await runWithPauses(lexiconOf(known), ports.breathe), findings }
}

/** The bytes of a file; null where they cannot be read. */
const bytesIn = (source: TreeSource | null, entry: TreeEntry): Promise<Buffer | null> =>
  source === null ? Promise.resolve(null) : source.read(entry).catch(() => null)

interface Text {
  readonly blob: BlobId
  readonly read: () => Promise<AnnotatedText | null>
}

const textOf = (
  ports: AnnotationPorts,
  texts: AnnotatedTexts,
  tree: AnnotatedTree,
  path: string,
): Text | null => {
  const run = <A>(work: Sliced<A>): Promise<A> => runWithPauses(work, ports.breathe)
  if (tree === 'lore') {
    const file = texts.lore.get(path)?.source
    if (file === undefined) return null
    return {
      blob: file.blob,
      read: async () => ({ text: file.text, sha256: await run(hashInSlices(bytesOfText(file))) }),
    }
  }
  const entry = texts.works.get(path)
  if (entry === undefined) return null
  const read: Text['read'] = async () => {
    const bytes = await bytesIn(ports.works, entry)
    return bytes === null
      ? null
      : { text: decodeFile(entry, bytes).text, sha256: await run(hashInSlices(bytes)) }
  }
  return { blob: entry.blob, read }
}

/** What an older look read of the same file and text, where the rest of the budget does not change it. */
const readBefore = (
  old: KnownSidecar | undefined,
  { blob }: TreeEntry,
  text: Text,
  left: LemmaBudget,
): KnownSidecar | null => {
  if (old === undefined || old.file.blob !== blob || old.text !== text.blob) return null
  const { read } = old
  if (read._tag === 'Outdated' || read._tag === 'Unreadable') return old
  const { length } = read
  if (length === null) return null
  if (length <= left.lemmas) return read._tag === 'Read' ? old : null
  return read._tag === 'Read' ? { ...old, read: { _tag: 'AboveBudget', length } } : old
}

/** Reads one sidecar; null where its text cannot be read, `Lost` where the file itself cannot. */
const readOne = async (
  ports: AnnotationPorts,
  entry: TreeEntry,
  text: Text,
  left: LemmaBudget,
  old: KnownSidecar | undefined,
): Promise<KnownSidecar | 'Lost' | null> => {
  if (bytesOf(entry) > left.bytes) {
    const isKnown = old?.read._tag === 'AboveBudget' && old.read.length === null
    return isKnown && old.file.blob === entry.blob && old.text === text.blob
      ? old
      : { file: entry, text: text.blob, read: { _tag: 'AboveBudget', length: null } }
  }
  const before = readBefore(old, entry, text, left)
  if (before !== null) return before
  const content = await text.read()
  if (content === null) return null
  const bytes = await bytesIn(ports.annotations ?? null, entry)
  if (bytes === null) return 'Lost'
  const json = decodeFile(entry, bytes).text
  const read = await runWithPauses(readSidecar(json, content, left.lemmas), ports.breathe)
  await ports.breathe()
  return { file: entry, text: text.blob, read }
}

/** What is left of the budget after a sidecar. Its bytes count where they were read, used or not. */
const leftAfter = ({ bytes, lemmas }: LemmaBudget, { file, read }: KnownSidecar): LemmaBudget =>
  read._tag === 'AboveBudget' && read.length === null
    ? { bytes, lemmas }
    : { bytes: bytes - bytesOf(file), lemmas: lemmas - (read._tag === 'Read' ? read.length : 0) }

const lexiconOf = function* (known: Annotations['known']): Sliced<SourceFile | null> {
  const forms = [...known.values()].flatMap(({ read }) => (read._tag === 'Read' ? [read.forms] : []))
  const text = yield* lexiconText(forms)
  const first = known.values().next().value
  return text === '' || first === undefined
    ? null
    : { path: requirePath('corpora.adnotacje/lematy.tsv'), blob: first.file.blob, text, undecodable: false }
}

const isSame = (known: Annotations['known'], before: Annotations['known']): boolean =>
  known.size === before.size && [...known].every(([key, one]) => before.get(key) === one)
