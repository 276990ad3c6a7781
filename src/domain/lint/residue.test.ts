import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import { residueInSlices } from './residue.js'

/** The residue of a file, as kind and line. */
const residueOf = (path: string, text: string): ReadonlyArray<string> =>
  atOnce(residueInSlices(sourceFile(path, text))).map(({ kind, line }) => `${kind} ${line ?? '-'}`)

const inIndex = (text: string) => residueOf('encje/indeks.md', text)
const inStore = (text: string) => residueOf('kontrybutorzy.md', text)
const inSessions = (text: string) => residueOf('Sesje.md', text)
const inCharacter = (text: string) => residueOf('Postaci/Gracze/Anna.md', text)

const block = '### Sosna\n- @typ: NPC\n'
const session = '### 2024-05-03, Most, Solmyr\n'

describe('rows of a block that are written wrongly', () => {
  const rows = [
    ...[
      '– @status: Usunięty',
      '— @status: Usunięty',
      '• @status: Usunięty',
      '-@status: Usunięty',
      '@status: Usunięty',
    ],
    ...['**@status**: Usunięty', '- **@status**: Usunięty', '- `@status`: Usunięty', '1) @status: Usunięty'],
    ...[
      'a) @status: Usunięty',
      '(2) @status: Usunięty',
      '-- @status: Usunięty',
      '- - @status: Usunięty',
      '> - @status: x',
    ],
    ...[
      '- [ ] @status: Usunięty',
      '- [x] @status: Usunięty',
      '* *@status:* Usunięty',
      '− @status: x',
      '· @status: x',
    ],
    ...[
      '- \\@status: Usunięty',
      '- ＠status: Usunięty',
      '– @status Usunięty',
      '| @status | Usunięty |',
      '- status: Usunięty',
    ],
    ...[
      '- **Status:** Usunięty',
      '+@status: Usunięty',
      '  – @status: Usunięty',
      '*@status: Usunięty',
      '\u2003– @status: x',
    ],
    ...['„@status: Usunięty”', '=> @status: Usunięty', '_@status:_ Usunięty', '- @Status：Usunięty'],
  ]
  for (const row of rows)
    it(`are found: ${row}`, () => {
      const own = row === '- @Status：Usunięty' ? [] : ['UnreadRow 3']
      deepEqual(inIndex(`${block}${row}\n`), own)
      deepEqual(inIndex(`${block}Opis.\n\n${row}\n- @alias: x\n`), own.length === 0 ? [] : ['UnreadRow 5'])
    })

  it('are found inside of the value of another row', () => {
    deepEqual(inIndex(`${block}- @info: Zwykły opis.\n  – @status: Usunięty\n`), ['UnreadRow 4'])
    deepEqual(inIndex(`${block}- @alias: Sosenka - @status: Usunięty\n`), ['JoinedRows 3'])
    deepEqual(inIndex(`${block}- @alias: Sosenka, @status: Usunięty\n`), ['JoinedRows 3'])
  })

  it('are found in the contributor store, with its tags', () => {
    const person = '## Gracz\n### Anna\n- @gameid: 1\n'
    for (const row of [
      '– @rola: Radny',
      '• @klucz_api: sha256:x',
      '-@gameid: 2',
      '**@tematy**: x',
      '1) @chat: a/b',
    ])
      deepEqual(inStore(`${person}${row}\n`), ['UnreadRow 4'])
    deepEqual(inStore('## Role\n### Radny\n– @chat_rola: Rada\n'), ['UnreadRow 3'])
  })

  it('are found outside of every block', () => {
    deepEqual(inIndex('- @typ: NPC\n\n### A\n- @typ: NPC\n'), ['RowOutside 1'])
    deepEqual(inIndex('## Erathia\n- @typ: Lokacja\n– @drzwi: X\n'), ['RowOutside 2', 'RowOutside 3'])
    deepEqual(inStore('## Gracz\n- @gameid: 1\n'), ['RowOutside 2'])
    deepEqual(inStore('## Role Radny\n- @chat_rola: Rada\n'), [])
  })

  it('are found with days in another form', () => {
    for (const days of [
      '{2024:}',
      '[2024-01:2024-05]',
      '(2024–2025)',
      '(2024-01 - 2025-02)',
      '(od 2024 do 2025)',
    ])
      deepEqual(inIndex(`${block}- @alias: Sosenka ${days}\n`), ['UnreadRange 3'])
    deepEqual(inIndex(`${block}- @info: Kronika (2020–2021)\n- @alias: Sosna (2024)\n`), [])
  })

  it('are not prose, nor tags that nothing knows', () => {
    const prose = [
      ...[
        'Zwykłe zdanie – z myślnikiem.',
        '– Witaj – powiedział Orrin.',
        '- punkt listy',
        '1. pierwszy',
        'a) drugi',
      ],
      ...[
        'Napisz do kogos@example.org.',
        '- @@@',
        '– @handle',
        '• @kowalski: tak',
        'Ma status: Usunięty',
        '> cytat',
      ],
      ...[
        '#### Historia',
        '---',
        '***',
        '**Pogrubione** słowo',
        'Lokacja jest daleko.',
        '```',
        '- @status: Usunięty',
        '```',
      ],
    ]
    deepEqual(inIndex(`${block}${prose.join('\n')}\n`), [])
    deepEqual(inIndex(`${block}- @info: Pisze na kogos@example.org, @kowalski: też.\n`), [])
    deepEqual(inIndex('# Indeks\n\nWstęp – i tyle.\n\n- punkt\n'), [])
  })
})

describe('lines that look like headings', () => {
  const headings = [
    '    ### Grab',
    '\t### Grab',
    '- ### Grab',
    '> ### Grab',
    '\\### Grab',
    '＃＃＃ Grab',
    '1. ## Grab',
  ]
  for (const heading of headings)
    it(`are found in a block: ${JSON.stringify(heading)}`, () => {
      deepEqual(inIndex(`${block}${heading}\n- @status: Usunięty\n`), ['UnreadHeading 3'])
    })

  it('are found above rows that stand below an item', () => {
    deepEqual(inIndex(`${block}- Grab:\n    - @status: Usunięty\n`), ['UnreadHeading 3'])
    deepEqual(inIndex(`${block}- punkt\n    - podpunkt\n`), [])
  })

  it('are found above the first row of another block', () => {
    for (const heading of ['Grab', '**Grab**', '__Grab__', '<h3>Grab</h3>'])
      deepEqual(inIndex(`${block}\n${heading}\n- @typ: NPC\n`), ['UnreadHeading 4'])
    deepEqual(inIndex(`${block}\nGrab\n----\n\n- @typ: NPC\n`), ['UnreadHeading 4'])
    deepEqual(inIndex(`${block}\n**Duch Lasu**\n- @status: Usunięty\n`), ['UnreadHeading 4'])
    deepEqual(inIndex(`### Sosna\nOpis.\n- @typ: NPC\n\n**Wygląd**\n- @info: Wysoka.\n`), [])
  })

  it('are found at another level', () => {
    deepEqual(inIndex(`${block}#### Grab\n- @typ: NPC\n- @alias: G\n`), ['HeadingLevel 3'])
    deepEqual(inIndex(`${block}#### Historia\n\nDługa.\n`), [])
    deepEqual(inSessions(`## 2024-05-03, Most, Solmyr\n\nProza.\n`), ['HeadingLevel 1'])
    deepEqual(inSessions(`${session}\n#### 2024-05-04, Brama, Kyrre\n- @PU:\n    - Anna: 0.3\n`), [
      'HeadingLevel 3',
    ])
    deepEqual(inSessions(`# 2024-05-04\n- @PU:\n    - Anna: 0.3\n`), ['HeadingLevel 1', 'UnreadBlock 2'])
    deepEqual(inSessions(`## 2024\n\n${session}\n#### 2024-05-04\n\nDrugi dzień.\n`), [])
  })

  it('are found where a session was meant', () => {
    for (const heading of [
      '    ### 2024-05-04, Brama, Kyrre',
      '**2024-05-04, Brama, Kyrre**',
      '- ### 2024-05-04, B, K',
    ])
      deepEqual(inSessions(`${session}\nProza.\n\n${heading}\n\nProza.\n`), ['UnreadHeading 5'])
    deepEqual(
      inSessions(`${session}\n- @PU:\n    - A: 1\n\n2024-05-04, Brama, Kyrre\n- @PU:\n    - B: 1\n`),
      ['UnreadHeading 6'],
    )
    deepEqual(inSessions(`${session}\n2024-05-04, wieczorem, ruszyli dalej.\n\n- @PU:\n    - B: 1\n`), [])
    deepEqual(inSessions('Dziennik\n\n2024-05-04, w Krakowie, padało\n'), [])
  })

  it('are found in a character file', () => {
    for (const title of [
      '## Stan',
      '### Stan:',
      '__Stan:__',
      '*Stan:*',
      '- **Stan:**',
      '    **Stan:**',
      'Stan:',
    ])
      deepEqual(inCharacter(`**Karta Postaci:** Brak.\n\n${title}\nZdrowa.\n`), ['UnreadSection 3'])
    deepEqual(
      inCharacter(
        '# Anna\n\n**Stan:** Zdrowa.\n\nStan ducha: dobry\n\n**Opisane sesje:**\n\n### 2024-05-03, A, B\n\n## Stan\n',
      ),
      [],
    )
  })
})

describe('blocks of a session that are written wrongly', () => {
  const heads = [
    '– @PU:',
    '-@PU:',
    '@PU:',
    '**@PU:**',
    '- **PU:**',
    '1) @PU:',
    '• PU:',
    'PU:',
    '#### PU',
    '- @P.U.:',
    '- Punkty:',
    '- Punkty umiejętności:',
    '> - @PU:',
  ]
  for (const head of heads)
    it(`are found: ${head}`, () => {
      deepEqual(inSessions(`${session}\n${head}\n- Anna: 0.3\n`), ['UnreadBlock 3'])
    })

  it('are found as a table', () => {
    deepEqual(inSessions(`${session}\n| PU | |\n|---|---|\n| Anna | 0,3 |\n`), ['UnreadBlock 3'])
  })

  it('are found outside of every session', () => {
    deepEqual(inSessions('- @PU:\n    - Anna: 0.3\n'), ['UnreadBlock 1'])
    deepEqual(inSessions('# Rok\n\n- PU:\n    - Anna: 0.3\n'), ['UnreadBlock 3'])
    deepEqual(inSessions('# Program\n\n- Logi: https://example.org\n- Lokacje: dwie\n'), [])
  })

  it('are not prose', () => {
    const prose = [
      ...[
        '– Logi: zapisał wszystko.',
        '– Zmiany idą – rzekł.',
        'Zmiany: nic nie było jak dawniej.',
        '- Zmiany w mieście',
      ],
      ...[
        '#### Zmiany w mieście',
        '– @handle napisał do nas.',
        '**Straty**',
        '- Efekty: dym',
        'Intel 486',
        '| PU | x |',
      ],
    ]
    deepEqual(inSessions(`${session}\n${prose.join('\n\n')}\n`), [])
  })
})

describe('lines with HTML, marks and other colons', () => {
  it('are found where they are the header of a session', () => {
    for (const title of [
      '> ### 2026-02-02, Dwa, Anka',
      '1) ### 2026-02-02, Dwa, Anka',
      '<h3>2026-02-02, Dwa, Anka</h3>',
    ])
      deepEqual(
        inSessions(`${session}Proza.\n\n${title}\n- @PU:\n    - Wit: 0.2\n`),
        ['UnreadHeading 4'],
        title,
      )
  })

  it('are found where they are a section of a character file', () => {
    for (const title of ['<b>Stan:</b>', '**Stan：**'])
      deepEqual(inCharacter(`${title}\nZdrowa\n`), ['UnreadSection 1'], title)
  })

  it('are found where they are rows', () => {
    const text = `${block}- @alias: Orri<br/>@status: Usunięty\n\n<li>@status: Usunięty</li>\n`
    deepEqual(inIndex(text), ['JoinedRows 3', 'UnreadRow 5'])
  })
})

describe('lines of a block of a session that are in no entry', () => {
  const pu = `${session}- @PU:\n    - Anna: 0.3\n`
  it('are found where they look like PU', () => {
    for (const line of [
      '    – Borys: 0,4',
      '    • Borys: 0.4',
      '    Borys: 0.4',
      '    1) Borys: 0.4',
      '    -Borys: 0.4',
    ])
      deepEqual(inSessions(`${pu}${line}\n`), ['UnreadPoints 4'])
    for (const line of ['        - Borys: 0.4', '- Borys: 0.4', 'Borys: 0,4', '– Borys: 0.4'])
      deepEqual(inSessions(`${pu}${line}\n`), ['UnreadPoints 4'])
    deepEqual(inSessions(`${session}- @PU:\n\n- Anna: 0.3\n- Borys: 0.4\n\nProza.\n`), [
      'UnreadPoints 4',
      'UnreadPoints 5',
    ])
    deepEqual(inSessions(`${pu}\n- Wynik: 3\n`), [])
    for (const between of ['', '---\n', 'oraz\n', '#### nowi\n'])
      deepEqual(inSessions(`${pu}\n${between}- Borys: 0,2\n`), [`UnreadPoints ${between === '' ? 5 : 6}`])
    deepEqual(inSessions(`${pu}\n| Borys | 0,2 |\n<li>Cyryl: 0,3</li>\n`), [
      'UnreadPoints 5',
      'UnreadPoints 6',
    ])
    for (const head of ['- @PU：\n', '**PU**\n', 'PU:\n', 'PU\n--\n', '<summary>PU</summary>\n'])
      deepEqual(inSessions(`${session}${head}- Anna: 0.3\n`), ['UnreadBlock 2'], head)
    deepEqual(inSessions(`${session}**PU**\n\n| Anna | 0,3 |\n`), ['UnreadBlock 2'])
    deepEqual(inSessions(`${pu}      (za finał)\n    - Borys: 0.4\n`), [])
  })

  it('are found in the other blocks', () => {
    deepEqual(inSessions(`${session}- @Lokacje:\n    - Erathia\n        - Port\n`), ['UnreadEntry 4'])
    deepEqual(inSessions(`${session}- @Uczestnicy:\n    - Anna\n    – Borys\n`), ['UnreadEntry 4'])
    deepEqual(inSessions(`${session}- @Intel:\n    - Grupa/A: Wieść.\n    – Grupa/B: Sekret.\n`), [
      'UnreadEntry 4',
    ])
    deepEqual(inSessions(`${session}- @Intel:\n    - Grupa/A: Wieść.\n      – Tak – rzekł.\n`), [])
    deepEqual(
      inSessions(
        `${session}- @Zmiany:\n    - Rion\n        - @lokacja: Erathia\n        – @status: Usunięty\n`,
      ),
      ['UnreadRow 5'],
    )
  })
})

describe('blocks that stand twice or elsewhere', () => {
  it('are found: two of one type and name in one file', () => {
    deepEqual(inIndex(`${block}### Grab\n- @typ: NPC\n### SOSNA\n- @typ: NPC\n`), ['DuplicateBlock 5'])
    deepEqual(inIndex(`${block}### Sosna\n- @typ: Lokacja\n`), [])
  })

  it('are found: an index outside of encje/, unless a reference names it', () => {
    deepEqual(residueOf('Encje/indeks.md', block), ['BlocksElsewhere 1'])
    deepEqual(residueOf('Kontrybutorzy.md', '## Gracz\n### Anna\n- @gameid: 1\n'), ['BlocksElsewhere 2'])
    const kinds = (text: string) =>
      allFindings(
        worldOf({ 'encje/indeks.md': text, 'Opisy/a.md': block, '.svc/format.json': '{"format": 2}' }),
      ).map(({ kind }) => kind)
    equal(kinds(block).includes('BlocksElsewhere'), true)
    equal(kinds('### Sosna\n- @typ: NPC\n- @ref: Opisy/a.md\n').includes('BlocksElsewhere'), false)
  })

  it('are found: character files that nothing reads', () => {
    const world = worldOf({
      '.svc/format.json': '{"format": 2}',
      'encje/indeks.md': '### Żaneta\n- @typ: Postać\n',
      ['Postaci/Gracze/Żaneta.md'.normalize('NFC')]: '**Stan:** Zdrowa.\n',
      ['Postaci/Gracze/Żaneta.md'.normalize('NFD')]: '**Stan:** Ranna.\n',
      'Postaci/Gracze/Zaneta.md': '**Stan:** Zdrowa.\n',
    })
    const read = world.characterFiles.get([...world.characterFiles.keys()][0] ?? never())?.path
    const found = allFindings(world).filter(one => one.file.startsWith('Postaci/'))
    deepEqual(found.map(({ kind, severity, subject }) => [kind, severity, subject]).sort(), [
      ['CharacterUnknown', 'info', 'Zaneta'],
      ['DuplicateCharacterFile', 'error', 'Żaneta'],
    ])
    equal(found.find(({ kind }) => kind === 'DuplicateCharacterFile')?.file === read, false)
  })
})

const never = (): never => {
  throw new Error('no character file is read')
}
