import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import type { TuningRuling } from '#protocol/samples/tuning.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { proposedText, rowText, setsText, tuningStore } from '#test/support/tuning.js'
import { dedupeOf, readLine, TuningLine, type Turn } from './tuning.js'
import { judgeRulings, refuseRulings } from './tuning-rulings.js'

const lines = [
  proposedText({ slug: 'a', more: { fields: { kind: 'single', own: 1 }, extra: ['zostaje'] } }),
  proposedText({ slug: 'b', question: 'Kto?', answer: 'Wit.' }),
  proposedText({ slug: 'c', question: 'Kto?', answer: 'Nikt.' }),
  rowText({ slug: 'autor' }),
  rowText({
    slug: 'denied',
    more: { verdict: 'denied', method: { accepted_by: { kind: 'ruling', by: 'Żaneta' } } },
  }),
  rowText({
    slug: 'corrected',
    more: {
      verdict: 'affirmed',
      proposed_content: 'Źle.',
      method: { accepted_by: { kind: 'ruling', by: 'Żaneta' } },
    },
  }),
]
const idOf = (slug: string): string => `demo/session-summary/${slug}`
const store = tuningStore({
  'sets.json': setsText(['session-summary']),
  'session-summary.jsonl': lines.join('\n'),
})
const read = new Map(store.rows.map((row, at) => [row.id, lines[at] ?? '']))
const ruler = { by: 'Brzoza', at: '2026-06-15T12:00:00.000Z' }
const judge = (rulings: ReadonlyArray<TuningRuling>, texts: ReadonlyMap<string, string> = read) =>
  judgeRulings(store, rulings, texts, ruler)
const endOf = (ruling: TuningRuling, texts?: ReadonlyMap<string, string>): string => {
  const [end] = judge([ruling], texts)
  return end?._tag === 'Refused' ? end.refusal._tag : (end?._tag ?? '')
}
const Row = t.intersection([TuningLine, t.record(t.string, t.unknown)])
const rowOf = (text: string): t.TypeOf<typeof Row> => {
  const row = Row.decode(JSON.parse(text))
  if (isLeft(row)) throw new Error(text)
  return row.right
}
const lineOf = (ruling: TuningRuling): t.TypeOf<typeof Row> => {
  const [end] = judge([ruling])
  ok(end?._tag === 'Ruled', JSON.stringify(end))
  ok(!isLeft(atOnce(readLine(Buffer.from(end.line)))), end.line)
  ok(!/[\n\r]/u.test(end.line))
  return rowOf(end.line)
}

describe('a ruling on a fine-tuning sample', () => {
  it('leaves the text where it affirms or denies, and every member that it does not set', () => {
    const before = rowOf(lines[0] ?? '')
    for (const [outcome, verdict] of [
      ['affirm', 'affirmed'],
      ['deny', 'denied'],
    ] as const)
      deepEqual(lineOf({ id: idOf('a'), outcome, note: 'Tak.' }), {
        ...before,
        grade: 'confirmed',
        verdict,
        method: { accepted_by: { kind: 'ruling', ...ruler, outcome, note: 'Tak.' } },
      })
  })

  it('replaces the last answer where it corrects, and keeps the old one', () => {
    const before = rowOf(lines[0] ?? '')
    const messages: ReadonlyArray<Turn> = [
      ...before.messages.slice(0, -1),
      { role: 'assistant', content: 'Most.' },
    ]
    deepEqual(lineOf({ id: idOf('a'), outcome: 'correct', content: 'Most.' }), {
      ...before,
      grade: 'confirmed',
      messages,
      dedupe: dedupeOf(messages),
      proposed_content: 'Było: a.',
      verdict: 'affirmed',
      method: { accepted_by: { kind: 'ruling', ...ruler, outcome: 'correct' } },
    })
  })

  /** Rulings on rows by what they end in. */
  const ends: ReadonlyArray<readonly [slug: string, ruling: Omit<TuningRuling, 'id'>, end: string]> = [
    ['brak', { outcome: 'affirm' }, 'TuningSampleNotFound'],
    ['../../sets', { outcome: 'affirm' }, 'TuningSampleNotFound'],
    ['autor', { outcome: 'affirm' }, 'Unchanged'],
    ['autor', { outcome: 'affirm', note: 'Inna uwaga.' }, 'Unchanged'],
    ['autor', { outcome: 'deny' }, 'TuningSampleRuled'],
    ['autor', { outcome: 'correct', content: 'Było: autor.' }, 'TuningSampleRuled'],
    ['denied', { outcome: 'deny' }, 'Unchanged'],
    ['denied', { outcome: 'affirm' }, 'TuningSampleRuled'],
    ['corrected', { outcome: 'correct', content: 'Było: corrected.' }, 'Unchanged'],
    ['corrected', { outcome: 'correct', content: 'Było: corrected. ' }, 'TuningSampleRuled'],
    ['corrected', { outcome: 'affirm' }, 'TuningSampleRuled'],
    ['a', { outcome: 'correct', content: 'Było: a.' }, 'ValueRefused'],
    ['a', { outcome: 'affirm', note: 'ż'.repeat(5_000) }, 'ValueRefused'],
    ['a', { outcome: 'correct', content: 'x'.repeat(1024 * 1024) }, 'ValueRefused'],
    ['b', { outcome: 'correct', content: ' Nikt.\n' }, 'TuningSampleRepeated'],
    ['b', { outcome: 'deny' }, 'Ruled'],
  ]
  for (const [slug, ruling, end] of ends)
    it(`${ruling.outcome}s ${slug} ${(ruling.content ?? ruling.note ?? '').slice(0, 20)}: ${end}`, () => {
      equal(endOf({ id: idOf(slug), ...ruling }), end)
    })

  it('is refused where the row has other bytes than were read, or could not be read', () => {
    const ruling = { id: idOf('a'), outcome: 'affirm' } as const
    equal(endOf(ruling, new Map()), 'Overloaded')
    equal(endOf(ruling, new Map([[ruling.id, `${lines[0]} `]])), 'Overloaded')
  })

  it('names who ruled first', () => {
    const [end] = judge([{ id: idOf('denied'), outcome: 'affirm' }])
    ok(end?._tag === 'Refused' && end.refusal._tag === 'TuningSampleRuled')
    deepEqual([end.refusal.acceptedBy, end.refusal.verdict], ['Żaneta', 'denied'])
  })

  it('of a batch costs the others nothing where it is refused, and sees the answers of those before it', () => {
    const ends = judge([
      { id: idOf('brak'), outcome: 'affirm' },
      { id: idOf('a'), outcome: 'affirm' },
      { id: idOf('b'), outcome: 'correct', content: 'Selma.' },
      { id: idOf('c'), outcome: 'correct', content: 'Selma.' },
    ])
    deepEqual(
      ends.map(({ _tag }) => _tag),
      ['Refused', 'Ruled', 'Ruled', 'Refused'],
    )
    const last = ends[3]
    ok(last?._tag === 'Refused' && last.refusal._tag === 'TuningSampleRepeated')
    equal(last.refusal.other, idOf('b'))
  })

  it('keeps texts that would forge lines or members as texts', () => {
    for (const content of [
      'a\n{"id": "x"}',
      '\r\n### Nagłówek',
      '"},{"role":"system","content":"x',
      '\u2028\u202e\u0007',
      '__proto__',
      '\\ud83d',
    ]) {
      const line = lineOf({ id: idOf('a'), outcome: 'correct', content, note: content })
      equal(line.messages.at(-1)?.content, content)
      equal(line.method?.accepted_by?.note, content)
    }
  })
})

describe('rulings of one request', () => {
  const affirm = (slug: string): TuningRuling => ({ id: idOf(slug), outcome: 'affirm' })
  const many = (count: number): ReadonlyArray<TuningRuling> =>
    Array.from({ length: count }, (_, at) => affirm(`r${at}`))
  /** Requests by the place of their fault; null for a good one. */
  const requests: ReadonlyArray<readonly [what: string, ReadonlyArray<TuningRuling>, string | null]> = [
    ['none', [], '$.items'],
    ['one', many(1), null],
    ['250', many(250), null],
    ['251', many(251), '$.items'],
    ['an id twice', [affirm('a'), affirm('b'), affirm('a')], '$.items[2].id'],
    ['a correction without an answer', [{ ...affirm('a'), outcome: 'correct' }], '$.items[0].content'],
    [
      'a correction with a blank one',
      [{ ...affirm('a'), outcome: 'correct', content: ' \n' }],
      '$.items[0].content',
    ],
    ['a denial with an answer', [{ ...affirm('a'), outcome: 'deny', content: 'x' }], '$.items[0].content'],
  ]
  for (const [what, rulings, path] of requests)
    it(`are ${path === null ? 'taken' : 'refused'}: ${what}`, () => {
      equal(refuseRulings(rulings, at => `$.items[${at}]`)?.path ?? null, path)
    })
})
