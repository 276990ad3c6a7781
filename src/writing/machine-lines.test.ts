import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { applySplices } from '#src/domain/lore/file-edit.js'
import { worldOf } from '#test/support/world.js'
import { type MachineLines, planMachineLines } from './machine-lines.js'

const index = [
  '### Orrin',
  '- @typ: NPC',
  '- @grupa: Gwardia (auto)',
  '',
  '### Maela',
  '- @typ: NPC',
  '- @grupa: Gildia',
  '',
  '### Gwardia',
  '- @typ: Grupa',
  '',
  '### Gildia',
  '- @typ: Grupa',
  '',
].join('\n')
const world = worldOf({ 'encje/indeks.md': index })

/** The index after the lines, and how many were written. */
const after = (...lines: MachineLines['lines']): readonly [text: string, written: number] => {
  const planned = planMachineLines(world, { _tag: 'MachineLines', lines })
  if (isLeft(planned)) throw new Error('refused')
  const splices = planned.right.edits.flatMap(edit => (edit._tag === 'Lines' ? edit.splices : []))
  return [applySplices(index, splices), planned.right.answer.written]
}
const add = (name: string, tag: string, value: string) =>
  ({ _tag: 'Add', name, type: 'NPC', tag, value }) as const
const drop = (name: string, tag: string, value: string) =>
  ({ _tag: 'Drop', name, type: 'NPC', tag, value }) as const

describe('lines of a machine', () => {
  it('are added behind the rows of their tag, with the mark', () => {
    const [text, written] = after(
      add('Maela', 'grupa', 'Gwardia'),
      add('Maela', 'alias', 'Ruda Maela'),
      add('Orrin', 'grupa', 'Gildia'),
    )
    equal(written, 3)
    equal(
      text,
      index
        .replace('(auto)\n', '(auto)\n- @grupa: Gildia (auto)\n')
        .replace(
          '- @grupa: Gildia\n\n### Gwardia',
          '- @grupa: Gildia\n- @grupa: Gwardia (auto)\n- @alias: Ruda Maela (auto)\n\n### Gwardia',
        ),
    )
  })

  it("are taken back only where they are a machine's", () => {
    deepEqual(after(drop('Orrin', 'grupa', 'Gwardia')), [index.replace('- @grupa: Gwardia (auto)\n', ''), 1])
    deepEqual(after(drop('Maela', 'grupa', 'Gildia')), [index, 0])
  })

  it('are left out where the block is gone, has the value, or the alias means somebody else', () => {
    for (const line of [
      add('Nikt', 'grupa', 'Gwardia'),
      add('Maela', 'grupa', 'gildia'),
      add('Maela', 'alias', 'Orrina'),
    ])
      deepEqual(after(line), [index, 0], line.value)
  })

  it('make a block of a name that is free, and of no other', () => {
    const block = (name: string) =>
      ({ _tag: 'Block', name, type: 'NPC', tag: 'grupa', value: 'Gwardia' }) as const
    deepEqual(after(block('Borzymir')), [
      `${index}\n### Borzymir\n- @typ: NPC\n- @grupa: Gwardia (auto)\n`,
      1,
    ])
    for (const name of ['Orrin', 'Orrinem', '', 'a\n### b']) deepEqual(after(block(name)), [index, 0], name)
  })
})
