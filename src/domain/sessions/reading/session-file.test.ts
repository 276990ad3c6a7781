import { deepEqual, equal } from 'node:assert/strict'
import { sourceFile } from '#test/support/world.js'
import type { SessionCopy } from '../session.js'
import { parseSessionFile } from './session-file.js'

const read = (text: string) => parseSessionFile(sourceFile('Wątki/a.md', text))

const session = (...lines: ReadonlyArray<string>): SessionCopy => {
  const [copy] = read(`### 2024-05-03, Tytuł, Solmyr\n${lines.join('\n')}\n`).copies
  if (copy === undefined) throw new Error('no session is read')
  return copy
}

const noticesOf = (text: string): ReadonlyArray<readonly [string, number | null]> =>
  read(text).findings.map(finding => [finding.kind, finding.line])

const header = '### 2024-05-03, Tytuł, Solmyr'

describe('a file of sessions', () => {
  it('ends a session at the next header of level three or less, blank lines left out', () => {
    const text = `# Rok\n\n${header}\n\nProza.\n\n#### Podtytuł\n\nDalej.\n\n## Część\n\n### 2024-06-01, Inna, Kyrre\n\n`
    deepEqual(
      read(text).copies.map(copy => [copy.line, copy.endLine, copy.body]),
      [
        [3, 9, 'Proza.\n\n#### Podtytuł\n\nDalej.'],
        [13, 13, ''],
      ],
    )
  })

  it('knows the four generations, and a list session without PU as the third', () => {
    equal(session('', 'Proza.').generation, 'Gen1')
    equal(session('', '*Lokalizacje: Erathia, Steadwick*', '- PU:', '    - A: 1').generation, 'Gen2')
    equal(session('- PU:', '    - A: 1', '- @Logi:').generation, 'Gen3')
    equal(session('- Lokalizacje:', '    - Erathia', '- @PU:').generation, 'Gen4')
    equal(session('- Lokalizacje:', '    - Erathia', '- Zmiany:').generation, 'Gen3')
  })

  it('keeps places as they are written', () => {
    deepEqual(session('- @Lokacje:', '    - Enroth/Erathia', '    - A -> B').locations, [
      'Enroth/Erathia',
      'A -> B',
    ])
    deepEqual(session('- Lokalizacja: Erathia, Steadwick').locations, ['Erathia', 'Steadwick'])
    deepEqual(session('*Lokalizacja: Erathia, Steadwick*').locations, ['Erathia', 'Steadwick'])
  })

  it('takes one address of each log line, plain lines too, without what trails it', () => {
    deepEqual(
      session(
        '- @Logi:',
        '    - [zapis](https://a.pl/1) dalej',
        '    - <https://a.pl/2>',
        'Logi: https://a.pl/3,',
      ).logs,
      ['https://a.pl/1', 'https://a.pl/2', 'https://a.pl/3'],
    )
  })

  it('reads PU with comma or dot, two blanks or four, and keeps what it cannot read', () => {
    const { points } = session(
      '- PU:',
      '  - Anna: 0,35 za dwie',
      '  - Borys: 1.2.3',
      '  - Cyryl 0.3',
      '  - Dag: -1',
      '  - Ewa:',
    )
    deepEqual(
      points.map(one => [one.character, one.value, one.line]),
      [
        ['Anna', '0.35', 3],
        ['Borys', null, 4],
        ['Cyryl', null, 5],
        ['Dag', null, 6],
        ['Ewa', null, 7],
      ],
    )
  })

  it('reads a PU as a whole number without a sign, and finds every other line', () => {
    const good = ['0,3 (za finał)', '1 000,50', '2 sesje']
    const bad = [
      '1/2',
      '0·5',
      '5,O',
      '10%',
      '2x0,5',
      '1e2',
      '10 00',
      '-0,5',
      '\u22120,5',
      '+0,5',
      '0,5.',
      ',5',
    ]
    const lines = [...good, ...bad].map((value, at) => `    - Postać ${at}: ${value}\n`)
    const text = `${header}\n- @PU:\n${lines.join('')}`
    deepEqual(
      read(text).copies[0]?.points.map(one => one.value),
      ['0.3', '1000.50', '2', ...bad.map(() => null)],
    )
    deepEqual(
      noticesOf(text),
      bad.map((_, at) => ['MalformedPoints', good.length + at + 3]),
    )
  })

  it('reads the pieces of a Transfer as a whole number without a sign', () => {
    const amounts = ['1 000', '5 000\u00a0000', '2.5', '-5', '+5', '1e2', '10 00', '0', '5,0'].map(amount =>
      session(`- @Transfer: ${amount} koron, A -> B`).transfers.map(one => one.amount),
    )
    deepEqual(amounts, [[1000], [5_000_000], [], [], [], [], [], [], []])
  })

  it('reads Zmiany with their lines, Transfers in both forms, Intel and Uczestnicy', () => {
    const copy = session(
      '- @Zmiany:',
      '    - Rion:',
      '        - @Lokacja: Erathia (2024-05:)',
      '- @Transfer: 5 koron, A -> B',
      '- @Transfer:',
      '    - 2 talary, B -> C',
      '- @Intel:',
      '    - Grupa/Kupcy: wieść: zła',
      '- @Uczestnicy: Anna, Borys',
    )
    deepEqual(copy.changes, [
      { entity: 'Rion', tags: [{ tag: 'lokacja', value: 'Erathia (2024-05:)', line: 4 }], line: 3 },
    ])
    deepEqual(
      copy.transfers.map(one => [one.amount, one.denomination, one.source, one.destination, one.line]),
      [
        [5, 'koron', 'A', 'B', 5],
        [2, 'talary', 'B', 'C', 7],
      ],
    )
    deepEqual(copy.intel, [{ target: 'Grupa/Kupcy', message: 'wieść: zła', line: 9 }])
    deepEqual(copy.participants, ['Anna', 'Borys'])
  })

  it('leaves prose that begins as a block does where it is', () => {
    const copy = session('- Zmiany w mieście były wielkie', '    - i nagłe', '- PU Anny rosną', '', 'Koniec.')
    equal(copy.body, '- Zmiany w mieście były wielkie\n    - i nagłe\n- PU Anny rosną\n\nKoniec.')
    deepEqual([copy.changes, copy.points], [[], []])
    equal(session('- PU za sesję', '    - Anna: 0.3').points.length, 1)
  })

  it('reads nothing inside a fence, and keeps it as prose', () => {
    const copy = session('- PU:', '    - Anna: 0.3', '  ```', '- PU:', '    - Borys: 9', '  ```', 'Koniec.')
    deepEqual(
      copy.points.map(one => one.character),
      ['Anna'],
    )
    equal(copy.body.includes('Borys'), true)
  })

  it('keeps preserved blocks verbatim and prose around blocks in order', () => {
    const copy = session('Przed.', '', '- Efekty:', '    - a', '      b', '', 'Po.')
    deepEqual(copy.preserved, [{ name: 'Efekty', text: '- Efekty:\n    - a\n      b' }])
    equal(copy.body, 'Przed.\n\nPo.')
  })

  it('reads CRLF as LF, at the same lines', () => {
    const text = `${header}\n\nA.\nB.\n\n- PU:\n    - Anna: 0,3\n`
    const [lf, crlf] = [read(text).copies[0], read(text.replaceAll('\n', '\r\n')).copies[0]]
    deepEqual(crlf, lf)
  })

  it('notes a bad date, and a dateless header only over PU', () => {
    deepEqual(noticesOf('### 2024-5-3, T, S\n\nProza.\n'), [['BadHeader', 1]])
    deepEqual(noticesOf('### Pogłoski\n\nProza.\n'), [])
    deepEqual(noticesOf('### Pogłoski\n\n- PU:\n    - Anna: 0.3\n'), [['BadHeader', 1]])
    equal(read('### Pogłoski\n- PU:\n    - Anna: 0.3\n').findings[0]?.reason.includes('Anna'), true)
  })

  it('says of a Transfer of a part of a coin that the amount must be a whole number', () => {
    for (const [text, reason] of [
      ['2,5 Korony, A -> B', 'Kwota transferu musi być liczbą całkowitą: „2,5 Korony, A -> B”.'],
      ['trzy korony, A -> B', 'Wiersz nie jest transferem: „trzy korony, A -> B”.'],
    ])
      deepEqual(
        read(`${header}\n- @Transfer: ${text}\n`).findings.map(one => one.reason),
        [reason],
      )
  })

  it('notes malformed lines where they stand', () => {
    deepEqual(
      noticesOf(
        `${header}\n- PU:\n    - Anna\n- @Transfer: 2,5 koron, A -> B\n- @Zmiany:\n    - Rion\n- @Intel:\n    - nic\n- @Nowy:\n    - x\n- Inne:\n    - @PU:\n`,
      ),
      [
        ['MalformedPoints', 3],
        ['MalformedChange', 6],
        ['MalformedTransfer', 4],
        ['MalformedIntel', 8],
        ['UnknownBlock', 9],
        ['IndentedBlock', 12],
      ],
    )
  })

  it('notes a bad range, a conjunction with the header to write, and a fence that hides sessions', () => {
    deepEqual(noticesOf('### 2024-05-03/35, T, S\n'), [['BadRange', 1]])
    const [finding] = read('### 2024-05-03, T, Anna i Borys oraz Ewa\n').findings
    deepEqual(
      [finding?.kind, finding?.suggestion],
      ['NarratorConjunction', '2024-05-03, T, Anna + Borys + Ewa'],
    )
    deepEqual(noticesOf(`\`\`\`\n${header}\n`), [['UnclosedFence', 1]])
    deepEqual(noticesOf('```\nzwykły plik\n'), [])
  })
})
