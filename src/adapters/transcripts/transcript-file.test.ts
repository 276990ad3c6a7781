import { deepEqual, equal, throws } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { anyDocument } from '#src/domain/search/ranking.js'
import { noLemmas, termsOf } from '#src/domain/search/texts/documents.js'
import { anyLine, type LineFilter } from '#src/domain/transcripts/questions.js'
import { transcriptOf } from '#test/support/transcripts.js'
import { sourceFile } from '#test/support/world.js'
import { lineQueries } from './line-queries.js'
import {
  draftTranscriptFile,
  type LogToIndex,
  openTranscriptFile,
  type TranscriptFile,
} from './transcript-file.js'

const logOf = (name: string, day: string | null, written: ReadonlyArray<string>): LogToIndex => ({
  name,
  version: written.join(),
  path: `logi/${name}.txt`,
  blob: sourceFile('a.txt', written.join()).blob,
  header: day === null ? null : `${day}, Sesja, Anna`,
  title: null,
  day,
  dayEnd: null,
  transcript: transcriptOf(name, `https://logi.example/${name}`, written),
})

const wordsOf = (text: string): LineFilter['terms'] => [
  termsOf(text, noLemmas).map((key, at) => ({ key, covers: 1 << at })),
]

describe('the file of the transcript index', () => {
  let folder = ''
  let file: TranscriptFile | null = null
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kronika-index-'))
  })
  afterEach(() => {
    file?.close()
    rmSync(folder, { recursive: true })
  })
  const open = (): TranscriptFile => {
    file?.close()
    file = openTranscriptFile(join(folder, 'index.db'))
    return file
  }
  const build = (logs: ReadonlyArray<LogToIndex>): TranscriptFile => {
    const draft = draftTranscriptFile(join(folder, 'index.db'))
    draft.add(logs, noLemmas)
    draft.finish('first')
    return open()
  }
  const first = logOf('b', '2026-01-02', [
    '=== Most ===',
    'Lokalny|Anna|Idę mostem.',
    'Globalny|Borys|Most płonie.',
  ])
  const undated = logOf('a', null, ['Lokalny|Anna|Nie ma mostu.'])

  const texts = (of: TranscriptFile, filter: Partial<LineFilter>, limit = 10, offset = 0) => {
    const found = lineQueries(of).lines({ filter: { ...anyLine, ...filter }, limit, offset })
    return [found.total, ...found.lines.map(({ log, index }) => `${log}:${index}`)]
  }

  it('answers lines by day, transcript and place in it, undated ones last', () => {
    const at = build([undated, first])
    deepEqual(texts(at, {}), [4, 'b:0', 'b:1', 'b:2', 'a:0'])
    deepEqual(texts(at, {}, 2, 1), [4, 'b:1', 'b:2'])
    deepEqual(texts(at, { terms: wordsOf('mostu') }), [4, 'b:0', 'b:1', 'b:2', 'a:0'])
    deepEqual(texts(at, { terms: wordsOf('mostu płonie') }), [1, 'b:2'])
    deepEqual(texts(at, { terms: [] }), [0])
    deepEqual(texts(at, { channel: 'LOKALNY', speakers: ['Anna'] }), [2, 'b:1', 'a:0'])
    deepEqual(texts(at, { from: '2026-01-01' }), [3, 'b:0', 'b:1', 'b:2'])
    deepEqual(texts(at, { to: '2026-01-01' }), [0])
    deepEqual(texts(at, { places: ['Most'] }), [3, 'b:0', 'b:1', 'b:2'])
    deepEqual(texts(at, { except: [['b', ['Anna']]], isSpoken: true }), [2, 'b:2', 'a:0'])
    deepEqual(texts(at, { speakers: ['Nikt'] }), [0])
  })

  it('replaces, drops and adds transcripts in one transaction, and keeps them over a start', () => {
    const at = build([undated, first])
    const changed = logOf('b', '2026-03-01', ['Lokalny|Celina|Cisza.'])
    const added = logOf('c', '2026-02-01', ['Lokalny|Anna|Płonie most.'])
    at.apply({ dropped: ['a'], added: [changed, added], stamp: 'second', lemmas: noLemmas })
    for (const reopen of [() => at, open]) {
      const one = reopen()
      deepEqual(texts(one, {}), [2, 'c:0', 'b:0'])
      deepEqual(texts(one, { terms: wordsOf('most') }), [1, 'c:0'])
      deepEqual([one.stamp(), one.lines(), one.versions().length], ['second', 2, 2])
    }
    deepEqual(
      lineQueries(open())
        .speakers({ filter: anyLine })
        .map(({ speaker }) => speaker)
        .sort(),
      ['Anna', 'Celina'],
    )
  })

  it('ranks the same lines for the search', () => {
    const at = build([undated, first])
    const { total, hits } = at.rank({
      terms: termsOf('most', noLemmas),
      covers: [1],
      filter: { ...anyDocument, days: { from: '2026-01-01' } },
      offset: 0,
      limit: 10,
    })
    deepEqual(
      [total, hits[0]?.document.source, hits[0]?.document.header],
      [1, 'b', '2026-01-02, Sesja, Anna'],
    )
  })

  it('keeps the fields of lines as they are, and the last build where a later one fails', () => {
    const at = build([first])
    const log = lineQueries(at).log({ name: 'b', withTopics: true, withLines: true })
    deepEqual(
      log?.lines.map(({ index, time, day, kind, channel, segment, speaker, text, dice, start, end }) => ({
        ...{ index, time, day, kind, channel, segment, speaker, text, dice, start, end },
      })),
      first.transcript.lines,
    )
    deepEqual(log.segments, first.transcript.segments)
    const draft = draftTranscriptFile(join(folder, 'index.db'))
    draft.add([undated], noLemmas)
    draft.drop()
    equal(open().lines(), 3)
  })

  it('is refused where the file is none, or of another version', () => {
    const path = join(folder, 'index.db')
    writeFileSync(path, 'x'.repeat(5_000))
    throws(() => openTranscriptFile(path))
    build([first]).sqlite.exec('PRAGMA user_version = 99')
    throws(() => open(), /another version/)
    file = null
  })
})
