import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { linesOf } from '#src/domain/lore/lines.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { leastStepsMs, slowness } from '#test/support/processor-time.js'
import { changesOfCommit, changesOfFile } from './changed-file.js'
import type { Found } from './differences.js'
import { piecesOf } from './notifications.js'

const version = (path: string, text: string | null) => ({ path, text })

const inFile = (path: string, before: string, after: string): ReadonlyArray<Found> =>
  atOnce(changesOfFile(version(path, before), version(path, after)))

const summarize = (found: ReadonlyArray<Found>) =>
  found.map(one => [one.name, one.field, one.op, one.was, one.is, one.withheld])

const index = 'encje/indeks.md'
const orrin = '### Orrin\n- @typ: NPC\n- @lokacja: Port (2024-01:)\n- @status: Aktywny\n\n'
const iga = '### Iga\n- @typ: NPC\n- @alias: Igunia\n\n'

describe('changes of an index file', () => {
  it('are told by tag: a dated change is the end of one row and a new one', () => {
    const after = orrin.replace(
      '- @lokacja: Port (2024-01:)',
      '- @lokacja: Port (2024-01:2024-05)\n- @lokacja: Zamorze (2024-06:)',
    )
    deepEqual(summarize(inFile(index, orrin + iga, after + iga)), [
      ['Orrin', 'lokacja', 'changed', 'Port (2024-01-01:)', 'Port (2024-01-01:2024-05-31)', null],
      ['Orrin', 'lokacja', 'added', null, 'Zamorze (2024-06-01:)', null],
    ])
  })

  it('tell blocks that came, went and got another name', () => {
    deepEqual(summarize(inFile(index, orrin, orrin + iga)), [
      ['Iga', null, 'added', null, 'Iga', null],
      ['Iga', 'typ', 'added', null, 'NPC', null],
      ['Iga', 'alias', 'added', null, 'Igunia', null],
    ])
    deepEqual(summarize(inFile(index, orrin + iga, orrin))[0], ['Iga', null, 'removed', 'Iga', null, null])
    deepEqual(summarize(inFile(index, orrin + iga, orrin.replace('Orrin', 'Orryn') + iga)), [
      ['Orryn', null, 'renamed', 'Orrin', 'Orryn', null],
    ])
  })

  it('tell two blocks of one heading apart by their type', () => {
    const place = '### Port\n- @typ: Lokacja\n- @region: A\n\n'
    const map = '### Port\n- @typ: Mapa\n- @slug: port\n\n'
    deepEqual(summarize(inFile(index, place + map, map + place.replace(': A', ': B'))), [
      ['Port', 'region', 'changed', 'A', 'B', null],
    ])
    deepEqual(summarize(inFile(index, place, place.replace('Lokacja', 'Region'))), [
      ['Port', 'typ', 'changed', 'Lokacja', 'Region', null],
    ])
  })

  it('tell prose, and a change of form as one of the file', () => {
    deepEqual(summarize(inFile(index, `${orrin}Opis.\n`, `${orrin}Inny opis.\n`)), [
      ['Orrin', 'treść', 'changed', 'Opis.', 'Inny opis.', null],
    ])
    deepEqual(summarize(inFile(index, orrin, orrin.replaceAll('\n', '\r\n'))), [
      [index, null, 'changed', null, null, null],
    ])
  })

  it('withhold credentials and restricted topics', () => {
    const secret =
      '- @prfwebhook: https://chat.example/api/webhooks/1/a\n- @klucz_api: sha256:00\n- @tematy_zastrzezone: pająki\n'
    deepEqual(
      inFile(index, orrin, orrin.trimEnd() + '\n' + secret).map(one => [one.field, one.withheld]),
      [
        ['prfwebhook', 'secret'],
        ['klucz_api', 'secret'],
        ['tematy_zastrzezone', 'restricted'],
      ],
    )
  })
})

describe('changes of other files', () => {
  it('of the store withhold what no person is told by', () => {
    const store = '## Gracz\n### Brzoza\n- @gameid: 41001\n'
    deepEqual(
      summarize(
        inFile('kontrybutorzy.md', store, `${store}- @rola: radny\n- @kluczapi: tajny-klucz\nklucz: tajny\n`),
      ).map(one => [one[1], one[4] === null ? null : one[5]]),
      [
        ['rola', null],
        ['kluczapi', 'secret'],
        ['treść', 'secret'],
      ],
    )
  })

  it('of sessions go entry by entry, and are withheld from who may not read sessions', () => {
    const before =
      '### 2026-05-10, Most, Brzoza\n\nOpis.\n\n- @PU:\n    - Wit: 1\n    - Iskra: 0.5\n- @Zmiany:\n    - Wit\n        - @stan: Ranny\n'
    const after = before.replace('Wit: 1', 'Wit: 2').replace('Opis.', 'Inny opis.').replace('Ranny', 'Zdrowy')
    deepEqual(summarize(inFile('sesje/a.md', before, after)), [
      ['2026-05-10, Most, Brzoza', 'PU', 'changed', '- Wit: 1', '- Wit: 2', 'session'],
      [
        '2026-05-10, Most, Brzoza',
        'Zmiany',
        'changed',
        '- Wit\n        - @stan: Ranny',
        '- Wit\n        - @stan: Zdrowy',
        'session',
      ],
      ['2026-05-10, Most, Brzoza', 'treść', 'changed', 'Opis.', 'Inny opis.', 'session'],
    ])
    const secret = after.replace('@stan: Zdrowy', '@prfwebhook: https://chat.example/x')
    equal(inFile('sesje/a.md', after, secret)[0]?.withheld, 'secret')
  })

  it('of characters go by section, restricted topics withheld', () => {
    const before =
      '**Karta Postaci:** https://a.example/1\n\n**Tematy zastrzeżone:**\nBrak.\n\n**Stan:**\nZdrowy.\n'
    const after = before.replace('Brak.', 'pająki').replace('Zdrowy.', 'Ranny.')
    deepEqual(summarize(inFile('Postaci/Gracze/Wit Kłos.md', before, after)), [
      ['Wit Kłos', 'tematy zastrzeżone', 'changed', 'Brak.', 'pająki', 'restricted'],
      ['Wit Kłos', 'stan', 'changed', 'Zdrowy.', 'Ranny.', null],
    ])
  })

  it('of settings go by dotted name, of ledgers by record, of what may hold secrets not at all', () => {
    deepEqual(
      summarize(
        inFile(
          '.svc/config.json',
          '{"server":{"port":1}}',
          '{"server":{"port":2,"apiKey":"x","sync_max_age_min":"x"}}',
        ),
      ),
      [
        ['.svc/config.json', 'server.port', 'changed', '1', '2', null],
        ['.svc/config.json', 'server.apiKey', 'added', null, 'x', 'secret'],
        ['.svc/config.json', 'server.sync_max_age_min', 'added', null, 'x', 'secret'],
      ],
    )
    deepEqual(
      summarize(
        inFile('.svc/pu/batches.jsonl', '{"id":"2026-04"}\n', '{"id":"2026-04"}\n{"id":"2026-05"}\n'),
      ),
      [['2026-05', null, 'added', null, '2026-05', null]],
    )
    for (const path of ['Gracze.md', 'zgłoszenia/a.md', '.svc/staged/ab.md', 'notes.txt', 'a\\b.md'])
      deepEqual(summarize(inFile(path, 'a tajne', 'b tajne')), [[path, null, 'changed', null, null, null]])
  })

  it('that were not read say so; a file that moved keeps its fields', () => {
    deepEqual(summarize(atOnce(changesOfFile(version(index, null), version(index, 'x')))), [
      [index, null, 'changed', null, null, 'unread'],
    ])
    deepEqual(summarize(atOnce(changesOfFile(version(index, orrin), version('encje/inny.md', orrin)))), [
      ['encje/inny.md', null, 'renamed', index, 'encje/inny.md', null],
    ])
  })

  it('never throw on what is no JSON', () => {
    for (const text of ['', '{', '[1', '['.repeat(100_000), `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`])
      for (const path of ['.svc/config.json', '.svc/close/ledger.jsonl'])
        ok(inFile(path, '{}', text).length > 0)
  })
})

describe('changes of a merge', () => {
  it('are those that no parent has: what came from one of them was told there', () => {
    const ours = orrin.replace('Aktywny', 'Nieaktywny')
    const theirs = orrin + iga
    const clean = orrin.replace('Aktywny', 'Nieaktywny') + iga
    const parents = [version(index, ours), version(index, theirs)]
    deepEqual(atOnce(changesOfCommit(parents, version(index, clean))), [])
    const edited = clean.replace('Port (2024-01:)', 'Wieża (2024-01:)')
    deepEqual(summarize(atOnce(changesOfCommit(parents, version(index, edited)))), [
      ['Orrin', 'lokacja', 'changed', 'Port (2024-01-01:)', 'Wieża (2024-01-01:)', null],
    ])
  })
})

describe('pieces of a text', () => {
  const line = fc.constantFrom(
    '### A',
    '## B',
    '# ',
    '#### D',
    '```',
    '  ```x',
    '- @typ: NPC',
    '',
    'tekst',
    '###',
  )

  it('join to the text, and are cut where a block begins', () => {
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, newline) => {
        const text = lines.join(newline)
        const pieces = atOnce(piecesOf(text))
        equal(pieces.join(''), text)
        const headers = linesOf(text).lines.filter(one => one._tag === 'Header' && one.level <= 3).length
        const first = linesOf(text).lines[0]
        const leads = first?._tag === 'Header' && first.level <= 3
        equal(pieces.length, text === '' ? 0 : headers + (leads ? 0 : 1))
      }),
    )
  })

  it('are read in slices: whatever stands in a file of the largest size, no step is long', () => {
    const blocks = Array.from(
      { length: 1_500 },
      (_, at) => `### Ktoś ${at}\n- @typ: NPC\n- @alias: A\n\n`,
    ).join('')
    const one = `### Ktoś\n- @typ: NPC\n${'- @alias: A\n'.repeat(80_000)}`
    const session = `### 2026-05-10, Most, Brzoza\n\n- @PU:\n${'    - Wit: 1\n'.repeat(10_000)}`
    const json = JSON.stringify({ server: { list: Array.from({ length: 1_500 }, (_, at) => `a${at}`) } })
    for (const [path, text] of [
      [index, blocks],
      [index, one],
      ['sesje/a.md', session.repeat(3)],
      ['.svc/roles.json', json],
      ['.svc/close/ledger.jsonl', '{"header":"A"}\n'.repeat(5_000)],
      ['Postaci/Gracze/Wit.md', `**Stan:**\n${'a\n'.repeat(5_000)}`],
    ] as const) {
      const other = text.replaceAll('A', 'B').replaceAll('1', '2').replaceAll('a', 'b')
      const stepMs = leastStepsMs(50, () => changesOfFile(version(path, text), version(path, other)))
      const longestMs = Math.max(...stepMs) / slowness()
      ok(longestMs < 50, `${path}: ${longestMs} ms`)
    }
  })
})
