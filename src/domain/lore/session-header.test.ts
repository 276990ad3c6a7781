import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { foldSigns } from '#protocol/atoms.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { headerText } from './lines.js'
import { readHeader, sessionKey } from './session-header.js'

const parseText = (text: string): unknown => {
  const read = readHeader(text)
  if (read._tag !== 'Session') return read
  const { date, dateEnd, title, narrator, badRange } = read.header
  return [date, dateEnd, title, narrator, badRange]
}

const table: ReadonlyArray<readonly [string, unknown]> = [
  ['2024-05-03, Tytuł, Solmyr', ['2024-05-03', null, 'Tytuł', 'Solmyr', null]],
  ['2024-05-03, Tytuł, z przecinkiem, Solmyr', ['2024-05-03', null, 'Tytuł, z przecinkiem', 'Solmyr', null]],
  ['2024-05-03, Tytuł', ['2024-05-03', null, 'Tytuł', null, null]],
  ['2024-05-03', ['2024-05-03', null, '', null, null]],
  ['2024-05-03, Tytuł, ', ['2024-05-03', null, 'Tytuł', null, null]],
  ['Rozdział II, 2024-05-03 - Tytuł -, Solmyr', ['2024-05-03', null, 'Tytuł', 'Solmyr', null]],
  ['2024-05-03/05, Tytuł, Solmyr', ['2024-05-03', '2024-05-05', 'Tytuł', 'Solmyr', null]],
  ['2024-05-03/35, Tytuł, Solmyr', ['2024-05-03', null, 'Tytuł', 'Solmyr', 'Unreadable']],
  ['2024-05-30/2024-06-02, Tytuł, Solmyr', ['2024-05-30', null, 'Tytuł', 'Solmyr', 'Unreadable']],
  ['2024-05-03/01, Tytuł, Solmyr', ['2024-05-03', null, 'Tytuł', 'Solmyr', 'Inverted']],
  ['2024-5-3, Tytuł, Solmyr', { _tag: 'BadDate', written: '2024-5-3' }],
  ['03-05-2024, Tytuł, Solmyr', { _tag: 'BadDate', written: '03-05-2024' }],
  ['2024/05/03, Tytuł, Solmyr', { _tag: 'BadDate', written: '2024/05/03' }],
  ['2024\u201105\u201103, Tytuł, Solmyr', { _tag: 'BadDate', written: '2024\u201105\u201103' }],
  ['2024-13-01, Tytuł, Solmyr', { _tag: 'BadDate', written: '2024-13-01' }],
  ['2023-02-29, Tytuł, Solmyr', { _tag: 'BadDate', written: '2023-02-29' }],
  ['12024-05-031', { _tag: 'Dateless' }],
  ['Pogłoski', { _tag: 'Dateless' }],
]

describe('a session header', () => {
  for (const [text, expected] of table)
    it(`reads "${text}"`, () => {
      deepEqual(parseText(text), expected)
    })

  it('splits narrators on the plus sign alone', () => {
    const narrators = (text: string): unknown => {
      const read = readHeader(text)
      return read._tag === 'Session' ? read.header.narrators : null
    }
    deepEqual(narrators('2024-05-03, T, Gelu + Kyrre +'), ['Gelu', 'Kyrre'])
    deepEqual(narrators('2024-05-03, T, Gelu i Kyrre'), ['Gelu i Kyrre'])
    deepEqual(narrators('2024-05-03, T'), [])
  })

  it('is one key whatever its blanks and composition, and another in another case', () => {
    const key = '2024-05-03, Żółw, Solmyr'
    equal(sessionKey('###  2024-05-03,  Z\u0307ółw,\u00a0Solmyr '), key)
    equal(sessionKey(key.toUpperCase()) === key, false)
  })

  it('reads 100,000 dashes in linear time', () => {
    const ofDashes = (count: number) => parseText(`2024-05-03, ${'- '.repeat(count / 2)}x, Solmyr`)
    deepEqual(ofDashes(100_000), ['2024-05-03', null, 'x', 'Solmyr', null])
    ok(growsAsALine(100_000, ofDashes))
  })
})

describe('the identity of a header', () => {
  const part = fc.constantFrom(
    ...[
      '2024-05-03',
      ',',
      ' ',
      '  ',
      '#',
      '##',
      '<!--',
      '-->',
      '--\\>',
      '```',
      '~~~',
      '>',
      '<',
      '=',
      '|',
      '-',
      '’',
      "'",
    ],
    ...[
      'ą',
      'a\u0328',
      '\u200b',
      '\u00a0',
      '\t',
      '`',
      '~',
      '\\',
      'Tytuł',
      '&',
      '/',
      '+',
      '"',
      '—',
      'é',
      '}',
      '{',
    ],
  )

  it('is the same whether or not anything of it is folded or hidden', () => {
    let plain = 0
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), parts => {
        const header = parts.join('')
        const key = sessionKey(header)
        equal(key, foldSigns(headerText(foldSigns(header).replace(/^#{1,6} /u, ''))))
        plain += Number(key === header)
      }),
      { numRuns: 5_000, seed: 5 },
    )
    ok(plain > 200, `${plain} headers were their own identity`)
  })
})
