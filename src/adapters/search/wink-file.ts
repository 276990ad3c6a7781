import { rmSync, statSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type DocumentHead, type SearchDocument, termCharsMax } from '#src/domain/search/document.js'
import { type FileRange, openPieceWriter, readLines, readRange } from './saved-index.js'
import type { SavedDocument, SavedWink } from './wink-engine.js'

export interface WinkFile {
  /** Null where no wink was built. */
  readonly saved: SavedWink | null
  readonly heads: ReadonlyArray<DocumentHead>
  readonly versions: ReadonlyArray<readonly [source: string, version: string]>
}

/** Opens the draft of a wink file at a path. */
export const openWinkDraft = (path: string): WinkDraft => {
  const parts = { heads: `${path}.heads`, words: `${path}.words` }
  const [heads, words] = [openPieceWriter(parts.heads), openPieceWriter(parts.words)]
  const close = (): void => {
    heads.close()
    words.close()
  }
  const remove = (): void => {
    for (const part of [parts.heads, parts.words]) rmSync(part, { force: true })
  }
  return {
    add: ({ words: own, ...head }) => {
      heads.write(`${JSON.stringify(head)}\n`)
      words.write(`${own}\n`)
    },
    take: () => {
      close()
      return zipDocuments(readHeads(wholeFile(parts.heads)), wholeFile(parts.words))
    },
    finish: (saved, versions) => {
      close()
      const lengths = writeSections(path, parts, saved, versions)
      remove()
      return lengths
    },
    remove,
  }
}

/**
 * Reads a file whose checksum was compared; the documents of `saved` are read when they are asked for. Throws where it
 * is none of a draft.
 */
export const readWinkFile = (path: string, lengths: ReadonlyArray<number>): WinkFile => {
  const { heads, base, documents, sums } = rangesOf(path, lengths)
  const decoded = Sums.decode(JSON.parse(readRange(sums).toString('utf8')))
  if (isLeft(decoded)) throw new Error('the sums of the index are unreadable')
  const { versions, frequencies, size } = decoded.right
  return {
    saved:
      base.from === base.to
        ? null
        : {
            base: readRange(base).toString('utf8'),
            documents: readDocuments(documents),
            frequencies,
            size,
          },
    heads: [...readHeads(heads)],
    versions,
  }
}

/** Reads the documents of a file with their words, for the next build. */
export const readPacked = (path: string, lengths: ReadonlyArray<number>): Iterable<PackedDocument> => {
  const { heads, words } = rangesOf(path, lengths)
  return zipDocuments(readHeads(heads), words)
}

/** A document as threads send it and files keep it: its words in one text, parted by blanks. */
export interface PackedDocument extends DocumentHead {
  readonly words: string
}

export const packDocument = ({ terms, ...head }: SearchDocument): PackedDocument => ({
  ...head,
  words: terms.filter(isWord).join(' '),
})

/**
 * The sections of a file, in their order: heads and words with a line for each document, the export of wink without
 * its documents, these with a line for each, sums. Each is written and read in pieces, since a text or a list of
 * them all would need as much memory as wink does.
 */
type SectionName = 'heads' | 'words' | 'base' | 'documents' | 'sums'

const Sums = t.type({
  frequencies: t.array(t.number),
  size: t.type({ documents: t.number, words: t.number }),
  versions: t.array(t.tuple([t.string, t.string])),
})

/** The documents of a build, kept in files beside its draft. */
interface WinkDraft {
  readonly add: (document: PackedDocument) => void
  /** The documents that were added, after which none can be added. */
  readonly take: () => Iterable<PackedDocument>
  /** Writes the file and returns the lengths of its sections. Reads the documents of `saved` once. */
  readonly finish: (saved: SavedWink | null, versions: WinkFile['versions']) => Array<number>
  /** Removes the files beside the draft. */
  readonly remove: () => void
}

const noSums = { frequencies: [], size: { documents: 0, words: 0 } }

const writeSections = (
  path: string,
  parts: Readonly<Record<'heads' | 'words', string>>,
  saved: SavedWink | null,
  versions: WinkFile['versions'],
): Array<number> => {
  const file = openPieceWriter(path)
  const ends: Array<number> = []
  const end = (): void => void ends.push(file.bytes())
  try {
    for (const part of [parts.heads, parts.words]) {
      file.copy(part)
      end()
    }
    file.write(saved?.base ?? '')
    end()
    for (const document of saved?.documents ?? []) file.write(`${JSON.stringify(document)}\n`)
    end()
    const { frequencies, size } = saved ?? noSums
    file.write(JSON.stringify({ frequencies, size, versions }))
    end()
  } finally {
    file.close()
  }
  return ends.map((one, nth) => one - (ends[nth - 1] ?? 0))
}

const wholeFile = (path: string): FileRange => ({ path, from: 0, to: statSync(path).size })

const rangesOf = (path: string, lengths: ReadonlyArray<number>): Readonly<Record<SectionName, FileRange>> => {
  let at = 0
  const range = (nth: number): FileRange => {
    at += lengths[nth] ?? 0
    return { path, from: at - (lengths[nth] ?? 0), to: at }
  }
  return { heads: range(0), words: range(1), base: range(2), documents: range(3), sums: range(4) }
}

const isHead = (u: unknown): u is DocumentHead => typeof u === 'object' && u !== null && 'source' in u
const isSaved = (u: unknown): u is SavedDocument => Array.isArray(u) && u.length === 2

const readHeads = function* (range: FileRange): Generator<DocumentHead, void> {
  for (const line of readLines(range)) {
    const head: unknown = JSON.parse(line)
    if (!isHead(head)) throw new Error('the index has a line that is no document')
    yield head
  }
}

const zipDocuments = function* (
  heads: Iterable<DocumentHead>,
  words: FileRange,
): Generator<PackedDocument, void> {
  const lines = readLines(words)
  for (const head of heads) yield { ...head, words: lines.next().value ?? '' }
}

const readDocuments = function* (range: FileRange): Generator<SavedDocument, void> {
  for (const line of readLines(range)) {
    const document: unknown = JSON.parse(line)
    if (!isSaved(document)) throw new Error('the index has a line without scores')
    yield document
  }
}

const isWord = (term: string): boolean => term.length > 0 && term.length <= termCharsMax && !/\s/u.test(term)
