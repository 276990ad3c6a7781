import { deepEqual } from 'node:assert/strict'
import { applySplices, keepHidden, type Splice } from './file-edit.js'
import { linesOf } from './lines.js'

const edited = (text: string, ...splices: ReadonlyArray<Splice>): string =>
  applySplices(text, keepHidden(linesOf(text), splices))
const put = (from: number, ...lines: ReadonlyArray<string>): Splice => ({ from, to: from - 1, lines })
const cut = (from: number, to: number, ...lines: ReadonlyArray<string>): Splice => ({ from, to, lines })

const table: ReadonlyArray<
  readonly [what: string, text: string, splices: ReadonlyArray<Splice>, after: string]
> = [
  ['nothing hidden', '### A\n- @x: y\n', [cut(2, 2, '- @x: z')], '### A\n- @x: z\n'],
  ['a comment behind a value', '- @x: y <!-- b -->\n', [cut(1, 1, '- @x: z')], '- @x: z <!-- b -->\n'],
  ['a comment behind a row that goes', '- @x: y <!-- b -->\nc\n', [cut(1, 1)], '<!-- b -->\nc\n'],
  [
    'two comments',
    '- @x: <!-- a --> y <!-- b -->\n',
    [cut(1, 1, '- @x: z')],
    '- @x: z <!-- a --> <!-- b -->\n',
  ],
  [
    'a comment between the lines of a row',
    '- @x: y\n<!--\nb\n-->\n  c\nd\n',
    [cut(1, 5, '- @x: z')],
    '- @x: z\n<!--\nb\n-->\nd\n',
  ],
  [
    'a comment that begins in a row',
    '- @x: y <!-- b\nc -->\nd\n',
    [cut(1, 1, '- @x: z')],
    '- @x: z <!-- b\nc -->\nd\n',
  ],
  ['the same where the row goes', '- @x: y <!-- b\nc -->\nd\n', [cut(1, 1)], '<!-- b\nc -->\nd\n'],
  [
    'a comment that ends in a row',
    '<!-- b\nc --> - @x: y\nd\n',
    [cut(2, 2, '- @x: z')],
    '<!-- b\nc --> - @x: z\nd\n',
  ],
  ['the same where the row goes', '<!-- b\nc --> - @x: y\nd\n', [cut(2, 2)], '<!-- b\nc -->\nd\n'],
  [
    'a row after one in which a comment begins',
    '- @x: y <!-- b\nc -->\nd\n',
    [put(2, '- @z: w')],
    '- @x: y\n- @z: w\n<!-- b\nc -->\nd\n',
  ],
  [
    'the same where the row changes too',
    '- @x: y <!-- b\nc -->\nd\n',
    [cut(1, 1, '- @x: v'), put(2, '- @z: w')],
    '- @x: v\n- @z: w <!-- b\nc -->\nd\n',
  ],
  [
    'a row below a heading whose comment never ends',
    '### A <!-- b\n### C\n',
    [put(2, '- @z: w')],
    '### A\n- @z: w\n<!-- b\n### C\n',
  ],
  [
    'a row within a comment',
    '- @x: y\n<!--\nb\n-->\nd\n',
    [put(4, '- @z: w')],
    '- @x: y\n- @z: w\n<!--\nb\n-->\nd\n',
  ],
  [
    'a row within a conflict',
    '- @x: y\n<<<<<<< a\nb\n=======\n>>>>>>> c\nd\n',
    [put(5, '- @z: w')],
    '- @x: y\n- @z: w\n<<<<<<< a\nb\n=======\n>>>>>>> c\nd\n',
  ],
  [
    'two rows at one place',
    '- @x: y <!-- b\n-->\n',
    [put(2, 'c'), put(2, 'd')],
    '- @x: y\nc\nd\n<!-- b\n-->\n',
  ],
  [
    'a conflict below the end of a comment, where the row goes',
    '<!-- b\nc --> - @x: y\n<<<<<<< a\n- @z: w\n>>>>>>> e\n  v\nd\n',
    [cut(2, 6)],
    '<!-- b\nc -->\n<<<<<<< a\n- @z: w\n>>>>>>> e\nd\n',
  ],
  ['CRs alone', 'a\r- @x: y <!-- b -->\rc\r', [cut(2, 2, '- @x: z')], 'a\r- @x: z <!-- b -->\rc\r'],
]

describe('splices of a text that hides some of itself', () => {
  for (const [what, text, splices, after] of table)
    it(`keep what does not show: ${what}`, () => {
      deepEqual(edited(text, ...splices), after)
    })
})
