import assert from 'node:assert/strict'
import { sourceFile } from '#test/support/world.js'
import { parseBlocks } from './blocks.js'

const parseText = (text: string) => parseBlocks(sourceFile('encje/indeks.md', text))
const rowsOf = (text: string) => parseText(`### A\n${text}`).blocks[0]?.rows ?? []
const brief = (text: string) => rowsOf(text).map(row => [row.tag, row.value, row.range.from, row.range.to])

describe('blocks', () => {
  it('read a block with its rows, ranges and places', () => {
    const { blocks, findings } = parseText(
      '# Indeks\n\n### Kupiec  Orrin\n- @typ: NPC\n- @lokacja: Erathia (2024-06:)\n\n### B\n',
    )
    assert.deepEqual(findings, [])
    assert.deepEqual(
      blocks.map(block => [block.heading, block.section, block.line, block.endLine]),
      [
        ['Kupiec Orrin', null, 3, 5],
        ['B', null, 7, 7],
      ],
    )
    const row = blocks[0]?.rows[1]
    assert.deepEqual(
      [row?.tag, row?.value, row?.range.from, row?.range.to],
      ['lokacja', 'Erathia', '2024-06-01', null],
    )
    assert.deepEqual(
      [row?.line, row?.endLine, row?.source],
      [5, 5, { _tag: 'File', path: 'encje/indeks.md' }],
    )
  })
  it('name the section a block stands under', () => {
    const { blocks, outside } = parseText('## Gracz\n### Solmyr\n## Role\n### Radny\n# Koniec\n### Z')
    assert.deepEqual(
      blocks.map(block => block.section),
      ['Gracz', 'Role', null],
    )
    assert.deepEqual(
      outside.map(line => line.text),
      ['## Gracz', '## Role', '# Koniec'],
    )
  })
  it('join deeper lines to the value with newlines', () => {
    const [row] = rowsOf('- @info: Pierwsza\n  Druga\n\n    - Trzecia\n- @typ: NPC')
    assert.equal(row?.value, 'Pierwsza\nDruga\n\nTrzecia')
    assert.deepEqual([row.line, row.endLine], [2, 5])
  })
  it('end a value at a line of the margin, which stays prose', () => {
    const { blocks } = parseText('### A\n- @info: x\nZdanie.\n  dalej\n- punkt\n#### Głębiej')
    assert.equal(blocks[0]?.rows[0]?.value, 'x')
    assert.deepEqual(
      blocks[0].prose.map(line => line.line),
      [3, 4, 5, 6],
    )
    assert.equal(blocks[0].endLine, 6)
  })
  it('make one row of each bullet below a name tag', () => {
    assert.deepEqual(brief('- @alias:\n    - Orrin (2024-01:)\n    - Kupiec'), [
      ['alias', 'Orrin', '2024-01-01', null],
      ['alias', 'Kupiec', null, null],
    ])
  })
  it('make a row of its own of a dated bullet, whose deeper lines it keeps', () => {
    assert.deepEqual(brief('- @stan: Zdrów\n    - Ranny (2024:2024)\n        - w nogę\n    - Zmęczony'), [
      ['stan', 'Zdrów', null, null],
      ['stan', 'Ranny\nw nogę', '2024-01-01', '2024-12-31'],
      ['stan', 'Zmęczony', null, null],
    ])
  })
  it('tell the machine mark from a range', () => {
    const [row, plain] = rowsOf('- @grupa: Straż (2024-01:) (auto)\n- @grupa: Straż(auto)')
    assert.deepEqual([row?.value, row?.auto, row?.range.from], ['Straż', true, '2024-01-01'])
    assert.deepEqual([plain?.value, plain?.auto], ['Straż(auto)', false])
  })
  it('read CRLF, tabs and decomposed letters alike', () => {
    assert.deepEqual(brief('- @Nalez\u0307y_do: X\r\n\t- dalej\r\n'), [['należy_do', 'X\ndalej', null, null]])
  })
  it('read nothing inside a fence and tell of one that stays open', () => {
    const { blocks, findings } = parseText(
      '### A\n```\n- @typ: NPC\n### B\n```\n- @typ: Grupa\n  ```\n- @x: y',
    )
    assert.deepEqual(
      blocks.map(block => [block.heading, block.rows.length, block.prose.length]),
      [['A', 1, 6]],
    )
    assert.deepEqual(
      findings.map(finding => [finding.kind, finding.line]),
      [
        ['HiddenText', 2],
        ['UnclosedFence', 7],
      ],
    )
  })
  it('keep a tag without colon as prose, with a finding', () => {
    const { blocks, findings } = parseText('### A\n- @typ NPC\n- @info: a\n  - @alias: B')
    assert.deepEqual(blocks[0]?.prose, [{ line: 2, text: '- @typ NPC' }])
    assert.deepEqual(
      findings.map(finding => finding.kind),
      ['TagWithoutColon', 'NestedTag'],
    )
  })
  it('find a range that is none', () => {
    const { findings, blocks } = parseText(
      '### A\n- @lokacja: X (2024-13:)\n- @lokacja: Y (2025:2024)\n- @info: (uwaga: zła)',
    )
    assert.deepEqual(
      findings.map(finding => [finding.kind, finding.line, finding.subject]),
      [
        ['SuspectRange', 2, 'A'],
        ['SuspectRange', 3, 'A'],
      ],
    )
    assert.deepEqual(
      blocks[0]?.rows.map(row => row.value),
      ['X', 'Y', '(uwaga: zła)'],
    )
  })

  /** Each block with its rows, and the findings. */
  const readText = (text: string) => {
    const { blocks, findings } = parseText(text)
    return {
      blocks: blocks.map(({ heading, rows }) =>
        [heading, ...rows.map(row => `${row.tag} ${row.value}`)].join('; '),
      ),
      findings: findings.map(({ kind, line }) => `${kind} ${line}`),
    }
  }
  const wrapped: ReadonlyArray<
    readonly [text: string, blocks: ReadonlyArray<string>, findings: ReadonlyArray<string>]
  > = [
    ['### Buk\n ### Grab\n- @status: Usunięty', ['Buk', 'Grab; status Usunięty'], []],
    ['### Buk\n\ufeff### Grab\n- @status: Usunięty', ['Buk', 'Grab; status Usunięty'], []],
    ['### Buk\n### <!-- Grab -->\n- @status: Usunięty', ['Buk'], ['EmptyHeading 2', 'HiddenText 2']],
    ['### Buk\n###\n- @status: Usunięty', ['Buk'], ['EmptyHeading 2']],
    ['### Buk\n###Grab\n- @status: Usunięty', ['Buk', 'Grab; status Usunięty'], ['TightHeading 2']],
    ['### Grab ###\n- @typ: NPC ', ['Grab; typ NPC'], []],
    ['### Sosna <!-- na próbę -->', ['Sosna'], ['HiddenText 1']],
    ['### Buk\r- @typ: NPC\r### Grab\r', ['Buk; typ NPC', 'Grab'], []],
    ['### Buk\n<!--\n### Grab\n-->\n- @typ: NPC', ['Buk; typ NPC'], ['HiddenText 2']],
    ['### Buk\n- @info: a\n<!-- x -->\n  b\n- @typ: NPC', ['Buk; info a\nb; typ NPC'], []],
    ['### Buk\n- @info: a <!-- x\n- @typ: NPC\n--> \n  b', ['Buk; info a\nb'], ['HiddenText 2']],
    ['### Buk\n- @alias:\n~~~\nx\n~~~\n  - Bukowy', ['Buk; alias '], ['CutRow 6']],
    ['### Buk\n- @lokacja: A\n=======\n- @typ: NPC', ['Buk; lokacja A; typ NPC'], []],
    [
      '### Buk\n<<<<<<< HEAD\n- @lokacja: A\n=======\n- @lokacja: B\n>>>>>>> x\n- @typ: NPC',
      ['Buk; typ NPC'],
      ['ConflictMarker 2', 'ConflictMarker 4', 'ConflictMarker 6'],
    ],
  ]
  for (const [text, blocks, findings] of wrapped)
    it(`read what shows of ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readText(text), { blocks, findings })
    })
})
