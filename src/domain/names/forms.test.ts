import { deepEqual, equal } from 'node:assert/strict'
import { nameKey } from '#protocol/atoms/name.js'
import { day, worldOf } from '#test/support/world.js'
import type { LanguageData } from './language-data.js'
import { buildNameIndex } from './name-index.js'
import type { NameReach, ResolveOptions } from './resolution.js'
import { resolveName } from './resolve.js'

const block = (name: string, type: string, ...rows: ReadonlyArray<string>): string =>
  [`### ${name}`, `- @typ: ${type}`, ...rows].join('\n')

const { names, entities } = worldOf({
  'encje/indeks.md': [
    block('Kupiec Orrin', 'NPC', '- @alias: Skąpiec (2024:)'),
    block('Ithan', 'NPC'),
    block('Torek „Kruk” Zdrojek', 'NPC'),
    block('Elmira Wolniak-Morawińska', 'Postać'),
    block('Czarna Wieża', 'Lokacja'),
    block('Zamek na Skale', 'Lokacja'),
    block('Zakon Srebrnej Gwiazdy', 'Grupa'),
    block('Port Kaldor', 'Lokacja'),
    block('Golec', 'NPC'),
    block('Golc', 'NPC'),
    block('Żółta Łódź', 'Przedmiot'),
    block('Torka', 'NPC'),
    block('Xeron Demonlord', 'NPC'),
    block('Strażnik', 'NPC', '- @generyczne_nazwy: Wartownik'),
  ].join('\n'),
})

const ask = (text: string, upTo: NameReach = 'lemma', options: Partial<ResolveOptions> = {}) => {
  const { entity, stage, ambiguous } = resolveName(names, text, { ...options, upTo })
  return [ambiguous ? 'several' : (entity?.name ?? null), stage]
}

describe('a name in another form', () => {
  it('is found by declension and alternation, in every word up to the frozen tail', () => {
    deepEqual(ask('Ithanie'), ['Ithan', 'declension'])
    deepEqual(ask('u Kupca Orrina'.slice(2)), ['Kupiec Orrin', 'alternation'])
    deepEqual(ask('Czarnej Wieży'), ['Czarna Wieża', 'declension'])
    deepEqual(ask('Zamkiem na Skale'), ['Zamek na Skale', 'alternation'])
    deepEqual(ask('Zakonowi Srebrnej Gwiazdy'), ['Zakon Srebrnej Gwiazdy', 'declension'])
    deepEqual(ask('Porcie Kaldor'), ['Port Kaldor', 'alternation'])
    deepEqual(ask('wartownikiem'), ['Strażnik', 'declension'])
  })

  it('is not found where its words are in different cases, or the tail changes', () => {
    for (const text of ['Czarnej Wieżą', 'Zamek na Skały', 'Zamkiem na Skałą', 'Wieży Czarnej'])
      deepEqual(ask(text), [null, 'miss'])
  })

  it('is a computed alias without title, by nickname, by half of a surname, by a word of one block', () => {
    deepEqual(ask('Orrin'), ['Kupiec Orrin', 'alias'])
    deepEqual(ask('Kruk'), ['Torek „Kruk” Zdrojek', 'alias'])
    deepEqual(ask('Torek Zdrojek'), ['Torek „Kruk” Zdrojek', 'alias'])
    deepEqual(ask('Elmira Morawińska'), ['Elmira Wolniak-Morawińska', 'alias'])
    deepEqual(ask('Zdrojkowi'), ['Torek „Kruk” Zdrojek', 'alternation'])
    deepEqual(ask('Wieżę'), ['Czarna Wieża', 'declension'])
  })

  it('is no adjective, tail or word of a place alone', () => {
    for (const text of ['Czarna', 'Czarny', 'Skała', 'Skale', 'Gwiazdy', 'Srebrnej', 'na'])
      deepEqual(ask(text), [null, 'miss'])
  })

  it('counts as written first: a nominative outranks the genitive of another', () => {
    deepEqual(ask('Torka'), ['Torka', 'exact'])
  })

  it('is ambiguous with all owners and their cases', () => {
    const { ambiguous, entity, candidates, readings } = resolveName(names, 'Golca', { upTo: 'alternation' })
    deepEqual([ambiguous, entity], [true, null])
    deepEqual(
      candidates.map(one => one.name),
      ['Golc', 'Golec'],
    )
    deepEqual(
      readings.map(({ form, cases, rule }) => [form, cases, rule]),
      [
        ['golc', ['sg.gen', 'sg.acc'], '>a'],
        ['golec', ['sg.gen', 'sg.acc'], 'ec>ca'],
      ],
    )
  })

  it('is found without diacritics, but surer with them', () => {
    const [plain, right] = ['Zoltej Lodzi', 'Żółtej Łodzi'].map(text =>
      resolveName(names, text, { upTo: 'lemma' }),
    )
    deepEqual([plain?.entity?.name, plain?.stage], ['Żółta Łódź', right?.stage])
    equal((plain?.confidence ?? 1) < (right?.confidence ?? 0), true)
    deepEqual(ask('zolta lodz', 'alias'), [null, 'miss'])
  })

  it('goes as far as the caller lets it', () => {
    deepEqual(ask('Orrin', 'alias'), [null, 'miss'])
    deepEqual(ask('Ithana', 'alias'), [null, 'miss'])
    deepEqual(ask('królowi Ithanowi', 'alternation'), [null, 'miss'])
    deepEqual(ask('królowi Ithanowi', 'lemma'), ['Ithan', 'title'])
    deepEqual(ask('Xeron Demonlors', 'lemma'), [null, 'miss'])
    deepEqual(ask('Xeron Demonlors', 'fuzzy'), ['Xeron Demonlord', 'fuzzy'])
    deepEqual(ask('Xeron Demonlors', 'fuzzy', { maxDistance: 0 }), [null, 'miss'])
  })

  it('is judged after the filters: type, day and place', () => {
    deepEqual(ask('Golca', 'alternation', { within: one => one.name === 'Golec' }), ['Golec', 'alternation'])
    deepEqual(ask('Ithana', 'alternation', { types: ['Lokacja'] }), [null, 'miss'])
    deepEqual(ask('Skąpcowi', 'alternation', { day: day('2023-01-01') }), [null, 'miss'])
    deepEqual(ask('Skąpcowi', 'alternation', { day: day('2024-01-01') }), ['Kupiec Orrin', 'alternation'])
  })

  it('has a lower confidence when the title is in another case', () => {
    const sure = resolveName(names, 'królowi Ithanowi', { upTo: 'lemma' }).confidence
    equal(resolveName(names, 'króla Ithanowi', { upTo: 'lemma' }).confidence < sure, true)
  })
})

describe('language data', () => {
  const language: LanguageData = {
    forms: new Map([
      [
        nameKey('Ithan'),
        [
          { form: 'Ithanowi', isForbidden: true, type: null },
          { form: 'Ithunia', isForbidden: false, type: null },
          { form: 'Ithuś', isForbidden: false, type: 'Lokacja' },
        ],
      ],
    ]),
    titles: ['Mechanik'],
    lemmas: new Map([[nameKey('Pan na Skale'), ['Zamek na Skale']]]),
  }
  const corrected = buildNameIndex(entities, language, null)
  const stage = (text: string): string => resolveName(corrected, text, { upTo: 'lemma' }).stage

  it('adds and forbids forms of a heading, of one type where it names one', () => {
    deepEqual(['Ithunia', 'Ithanowi', 'Ithana', 'Ithuś'].map(stage), [
      'declension',
      'miss',
      'declension',
      'miss',
    ])
  })

  it('adds titles and lemmas', () => {
    deepEqual(['mechanika Ithana', 'pan na skale'].map(stage), ['title', 'lemma'])
  })
})
