import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { requirePath } from '#protocol/atoms.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { proposedText, rowText, setsText, tuningStore } from '#test/support/tuning.js'
import { dedupeOf, inFileOrder, lineSpans } from './tuning.js'
import { armOf, profileOf } from './tuning-store.js'

const sets = setsText(['session-summary', 'api-agent'])
const storeOf = (lines: ReadonlyArray<string | Buffer>, file = 'session-summary.jsonl') =>
  tuningStore({
    'sets.json': sets,
    [file]: Buffer.concat(lines.flatMap(line => [Buffer.from(line), Buffer.from('\n')])),
  })
const kindsOf = (store: ReturnType<typeof tuningStore>): ReadonlyArray<readonly [string, number | null]> =>
  store.findings.map(({ kind, line }) => [kind, line])

const parsed = (text: string): object => Object(JSON.parse(text)) as object
const good = rowText({ slug: 'dobry' })
const changed = (more: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ ...parsed(good), ...more })

/** Lines that are no row. Each is a finding, and the rows around it stay. */
const broken: Readonly<Record<string, string | Buffer>> = {
  'a line of 10 MB': changed({ id: 'demo/session-summary/wielki', x: 'x'.repeat(10 * 1024 * 1024) }),
  'no JSON': '{"id": ',
  'a list': '[]',
  '`null`': 'null',
  'a key `__proto__`': good.replace('{', '{"__proto__": {"polluted": true}, '),
  'a nested key `__proto__`': changed({ fields: {} }).replace('"fields":{}', '"fields":{"__proto__":1}'),
  'a key twice': good.replace('{', '{"grade": "proposed", '),
  'half a surrogate pair': changed({ note: 'X' }).replace('"X"', '"\\ud83d"'),
  'a NUL': changed({ note: 'X' }).replace('"X"', '"\\u0000"'),
  'a number that is not finite': changed({ n: 1 }).replace('"n":1', '"n":1e400'),
  NaN: changed({ n: 1 }).replace('"n":1', '"n":NaN'),
  'bytes that are not UTF-8': Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from([0xff, 0x7d])]),
  'nesting of 65': changed({ n: 1 }).replace('"n":1', `"n":${'['.repeat(65)}${']'.repeat(65)}`),
  'more than 20,000 values': changed({ n: Array.from({ length: 20_001 }, () => 1) }),
  'an id with ../': changed({ id: 'demo/session-summary/..' }),
  'an id of four parts': changed({ id: 'demo/session-summary/../x' }),
  'an id of another set': changed({ id: 'demo/api-agent/x' }),
  'an id of another project': changed({ id: 'inny/session-summary/x' }),
  'an id with a control character': changed({ id: 'demo/session-summary/a\u0007' }),
  'an id with a character of direction': changed({ id: 'demo/session-summary/a\u202eb' }),
  'an id that is no text': changed({ id: 7 }),
  'an unknown grade': changed({ grade: 'Confirmed' }),
  'an unknown role': changed({ messages: [{ role: 'tool', content: 'x' }] }),
  'no turns': changed({ messages: [] }),
  'no answer at the end': changed({ messages: [{ role: 'user', content: 'x' }] }),
  'an unknown verdict': changed({ verdict: 'yes' }),
  'an origin of neither': changed({ origin: { kind: 'human' } }),
}

/** Texts of `sets.json` that no store is read with. */
const brokenSets: Readonly<Record<string, string>> = {
  'no JSON': '{',
  'a share of NaN': sets.replace('0.5', 'NaN'),
  'a share that is not finite': sets.replace('0.5', '1e999'),
  'a share above 1': sets.replace('0.5', '1.5'),
  'a share below 0': sets.replace('0.5', '-0.1'),
  'a share that is a text': sets.replace('0.5', '"0.5"'),
  'no seed': sets.replace('"ziarno"', '""'),
  'a seed of half a surrogate pair': sets.replace('"ziarno"', '"\\udc00"'),
  'a set `__proto__`': sets.replace('"api-agent":{}', '"__proto__":{}'),
  'a set with ../': sets.replace('api-agent', '../api'),
  'a set twice': sets.replace('"api-agent":{}', '"session-summary":{}'),
  'a list of sets': sets.replace(/"sets":\{.*\}\}/u, '"sets":["a"]}'),
}

describe('the reader of fine-tuning samples', () => {
  it('keeps what filters and counts need of a row, and where its line is', () => {
    const store = storeOf([good])
    const [row] = store.rows
    ok(row !== undefined)
    deepEqual(
      [row.id, row.set, row.grade, row.origin, row.project, row.document, row.acceptance, row.acceptedBy],
      [
        'demo/session-summary/dobry',
        'session-summary',
        'confirmed',
        'human',
        'demo',
        'sesje/dobry.md',
        'authorship',
        'Brzoza',
      ],
    )
    deepEqual([row.line, row.start, row.end], [1, 0, Buffer.byteLength(good)])
    deepEqual(store.findings, [])
  })

  for (const [what, line] of Object.entries(broken))
    it(`tells of a line that is no row, and reads the others: ${what}`, () => {
      const store = storeOf([rowText({ slug: 'przed' }), line, rowText({ slug: 'po' })])
      deepEqual(
        store.rows.map(({ id, line: number }) => [id, number]),
        [
          ['demo/session-summary/przed', 1],
          ['demo/session-summary/po', 3],
        ],
      )
      deepEqual(kindsOf(store), [['TuningSampleUnreadable', 2]])
      equal(Reflect.get({}, 'polluted'), undefined)
    })

  for (const [what, text] of Object.entries(brokenSets))
    it(`reads no row where \`sets.json\` is no list of sets: ${what}`, () => {
      const store = tuningStore({ 'sets.json': text, 'session-summary.jsonl': `${good}\n` })
      deepEqual([store.reason, store.rows.length], ['SetsUnreadable', 0])
      deepEqual(kindsOf(store), [['TuningSetsInvalid', null]])
    })

  it('reads no row without `sets.json`, or of a version that it does not know', () => {
    equal(tuningStore({ 'session-summary.jsonl': `${good}\n` }).reason, 'SetsMissing')
    const later = tuningStore({ 'sets.json': setsText(['session-summary'], { schemaVersion: 2 }) })
    deepEqual([later.reason, kindsOf(later)], ['SchemaUnknown', [['TuningSetsInvalid', null]]])
  })

  it('tells of an unknown set, an id twice, equal turns and a wrong `dedupe`', () => {
    const store = storeOf([
      good,
      rowText({ slug: 'obcy', set: 'obcy' }),
      good,
      rowText({ slug: 'inny', question: ' Co  było:\n dobry? ', answer: 'Było: dobry.' }),
      rowText({ slug: 'zły', more: { dedupe: 'x' } }),
    ])
    deepEqual(kindsOf(store), [
      ['TuningSampleDedupeDiffers', 5],
      ['TuningSetUnknown', 2],
      ['TuningSampleIdRepeated', 3],
      ['TuningSampleRepeated', 4],
    ])
    deepEqual(
      store.rows.map(({ line }) => line),
      [1, 4, 5],
    )
  })

  it('tells of a plan that is none, or calls what the host does not have', () => {
    const plan = (slug: string, answer: string) => proposedText({ slug, set: 'api-agent', answer })
    const store = tuningStore(
      {
        'sets.json': sets,
        'api-agent.jsonl': [
          plan('a', '{"calls": [{"method": "GET", "path": "/entities/Wit?type=NPC"}], "why": "Tak."}'),
          plan('b', '{"calls": [{"method": "GET", "path": "/nic"}], "why": "Nie."}'),
          plan('c', 'Nie wiem.'),
          plan('d', '{"calls": [], "why": "Odmowa."}'),
        ].join('\n'),
      },
      { isServed: (method, path) => method === 'GET' && path === '/entities/Wit' },
    )
    deepEqual(kindsOf(store), [
      ['TuningPlanDrifted', 2],
      ['TuningPlanDrifted', 3],
    ])
    equal(store.rows.length, 4)
  })

  it('orders the files of a set by their numbers', () => {
    const paths = ['b.jsonl', 'a-10.jsonl', 'a.jsonl', 'a-02.jsonl', 'a-100.jsonl'].map(requirePath)
    deepEqual([...paths].sort(inFileOrder), ['a.jsonl', 'a-02.jsonl', 'a-10.jsonl', 'a-100.jsonl', 'b.jsonl'])
  })

  it('has the lines that edits count, whatever ends them', () => {
    const part = fc.constantFrom('a', 'ż', '\n', '\r', '\r\n', ' ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.boolean(), (parts, hasMark) => {
        const text = parts.join('')
        const bytes = Buffer.from(hasMark ? `\u{feff}${text}` : text)
        deepEqual(
          lineSpans(bytes).map(({ start, end }) => bytes.subarray(start, end).toString()),
          rawLines(text),
        )
      }),
    )
  })

  it('takes turns for equal whatever the white space', () => {
    const turn = (content: string) => [{ role: 'assistant', content }] as const
    equal(dedupeOf(turn(' a\u00a0 b\n\nc ')), dedupeOf(turn('a b c')))
    ok(dedupeOf(turn('a bc')) !== dedupeOf(turn('a b c')))
    ok(dedupeOf(turn('a')) !== dedupeOf([{ role: 'user', content: 'a' }]))
  })
})

describe('the arms of fine-tuning samples', () => {
  const rowsOf = (documents: ReadonlyArray<string>): ReadonlyArray<string> =>
    documents.map((document, at) => rowText({ slug: `w${at}`, document }))
  const armsOf = (lines: ReadonlyArray<string>) => {
    const store = storeOf(lines)
    return new Map([...store.arms].map(([{ id }, arm]) => [id, arm]))
  }
  const named = fc.uniqueArray(fc.stringMatching(/^[a-zż/]{1,8}$/u), { minLength: 1, maxLength: 20 })

  it('do not change when other documents come', () => {
    fc.assert(
      fc.property(named, named, (some, more) => {
        const before = armsOf(rowsOf(some))
        const after = armsOf(rowsOf([...some, ...more]))
        for (const [id, arm] of before) equal(after.get(id), arm)
      }),
      { numRuns: 30 },
    )
  })

  it('have every row of a document together, and equal turns once', () => {
    const store = storeOf([
      rowText({ slug: 'a', document: 'x' }),
      rowText({ slug: 'b', document: 'x' }),
      rowText({ slug: 'c', document: 'y', question: 'Co było: a?', answer: 'Było: a.' }),
      rowText({ slug: 'd', document: ' ' }),
      rowText({ slug: 'e', document: null }),
      rowText({ slug: 'f', document: 'z', more: { verdict: 'denied' } }),
      proposedText({ slug: 'g', document: 'z' }),
    ])
    const split = store.splits.get('session-summary')
    ok(split !== undefined)
    const { arms, ...counts } = split
    deepEqual(counts, {
      rowsInSet: 7,
      documents: 1,
      evalDocuments: arms.eval.length === 0 ? 0 : 1,
      withoutDocument: 2,
      doubles: 1,
    })
    deepEqual(
      [...store.arms.keys()].map(({ id }) => id),
      ['demo/session-summary/a', 'demo/session-summary/b'],
    )
  })

  it('give eval none of the documents at a share of 0, all at 1, and about a third at 0.3', () => {
    const documents = Array.from({ length: 2_000 }, (_, at) => `sesje/${at}.md`)
    const count = (share: number) =>
      documents.filter(document => armOf('s', share, document) === 'eval').length
    deepEqual([count(0), count(1)], [0, 2_000])
    ok(Math.abs(count(0.3) - 600) < 100)
  })

  it('are those of the digest that sha256sum prints', () => {
    // printf 's|a' | sha256sum | cut -c1-13
    const shareOfA = Number.parseInt('2fe5d35cd82a3', 16) / 16 ** 13
    deepEqual([armOf('s', shareOfA, 'a'), armOf('s', shareOfA + Number.EPSILON, 'a')], ['train', 'eval'])
  })

  it('have a profile of lengths that is empty without rows', () => {
    deepEqual(profileOf([]), { total: 0, min: null, median: null, p90: null, max: null })
    deepEqual(profileOf([{ chars: 3 }, { chars: 1 }]), { total: 4, min: 1, median: 3, p90: 3, max: 3 })
  })
})
