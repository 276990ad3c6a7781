import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { drawsOf, drawText, testDocument } from '#test/support/search/documents.js'
import { freshWink, startWink } from './wink-engine.js'
import { openWinkDraft, type PackedDocument, packDocument, readPacked, readWinkFile } from './wink-file.js'

const draw = drawsOf(7)
const documentsOf = (count: number): ReadonlyArray<PackedDocument> =>
  Array.from({ length: count }, (_, at) =>
    packDocument(testDocument(`żółw${at}`, `nr${at} ${drawText(draw, 5, 60)}`)),
  )
const partsOf = (json: string): ReadonlyArray<unknown> => JSON.parse(json) as ReadonlyArray<unknown>
const versions = [['żółw0', 'v1']] as const

describe('the file of a wink', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kronika-wink-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (documents: ReadonlyArray<PackedDocument>) => {
    const path = join(folder, 'lore-1.draft')
    const [draft, wink] = [openWinkDraft(path), startWink()]
    for (const document of documents) {
      draft.add(document)
      wink.add(document.words)
    }
    return { path, lengths: draft.finish(wink.finish(), versions) }
  }

  it('holds what wink itself exports, and the documents with their words', () => {
    const documents = documentsOf(200)
    const { path, lengths } = write(documents)
    const { saved, heads, versions: read } = readWinkFile(path, lengths)
    ok(saved !== null)
    const plain = freshWink()
    for (const [row, { words }] of documents.entries()) plain.addDoc({ words, row }, row)
    plain.consolidate(6)
    const docs = [...saved.documents].map(
      ([length, freq], row) => [String(row), { freq, fieldValues: { row }, length }] as const,
    )
    const parts = partsOf(saved.base)
    deepEqual(parts[2], {})
    deepEqual(parts.with(2, Object.fromEntries(docs)), partsOf(plain.exportJSON()))
    deepEqual(
      heads,
      documents.map(({ words: _, ...head }) => head),
    )
    deepEqual([...readPacked(path, lengths)], documents)
    deepEqual(read, versions)
    deepEqual(readdirSync(folder), ['lore-1.draft'])
  })

  it('holds documents without a wink where they are too few for one', () => {
    const documents = documentsOf(2)
    const { path, lengths } = write(documents)
    equal(readWinkFile(path, lengths).saved, null)
    deepEqual([...readPacked(path, lengths)], documents)
  })

  it('gives the documents of a draft back', () => {
    const documents = documentsOf(20)
    const draft = openWinkDraft(join(folder, 'lore-1.draft'))
    for (const document of documents) draft.add(document)
    deepEqual([...draft.take()], documents)
    draft.remove()
    deepEqual(readdirSync(folder), [])
  })
})
