import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { DocumentHead } from '#src/domain/search/document.js'
import type { PackedDocument } from './packed-document.js'
import type { SavedWink } from './wink-state.js'

/** The sections of a file, in their order: sums, heads, words, the export of wink. */
const Sums = t.type({
  frequencies: t.array(t.number),
  size: t.type({ documents: t.number, words: t.number }),
  versions: t.array(t.tuple([t.string, t.string])),
})

export interface WinkFile {
  readonly saved: SavedWink
  readonly heads: ReadonlyArray<DocumentHead>
  readonly versions: ReadonlyArray<readonly [source: string, version: string]>
}

const writeWhole = (handle: number, bytes: Buffer): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
}

/** Writes a file and returns the lengths of its sections. `saved.json` is empty where no wink was built. */
export const writeWinkFile = (
  path: string,
  documents: ReadonlyArray<PackedDocument>,
  saved: SavedWink,
  versions: WinkFile['versions'],
): Array<number> => {
  const { frequencies, size, json } = saved
  const heads = documents.map(({ words: _words, ...head }) => head)
  const texts = [
    JSON.stringify({ frequencies, size, versions }),
    JSON.stringify(heads),
    JSON.stringify(documents.map(({ words }) => words)),
    json,
  ]
  const handle = openSync(path, 'w', 0o600)
  try {
    return texts.map(text => {
      const bytes = Buffer.from(text)
      writeWhole(handle, bytes)
      return bytes.length
    })
  } finally {
    closeSync(handle)
  }
}

const sectionsOf = (path: string, lengths: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const bytes = readFileSync(path)
  let at = 0
  return lengths.map(length => {
    at += length
    return bytes.subarray(at - length, at)
  })
}

const isHeads = (u: unknown): u is ReadonlyArray<DocumentHead> => Array.isArray(u)
const Words = t.array(t.string)

const readHeads = (section: Buffer | undefined): ReadonlyArray<DocumentHead> => {
  const heads: unknown = JSON.parse(section?.toString('utf8') ?? '')
  if (!isHeads(heads)) throw new Error('the index has no list of documents')
  return heads
}

/** Reads a file whose checksum was compared. Throws where it is none of `writeWinkFile`. */
export const readWinkFile = (path: string, lengths: ReadonlyArray<number>): WinkFile => {
  const [sums, heads, , json] = sectionsOf(path, lengths)
  const decoded = Sums.decode(JSON.parse(sums?.toString('utf8') ?? ''))
  if (isLeft(decoded)) throw new Error('the sums of the index are unreadable')
  const { versions, frequencies, size } = decoded.right
  return {
    saved: { json: json?.toString('utf8') ?? '', frequencies, size },
    heads: readHeads(heads),
    versions,
  }
}

/** Reads the documents of a file with their words, for the next build. */
export const readPacked = (path: string, lengths: ReadonlyArray<number>): ReadonlyArray<PackedDocument> => {
  const [, heads, words] = sectionsOf(path, lengths)
  const texts = Words.decode(JSON.parse(words?.toString('utf8') ?? ''))
  if (isLeft(texts)) throw new Error('the words of the index are unreadable')
  return readHeads(heads).map((head, at) => ({ ...head, words: texts.right[at] ?? '' }))
}
