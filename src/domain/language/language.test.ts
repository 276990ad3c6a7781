import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import {
  languageLinesMax,
  linesOfFormMax,
  readFormsInSlices,
  readLemmasInSlices,
  readTitlesInSlices,
  titlesMax,
} from './language.js'
import { unknownHeadings } from './unknown-headings.js'

const forms = (text: string) => atOnce(readFormsInSlices(sourceFile('jezyk/odmiany.tsv', text)))
const titles = (text: string) => atOnce(readTitlesInSlices(sourceFile('jezyk/tytuly.txt', text)))
const lemmas = (text: string) => atOnce(readLemmasInSlices(sourceFile('jezyk/lematy.tsv', text)))

const places = (findings: ReadonlyArray<{ readonly kind: string; readonly line: number | null }>) =>
  findings.map(({ kind, line }) => [kind, line])

describe('the corrections of forms', () => {
  it('are added and forbidden forms by heading, of one type or of all', () => {
    const read = forms(
      [
        '# poprawki',
        'Ithanowi\tIthan',
        '',
        '!Ithanu\tIthan\tLokacja\r',
        '  ! Kupce\tKupiec  Orrin\t',
        'Ithanowi\tIthan',
      ].join('\n'),
    )
    deepEqual(
      [...read.forms],
      [
        [
          nameKey('Ithan'),
          [
            { form: 'Ithanowi', isForbidden: false, type: null },
            { form: 'Ithanu', isForbidden: true, type: 'Lokacja' },
          ],
        ],
        [nameKey('Kupiec Orrin'), [{ form: 'Kupce', isForbidden: true, type: null }]],
      ],
    )
    deepEqual(read.findings, [])
    deepEqual(
      read.headings.map(({ line, heading, type }) => [line, heading, type]),
      [
        [2, 'Ithan', null],
        [4, 'Ithan', 'Lokacja'],
        [5, 'Kupiec Orrin', null],
      ],
    )
  })

  for (const [what, line] of [
    ['no heading', 'Ithanowi'],
    ['an empty heading', 'Ithanowi\t'],
    ['an empty form', '\tIthan'],
    ['a mark without a form', '!\tIthan'],
    ['a fourth cell', 'Ithanowi\tIthan\tNPC\tx'],
    ['an unknown type', 'Ithanowi\tIthan\tSmok'],
    ['a property of objects as type', 'Ithanowi\tIthan\tconstructor'],
    ['a form of 201 characters', `${'a'.repeat(201)}\tIthan`],
    ['an invisible character', 'Itha\u200bnowi\tIthan'],
    ['more characters than a line may have', `Ithanowi\t${'a'.repeat(5000)}`],
    ['a contradiction of an earlier line', '!ithanu\tITHAN'],
  ] as const)
    it(`skip a line with ${what}, with a finding`, () => {
      const read = forms(`Ithanu\tIthan\n${line}\nIthanem\tIthan\n`)
      deepEqual(places(read.findings), [['LanguageLine', 2]])
      deepEqual(
        read.forms.get(nameKey('Ithan'))?.map(({ form }) => form),
        ['Ithanu', 'Ithanem'],
      )
    })

  it('end at the bound on lines, with a finding', () => {
    const many = Array.from({ length: languageLinesMax + 5 }, (_, at) => `f${at}\tIthan\n`).join('')
    const read = forms(many)
    equal(read.forms.get(nameKey('Ithan'))?.length, languageLinesMax)
    deepEqual(places(read.findings), [['LanguageAboveBound', languageLinesMax + 1]])
  })

  it('are bounded for one form, however it is spelled, with a finding for each further line', () => {
    const lines = Array.from({ length: linesOfFormMax }, (_, at) => `Ithan’owi\tHeading ${at}\n`).join('')
    const { forms: read, findings } = forms(`${lines}ithan'owi\tFurther\n!ITHAN´owi\tOther\nx\tFurther\n`)
    equal(read.size, linesOfFormMax + 1)
    deepEqual(
      read.get(nameKey('Further'))?.map(({ form }) => form),
      ['x'],
    )
    deepEqual(places(findings), [
      ['LanguageLine', linesOfFormMax + 1],
      ['LanguageLine', linesOfFormMax + 2],
    ])
  })

  it('report at most a hundred bad lines, and count the others', () => {
    const { findings } = forms('zły wiersz\n'.repeat(500))
    equal(findings.length, 101)
    ok(findings.at(-1)?.reason.includes('400'))
  })

  it('pause while a large file is read', () => {
    const work = readFormsInSlices(sourceFile('jezyk/odmiany.tsv', 'Ithanu\tIthan\n'.repeat(20_000)))
    let pauses = 0
    while (work.next().done !== true) pauses += 1
    ok(pauses >= 20, `${pauses} pauses`)
  })
})

describe('the titles and lemmas', () => {
  it('are a title a line, each once', () => {
    const read = titles('# tytuły\nMistrz\nmistrz\nWielki  Książę\nzły\ttytuł\n')
    deepEqual(read.titles, ['Mistrz', 'Wielki Książę'])
    deepEqual(places(read.findings), [['LanguageLine', 5]])
  })

  it('leave out titles above their bound', () => {
    const read = titles(Array.from({ length: titlesMax + 2 }, (_, at) => `t${at}\n`).join(''))
    deepEqual([read.titles.length, read.findings.length], [titlesMax, 2])
  })

  it('are the lemmas of a form by its key', () => {
    const read = lemmas('Mieczem\tmiecz\nMIECZEM\tmiecz\nmieczem\tMieczysław\nbez lematu\n\tx\n')
    deepEqual([...read.lemmas], [[nameKey('mieczem'), ['miecz', 'Mieczysław']]])
    deepEqual(places(read.findings), [
      ['LanguageLine', 4],
      ['LanguageLine', 5],
    ])
  })

  it('are bounded for one form', () => {
    const read = lemmas(Array.from({ length: 20 }, (_, at) => `miecz\tl${at}\n`).join(''))
    deepEqual([read.lemmas.get(nameKey('miecz'))?.length, read.findings.length], [16, 4])
  })
})

describe('the language data of a snapshot', () => {
  const index = { 'encje/indeks.md': '### Ithan\n- @typ: NPC\n' }
  const odmiany = 'Ithanowi\tIthan\nX\tNikt\nY\tIthan\tLokacja\n'

  it('comes from `jezyk/` of the lore where `corpora.lang` is empty', () => {
    const { language } = worldOf({ ...index, 'jezyk/odmiany.tsv': odmiany, 'jezyk/tytuly.txt': 'Mistrz\n' })
    deepEqual([[...language.data.forms.keys()], language.data.titles], [['ithan', 'nikt'], ['Mistrz']])
  })

  it('comes from `corpora.lang` alone where that is configured', () => {
    const { language } = worldOf(
      { ...index, 'jezyk/tytuly.txt': 'Mistrz\n' },
      { language: { 'lematy.tsv': 'a\tb\n' } },
    )
    deepEqual([language.data.titles, [...language.data.lemmas.keys()]], [[], ['a']])
  })

  it('has a finding for each heading that no block of that type has', () => {
    const { language, entities } = worldOf({ ...index, 'jezyk/odmiany.tsv': odmiany })
    deepEqual(
      unknownHeadings(language, entities).map(({ kind, line, subject }) => [kind, line, subject]),
      [
        ['UnknownHeading', 2, 'Nikt'],
        ['UnknownHeading', 3, 'Ithan'],
      ],
    )
  })
})
