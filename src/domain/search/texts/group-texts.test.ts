import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { sourceFile } from '#test/support/world.js'
import { documentsAtOnce } from '../../../../test/support/at-once.js'
import type { SearchDocument } from '../document.js'
import { keysOfText } from './documents.js'
import { groupTexts, planGroup } from './groups.js'
import { makeOffsets, type TextCut, type TextGroup } from './lemma-sidecar.js'

const textOf = (path: string, text: string) => ({ file: sourceFile(path, text), stated: null })
const lore = (at: number): TextCut => ({ _tag: 'Lore', at })
const namesOf = ({ texts }: TextGroup): ReadonlyArray<string> => texts.map(({ file }) => file.path)

const documentsOf = (groups: ReadonlyArray<TextGroup>): ReadonlyArray<SearchDocument> => {
  const made: Array<SearchDocument> = []
  for (const group of groups)
    for (const planning of planGroup(group, form => (form === 'psy' ? ['ogar'] : [])))
      made.push(...documentsAtOnce(atOnce(planning)))
  return made
}

describe('the groups of texts', () => {
  it('hold a text once for all its cuts, and end before a further text once they are large', () => {
    const grouping = groupTexts()
    const [long, short] = [textOf('a.md', 'słowo '.repeat(60_000)), textOf('b.md', 'psy')]
    const groups = [
      ...grouping.add(short, lore),
      ...grouping.add(long, lore),
      ...grouping.add(short, lore),
      ...grouping.add(textOf('c.md', 'koty'), lore),
      ...grouping.rest(),
      ...grouping.rest(),
    ]
    deepEqual(groups.map(namesOf), [['b.md', 'a.md'], ['c.md']])
    deepEqual(
      groups.map(({ cuts }) => cuts.map(({ at }) => at)),
      [[0, 1, 0], [0]],
    )
  })

  it('make the same documents after they were cloned, in the order of their cuts, with the stated lemmas', () => {
    const offsets = makeOffsets()
    offsets.add(7, 'smok')
    const grouping = groupTexts()
    const file = sourceFile('a.md', '# Psy\n\nmówią psy\n')
    const groups = [
      ...grouping.add({ file, stated: atOnce(offsets.make()) }, lore),
      ...grouping.add(textOf('b.md', '### 2024-05-03, Most, Ofelia\n\nWieża.\n'), at => ({
        _tag: 'Session',
        at,
        copy: {
          header: '2024-05-03, Most, Ofelia',
          key: 'klucz',
          line: 1,
          endLine: 3,
          date: '2024-05-03' as never,
          dateEnd: null,
          title: 'Most',
        },
      })),
      ...grouping.add(textOf('c.pdf.json', '{"pages": [{"text": "Smok", "confidence": 1}]}'), at => ({
        _tag: 'Pdf',
        at,
        confidenceFloor: 0.5,
      })),
      ...grouping.add(textOf('d.md', 'Kot\n'), at => ({ _tag: 'Works', at })),
      ...grouping.rest(),
    ]
    const documents = documentsOf(groups)
    deepEqual(documentsOf(structuredClone(groups)), documents)
    deepEqual(
      documents.map(({ id, kind, source }) => [id, kind, source]),
      [
        ['a.md#1', 'lore', 'a.md'],
        ['b.md#1', 'session', 'klucz'],
        ['c.pdf.json#1', 'external', 'c.pdf'],
        ['d.md#1', 'external', 'd.md'],
      ],
    )
    deepEqual(
      ['smok', 'ogar'].flatMap(keysOfText).map(term => documents[0]?.terms.includes(term)),
      [true, true],
    )
  })
})
