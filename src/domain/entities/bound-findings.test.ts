import { deepEqual } from 'node:assert/strict'
import { bounds } from '#protocol/bounds.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import { worldOf } from '#test/support/world.js'

const { nameChars, valueBytes, blockRows, ownCharacters } = bounds

const kinds = ['NameTooLong', 'ValueTooLong', 'BlockTooLong', 'OwnCharactersAboveBound', 'OwnLoreAboveBound']

const findingsOf = (...blocks: ReadonlyArray<string>) =>
  allFindings(
    worldOf({
      '.svc/format.json': '{"format": 2}',
      'kontrybutorzy.md': '## Gracz\n### Odo\n- @gameid: 1\n',
      'encje/indeks.md': blocks.join('\n'),
    }),
  )
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, severity, line, reason }) => [kind, severity, line, reason])

const rows = (count: number, row: string): string => `${row}\n`.repeat(count)

describe('lore above a bound of writes', () => {
  it('is a finding at its line: a heading, another spelling and a value', () => {
    const long = 'n'.repeat(nameChars.limit + 1)
    const value = 'ż'.repeat(valueBytes.limit / 2 + 1)
    deepEqual(findingsOf(`### ${long}\n- @typ: NPC\n- @alias: ${long}x\n- @info: ${value}\n`), [
      ['NameTooLong', 'warning', 1, 'Nagłówek ma za dużo znaków (201); limit to 200.'],
      ['NameTooLong', 'warning', 3, '@alias ma za dużo znaków (202); limit to 200.'],
      ['ValueTooLong', 'warning', 4, 'Wartość @info ma za dużo bajtów (8194); limit to 8192.'],
    ])
  })

  it('is a finding at the block: more rows than a block may have', () => {
    deepEqual(findingsOf(`### Wilk\n- @typ: NPC\n${rows(blockRows.limit, '- @info: x')}`), [
      ['BlockTooLong', 'warning', 1, 'Blok ma za dużo wierszy (2001); limit to 2000.'],
    ])
  })

  it('is a finding at the Gracz: more Postacie, or more bytes in them, than a player writes', () => {
    const blocks = Array.from({ length: ownCharacters.limit + 1 }, (_, at) =>
      [`### Wilk ${at}`, '- @typ: Postać', '- @należy_do: Odo', `- @info: ${'x'.repeat(8100)}`, ''].join(
        '\n',
      ),
    )
    const [first = ''] = blocks
    const more = rows(20, `- @info: ${'y'.repeat(8100)}`)
    deepEqual(
      findingsOf(first + more, ...blocks.slice(1)).map(one => one.slice(0, 3)),
      [
        ['OwnCharactersAboveBound', 'info', 2],
        ['OwnLoreAboveBound', 'info', 2],
      ],
    )
  })

  it('is none at the bound', () => {
    const block = `### ${'n'.repeat(nameChars.limit)}\n- @typ: Postać\n- @należy_do: Odo\n`
    deepEqual(findingsOf(block + rows(blockRows.limit - 2, '- @info: x')), [])
  })
})
