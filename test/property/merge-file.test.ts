import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { mergeFile } from '#test/support/at-once.js'
import { runsOf } from '#test/support/runs.js'

/** A small world of blocks, so that the edits of two sides often meet. */
const names = ['Adam', 'Berta', 'Celina', 'Dorian'] as const
const base = names
  .map(
    name =>
      `### ${name}\n- @typ: NPC\n- @lokacja: Erathia ${name} (2023-01:)\n- @info: Jest ${name}.\n  Znana jako ${name}.\n\nOpis ${name}.\n`,
  )
  .join('\n')

type Edit = (text: string) => string

const block = fc.constantFrom(...names)
const word = fc.constantFrom('Alfa', 'Beta', 'Gamma')

const inBlock =
  (name: string, change: Edit): Edit =>
  text =>
    text
      .split(/(?=^### )/m)
      .map(part => (part.startsWith(`### ${name}\n`) ? change(part) : part))
      .join('')

const edits = (tags: ReadonlyArray<string>): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc
      .tuple(block, word, fc.constantFrom(...tags))
      .map(([name, value, tag]) =>
        inBlock(name, part => part.replace('- @typ: NPC\n', `- @typ: NPC\n- @${tag}: ${value}\n`)),
      ),
    fc.tuple(word, word).map(
      ([name, value]): Edit =>
        text =>
          `${text}\n### Nowa ${name}\n- @typ: NPC\n- @grupa: ${value}\n`,
    ),
    fc
      .tuple(block, word)
      .map(([name, value]) => inBlock(name, part => part.replace(/Jest .*\./, `Była ${value}.`))),
    fc
      .tuple(block, word)
      .map(([name, value]) => inBlock(name, part => part.replace(/^Opis .*$/m, `Opis ${value}.`))),
    fc
      .tuple(block, word)
      .map(([name, value]) => inBlock(name, part => part.replace(/^(Opis .*)$/m, `$1\nDalej ${value}.`))),
    block.map(name => inBlock(name, part => part.replace(/^- @lokacja.*\n/m, ''))),
    block.map(name => inBlock(name, () => '')),
  )

const sideOf = (tags: ReadonlyArray<string>) =>
  fc.array(edits(tags), { maxLength: 4 }).map(edits => edits.reduce((text, change) => change(text), base))
const side = sideOf(['grupa', 'alias', 'info'])
/** Of a row changed beside a new one of its tag no merge can tell again which is which. */
const plainSide = sideOf(['grupa', 'alias'])
const path = 'encje/indeks.md'
const lines = (text: string) => text.split('\n').filter(line => line !== '')
const conflictText = (conflict: object) => JSON.stringify(conflict)
const isNew = (line: string) => !lines(base).includes(line)

describe('the merge of any two sides', () => {
  it('is the same whichever host merges', () => {
    fc.assert(
      fc.property(side, side, (ours, theirs) => {
        const one = mergeFile(path, { base, ours, theirs }, 'theirs')
        const other = mergeFile(path, { base, ours: theirs, theirs: ours }, 'ours')
        equal(one.text, other.text)
        deepEqual([...one.conflicts].map(conflictText).sort(), [...other.conflicts].map(conflictText).sort())
      }),
      { numRuns: runsOf(2000) },
    )
  })

  it('loses no line that a side added and brings back none that a side removed, but where it tells of a conflict', () => {
    let clean = 0
    fc.assert(
      fc.property(side, side, (ours, theirs) => {
        const { text, conflicts } = mergeFile(path, { base, ours, theirs }, 'theirs')
        if (conflicts.length > 0) return
        clean += 1
        const kept = new Set(lines(text ?? ''))
        for (const line of [...lines(ours), ...lines(theirs)].filter(isNew)) ok(kept.has(line), line)
        for (const line of lines(base).filter(one => one !== '- @typ: NPC'))
          equal(kept.has(line), lines(ours).includes(line) && lines(theirs).includes(line), line)
      }),
      { numRuns: runsOf(2000) },
    )
    ok(clean > runsOf(2000) / 5)
  })

  it('of a conflict keeps every line of the side that stands', () => {
    fc.assert(
      fc.property(side, side, (ours, theirs) => {
        const kept = new Set(lines(mergeFile(path, { base, ours, theirs }, 'theirs').text ?? ''))
        for (const line of lines(theirs).filter(isNew)) ok(kept.has(line), line)
      }),
      { numRuns: runsOf(2000) },
    )
  })

  it('changes nothing when made again', () => {
    fc.assert(
      fc.property(plainSide, plainSide, (ours, theirs) => {
        const { text, conflicts } = mergeFile(path, { base, ours, theirs }, 'theirs')
        if (conflicts.length > 0) return
        deepEqual(mergeFile(path, { base, ours: text, theirs }, 'theirs'), { text, conflicts: [] })
      }),
      { numRuns: runsOf(1000) },
    )
  })

  it('keeps every byte of a block that neither side touched, LF and CRLF', () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n')
    fc.assert(
      fc.property(side, side, fc.boolean(), (ours, theirs, windows) => {
        const form = windows ? crlf : (text: string) => text
        const whole = base.replaceAll('Opis', 'Opis \t')
        const wide = (text: string) => form(text.replaceAll('Opis', 'Opis \t'))
        const { text } = mergeFile(
          path,
          { base: form(whole), ours: wide(ours), theirs: wide(theirs) },
          'theirs',
        )
        equal((text ?? '').includes('\r') && !windows, false)
        equal(/[^\r]\n/.test(text ?? '') && windows, false)
        for (const part of form(whole)
          .split(/(?=^### )/m)
          .map(one => one.replace(/(\r?\n)+$/, '')))
          if (wide(ours).includes(part) && wide(theirs).includes(part)) ok(text?.includes(part))
      }),
      { numRuns: runsOf(1000) },
    )
  })
})
