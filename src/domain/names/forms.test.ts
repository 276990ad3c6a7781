import { deepEqual, equal } from 'node:assert/strict'
import { nameKey } from '#protocol/atoms.js'
import { day, worldOf } from '#test/support/world.js'
import { buildNameIndex } from '../../../test/support/at-once.js'
import { resolveName } from './resolve.js'
import type { NameReach, ResolveOptions } from './spelling-table.js'
import type { LanguageData } from './word-table.js'

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

describe('a text that may be a form of several names', () => {
  const readIn = (headings: string) => {
    const world = worldOf({
      'encje/indeks.md': headings
        .split(', ')
        .map(heading => {
          const [name = '', type = 'NPC'] = heading.split(':')
          return block(name, type)
        })
        .join('\n'),
    })
    return (text: string, options: Partial<ResolveOptions> = { anyGender: true }): string => {
      const { entity, ambiguous, stage } = resolveName(world.names, text, { upTo: 'lemma', ...options })
      return ambiguous ? 'several' : (entity?.name ?? stage)
    }
  }

  it('is the one of its gender, and of the other gender for who asks alone', () => {
    const both = readIn('Cicha, Cichy')
    deepEqual(
      ['Cichej', 'Cichą', 'Cichego', 'Cichym', 'Cichych'].map(text => both(text)),
      ['Cicha', 'Cicha', 'Cichy', 'Cichy', 'several'],
    )
    const unknown = readIn('Mroga, Mrogi')
    equal(unknown('Mrogiej'), 'Mroga')
    equal(readIn('Kowalska')('Kowalski'), 'miss')
    const alone = readIn('Kowalski, Cicha')
    deepEqual(
      ['Kowalskiej', 'Kowalska', 'Cichy'].map(text => alone(text)),
      ['Kowalski', 'Kowalski', 'Cicha'],
    )
    deepEqual(
      ['Kowalskiej', 'Kowalska', 'Cichy'].map(text => alone(text, {})),
      ['miss', 'miss', 'miss'],
    )
    equal(readIn('Wojna')('Wojny', {}), 'Wojna')
  })

  it('is a form of a written name before it is a name without its title', () => {
    const read = readIn(
      'Las:Lokacja, Król Lasu, Góry:Region, Pani Gór, Adriana, Kupiec Adrian, Kruki:Grupa, Kapitan Kruk',
    )
    deepEqual(
      ['Lasu', 'Lasem', 'Gór', 'Królem Lasu'].map(text => read(text)),
      ['Las', 'Las', 'Góry', 'Król Lasu'],
    )
    // Either may be meant.
    deepEqual(
      ['Adrian', 'Kruk'].map(text => read(text)),
      ['several', 'several'],
    )
    equal(read('Adrian', {}), 'Kupiec Adrian')
    equal(readIn('Anton, Kupiec Antoni')('Antoni'), 'Kupiec Antoni')
    equal(readIn('Król Lasu')('Lasu'), 'Król Lasu')
  })

  it('is in the number of the heading', () => {
    const read = readIn('Kowal, Kowale, Jezioro, Jeziora, Kapłan, Kapłani')
    deepEqual(
      ['Kowala', 'Kowalem', 'Kowalom', 'Jeziorem', 'Jeziorze', 'Jezior', 'Kapłanom'].map(text => read(text)),
      ['Kowal', 'Kowal', 'Kowale', 'Jezioro', 'Jezioro', 'Jeziora', 'several'],
    )
    equal(readIn('Kowale')('Kowala'), 'Kowale')
    equal(readIn('Wolny, Wolni')('Wolnych'), 'Wolni')
    equal(readIn('Kowalski, Kowalska, Kowalscy')('Kowalskich'), 'several')
  })

  it('is found with a needless apostrophe, behind a title without diacritics, and after an unchanged word', () => {
    const read = readIn('Nick, O’Braz, Ulf, Bogini Ilma, Noemi Zielona, Trzech Muszkieterów')
    deepEqual(
      ['Nick’a', "O'Braza", 'ksiaze Ulf', 'Bogini Ilmy', 'Noemi Zielonej', 'Trzem Muszkieterom'].map(text =>
        read(text),
      ),
      ['Nick', 'O’Braz', 'Ulf', 'Bogini Ilma', 'Noemi Zielona', 'Trzech Muszkieterów'],
    )
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

  it('gives a forbidden form to nobody else', () => {
    const world = worldOf({
      'encje/indeks.md': [
        'Cicha',
        'Cichy',
        'Las',
        'Król Lasu',
        'Ithan',
        'Golec',
        'Golc',
        'Anna Wilcza',
        'Łódź',
      ]
        .map(one => block(one, 'NPC'))
        .join('\n'),
    })
    const forbidden = (form: string, heading: string) =>
      [nameKey(heading), [{ form, isForbidden: true, type: null }]] as const
    const names = buildNameIndex(
      world.entities,
      {
        forms: new Map([
          forbidden('Cichej', 'Cicha'),
          forbidden('Lasu', 'Las'),
          forbidden('Ithanu', 'Ithan'),
          forbidden('Golca', 'Golec'),
          forbidden('Annę', 'Anna Wilcza'),
          forbidden('Łodzią', 'Łódź'),
        ]),
        titles: [],
        lemmas: new Map(),
      },
      null,
    )
    const meant = ['Cichej', 'Lasu', 'Ithanu', 'Annę', 'Lodzia', 'Łodzi', 'Golca', 'Lasem'].map(text => {
      const { entity } = resolveName(names, text, { upTo: 'fuzzy', anyGender: true })
      return entity?.name ?? null
    })
    deepEqual(meant, [null, null, null, null, null, 'Łódź', 'Golc', 'Las'])
  })

  it('adds titles and lemmas', () => {
    deepEqual(['mechanika Ithana', 'pan na skale'].map(stage), ['title', 'lemma'])
  })
})
