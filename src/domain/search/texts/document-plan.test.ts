import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { sourceFile } from '#test/support/world.js'
import { documentsAtOnce } from '../../../../test/support/at-once.js'
import {
  type DocumentPlan,
  type Lemmas,
  nextDocuments,
  noLemmas,
  planLore,
  planSession,
} from './documents.js'
import { passageInSlices, pdfSuffix, planPdf } from './pdf-documents.js'
import { readFileLines, sectionCharsMax, sectionsMax } from './sections.js'

/** Lemmas that count the words that are asked for, each of them once. */
const lemmaCounter = () => {
  let asked = 0
  const lemmas: Lemmas = {
    ofForm: () => {
      asked += 1
      return []
    },
    atOffsets: new Map(),
  }
  return { lemmas, asked: () => asked }
}

const wordsPerTurnMax = 4096
const documentsPerBatchMax = 64

/** Runs work to its end; fails where one turn of it reads more words than it may. */
const runCounting = <A>(work: Sliced<A>, asked: () => number): A => {
  for (;;) {
    const before = asked()
    const turn = work.next()
    ok(asked() - before <= wordsPerTurnMax, `${asked() - before} words in one turn`)
    if (turn.done === true) return turn.value
  }
}

const countTurns = <A>(work: Sliced<A>): number => {
  let turns = 1
  while (work.next().done !== true) turns += 1
  return turns
}

const drain = (plan: DocumentPlan, asked: () => number): number => {
  let documents = 0
  for (let from: number | null = 0; from !== null; ) {
    const batch: { readonly documents: ReadonlyArray<unknown>; readonly next: number | null } = runCounting(
      nextDocuments(plan, from),
      asked,
    )
    ok(batch.documents.length <= documentsPerBatchMax)
    documents += batch.documents.length
    from = batch.next
  }
  return documents
}

const fileOf = (text: string) => atOnce(readFileLines(sourceFile('Opisy/dlugi.md', text)))
const loreOf = (text: string, lemmas = noLemmas) => atOnce(planLore(fileOf(text), lemmas))
const words = (count: number): string => Array.from({ length: count }, (_, at) => `słowo${at}`).join(' ')

const wholeSession = { key: 's', header: '2024-05-03, Most, Ofelia', title: 'Most', line: 1, dateEnd: null }

describe('the documents of a long text', () => {
  const long: Readonly<Record<string, string>> = {
    'one line': words(40_000),
    'many lines': words(40_000).replaceAll(' ', '\n'),
    'many headers': Array.from({ length: 4000 }, (_, at) => `## Część ${at}\nJakieś słowa tutaj`).join('\n'),
    'one header': `# ${words(40_000)}`,
  }
  for (const [name, text] of Object.entries(long))
    it(`are made in short turns and small batches: ${name}`, () => {
      const { lemmas, asked } = lemmaCounter()
      const lines = fileOf(text)
      ok(drain(runCounting(planLore(lines, lemmas), asked), asked) > 1)
      const copy = { ...wholeSession, date: '2024-05-03' as never, endLine: lines.lines.length }
      ok(drain(runCounting(planSession(lines, copy, lemmas), asked), asked) > 1)
    })

  it('are made in short turns from the pages of a PDF', () => {
    const { lemmas, asked } = lemmaCounter()
    const pages = Array.from({ length: 200 }, () => ({ text: words(300), confidence: 1 }))
    const file = sourceFile(`skany/a${pdfSuffix}`, JSON.stringify({ pages }))
    const planning = planPdf(file, 0.5, lemmas)
    ok(countTurns(planPdf(file, 0.5, lemmas)) > 1)
    equal(drain(runCounting(planning, asked), asked), 200)
  })

  it('read and judge the lines of a file in turns', () => {
    const lines = 50_000
    const file = sourceFile('Opisy/a.md', 'a\n'.repeat(lines))
    ok(countTurns(readFileLines(file)) >= (2 * lines) / 1024)
  })

  it('cover every word of a line once, at the bytes of its passage', () => {
    const text = `Początek.\n\n${words(5000)}\n\nKoniec.\n`
    const documents = documentsAtOnce(loreOf(text))
    const bytes = Buffer.from(text)
    const passages = documents.map(document => atOnce(passageInSlices(bytes, document, 0)) ?? '')
    equal(passages.join(''), text)
    ok(passages.every(passage => passage.length <= sectionCharsMax))
    equal(new Set(documents.map(({ id }) => id)).size, documents.length)
    deepEqual([documents[0]?.line, documents[1]?.line, documents.at(-1)?.line], [1, 3, 3])
  })

  it('are cut at no word and in no credential', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'QUJDREVG\n'.repeat(300)}-----END RSA PRIVATE KEY-----`
    for (let before = 500; before < 1000; before += 37) {
      const text = `${'słowo '.repeat(before)}\n${key}\n${'słowo '.repeat(900)} bearer tajnetajne`
      const documents = documentsAtOnce(loreOf(text))
      const bytes = Buffer.from(text)
      for (const document of documents) {
        const passage = atOnce(passageInSlices(bytes, document, 0)) ?? ''
        ok(!passage.includes('QUJD') && !passage.includes('tajne'), passage)
        ok(document.terms.every(term => !term.startsWith('qujd')))
      }
    }
  })

  it('leave out a word that is longer than a section, and have what follows it', () => {
    const documents = documentsAtOnce(
      loreOf(`Smok śpi. data:image/png;base64,${'Q'.repeat(200_000)} Gryf leci.`),
    )
    const terms = documents.flatMap(document => document.terms)
    ok(terms.includes('smok') && terms.includes('gryf'))
  })

  it('are bounded for one text', () => {
    const text = Array.from({ length: 12_000 }, (_, at) => `## Rozdział ${at}\nsłowo`).join('\n')
    const all = documentsAtOnce(loreOf(text))
    ok(all.length < 5100)
    ok(all.at(-1)?.terms.includes('11999'), 'the last chapter is found')
    const parted = '- @tematy zastrzeżone: x\n\nsłowo\n'.repeat(25_000)
    equal(loreOf(parted).count, sectionsMax)
  })
})
