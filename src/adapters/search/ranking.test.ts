import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { SearchDocument } from '#src/domain/search/document.js'
import { type RankQuestion, rankLimitMax } from '#src/domain/search/ranking.js'
import {
  drawsOf,
  drawText,
  drawWord,
  questionOf,
  testDocument,
  wholeQuestionOf,
} from '#test/support/search/documents.js'
import { referenceScores } from '#test/support/search/reference-bm25.js'
import { startBuild, type TierIndex } from './build-index.js'
import { openIndex } from './open-index.js'
import { packDocument } from './wink-file.js'

const engines = [
  { engine: 'wink', tier: 'lore' },
  { engine: 'fts5', tier: 'speech' },
] as const

for (const { engine, tier } of engines)
  describe(`an index of ${engine}`, () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'kronika-search-'))
    })
    afterEach(() => rmSync(folder, { recursive: true }))

    const build = (
      documents: ReadonlyArray<SearchDocument>,
      base: string | null = null,
      dropped: ReadonlyArray<string> = [],
    ): TierIndex => {
      const made = startBuild({ folder, tier, base, dropped, stamp: 'one', versions: [['a', '1']] })
      made.add(documents.map(packDocument))
      const head = made.finish()
      equal(head.engine, engine)
      const opened = openIndex(folder, tier)
      ok(opened._tag === 'Opened', JSON.stringify(opened))
      deepEqual(opened.versions, [['a', '1']])
      return opened.index
    }
    const idsOf = (index: TierIndex, question: RankQuestion): ReadonlyArray<string> =>
      index.rank(question).hits.map(({ id }) => id)
    const draw = drawsOf(7)
    const many = Array.from({ length: 600 }, (_, at) => testDocument(`d${at}`, drawText(draw, 5, 80)))

    it('gives the scores of BM25 to a thousandth', () => {
      const index = build(many)
      for (let n = 0; n < 50; n += 1) {
        const words = Array.from({ length: 1 + (n % 3) }, () => drawWord(draw, 4_000))
        const expected = referenceScores(many, words)
        const { hits, total, totalIsLowerBound } = index.rank(questionOf(words.join(' '), {}, 600))
        deepEqual([total, hits.length, totalIsLowerBound], [expected.size, expected.size, false])
        for (const { id, score } of hits)
          ok(Math.abs(score - (expected.get(id) ?? 0)) < 0.001, `${id}: ${score} and ${expected.get(id)}`)
        const sorted = hits.map(({ score }) => score)
        deepEqual(
          sorted,
          [...sorted].sort((one, other) => other - one),
        )
      }
    })

    it('shows the best document of a source, and counts sources', () => {
      const index = build([
        testDocument('a#1', 'kowal miecz'),
        testDocument('a#2', 'kowal kowal'),
        testDocument('b#1', 'kowal most rzeka las'),
        testDocument('c#1', 'most'),
      ])
      const { hits, total } = index.rank(questionOf('kowal'))
      deepEqual([hits.map(({ id }) => id), total], [['a#2', 'b#1'], 2])
      deepEqual(index.rank(questionOf('kowal', {}, 1)).hits.length, 1)
    })

    it('leaves out the hits before the offset, and has the total alone with limit 0', () => {
      const index = build(many)
      index.add([testDocument('new', 's1 s2'), testDocument('newer', 's1')].map(packDocument))
      const whole = index.rank(questionOf('s1 s2', {}, 60))
      const { hits, total } = index.rank({ ...questionOf('s1 s2', {}, 20), offset: 40 })
      deepEqual([hits, total], [whole.hits.slice(40), whole.total])
      for (const offset of [0, 40, rankLimitMax, 1_000_000])
        deepEqual(index.rank({ ...questionOf('s1 s2', {}, 0), offset }), { ...whole, hits: [] })
      deepEqual(index.rank({ ...questionOf('s1 s2'), offset: whole.total }), { ...whole, hits: [] })
    })

    it('says which words a hit has, by their places in the question', () => {
      const index = build([
        testDocument('a', 'kowal miecz'),
        testDocument('b', 'most'),
        testDocument('c', 'las'),
      ])
      const { hits } = index.rank(questionOf('brak miecz kowal miecz most'))
      deepEqual(
        hits.map(({ id, matched }) => [id, matched]),
        [
          ['a', [1, 2]],
          ['b', [4]],
        ],
      )
    })

    describe('asked for all words of a query', () => {
      const documents = [
        testDocument('far#1', 'kowal rzeka most las pole dom wieś gród mur wał miecz trakt'),
        testDocument('near', 'kowal kowal kowal'),
        testDocument('split#1', 'kowal kowal'),
        testDocument('split#2', 'miecz miecz'),
        testDocument('other', 'miecz'),
        ...Array.from({ length: 9 }, (_, at) => testDocument(`rest${at}`, 'trakt')),
      ]
      const whole = wholeQuestionOf('kowal miecz')

      it('ranks documents that have them all first, then sources that have them together, then by score', () => {
        const index = build(documents)
        const { hits, total } = index.rank(whole)
        deepEqual(
          hits.slice(0, 2).map(({ id, coverage }) => [id.split('#')[0], coverage]),
          [
            ['far', 2],
            ['split', 1],
          ],
        )
        deepEqual(
          new Set(hits.slice(2).map(({ id, coverage }) => `${id} ${coverage}`)),
          new Set(['near 0', 'other 0']),
        )
        equal(total, 4)
        deepEqual(idsOf(index, { ...whole, limit: 1 }), ['far#1'])
        equal(idsOf(index, { ...whole, covers: null }).at(-1), 'far#1')
        const scores = new Map(
          index.rank({ ...whole, covers: null }).hits.map(({ id, score }) => [id, score]),
        )
        for (const { id, score } of hits) equal(score, scores.get(id))
      })

      it('leaves out a word that no document has, and takes terms of one word for each other', () => {
        const index = build(documents)
        deepEqual(idsOf(index, wholeQuestionOf('kowal brak miecz'))[0], 'far#1')
        const synonyms = { ...whole, covers: [1, 1] }
        deepEqual(new Set(index.rank(synonyms).hits.map(({ coverage }) => coverage)), new Set([2]))
      })

      it('ranks so after edits, and by what the filter admits', () => {
        const index = build(documents)
        index.drop('far')
        index.add([testDocument('new', `miecz kowal ${'las '.repeat(40)}`)].map(packDocument))
        index.add([testDocument('parts#1', 'miecz'), testDocument('parts#2', 'kowal')].map(packDocument))
        equal(idsOf(index, whole)[0], 'new')
        deepEqual(
          new Set(
            idsOf(index, whole)
              .slice(1, 3)
              .map(id => id.split('#')[0]),
          ),
          new Set(['split', 'parts']),
        )
        index.add([testDocument('hidden', 'miecz kowal', { kind: 'session' })].map(packDocument))
        equal(idsOf(index, { ...whole, filter: { ...whole.filter, kinds: ['lore'] } })[0], 'new')
      })
    })

    it('returns what it was given of a document', () => {
      const head = {
        title: 'Most',
        header: 'Nad rzeką',
        line: 7,
        day: { from: '2024-01-02', to: '2024-01-03' },
        bytes: { from: 3, to: 9 },
        diegesis: 'in-game',
      }
      const given = testDocument('a#1', 'most', head)
      const index = build([given, testDocument('a#2', 'las'), testDocument('b', 'most most')])
      const { words: _words, ...expected } = packDocument(given)
      deepEqual(index.rank(questionOf('most')).hits.find(({ id }) => id === 'a#1')?.document, expected)
    })

    it('admits what the filter lists, and with a bound of days no undated document', () => {
      const index = build([
        testDocument('a', 'most', { kind: 'session', day: { from: '2024-01-02', to: '2024-01-05' } }),
        testDocument('b', 'most las', { diegesis: 'in-game', visibility: 'council' }),
        testDocument('c', 'most las rzeka', { day: { from: '2024-02-01', to: '2024-02-01' } }),
      ])
      deepEqual(idsOf(index, questionOf('most', { kinds: ['session'] })), ['a'])
      deepEqual(idsOf(index, questionOf('most', { visibilities: ['open'] })), ['a', 'c'])
      deepEqual(idsOf(index, questionOf('most', { diegesis: ['in-game', 'mixed'] })), ['b'])
      deepEqual(idsOf(index, questionOf('most', { days: { from: '2024-01-05', to: '2024-01-31' } })), ['a'])
      deepEqual(idsOf(index, questionOf('most', { days: { to: '2024-12-31' } })), ['a', 'c'])
      deepEqual(idsOf(index, questionOf('most', { days: { from: '2024-01-06' } })), ['c'])
      deepEqual(index.rank(questionOf('most', { kinds: [] })).total, 0)
    })

    it('takes words that are names of Object.prototype for words, also where it has none of them', () => {
      const names = 'constructor toString __proto__ hasOwnProperty valueOf'
      const filled = [testDocument('a', 'las'), testDocument('b', 'most'), testDocument('c', 'rzeka')]
      deepEqual(idsOf(build(filled), questionOf(names)), [])
      const index = build([...filled, ...names.split(' ').map(name => testDocument(`d-${name}`, name))])
      for (const name of names.split(' ')) deepEqual(idsOf(index, questionOf(name)), [`d-${name}`])
    })

    it('finds nothing by an empty word, and has room for no document and for documents without words', () => {
      deepEqual(idsOf(build([]), questionOf('most')), [])
      const index = build([testDocument('a', ''), testDocument('b', ''), testDocument('c', '')])
      deepEqual(idsOf(index, questionOf('')), [])
      equal(index.documents(), 3)
    })

    for (const count of [1, 2])
      it(`ranks a collection of ${count}`, () => {
        const documents = Array.from({ length: count }, (_, at) => testDocument(`d${at}`, `most nr${at}`))
        const index = build(documents)
        deepEqual(idsOf(index, questionOf('nr0')), ['d0'])
        equal(index.rank(questionOf('most')).total, count)
      })

    it('ranks after edits as a fresh build does', () => {
      const living = new Map(many.map(one => [one.id, one]))
      const index = build(many)
      for (let edit = 0; edit < 200; edit += 1) {
        const id = `d${Math.floor(draw() * 650)}`
        index.drop(id)
        living.delete(id)
        if (draw() < 0.2) continue
        const changed = testDocument(id, drawText(draw, 5, 80))
        index.add([packDocument(changed)])
        living.set(id, changed)
      }
      equal(index.documents(), living.size)
      const fresh = build([...living.values()])
      let same = 0
      for (let n = 0; n < 100; n += 1) {
        const words = Array.from({ length: 1 + (n % 3) }, () => drawWord(draw, 4_000)).join(' ')
        const [edited, built] = [index.rank(questionOf(words, {}, 10)), fresh.rank(questionOf(words, {}, 10))]
        equal(edited.total, built.total)
        const [one, other] = [edited, built].map(({ hits }) => hits.map(({ id }) => id).join(' '))
        if (one === other) same += 1
      }
      ok(same >= 98, `${same} of 100 queries`)
    })

    it('builds on what is saved: without what is dropped, with what is added', () => {
      const first = build(many)
      const file = engine === 'wink' ? 'lore-1.wink' : 'speech-1.db'
      const second = build([testDocument('d3', 'nowysp rzeka'), testDocument('x', 'nowysp')], file, [
        'd3',
        'd4',
        'gone',
      ])
      equal(second.documents(), first.documents())
      deepEqual(new Set(idsOf(second, questionOf('nowysp'))), new Set(['d3', 'x']))
      const living = [
        ...many.filter(({ id }) => id !== 'd3' && id !== 'd4'),
        testDocument('d3', 'nowysp rzeka'),
        testDocument('x', 'nowysp'),
      ]
      const expected = referenceScores(living, ['s1', 's2'])
      for (const { id, score } of second.rank(questionOf('s1 s2', {}, 600)).hits)
        ok(Math.abs(score - (expected.get(id) ?? 0)) < 0.001)
    })
  })
