import assert from 'node:assert/strict'
import fc from 'fast-check'
import { nameKey } from '#protocol/atoms.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { sourceFile } from '#test/support/world.js'
import { parseContributorStore } from './contributor-store.js'
import type { People } from './roster.js'

const store = (text: string): People => parseContributorStore(sourceFile('kontrybutorzy.md', text))
const describeFindings = (people: People): ReadonlyArray<string> =>
  people.findings.map(
    finding => `${finding.severity} ${finding.kind} ${finding.line ?? '-'} ${finding.subject ?? '-'}`,
  )

const hash = (digit: string): string => `sha256:${digit.repeat(64)}`

const sound = `## Gracz
### Solmyr
- @gameid: 12345 (2023-06:)
- @gameid: 11111 (:2023-05)
- @rola: Narrator (2024-01:)
- @status: Aktywny
- @chat: sesje/solmyr-kanał
- @klucz_api: ${hash('a')}
- @tematy: gore, tortury
- @alias: Sol
## Role
### Radny
- @chat_rola: Rada
## Role Narrator
- @chat_rola: Prowadzący
- @chat_rola: Mistrz Gry
`

describe('the contributor store', () => {
  it('reads people, roles in both forms, and finds nothing wrong with a sound file', () => {
    const people = store(sound)
    assert.deepEqual(describeFindings(people), [])
    assert.deepEqual(
      people.all.map(person => [person.name, person.line, person.endLine, person.rows.length]),
      [['Solmyr', 2, 10, 8]],
    )
    assert.equal(people.byName.get(nameKey('SOLMYR')), people.all[0])
    assert.deepEqual(people.byAlias.get(nameKey('sol')), people.all)
    assert.deepEqual(people.roles, [
      { name: 'Radny', line: 12, chatRoles: ['Rada'] },
      { name: 'Narrator', line: 14, chatRoles: ['Prowadzący', 'Mistrz Gry'] },
    ])
  })

  it('reports a heading that the audit gives to the daemon itself', () => {
    for (const heading of [
      'machine',
      'Máchine',
      'ma\u200bchine',
      'ＭＡＣＨＩＮＥ',
      'Nobody',
      'autopilot:lineage',
    ])
      assert.deepEqual(describeFindings(store(`## Gracz\n### ${heading}\n- @gameid: 9\n`)), [
        `error ReservedName 2 ${heading}`,
        ...(heading.includes('\u200b') ? [`warning NameSign 2 ${heading}`] : []),
      ])
    assert.deepEqual(describeFindings(store('## Gracz\n### Machina\n- @gameid: 9\n')), [])
  })

  it('names the line of each thing that is wrong', () => {
    const people = store(`### Zbłąkana
- @gameid: 9
## Gracz
### Anna
- @gameid: 1 (2024-01:)
- @gameid: 2 (2024-05:)
- @klucz_api: ${hash('b')}
- @status: Wesoły
### Bob
- @gameid: 1 (:2024-03)
- @klucz_api: ${hash('B').toLowerCase()}
- @chat: tylko-kanał
- @hobby: szachy
### anna
- @gameid: 3
### Ewa
`)
    assert.deepEqual(describeFindings(people), [
      'warning UnknownSection 1 Zbłąkana',
      'error DuplicatePerson 14 anna',
      'error OverlappingGameId 6 Anna',
      'warning UnknownStatus 8 Anna',
      'warning ChatUnreadable 12 Bob',
      'warning UnknownTag 13 Bob',
      'warning MissingGameId 16 Ewa',
      'error DuplicateApiKey 11 Bob',
      'error DuplicateGameId 5 Anna',
    ])
    assert.match(people.findings.find(one => one.kind === 'DuplicateApiKey')?.reason ?? '', /Anna, wiersz 7/u)
    assert.deepEqual(
      people.all.map(person => person.name),
      ['Anna', 'Bob', 'Ewa'],
    )
  })

  it('tells a tag that is out of place from one that nothing takes', () => {
    const people = store(`## Gracz
### Anna
- @gameid: 1
- @drzwi: Wieża
- @chat_rola: Rada
- @hobby: szachy
## Role
### Radny
- @gameid: 2
`)
    assert.deepEqual(describeFindings(people), [
      'warning ForeignTag 9 Radny',
      'warning ForeignTag 4 Anna',
      'warning ForeignTag 5 Anna',
      'warning UnknownTag 6 Anna',
    ])
    assert.match(people.findings[1]?.reason ?? '', /^@drzwi: Znacznik jest w niewłaściwym bloku;/u)
  })

  it('never repeats a credential, in no row and no finding', () => {
    const secret = 'apik_3f9a-very-secret'
    const people = store(`## Gracz
### Anna
- @gameid: 1
- @chat: BRAK
- @klucz_api: ${secret}
- @prfwebhook: https://chat.example/api/webhooks/1/${secret}
`)
    assert.deepEqual(describeFindings(people), [
      'error RawApiKeyValue 5 Anna',
      'error RawWebhookValue 6 Anna',
    ])
    assert.ok(!JSON.stringify([people.all, people.findings, people.roles]).includes(secret))
  })

  it('accepts ids of two people one after the other, and of one person twice', () => {
    const people = store(`## Gracz
### Anna
- @gameid: 1 (:2023-12)
### Bob
- @gameid: 1 (2024-01:)
- @gameid: 2 (2022:2023)
`)
    assert.deepEqual(describeFindings(people), [])
  })

  it('names five of those who share an id, and counts the others', () => {
    const block = (name: string) => `### ${name}\n- @gameid: 1\n`
    const people = store(`## Gracz\n${['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(block).join('')}`)
    const about = people.findings.filter(one => one.kind === 'DuplicateGameId').map(one => one.reason)
    assert.equal(about.length, 6)
    assert.ok(about[0]?.startsWith('A, C, D, E, F i jeszcze 1: '), about[0])
    assert.ok(about[5]?.startsWith('A, B, C, D, E i jeszcze 1: '), about[5])
    const two = store(`## Gracz\n${block('A')}${block('B')}`).findings.map(one => one.reason)
    assert.ok(two[0]?.startsWith('A: '), two[0])
  })

  it('names the line of the other row where two blocks with one heading share an id', () => {
    const people = store(`## Gracz
### Solmyr
- @gameid: 1
### Solmyr
- @gameid: 1
`)
    assert.deepEqual(describeFindings(people), [
      'error DuplicatePerson 4 Solmyr',
      'error DuplicateGameId 5 Solmyr',
    ])
    assert.match(people.findings[1]?.reason ?? '', /^Solmyr \(wiersz 3\): Ten sam @gameid /u)
  })

  const hostile: ReadonlyArray<readonly [string, (at: number) => string]> = [
    ['have one id', at => `### Osoba ${at}\n- @gameid: 1\n`],
    ['have one alias', at => `### Osoba ${at}\n- @gameid: ${at}\n- @alias: A\n`],
    ['have one key', at => `### Osoba ${at}\n- @klucz_api: sha256:${'a'.repeat(64)}\n`],
    ['are roles of the header form', at => `## Role r${at}\n- @chat_rola: r\n`],
  ]
  for (const [what, block] of hostile)
    it(`reads 20,000 blocks that ${what} in a time that grows with the file`, () => {
      const ofBlocks = (length: number) =>
        store(`## Gracz\n${Array.from({ length }, (_, at) => block(at)).join('')}`)
      const people = ofBlocks(20_000)
      assert.equal(Math.max(people.all.length, people.roles.length), 20_000)
      assert.ok(growsAsALine(5_000, ofBlocks))
    })

  it('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      '## Gracz\n',
      '### A\n',
      '- @gameid: 1 (2024-01:)\n',
      '- @klucz_api: x\n',
      '```\n',
      '## Role B\n',
      '- @',
      ' (',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), pieces => {
        const people = store(pieces.join(''))
        assert.ok(people.findings.every(finding => finding.line === null || finding.line > 0))
      }),
    )
  })
})

describe('rights in the contributor store', () => {
  const anka = '## Gracz\n### Anka\n- @gameid: 12346\n- @status: Aktywny\n'
  const rows = `- @rola: Radny\n- @klucz_api: ${hash('b')}\n`
  /** The rows of everybody that may give a right. */
  const rightsIn = (text: string): ReadonlyArray<string> =>
    store(text).all.flatMap(person =>
      person.rows
        .filter(({ tag, unsure }) => ['rola', 'klucz_api'].includes(tag) && unsure !== true)
        .map(({ tag }) => `${person.name} ${tag}`),
    )

  it('come from rows that a reader of the page sees as rows', () => {
    assert.deepEqual(rightsIn(`${anka}${rows}`), ['Anka rola', 'Anka klucz_api'])
    assert.deepEqual(rightsIn(`${anka}${rows}\nDopisek na końcu.\n`), ['Anka rola', 'Anka klucz_api'])
  })

  for (const [what, text] of [
    ...[
      '%%',
      '<details>',
      '<style>',
      '<script>',
      '<?',
      '<!WZOR',
      '[//]: # (',
      '/*',
      '<<<<<< HEAD',
      '‹!–',
      '<div hidden>',
    ].map(mark => [`below ${mark}`, `${anka}${mark}\n${rows}`] as const),
    ...[
      'Brzozan',
      '**Brzozan**\n\nOpis.\n',
      'Brzozan\n-----',
      '<h3>Brzozan</h3>',
      '„### Brzozan”',
      '| Brzozan |',
      '---',
    ].map(title => [`below the title ${title}`, `${anka}\n${title}\n${rows}`] as const),
    ['in a fence whose end is too far in', `${anka}~~~\n    ~~~\n${rows}    ~~~\n~~~\n`],
    ['in a fence that a no-break space does not end', `${anka}~~~\n\u00a0~~~\n${rows}~~~\n`],
    ['in a fence that a sign without a width does not end', `${anka}\`\`\`\n\`\`\`\u200b\n${rows}\`\`\`\n`],
    [
      'above a marker without its beginning',
      `${anka}${rows}||||||| base\n${rows}=======\n${rows}>>>>>>> x\n`,
    ],
    ['above the end of a conflict', `${anka}${rows}=======\n>>>>>>> x\n`],
  ] as const)
    it(`come from no row ${what}`, () => {
      assert.deepEqual(rightsIn(text), [])
    })

  it('come from no row that goes on in the next line', () => {
    for (const days of ['(2022:2023-06)', '(:2023-06)', 'do 2023-06', '2022 – 2023'])
      assert.deepEqual(rightsIn(`${anka}- @rola: Radny\n${days}\n`), [], days)
  })

  it('come to no person below a title of another section', () => {
    const brzozan = `### Brzozan\n- @gameid: 999\n${rows}`
    for (const title of [
      'Byli gracze\n====',
      'Byli gracze\n----',
      '**Byli gracze**',
      '<h2>Byli</h2>',
      '> ## Byli',
      '- ## Byli',
      '\\## Byli',
      '<details><summary>Byli</summary>\n<summary>Byli</summary>',
    ]) {
      const people = store(`${anka}\n${title}\n\n${brzozan}`)
      assert.deepEqual(
        people.all.map(({ name }) => name),
        ['Anka'],
        title,
      )
      assert.ok(
        people.findings.some(({ kind }) => kind === 'UnknownSection'),
        title,
      )
    }
    assert.deepEqual(rightsIn(`${anka}\n**Byli**\n\n## Gracz\n${brzozan}`), [
      'Brzozan rola',
      'Brzozan klucz_api',
    ])
  })

  it('end by a status wherever it stands', () => {
    const [person] = store(`${anka}Odeszła.\n- @status: Usunięty\n- @status: Aktywny\n`).all
    assert.deepEqual(
      person?.rows.filter(({ tag }) => tag === 'status').map(({ value }) => value),
      ['Aktywny', 'Usunięty'],
    )
  })

  it('need an id of one word', () => {
    for (const id of [
      '12346 (do 2026-03)',
      '999 (stare konto)',
      '999, 998',
      '9 99',
      '#999',
      '[999](https://x)',
    ]) {
      const people = store(`## Gracz\n### Anka\n- @gameid: ${id}\n- @chat: BRAK\n${rows}`)
      assert.deepEqual(describeFindings(people), ['error GameIdUnreadable 3 Anka'], id)
      assert.equal(people.all[0]?.rows.find(({ tag }) => tag === 'gameid')?.unsure, true)
    }
  })
})
