import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'
import { findReachedBlocks, parseBlocks } from './blocks.js'
import { applySplices, type Splice } from './file-edit.js'
import { linesOf, rawLines } from './lines.js'
import type { Block } from './rows/row-change.js'

const line = fc.constantFrom(
  '### A',
  '### B',
  '# C',
  '#### D',
  '- @info: x',
  '  - y',
  'proza',
  '',
  '```',
  '- @alias: z',
)
const lines = fc.array(line, { maxLength: 30 })
const edits = fc.array(fc.tuple(fc.nat(30), fc.nat(4), fc.array(line, { maxLength: 4 })), { maxLength: 4 })

const describeBlocks = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  blocks.map(({ heading, rows }) => `${heading} ${rows.length}`).sort()

const splicesOf = (edit: ReadonlyArray<readonly [number, number, ReadonlyArray<string>]>, count: number) => {
  const splices: Array<Splice> = []
  let at = 1
  for (const [gap, length, put] of edit) {
    const from = at + gap
    if (from > count + 1) break
    const to = Math.min(count, from + length - 1)
    splices.push({ from, to, lines: put })
    // Several insertions may stand at one place.
    at = to < from ? from : to + 1
  }
  return splices
}

describe('the blocks that an edit reaches', () => {
  it('with those that it does not are the blocks of the file after it', () => {
    fc.assert(
      fc.property(lines, edits, (old, edit) => {
        const file = sourceFile('encje/indeks.md', `${old.join('\n')}\n`)
        const splices = splicesOf(edit, rawLines(file.text).length)
        const reached = findReachedBlocks(file, linesOf(file.text), splices)
        const before = parseBlocks(file).blocks
        const gone = new Set(reached.flatMap(one => one.before.map(block => block.line)))
        deepEqual(
          describeBlocks([
            ...before.filter(one => !gone.has(one.line)),
            ...reached.flatMap(one => one.after),
          ]),
          describeBlocks(parseBlocks({ path: file.path, text: applySplices(file.text, splices) }).blocks),
        )
      }),
      {
        numRuns: runsOf(2_000),
        // A heading is put before the first line, and that line is removed.
        examples: [
          [
            ['### A', '- @alias: z'],
            [
              [0, 0, ['### A']],
              [0, 1, []],
            ],
          ],
        ],
      },
    )
  })

  it('are not those beside them, however long', () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `- @info: ${at}\n`).join('')
    const file = sourceFile('encje/indeks.md', `### A\n${long}### Brama\n- @typ: NPC\n`)
    const [reached, ...more] = findReachedBlocks(file, linesOf(file.text), [
      { from: 5_003, to: 5_003, lines: ['- @typ: Postać', '- @info: x'] },
    ])
    equal(more.length, 0)
    deepEqual(
      [describeBlocks(reached?.before ?? []), describeBlocks(reached?.after ?? [])],
      [['Brama 1'], ['Brama 2']],
    )
  })

  it('are not those before a block that is added, however long', () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `- @info: ${at}\n`).join('')
    const file = sourceFile('encje/indeks.md', `### A\n${long}`)
    const lines = ['', '### Brama', '- @typ: NPC']
    deepEqual(
      findReachedBlocks(file, linesOf(file.text), [{ from: 5_002, to: 5_001, lines }]).map(
        ({ before, after }) => [describeBlocks(before), describeBlocks(after)],
      ),
      [[[], ['Brama 1']]],
    )
  })
})
