import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseBlocks } from '#src/domain/lore/blocks.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'

const piece = fc.oneof(
  fc.constantFrom(
    '### A',
    '## Gracz',
    '# X',
    '#### y',
    '```',
    '- @typ: NPC',
    '- @alias:',
    '    - B (2024:)',
    '\t- c',
  ),
  fc.constantFrom(
    '- @lokacja: X (2024-01:2023)',
    '- @grupa: G (2020:) (auto)',
    '  dalej',
    '',
    ' ',
    '-',
    '- @a',
    '1. x',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 40 })
  .map(parts => parts.map(([line, end]) => line + end).join(''))

/** Lines that a block, a row or a list of prose claims, each as often as it is claimed. */
const listClaimedLines = (source: string): ReadonlyArray<number> => {
  const { blocks, outside } = parseBlocks(sourceFile('encje/indeks.md', source))
  return [
    ...outside.map(line => line.line),
    ...blocks.flatMap(block => [
      block.line,
      ...block.prose.map(line => line.line),
      ...block.rows.flatMap(row =>
        Array.from({ length: row.endLine - row.line + 1 }, (_, at) => row.line + at),
      ),
    ]),
  ]
}

describe('laws of the block parser', () => {
  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), source => void listClaimedLines(source)),
    )
  })
  it('keeps every line that is not blank exactly once, but for a tag line that only introduces bullets', () => {
    fc.assert(
      fc.property(text, source => {
        const seen = listClaimedLines(source)
        assert.equal(new Set(seen).size, seen.length)
        const lost = rawLines(source).filter((line, at) => line.trim() !== '' && !seen.includes(at + 1))
        assert.deepEqual(
          lost.filter(line => !/^\s*(?:[-*+]|\d+\.)\s+@[^:]+:/u.test(line)),
          [],
        )
      }),
      { numRuns: runsOf(500) },
    )
  })
  it('keeps the words of every row', () => {
    fc.assert(
      fc.property(text, source => {
        const lines = rawLines(source)
        const { blocks } = parseBlocks(sourceFile('encje/indeks.md', source))
        for (const row of blocks.flatMap(block => block.rows)) {
          const own = lines.slice(row.line - 1, row.endLine).join('\n')
          for (const part of row.value.split('\n')) assert.ok(own.includes(part))
        }
      }),
    )
  })
  it('reads a line of a hundred kilobytes and a hundred thousand lines', () => {
    const long = 'x'.repeat(100_000)
    assert.equal(parseBlocks(sourceFile('a.md', `### A\n- @info: ${long}`)).blocks[0]?.rows[0]?.value, long)
    const many = parseBlocks(sourceFile('a.md', `### A\n- @alias:\n${'  - b\n'.repeat(200_000)}`))
    assert.equal(many.blocks[0]?.rows.length, 200_000)
    const gap = parseBlocks(sourceFile('a.md', `### A\n- @info: a\n${'\n'.repeat(200_000)}  b`))
    assert.equal(gap.blocks[0]?.endLine, 200_003)
  })
})
