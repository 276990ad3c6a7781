import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { RepoPath } from '#protocol/atoms.js'
import { sourceFile } from '#test/support/world.js'
import {
  bindingKey,
  depositSamples,
  isSamplePath,
  readSamples,
  type SampleRow,
  speakerBindings,
} from './samples.js'

const row = (id: string, change: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    id: `demo/entity-span/${id}`,
    class: 'entity-span',
    grade: 'proposed',
    label: 'Grupa',
    fields: { referent: 'Gwardia', scope: 'corpus' },
    provenance: { project: 'demo' },
    ...change,
  })
const path = 'samples/demo/entity-span.jsonl'
const read = (...lines: ReadonlyArray<string>) => readSamples([sourceFile(path, lines.join('\n'))])
const kinds = (...lines: ReadonlyArray<string>) =>
  read(...lines).findings.map(({ kind, line }) => `${kind} ${line}`)

describe('labelled samples', () => {
  it('are rows of files of a project and a class', () => {
    for (const [name, is] of [
      ['samples/demo/entity-span.jsonl', true],
      ['samples/demo/entity-span-02.jsonl', true],
      ['samples/classes.json', true],
      ['samples/entity-span.jsonl', false],
      ['samples/demo/deep/entity-span.jsonl', false],
      ['lematy/samples/demo/entity-span.jsonl', false],
    ] as const)
      equal(isSamplePath(name), is, name)
    deepEqual(
      read(row('1'), '', row('2')).all.map(one => [one.row.id, one.line]),
      [
        ['demo/entity-span/1', 1],
        ['demo/entity-span/2', 3],
      ],
    )
  })

  for (const [what, text] of [
    ['no JSON', '{"id":'],
    ['a list', '[]'],
    ['a row without fields', row('1', { fields: undefined })],
    ['an unknown grade', row('1', { grade: 'sure' })],
    ['a number for an id', row('1', { id: 7 })],
    ['a text for fields', row('1', { fields: 'x' })],
    ['a label of 1,001 characters', row('1', { label: 'x'.repeat(1_001) })],
  ] as const)
    it(`tell of ${what}, and read the rows around it`, () => {
      const samples = read(row('a'), text, row('b'))
      deepEqual(
        [samples.all.length, samples.findings.map(({ kind, line }) => [kind, line])],
        [2, [['SampleUnreadable', 2]]],
      )
    })

  it('tell of an id twice, an unknown class, a missing field and a label that the class does not have', () => {
    deepEqual(kinds(row('1'), row('1')), ['SampleIdRepeated 2'])
    deepEqual(kinds(row('1', { class: 'moods' })), ['SampleNotOfClass 1'])
    deepEqual(kinds(row('1', { fields: { referent: 'Gwardia' } })), ['SampleNotOfClass 1'])
    deepEqual(kinds(row('1', { label: 'Smok' })), ['SampleNotOfClass 1'])
  })

  it('take further classes, labels and fields from the registry, and say where it is broken', () => {
    const registry = (text: string) =>
      readSamples([
        sourceFile(path, row('1', { label: 'Smok' })),
        sourceFile('samples/classes.json', text),
      ]).findings.map(({ kind }) => kind)
    deepEqual(registry('{"classes": {"entity-span": {"labels": ["Smok"], "required": []}}}'), [])
    deepEqual(registry('{"classes": {"entity-span": {"labels": ["Smok"], "required": ["age"]}}}'), [
      'SampleNotOfClass',
    ])
    deepEqual(registry('{"classes": []}'), ['SampleClassesInvalid', 'SampleNotOfClass'])
  })

  it('bind a speaker in one session where a person confirmed it', () => {
    const binding = (change: Readonly<Record<string, unknown>>) =>
      speakerBindings(
        read(
          row('1', {
            class: 'speaker-binding',
            grade: 'confirmed',
            label: 'character',
            fields: { scope: '2024-01-01, Próba, Solmyr', surface: 'Wędrowiec', referent: 'Orrin' },
            ...change,
          }),
        ),
      ).get(bindingKey('2024-01-01, próba,  Solmyr', 'wędrowiec'))
    equal(binding({}), 'Orrin')
    equal(binding({ verdict: 'denied' }), null)
    equal(binding({ label: 'none' }), null)
    equal(binding({ grade: 'proposed' }), undefined)
  })
})

const deposit = (line: number, project = 'lineage') => ({
  project,
  label: 'Grupa',
  fields: { referent: 'Gwardia', scope: 'corpus' },
  locator: { document: 'log/a', source: 's', hash: 'h', line, start: 0, end: 7, text: 'Gwardii' },
})
const idsIn = (text: string): ReadonlyArray<string> =>
  text
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as SampleRow).id)

describe('deposits', () => {
  it('add one row for each locator that has none, with an id of what it quotes', () => {
    const none = readSamples([])
    const [first] = depositSamples(none, new Map(), 'entity-span', [deposit(1), deposit(1), deposit(2)])
    if (first === undefined) throw new Error('nothing was added')
    equal(first.path, 'samples/lineage/entity-span.jsonl')
    equal(idsIn(first.text).length, 2)
    const known = readSamples([sourceFile(first.path, first.text)])
    deepEqual([known.findings, depositSamples(known, new Map(), 'entity-span', [deposit(2)])], [[], []])
    deepEqual(depositSamples(none, new Map(), 'entity-span', [deposit(1), deposit(2)]), [first])
  })

  it('begin a line of their own behind a file that does not end in one', () => {
    const file = sourceFile('samples/lineage/entity-span.jsonl', row('1'))
    const [added] = depositSamples(readSamples([file]), new Map([[file.path, file]]), 'entity-span', [
      deposit(1),
    ])
    equal(added?.text.startsWith('\n{'), true)
  })

  it('continue in the next file after 250 rows, or 128 KiB', () => {
    const full = Array.from({ length: 249 }, (_, at) => row(String(at))).join('\n')
    const files = (text: string) =>
      new Map<RepoPath, { readonly text: string }>([
        [sourceFile('samples/lineage/entity-span.jsonl', '').path, { text: `${text}\n` }],
      ])
    const paths = (text: string, count: number) =>
      depositSamples(
        readSamples([]),
        files(text),
        'entity-span',
        Array.from({ length: count }, (_, at) => deposit(at)),
      ).map(one => one.path)
    deepEqual(paths(full, 1), ['samples/lineage/entity-span.jsonl'])
    deepEqual(paths(full, 2), ['samples/lineage/entity-span.jsonl', 'samples/lineage/entity-span-02.jsonl'])
    deepEqual(paths(row('1', { note: 'x'.repeat(131_000) }), 1), ['samples/lineage/entity-span-02.jsonl'])
  })
})
