import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { mergeFileInSlices } from './merge-file.js'

const path = 'samples/kronika/entity-span.jsonl'
const row = (id: string, grade = 'proposed', label = 'Person') => JSON.stringify({ id, grade, label })
const textOf = (...lines: ReadonlyArray<string>) => lines.map(line => `${line}\n`).join('')

/** The merge of three files of samples, which swapping the sides does not change. */
const merge = (base: string | null, ours: string, theirs: string) => {
  const one = atOnce(mergeFileInSlices(path, { base, ours, theirs }, { stands: 'theirs', tree: 'adnotacje' }))
  const swapped = { base, ours: theirs, theirs: ours }
  deepEqual(atOnce(mergeFileInSlices(path, swapped, { stands: 'ours', tree: 'adnotacje' })), one)
  return { text: one.text, conflicts: one.conflicts.map(({ block, cause }) => `${block} ${cause}`) }
}
const merged = (...texts: Parameters<typeof merge>): string | null => {
  const { text, conflicts } = merge(...texts)
  deepEqual(conflicts, [])
  return text
}

describe('JSON lines with an id', () => {
  it('are one row where both sides added it, and both rows where the ids differ', () => {
    equal(
      merged(null, textOf(row('b'), row('a')), textOf(row('a'), row('c'))),
      textOf(row('b'), row('a'), row('c')),
    )
    equal(
      merged(textOf(row('x')), textOf(row('x'), row('a')), textOf(row('x'), row('a'))),
      textOf(row('x'), row('a')),
    )
    const other = row('a', 'proposed', 'Other')
    equal(merged('', textOf(row('a')), textOf(other)), textOf(other))
  })

  it('keep the row that a person confirmed, and what one side changed', () => {
    const confirmed = row('a', 'confirmed', 'Other')
    equal(
      merged(textOf(row('a')), textOf(confirmed), textOf(row('a', 'proposed', 'Third'))),
      textOf(confirmed),
    )
    equal(merged('', textOf(row('a')), textOf(confirmed)), textOf(confirmed))
    equal(
      merged(textOf(row('a'), row('b')), textOf(row('b')), textOf(row('a'), row('b', 'measured'))),
      textOf(row('b', 'measured')),
    )
  })

  it('are a conflict of that id alone where two people confirmed differently, or one removed what the other changed', () => {
    const [one, other] = [row('a', 'confirmed', 'One'), row('a', 'confirmed', 'Other')]
    deepEqual(merge(textOf(row('a'), row('b')), textOf(one, row('b')), textOf(other, row('b'), row('c'))), {
      text: textOf(other, row('b'), row('c')),
      conflicts: ['a changed'],
    })
    deepEqual(merge('', textOf(one), textOf(other)).conflicts, ['a added'])
    deepEqual(merge(textOf(row('a')), '', textOf(one)).conflicts, ['a removed'])
  })

  it('keep broken lines as they are', () => {
    const broken = '{"id": "a", '
    equal(
      merged(textOf(broken), textOf(broken, row('a')), textOf(broken, row('b'))),
      textOf(broken, row('a'), row('b')),
    )
    equal(merged('', textOf(broken), textOf(broken, '[]')), textOf(broken, '[]'))
  })

  it('are merged in a time that grows as their number', () => {
    const rows = (count: number, name: string) =>
      Array.from({ length: count }, (_, at) => row(`${name}${at}`))
    const run = (count: number) => {
      const base = rows(count, 'x')
      return merge(
        textOf(...base),
        textOf(...base, ...rows(count, 'a')),
        textOf(...base, ...rows(count, 'b')),
      )
    }
    ok(growsAsALine(500, run))
  })

  it('are those of samples only: another file of that tree is merged as in the lore', () => {
    const texts = { base: '', ours: textOf(row('a')), theirs: textOf(row('a', 'confirmed')) }
    const lines = atOnce(mergeFileInSlices('x.jsonl', texts, { stands: 'theirs', tree: 'adnotacje' }))
    equal(lines.text?.split('\n').length, 3)
    const lore = atOnce(mergeFileInSlices(path, texts, { stands: 'theirs' }))
    equal(lore.text?.split('\n').length, 3)
  })
})
