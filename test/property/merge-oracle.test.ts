import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { recordListText } from '#src/domain/lore/changes.js'
import { mergeFile } from '#test/support/at-once.js'
import { mergeFileQuadratically as quadraticMerge } from '#test/support/quadratic-merge/merge-file.js'
import { runsOf } from '#test/support/runs.js'

/**
 * The merge against the plain one that tries each pair of added units: the same text and the same conflicts, whichever
 * side stands. The vocabulary is small, so that units repeat, meet, clash and lie in each other all the time.
 */

const numRuns = runsOf(1500)

/** Changes of a list of chunks: what is taken out, put in, written anew, moved and doubled. */
type Change = (chunks: ReadonlyArray<string>) => ReadonlyArray<string>

const changeOf = (chunk: fc.Arbitrary<string>): fc.Arbitrary<Change> => {
  const at = fc.nat(60)
  const put =
    (place: number, added: ReadonlyArray<string>): Change =>
    chunks =>
      chunks.toSpliced(place % (chunks.length + 1), 0, ...added)
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(at, fc.array(chunk, { minLength: 1, maxLength: 4 }))
        .map(([place, added]) => put(place, added)),
    },
    {
      weight: 2,
      arbitrary: fc.array(chunk, { minLength: 1, maxLength: 4 }).map(
        (added): Change =>
          chunks => [...chunks, ...added],
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(at, fc.integer({ min: 1, max: 3 })).map(
        ([place, count]): Change =>
          chunks =>
            chunks.toSpliced(place % (chunks.length + 1), count),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(at, chunk).map(
        ([place, changed]): Change =>
          chunks =>
            chunks.toSpliced(place % (chunks.length + 1), 1, changed),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(at, at).map(
        ([from, to]): Change =>
          chunks => {
            const [moved] = chunks.slice(from % (chunks.length + 1))
            return moved === undefined
              ? chunks
              : put(to, [moved])(chunks.toSpliced(from % (chunks.length + 1), 1))
          },
      ),
    },
    {
      weight: 1,
      arbitrary: at.map(
        (place): Change =>
          chunks =>
            put(place, chunks.slice(place % (chunks.length + 1), (place % (chunks.length + 1)) + 2))(chunks),
      ),
    },
  )
}

const threeOf = (
  chunk: fc.Arbitrary<string>,
  end: (chunks: ReadonlyArray<string>) => string = chunks => chunks.join(''),
) =>
  fc
    .tuple(
      fc.array(chunk, { maxLength: 10 }),
      fc.array(changeOf(chunk), { maxLength: 5 }),
      fc.array(changeOf(chunk), { maxLength: 5 }),
    )
    .map(([chunks, ours, theirs]) => ({
      base: end(chunks),
      ours: end(ours.reduce<ReadonlyArray<string>>((before, change) => change(before), chunks)),
      theirs: end(theirs.reduce<ReadonlyArray<string>>((before, change) => change(before), chunks)),
    }))

interface Three {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/** Compares both sides that may stand; answers whether the three merge without a conflict from either host. */
const agrees = (path: string, texts: Three): boolean => {
  deepEqual(mergeFile(path, texts, 'ours'), quadraticMerge(path, texts, 'ours'))
  const merged = mergeFile(path, texts, 'theirs')
  deepEqual(merged, quadraticMerge(path, texts, 'theirs'))
  const { text, conflicts } = merged
  if (conflicts.length > 0 || text === texts.ours || text === texts.theirs) return false
  const swapped = { ...texts, ours: texts.theirs, theirs: texts.ours }
  return quadraticMerge(path, swapped, 'theirs').conflicts.length === 0
}

/** Compares on random texts, a part of which must be merges without conflict: else little would be shown. */
const compares = (path: string, three: fc.Arbitrary<Three>): void => {
  let clean = 0
  fc.assert(
    fc.property(three, texts => {
      if (agrees(path, texts)) clean += 1
    }),
    { numRuns },
  )
  ok(clean > numRuns / 20, `${clean} of ${numRuns} merged without a conflict`)
}

const row = fc.oneof(
  fc.constantFrom(
    '- @typ: NPC\n',
    '- @typ: Grupa\n',
    '- @info: A\n',
    '- @info: B\n',
    '- @grupa: X\n',
    '- @alias: J\n',
  ),
  fc
    .tuple(
      fc.constantFrom('lokacja', 'status', 'grupa', 'obcy'),
      fc.constantFrom('A', 'B'),
      fc.constantFrom('', ' (2024-01:)', ' (2024-01:2024-03)', ' (2024-02:)'),
    )
    .map(([tag, value, range]) => `- @${tag}: ${value}${range}\n`),
)
const item = fc.constantFrom(
  '- jeden\n',
  '- dwa: x\n',
  '- dwa: y\n',
  '- lista:\n    - a\n',
  '- lista:\n    - b\n    - a\n',
  '- a\n  dalej\n',
)
const prose = fc.constantFrom(
  'Raz.\n',
  'Dwa.\n',
  'Trzy.\n',
  '\n',
  '\n',
  '```\n',
  '    - a\n',
  '  - @info: C\n',
)
const line = fc.oneof(
  { weight: 3, arbitrary: row },
  { weight: 2, arbitrary: item },
  { weight: 3, arbitrary: prose },
)
const heading = fc.constantFrom('### A\n', '### A\n', '### B\n', '### C\n', '## S\n', '## Gracz\n', '# T\n')
const block = fc
  .tuple(heading, fc.array(row, { maxLength: 3 }), fc.constantFrom('', '', '\n', 'Opis.\n', 'Opis.\n\n'))
  .map(([head, rows, tail]) => [head, ...rows, tail].join(''))
const crlf = (three: fc.Arbitrary<Three>) =>
  fc.tuple(three, fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())).map(([texts, [one, two, three]]) => ({
    base: one ? texts.base.replaceAll('\n', '\r\n') : texts.base,
    ours: two ? texts.ours.replaceAll('\n', '\r\n') : texts.ours,
    theirs: three ? texts.theirs.replace(/\n$/, '') : texts.theirs,
  }))

describe('the merge and the plain one that tries each pair', () => {
  it('agree on rows of one block', () =>
    compares(
      'encje/a.md',
      threeOf(row, rows => `### A\n${rows.join('')}`),
    ))
  it('agree on rows, items, lists and prose of one block', () =>
    compares(
      'encje/a.md',
      threeOf(line, lines => `### A\n${lines.join('')}`),
    ))
  it('agree on lines of prose', () => compares('encje/a.md', threeOf(prose)))
  it('agree on prose of few different lines, whose runs lie in each other', () =>
    compares('a.md', threeOf(fc.constantFrom('x\n', 'x\n', 'y\n', '- i\n', '```\n'))))
  it('agree on blocks', () => compares('encje/a.md', threeOf(block)))
  it('agree on blocks and lines between them', () =>
    compares('encje/a.md', threeOf(fc.oneof({ weight: 2, arbitrary: block }, line))))
  it('agree on ends of lines', () => compares('encje/a.md', crlf(threeOf(fc.oneof(block, line)))))
  it('agree on ledgers', () =>
    compares('a.jsonl', threeOf(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', 'e\n', '\n'))))

  it('agree on lists of records', () => {
    const binding = fc
      .record({
        chatId: fc.constantFrom('a', 'b', 'c'),
        gameId: fc.constantFrom('1', '2'),
        since: fc.constantFrom('1', '2', '3'),
      })
      .map(one => JSON.stringify({ ...one, by: 'x' }))
    const list = (records: ReadonlyArray<string>): string =>
      recordListText(
        {},
        'bindings',
        records.map(one => JSON.parse(one) as unknown),
      )
    compares('.svc/bindings.json', threeOf(binding, list))
    const key = fc
      .record({ kid: fc.constantFrom('a', 'b', 'c'), notAfter: fc.constantFrom(null, '1', '2') })
      .map(one => JSON.stringify(one))
    compares(
      '.svc/fleet-keys.json',
      threeOf(key, records =>
        recordListText(
          { epoch: records.length },
          'keys',
          records.map(one => JSON.parse(one) as unknown),
        ),
      ),
    )
  })
})
