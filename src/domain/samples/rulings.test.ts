import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { LabelledRuling } from '#protocol/samples/labelled.js'
import { areWhole } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'
import type { Passage } from './passages.js'
import {
  isSameJudgement,
  type Judgement,
  opinionsOf,
  type RulingGround,
  rule,
  ruledFiles,
  rulerOf,
  rulingFault,
  standingJudgement,
} from './rulings.js'
import { readSamples, type SampleRow, type Samples } from './samples.js'

const path = 'samples/demo/entity-span.jsonl'
const registry = '{"classes": {"mood": {"labels": ["Spokój", "Gniew"], "required": []}}}'

const row = (slug: string, change: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    id: slug,
    class: 'entity-span',
    grade: 'proposed',
    label: 'Grupa',
    fields: { referent: 'Gwardia', scope: 'corpus' },
    provenance: { project: 'demo' },
    ...change,
  })
const read = (text: string): Samples =>
  readSamples([sourceFile(path, text), sourceFile('samples/classes.json', registry)])

const stands: Passage = { _tag: 'Stands' }
const groundOf = (by: string, passage: Passage = stands, readsTopics = false): RulingGround => ({
  by,
  at: '2026-06-15T12:00:00.000Z',
  readsTopics,
  headingOf: name => ['Gwardia', 'Straż'].find(one => one.toLowerCase() === name.toLowerCase()) ?? null,
  passageOf: () => passage,
})

/** The store after a ruling, or the tag of its refusal. */
const after = (text: string, by: string, asked: LabelledRuling, passage?: Passage): string => {
  const samples = read(text)
  const ruled = rule(samples, asked, groundOf(by, passage))
  if (isLeft(ruled)) return ruled.left._tag
  return ruled.right._tag === 'Unchanged' ? 'Unchanged' : (ruledFiles(samples, [ruled.right])[0]?.text ?? '')
}
const rowAfter = (...asked: Parameters<typeof after>): SampleRow => {
  const found = read(after(...asked)).byId.get('a')
  if (found === undefined) throw new Error(after(...asked))
  return found.row
}

describe('a ruling on a sample', () => {
  it('affirms, and says who, when and in which words', () => {
    const { grade, verdict, accepted_by, label } = rowAfter(row('a'), 'Brzoza', {
      id: 'a',
      outcome: 'affirm',
      note: 'Tak.',
    })
    deepEqual([grade, verdict, label], ['confirmed', 'affirmed', 'Grupa'])
    deepEqual(accepted_by, {
      ...{
        kind: 'ruling',
        by: 'Brzoza',
        at: '2026-06-15T12:00:00.000Z',
        outcome: 'affirm',
        authentication: 'token',
        note: 'Tak.',
      },
    })
  })

  it('denies, and keeps the text as a hard negative', () => {
    const ruled = rowAfter(row('a'), 'Brzoza', { id: 'a', outcome: 'deny' })
    deepEqual(
      [ruled.grade, ruled.verdict, ruled.label, ruled.fields],
      ['confirmed', 'denied', 'Grupa', { referent: 'Gwardia', scope: 'corpus' }],
    )
  })

  it('corrects the label and the referent, and keeps what was proposed', () => {
    const asked = { id: 'a', outcome: 'correct', label: 'NPC', referent: 'straż' } as const
    const ruled = rowAfter(row('a'), 'Brzoza', asked)
    deepEqual([ruled.label, ruled.fields['referent'], ruled.verdict], ['NPC', 'Straż', 'affirmed'])
    deepEqual(
      [ruled.accepted_by?.['proposed_label'], ruled.accepted_by?.['proposed_referent']],
      ['Grupa', 'Gwardia'],
    )
  })

  it('changes its line alone, and of the line only what it says', () => {
    const odd =
      '{ "id":"a", "n":12345678901234567890.50,"class":"entity-span","grade":"proposed","label":"Grupa",'
    const rest = '"fields":{"referent":"Gwardia","scope":"corpus"},"provenance":{"project":"demo"} }'
    const before = [
      row('x'),
      odd.replace('12345678901234567890.50', '0.50') + rest,
      '{broken',
      row('b'),
    ].join('\r\n')
    const ruled = after(before, 'Brzoza', { id: 'a', outcome: 'affirm' })
    const [old, now] = [before.split('\r\n'), ruled.split('\r\n')]
    deepEqual([now[0], now[2], now[3]], [old[0], old[2], old[3]])
    ok(
      now[1]?.startsWith(
        '{ "id":"a", "n":0.50,"class":"entity-span","grade":"confirmed","label":"Grupa","fields"',
      ),
    )
  })

  for (const [what, asked, error] of [
    ['an id of no row', { id: 'z', outcome: 'affirm' }, 'SampleNotFound'],
    ['another class', { id: 'a', class: 'mood', outcome: 'affirm' }, 'ValueRefused'],
    ['a label that the class does not have', { id: 'a', outcome: 'correct', label: 'Smok' }, 'ValueRefused'],
    ['the label that was proposed', { id: 'a', outcome: 'correct', label: 'Grupa' }, 'ValueRefused'],
    ['a referent that no block has', { id: 'a', outcome: 'affirm', referent: 'Smok' }, 'ValueRefused'],
    ['a referent of a class without one', { id: 'm', outcome: 'affirm', referent: 'Straż' }, 'ValueRefused'],
    ['a note of two lines', { id: 'a', outcome: 'affirm', note: 'a\nb' }, 'ValueRefused'],
    ['an opinion on what nobody ruled', { id: 'a', outcome: 'deny', opinion: true }, 'SampleUnruled'],
    ['a row that names restricted topics', { id: 't', outcome: 'affirm' }, 'SampleNotFound'],
    ['a row with a key twice', { id: 'k', outcome: 'affirm' }, 'StoreUnreadable'],
  ] as const)
    it(`is refused for ${what}`, () => {
      const topics = {
        fields: { referent: 'Gwardia', scope: 'corpus', evidence_form: 'Tematy zastrzeżone: pająki' },
      }
      const store = [
        row('a'),
        row('m', { class: 'mood', label: 'Gniew', fields: {} }),
        row('t', topics),
        row('k').replace('"grade"', '"label":"NPC","grade"'),
      ]
      equal(after(store.join('\n'), 'Brzoza', asked), error)
    })

  it('is refused where the passage is gone, and says where it is now', () => {
    const proposed = { line: 3, start: 0, end: 7 }
    const ruled = rule(
      read(row('a')),
      { id: 'a', outcome: 'affirm' },
      groundOf('Brzoza', { _tag: 'Gone', proposed }),
    )
    ok(isLeft(ruled) && ruled.left._tag === 'SampleStale')
    deepEqual(ruled.left.proposed, proposed)
  })

  it('stands: the same again changes nothing, another one is refused and names who ruled', () => {
    const asked = { id: 'a', outcome: 'correct', label: 'NPC', referent: 'Straż' } as const
    const ruled = after(row('a'), 'Brzoza', asked)
    for (const by of ['Brzoza', 'Żaneta']) equal(after(ruled, by, asked), 'Unchanged')
    const other = rule(read(ruled), { id: 'a', outcome: 'affirm' }, groundOf('Żaneta'))
    ok(isLeft(other) && other.left._tag === 'SampleRuled')
    equal(other.left.ruledBy, 'Brzoza')
    equal(after(ruled, 'Brzoza', { id: 'a', outcome: 'deny', opinion: true }), 'SampleRuled')
  })

  it('does not look at the passage of a row that is ruled', () => {
    const ruled = after(row('a'), 'Brzoza', { id: 'a', outcome: 'affirm' })
    equal(
      after(ruled, 'Żaneta', { id: 'a', outcome: 'affirm' }, { _tag: 'Gone', proposed: null }),
      'Unchanged',
    )
  })

  it('is differed from by one opinion a person, which leaves the ruling and the bytes of the others', () => {
    let store = after(row('a'), 'Brzoza', { id: 'a', outcome: 'affirm' })
    store = after(store, 'Żaneta', { id: 'a', outcome: 'deny', opinion: true })
    store = after(store, 'Gelu', { id: 'a', outcome: 'affirm', opinion: true })
    equal(after(store, 'Gelu', { id: 'a', outcome: 'affirm', opinion: true }), 'Unchanged')
    store = after(store, 'Żaneta', { id: 'a', outcome: 'correct', label: 'NPC', opinion: true })
    const kept = read(store).byId.get('a')?.row
    if (kept === undefined) throw new Error('gone')
    deepEqual(
      opinionsOf(kept).map(({ by, judgement }) => [by, judgement.verdict, judgement.label]),
      [
        ['Gelu', 'affirmed', 'Grupa'],
        ['Żaneta', 'affirmed', 'NPC'],
      ],
    )
    deepEqual([rulerOf(kept), kept.label], ['Brzoza', 'Grupa'])
  })

  it('needs a label with `correct` alone, and no referent with `deny`', () => {
    const fault = (asked: Omit<LabelledRuling, 'id'>) =>
      rulingFault({ id: 'a', ...asked }, '$.items[2]')?.path ?? null
    equal(fault({ outcome: 'correct' }), '$.items[2].label')
    equal(fault({ outcome: 'affirm', label: 'NPC' }), '$.items[2].label')
    equal(fault({ outcome: 'deny', label: 'NPC' }), '$.items[2].label')
    equal(fault({ outcome: 'deny', referent: 'Straż' }), '$.items[2].referent')
    equal(fault({ outcome: 'affirm', referent: 'Straż' }), null)
  })
})

/** A line as a hand or a broken tool may leave it, and what is known of its row. */
const hostile: ReadonlyArray<readonly [what: string, line: string, outcome: string]> = [
  ['a line of 10 MB', row('a', { note: 'x'.repeat(10_000_000) }), 'ruled'],
  ['the key __proto__', row('a').replace('"id"', '"__proto__":{"grade":"confirmed"},"id"'), 'unread'],
  ['an escaped __proto__', row('a').replace('"id"', '"\\u005f_proto__":{},"id"'), 'unread'],
  ['half a letter', row('a').replace('Gwardia', '\\ud800'), 'unread'],
  [
    'deep nesting',
    row('a', { note: 0 }).replace('"note":0', `"note":${'['.repeat(9_000)}${']'.repeat(9_000)}`),
    'unread',
  ],
  ['NaN in a stamp', row('a', { locator: 0 }).replace('"locator":0', '"locator":{"line":NaN}'), 'unread'],
  ['a number that is none', row('a').replace('"Grupa"', '1e999'), 'unread'],
  ['a number that cannot be kept', row('a').replace('"id"', '"n":9007199254740993,"id"'), 'refused'],
  ['a key twice', row('a').replace('"grade"', '"grade":"confirmed","grade"'), 'refused'],
  ['a list for an acceptance', row('a', { accepted_by: ['x'] }), 'unread'],
  ['a text for opinions', row('a', { opinions: 'x' }), 'ruled'],
  ['a NUL', row('a').replace('Gwardia', 'a\u0000'), 'unread'],
]

describe('a hostile row', () => {
  for (const [what, line, outcome] of hostile)
    it(`with ${what} is ${outcome}, and the rows around it stay`, () => {
      const store = [row('x'), line, row('b')].join('\n')
      const samples = read(store)
      ok(samples.byId.has('x') && samples.byId.has('b'))
      equal({}.hasOwnProperty('grade'), false)
      const found = rule(samples, { id: 'a', outcome: 'affirm' }, groundOf('Brzoza'))
      const seen = isRight(found) ? 'ruled' : found.left._tag === 'SampleNotFound' ? 'unread' : 'refused'
      equal(seen, outcome)
      if (outcome === 'unread') equal(samples.findings.filter(({ line: at }) => at === 2).length, 1)
      const ruled = isRight(found) ? (ruledFiles(samples, [found.right])[0]?.text ?? '') : store
      const [first, , last] = ruled.split('\n')
      deepEqual([first, last], [row('x'), row('b')])
      if (outcome === 'ruled') equal(read(ruled).byId.get('a')?.row.grade, 'confirmed')
    })

  it('whose id is a path is ruled by it, and writes no other file', () => {
    const samples = read(row('../../etc/passwd'))
    const ruled = rule(samples, { id: '../../etc/passwd', outcome: 'affirm' }, groundOf('Brzoza'))
    ok(isRight(ruled))
    deepEqual(
      ruledFiles(samples, [ruled.right]).map(file => file.path),
      [path],
    )
  })
})

/** The whole rule in a model: who ruled what, and what the others hold. */
interface Modelled {
  readonly ruling: { readonly by: string; readonly judged: Judgement } | null
  readonly opinions: ReadonlyMap<string, Judgement>
}

const modelStep = (
  { ruling, opinions }: Modelled,
  by: string,
  judged: Judgement,
  opinion: boolean,
): readonly [result: string, next: Modelled] => {
  if (ruling === null)
    return opinion ? ['SampleUnruled', { ruling, opinions }] : ['Ruled', { ruling: { by, judged }, opinions }]
  const same = isSameJudgement(ruling.judged, judged)
  if (!opinion || by === ruling.by) return [same ? 'Unchanged' : 'SampleRuled', { ruling, opinions }]
  const own = opinions.get(by)
  if (own !== undefined && isSameJudgement(own, judged)) return ['Unchanged', { ruling, opinions }]
  return ['Opinion', { ruling, opinions: new Map([...opinions, [by, judged]]) }]
}

/** A seeded generator of whole numbers below a bound. */
const chanceOf = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const people = ['Brzoza', 'Żaneta', 'Gelu', 'Solmyr']
const labels = ['NPC', 'Region', 'Lokacja']

describe('deposits, rulings, opinions and batches of four people', () => {
  const askedAt = (pick: (below: number) => number, id: string): LabelledRuling => {
    const outcome = (['affirm', 'deny', 'correct'] as const)[pick(3)] ?? 'affirm'
    return {
      id,
      outcome,
      opinion: pick(2) === 0,
      ...(outcome === 'correct' ? { label: labels[pick(3)] ?? 'NPC' } : {}),
      ...(outcome !== 'deny' && pick(3) === 0 ? { referent: pick(2) === 0 ? 'Straż' : 'Gwardia' } : {}),
    }
  }
  const judgementOf = ({ outcome, label = 'Grupa', referent = 'Gwardia' }: LabelledRuling): Judgement =>
    outcome === 'deny'
      ? { verdict: 'denied', label: 'Grupa', referent: 'Gwardia' }
      : { verdict: 'affirmed', label, referent }

  it('do what the model does, in random sequences', () => {
    const first = Math.floor(Math.random() * 2 ** 31)
    for (let seed = first; seed < first + (areWhole ? 10_000 : 200); seed += 1) {
      const pick = chanceOf(seed)
      const model = new Map<string, Modelled>()
      let store = ''
      for (let step = 0; step < 12; step += 1) {
        if (model.size === 0 || pick(5) === 0) {
          const id = String(model.size)
          store += `${row(id)}\n`
          model.set(id, { ruling: null, opinions: new Map() })
          continue
        }
        const by = people[pick(people.length)] ?? 'Gelu'
        const ids = [...model.keys()].filter(() => pick(3) > 0)
        const samples = read(store)
        const ruled = ids.map(id => {
          const asked = askedAt(pick, id)
          const [wanted, next] = modelStep(
            model.get(id) ?? { ruling: null, opinions: new Map() },
            by,
            judgementOf(asked),
            asked.opinion === true,
          )
          const found = rule(samples, asked, groundOf(by))
          equal(isLeft(found) ? found.left._tag : found.right._tag, wanted, `seed ${seed}, step ${step}`)
          model.set(id, next)
          return found
        })
        store = ruledFiles(
          samples,
          ruled.flatMap(one => (isLeft(one) ? [] : [one.right])),
        ).reduce((text, file) => file.text || text, store)
      }
      for (const [id, { ruling, opinions }] of model) {
        const kept = read(store).byId.get(id)?.row
        if (kept === undefined) throw new Error(`seed ${seed}: ${id} is gone`)
        const stood =
          kept.grade === 'confirmed' ? { by: rulerOf(kept), judged: standingJudgement(kept) } : null
        deepEqual(stood, ruling, `seed ${seed}`)
        deepEqual(new Map(opinionsOf(kept).map(one => [one.by, one.judgement])), opinions, `seed ${seed}`)
      }
    }
  }).timeout(120_000)
})
