import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { sourceFile } from '#test/support/world.js'
import { parseSessionFile } from './session-file.js'

const fileOf = (text: string, path = 'sesje/2026.md') => parseSessionFile(sourceFile(path, text))
const titlesOf = (text: string) => fileOf(text).copies.map(({ title }) => title)
const findingsOf = (text: string) => fileOf(text).findings.map(({ kind, line }) => `${kind} ${line}`)
const pointsOf = (text: string) =>
  fileOf(text).copies.flatMap(copy => copy.points.map(({ character, value }) => `${character} ${value}`))

const session = (title: string, ...lines: ReadonlyArray<string>): string =>
  [`### 2026-05-10, ${title}, N`, ...lines, ''].join('\n')

describe('what does not show in a file of sessions', () => {
  it('is no session and no block, and is reported', () => {
    const hidden = ['- @PU:', '    - Obcy: 9', '### 2026-05-11, Obca, N', '- @Zmiany:', '    - X']
    const points = ['- @PU:', '    - Iskra: 0.5']
    for (const [open, close, findings] of [
      ['<!--', '-->', ['HiddenText 2']],
      ['<!-- dawniej', 'tyle -->', ['HiddenText 2']],
      ['~~~', '~~~', ['HiddenText 2']],
      ['````', '````', ['HiddenText 2']],
      ['- ```', '  ```', ['HiddenText 2']],
      ['<<<<<<< HEAD', '>>>>>>> x', ['ConflictMarker 2', 'ConflictMarker 8']],
    ] as const) {
      const text = session('Most', open, ...hidden, close, ...points)
      deepEqual([titlesOf(text), pointsOf(text), findingsOf(text)], [['Most'], ['Iskra 0.5'], findings], open)
      const below = session('Most', ...points, open, ...hidden, close)
      deepEqual([titlesOf(below), pointsOf(below)], [['Most'], ['Iskra 0.5']], open)
    }
  })

  it('reaches to the end of the file where it is never closed, which is an error at its first line', () => {
    for (const [open, kind] of [
      ['<!--', 'UnclosedComment'],
      ['~~~', 'UnclosedFence'],
      ['````\n```', 'UnclosedFence'],
      ['<<<<<<< HEAD', 'UnclosedConflict'],
    ] as const) {
      const text = `${session('Pierwsza', 'Proza.')}${open}\n${session('Druga', '- @PU:', '    - Iskra: 1')}`
      const { findings } = fileOf(text)
      deepEqual(titlesOf(text), ['Pierwsza'], open)
      const error = findings.find(one => one.kind === kind)
      deepEqual([error?.severity, error?.line], ['error', 3], open)
    }
  })

  it('is no part of the content, a block or a header', () => {
    const [copy] = fileOf(
      session(
        'Most <!-- roboczy -->',
        'Jedno <!-- a -->zdanie.',
        '<!--',
        'tajne',
        '-->',
        'Drugie.',
        '',
        'Nowy akapit.',
      ),
    ).copies
    equal(copy?.body, 'Jedno zdanie.\nDrugie.\n\nNowy akapit.')
    equal(copy.title, 'Most <!-- roboczy -->'.slice(0, 4))
    deepEqual(pointsOf(session('Most', '- @PU:', '    - Iskra: <!-- 9 --> 0.5', '    <!-- - Wit: 3 -->')), [
      'Iskra 0.5',
    ])
    deepEqual(
      pointsOf(session('Most', '- @PU:', '<!-- x -->', '    - Iskra: 0.5', '<!--', '-->', '    - Wit: 1')),
      ['Iskra 0.5', 'Wit 1'],
    )
  })

  it('is not a code span that begins a line', () => {
    const text =
      session('Pierwsza', '```TAK``` napis.') + session('Druga', 'Proza.') + session('Trzecia', '```NIE```')
    deepEqual(titlesOf(text), ['Pierwsza', 'Druga', 'Trzecia'])
    deepEqual(findingsOf(text), [])
  })

  it('cuts no line off a block in silence', () => {
    const text = session('Most', '- @PU:', '    - Iskra: 1', '```', 'x', '```', '    - Wit: 2')
    deepEqual([pointsOf(text), findingsOf(text)], [['Iskra 1'], ['CutRow 7']])
  })
})

describe('a header of a session', () => {
  it('is the same one with blanks before it, closing signs, a comment and characters that do not show', () => {
    const plain = session('Most', 'Proza.')
    for (const text of [
      ` ${plain}`,
      `\ufeff${plain}`,
      `   \u200b${plain}`,
      plain.replace('N\n', 'N ###\n'),
      plain.replace('N\n', 'N <!-- na próbę -->\n'),
      plain.replace('### ', '###'),
      plain.replaceAll('\n', '\r'),
    ]) {
      const files = [fileOf(plain), fileOf(text, 'sesje/inne.md')]
      equal(mergeSessions(files).all.length, 1, JSON.stringify(text))
      ok(files[1]?.copies[0]?.body === 'Proza.', JSON.stringify(text))
    }
    deepEqual(findingsOf(plain.replace('### ', '###')), ['TightHeading 1'])
  })
})
