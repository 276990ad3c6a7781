import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sourceFile } from '#test/support/world.js'
import { parseCharacterFile } from './character-file.js'
import type { CharacterFile } from './section-body.js'

const read = (text: string): CharacterFile =>
  parseCharacterFile(sourceFile('Postaci/Gracze/Xeron Demonlord.md', text))

describe('a character file', () => {
  it('reads headers with the colon inside, outside or absent', () => {
    const file = read(
      '**Stan:** Zdrowy.\n**Przedmioty specjalne**:\n- Miecz\n**Dodatkowe informacje**\n- Blizna\n',
    )
    assert.deepEqual([file.name, file.condition], ['Xeron Demonlord', 'Zdrowy.'])
    assert.deepEqual([file.specialItems, file.additionalInfo], [['Miecz'], ['Blizna']])
  })

  it('joins deeper lines to the entry above and takes a line at the margin as an entry', () => {
    const file = read('**Dodatkowe informacje:**\n- Pierwsza\n  dalej\n  - punkt\n- Druga\nTrzecia\n')
    assert.deepEqual(file.additionalInfo, ['Pierwsza\ndalej\n- punkt', 'Druga', 'Trzecia'])
  })

  it('reads the three forms of a reputation, mixed', () => {
    const file = read(`**Reputacja:**
- Pozytywna: Erathia (za most, i wał), Steadwick: ratusz, -
    - Deyja,
    - Nighon:
        - wygrał
        - przegrał
- Neutralna: Brak.
- Negatywna: -
- Obojętna: Enroth
`)
    assert.deepEqual(file.reputation, {
      positive: [
        { location: 'Erathia', detail: 'za most, i wał' },
        { location: 'Steadwick', detail: 'ratusz' },
        { location: 'Deyja', detail: null },
        { location: 'Nighon', detail: 'wygrał; przegrał' },
      ],
      neutral: [],
      negative: [],
    })
    assert.deepEqual(
      file.findings.map(one => [one.kind, one.line]),
      [['ReputationUnreadable', 9]],
    )
  })

  it('splits an entry at the colon outside parentheses first, so that a place may name its parent', () => {
    const { reputation, findings } = read(`**Reputacja:**
- Pozytywna: Rynek (Steadwick): kupił, Rynek (Erathia): znany, Deyja (most: stary)
- Neutralna:
    - Port (Nighon): spór (o cło: dawny)
    - Brama (Enroth):
        - przeszedł
    - Wieża (Tatalia)
`)
    assert.deepEqual(reputation, {
      positive: [
        { location: 'Rynek (Steadwick)', detail: 'kupił' },
        { location: 'Rynek (Erathia)', detail: 'znany' },
        { location: 'Deyja', detail: 'most: stary' },
      ],
      neutral: [
        { location: 'Port (Nighon)', detail: 'spór (o cło: dawny)' },
        { location: 'Brama (Enroth)', detail: 'przeszedł' },
        { location: 'Wieża', detail: 'Tatalia' },
      ],
      negative: [],
    })
    assert.deepEqual(findings, [])
  })

  it('takes a placeholder for no sheet and reports text that is no address', () => {
    assert.deepEqual(
      [read('**Karta Postaci:** <LINK>').sheet, read('**Karta Postaci:** <LINK>').findings],
      [null, []],
    )
    assert.equal(read('**Karta Postaci:** [karta](https://x.example/a)').sheet, 'https://x.example/a')
    assert.deepEqual(
      read('\n**Karta Postaci:** u Solmyra').findings.map(one => [one.kind, one.line]),
      [['SheetNotUrl', 2]],
    )
  })

  it('takes bold lines of a described session for prose', () => {
    const file = read(
      '**Stan:** Zdrowy.\n**Opisane sesje:**\n### 2025-01-15, Bitwa, o most, Anna\n**Stan:** Ranny.\n',
    )
    assert.equal(file.condition, 'Zdrowy.')
    assert.deepEqual(file.describedSessions, [
      { date: '2025-01-15', title: 'Bitwa, o most', narrator: 'Anna' },
    ])
  })

  it('reads a section that stands twice as one, and says so', () => {
    const file = read('**Stan:** Ranny.\n**Wygląd:** wysoki\n**Stan:** Zmęczony.\n')
    assert.equal(file.condition, 'Ranny. Zmęczony.')
    assert.deepEqual(
      file.findings.map(one => [one.kind, one.line]),
      [
        ['UnknownSection', 2],
        ['DuplicateSection', 3],
      ],
    )
  })

  it('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      '**Stan:**\n',
      '**Reputacja:**\n',
      '- Pozytywna:',
      ' (',
      ')',
      ':',
      '\n    - ',
      '### 2024-13-01, x\n',
      '```\n',
      '**Opisane sesje**\n',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), pieces => {
        const { positive, neutral, negative } = read(pieces.join('')).reputation
        assert.ok([...positive, ...neutral, ...negative].every(entry => entry.location !== ''))
      }),
    )
  })

  it('reads 100 KB of hostile text well within the time of a test', () => {
    for (const hostile of ['**Stan:**\n', '- (((', '**', 'a,', '- Pozytywna: (', '    - x:\n', '> <']) {
      const file = read(`**Reputacja:**\n${hostile.repeat(100_000 / hostile.length)}`)
      assert.equal(file.name, 'Xeron Demonlord')
    }
  })
})
