import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { applySplices } from '#src/domain/lore/file-edit.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'
import { upgradeSplices } from './upgrade.js'

const read = (text: string) => {
  const [copy] = parseSessionFile(sourceFile('a.md', text)).copies
  if (copy === undefined) throw new Error('no session')
  return copy
}

const header = '### 2022-03-01, Stara, Brzoza'
const upgradeText = (text: string): string => applySplices(text, upgradeSplices(text, read(text)))
const becomes = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): void => {
  for (const newline of ['\n', '\r\n'])
    equal(upgradeText([header, ...before, ''].join(newline)), [header, ...after, ''].join(newline))
}

describe('the upgrade of a session', () => {
  it('names blocks anew, lays their items out by fours, and keeps every word', () => {
    becomes(
      ['', '- Lokalizacje:', '  - Zamorze', '  - Port/Doki', '- PU:', '  - Iskra: 0,5 (awans)', '', 'Proza.'],
      [
        '',
        '- @Lokacje:',
        '    - Zamorze',
        '    - Port/Doki',
        '- @PU:',
        '    - Iskra: 0,5 (awans)',
        '',
        'Proza.',
      ],
    )
    becomes(
      [
        '- Zmiany:',
        '   - Iskra',
        '      - @stan: Ranna',
        '',
        '   - Wit',
        '     - @status: Nieaktywny (2022-04:)',
      ],
      [
        '- @Zmiany:',
        '    - Iskra',
        '        - @stan: Ranna',
        '',
        '    - Wit',
        '        - @status: Nieaktywny (2022-04:)',
      ],
    )
  })

  it('makes items of what stands behind a colon', () => {
    becomes(['- Lokalizacja: Zamorze, Port'], ['- @Lokacje:', '    - Zamorze', '    - Port'])
    becomes(['- Logi: https://a.example/1,2'], ['- @Logi:', '    - https://a.example/1,2'])
    becomes(
      ['- Transfer:', '    - 5 koron, A -> B', '    - 6 koron, B -> A'],
      ['- @Transfer: 5 koron, A -> B', '- @Transfer: 6 koron, B -> A'],
    )
  })

  it('joins the older forms to the list beside them', () => {
    becomes(
      ['*Lokalizacje: Zamorze, Port*', '', '- Lokacje:', '    - Las', '', 'Proza.'],
      ['', '- @Lokacje:', '    - Zamorze', '    - Port', '    - Las', '', 'Proza.'],
    )
    becomes(
      ['Proza.', '', 'Logi: https://a.example/1 pierwszy', 'Logi: https://a.example/2', '', 'Koniec.'],
      [
        'Proza.',
        '',
        '- @Logi:',
        '    - https://a.example/1 pierwszy',
        '    - https://a.example/2',
        '',
        'Koniec.',
      ],
    )
  })

  it('leaves what is of generation 4, prose, fences and preserved blocks', () => {
    for (const lines of [
      [
        '',
        'Proza.',
        '',
        '- @Lokacje:',
        '    - Zamorze',
        '- @Transfer: 5 koron, A -> B',
        '',
        '- Efekty:',
        '  - deszcz',
      ],
      ['```', '- PU:', '  - Iskra: 1', '```'],
      ['- zwykła lista', '- druga'],
    ])
      becomes(lines, lines)
  })

  it('leaves a block that would be read otherwise', () => {
    const lines = ['- Postacie:', '    - Iskra', '', 'Logi: https://a.example/1']
    becomes(lines, lines)
    deepEqual(read([header, ...lines].join('\n')).otherLists, [])
  })

  it('lets a block be read alike once the one above it has given way', () => {
    becomes(
      ['- Transfer:', 'Logi: https://a.example/1', '      - @tag: w', '- Logi:'],
      ['      - @tag: w', '- @Logi:', '    - https://a.example/1'],
    )
  })

  const line = fc.constantFrom(
    ...[
      '',
      'Proza.',
      '  dalej',
      '```',
      '*Lokalizacje: A, B*',
      'Logi: https://a.example/1',
      '- Lokalizacje: C, D',
    ],
    ...[
      '- Lokacje:',
      '- PU:',
      '- @PU:',
      '- Logi:',
      '- Zmiany:',
      '- Transfer: 5 koron, A -> B',
      '- Transfer:',
    ],
    ...[
      '- Intel:',
      '- Efekty:',
      '  - X: 0,5',
      '   - Y',
      '    - @tag: z',
      '     - https://a.example/2',
      '- inna',
    ],
    ...[
      '  - 5 koron, A -> B',
      '      - @tag: w',
      '- Uczestnicy: E, F',
      '- PU: X: 1',
      '- Intel: coś',
      '# Rozdział',
    ],
  )
  it('says what was said, by the same words, and is done after one run', () => {
    const words = (text: string): ReadonlyArray<string> =>
      text
        .split(/[\s,*]+/u)
        .filter(word => !/^(?:|[-#]+|@?\p{L}+:)$/u.test(word))
        .sort()
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), (lines, newline) => {
        const text = [header, ...lines, '### 2022-04-01, Druga, Wit', '- PU:', '  - Iskra: 1', ''].join(
          newline,
        )
        const after = upgradeText(text)
        const [before, now] = [read(text), read(after)]
        for (const field of ['locations', 'logs', 'participants', 'preserved', 'otherLists', 'body'] as const)
          deepEqual(now[field], before[field])
        for (const field of ['points', 'changes', 'transfers', 'intel'] as const)
          equal(now[field].length, before[field].length)
        deepEqual(words(after), words(text))
        equal(upgradeText(after), after)
      }),
      { numRuns: runsOf(600) },
    )
  })
})
