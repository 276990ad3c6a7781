import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, describe, it } from 'mocha'
import { growsAsALine, leastStepsMs, slowness } from '#test/support/processor-time.js'
import { skipUnlessWhole } from '#test/support/runs.js'
import { mergeFile } from '../../../../test/support/at-once.js'
import { recordListText } from '../changes.js'
import { mergeFileInSlices } from './merge-file.js'

interface Case {
  readonly path: string
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

const index = 'encje/indeks.md'
const orrin = '### Orrin\n- @typ: NPC\n- @info: Kupiec.\n'
const times = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join('')
const bindings = (host: string, length: number): string =>
  recordListText(
    {},
    'bindings',
    Array.from({ length }, (_, at) => ({
      chatId: `${host}${at}`,
      gameId: `${host}-${at}`,
      since: '2026',
      by: 'x',
    })),
  )
/** What each side puts behind one text. */
const appendCase = (
  path: string,
  base: string,
  size: number,
  of: (side: string, at: number) => string,
): Case => ({
  path,
  base,
  ours: base + times(size, at => of('o', at)),
  theirs: base + times(size, at => of('t', at)),
})

/** Texts of two sides with `size` units each, which a merge that tries each pair would take minutes for. */
const cases: Readonly<Record<string, (size: number) => Case>> = {
  'appended blocks': size =>
    appendCase(index, orrin, size, (side, at) => `\n### ${side}${at}\n- @typ: NPC\n`),
  'blocks of one heading': size =>
    appendCase(index, orrin, size, (side, at) => `\n### A\n- @info: ${side}${at}\n`),
  'rows of one block': size => appendCase(index, orrin, size, (side, at) => `- @info: ${side}${at}\n`),
  'equal rows': size => ({
    ...appendCase(index, orrin, size, () => '- @info: x\n'),
    ours: orrin + times(size + 1, () => '- @info: x\n'),
  }),
  'rows that exclude each other': size =>
    appendCase(index, orrin, size, (side, at) => `- @lokacja: ${side}${at} (2024-01:)\n`),
  'rows in the opposite order': size => ({
    path: index,
    base: orrin,
    ours: orrin + times(size, at => `- @info: ${at}\n`),
    theirs: orrin + times(size, at => `- @info: ${size - at}\n`),
  }),
  'lines of prose': size => appendCase('Wątki/a.md', '', size, (side, at) => `Linia ${side}${at}.\n`),
  'prose between items': size =>
    appendCase('Wątki/a.md', '', size / 2, (side, at) => `- ${side}\nx\n${side}${at % 9}\n`),
  'lines of a ledger': size => appendCase('a.jsonl', '{}\n', size, (side, at) => `{"${side}":${at}}\n`),
  'records of a list': size => ({
    path: '.svc/bindings.json',
    base: bindings('o', 0),
    ours: bindings('o', size),
    theirs: bindings('t', size),
  }),
}

describe('a merge of two large sides', function () {
  this.timeout(60_000)

  describe('in time', () => {
    before(skipUnlessWhole)

    for (const [name, of] of Object.entries(cases)) {
      it(`takes less than 2 s for 20,000 against 20,000 and rests between short slices: ${name}`, () => {
        const { path, ...texts } = of(20_000)
        const sliceMs = leastStepsMs(50, () => mergeFileInSlices(path, texts, { stands: 'theirs' }))
        const times = slowness()
        const allMs = sliceMs.reduce((sum, ms) => sum + ms, 0) / times
        const longestMs = Math.max(...sliceMs) / times
        ok(allMs < 2_000, `${allMs} ms`)
        ok(sliceMs.length > 100, `${sliceMs.length} slices`)
        ok(longestMs < 50, `a slice of ${longestMs} ms`)
      })

      it(`grows with the number of units: ${name}`, () => {
        ok(
          growsAsALine(2_000, size => {
            const { path, ...texts } = of(size)
            return mergeFile(path, texts, 'theirs')
          }),
        )
      })
    }
  })

  it('keeps every unit of both sides', () => {
    const { path, ...texts } = appendCase(index, orrin, 20_000, (side, at) => `- @info: ${side}${at}\n`)
    const { text, conflicts } = mergeFile(path, texts, 'theirs')
    deepEqual(conflicts, [])
    equal(text?.split('\n').length, 40_004)
  })

  it('does not merge a file above the ceiling: each side keeps its own, and the conflict says so', () => {
    for (const path of [index, 'a.jsonl', '.svc/bindings.json']) {
      const [ours, theirs] = [times(100_001, at => `o${at}\n`), times(3, at => `t${at}\n`)]
      const conflicts = [{ block: null, row: null, cause: 'too_large' }]
      deepEqual(mergeFile(path, { base: '', ours, theirs }, 'ours'), { text: ours, conflicts })
      deepEqual(mergeFile(path, { base: '', ours, theirs }, 'theirs'), { text: theirs, conflicts })
    }
    const line = 'x'.repeat(16 * 1024 * 1024 + 1)
    equal(mergeFile(index, { base: '', ours: line, theirs: 'y\n' }, 'ours').conflicts[0]?.cause, 'too_large')
  })

  it('merges lists in lists up to 32 deep', () => {
    const deep = (depth: number, leaf: string): string =>
      `${times(depth, at => `${'  '.repeat(at)}- lista:\n`)}${'  '.repeat(depth)}- ${leaf}\n`
    const merged = (depth: number) => {
      const base = deep(depth, 'a')
      const texts = {
        base,
        ours: `${base}${'  '.repeat(depth)}- b\n`,
        theirs: `${base}${'  '.repeat(depth)}- c\n`,
      }
      return mergeFile(index, texts, 'theirs').conflicts
    }
    deepEqual(merged(32), [])
    equal(merged(300)[0]?.cause, 'changed')
  })
})
