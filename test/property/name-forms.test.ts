import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { demoWorld } from '#src/demo/world.js'
import {
  buildNameIndexInSlices,
  buildSnapshotNamesInSlices,
  fillNameForms,
} from '#src/domain/names/name-index.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { emptyLanguage } from '#src/domain/names/word-table.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { demoForms } from '#test/evaluate/demo-forms.js'
import { buildNameIndex } from '#test/support/at-once.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'

const filesOf = (names: ReadonlyArray<string>) => ({
  'encje/indeks.md': names.map(name => `### ${name}\n- @typ: NPC\n`).join('\n'),
})

const syllable = fc.constantFrom('ka', 'ro', 'mi', 'wel', 'dor', 'sza', 'gó', 'lu', 'ni', 'zar', 'chę')
const ending = fc.constantFrom('n', 'ek', 'ów', 'a', 'ska', 'ski', 'ice', 'owo', 'ń', 'iec', 'y', 'e', 'ni')
const word = fc
  .tuple(fc.array(syllable, { minLength: 1, maxLength: 3 }), ending)
  .map(([all, end]) => `${all.join('')}${end}`)
  .map(text => text.charAt(0).toUpperCase() + text.slice(1))
const heading = fc.array(word, { minLength: 1, maxLength: 3 }).map(all => all.join(' '))
const headings = fc.uniqueArray(heading, { minLength: 1, maxLength: 12 })

const answers = (names: NameIndex, texts: ReadonlyArray<string>) =>
  texts.map(text => {
    const { stage, confidence, candidates } = resolveName(names, text, { upTo: 'fuzzy' })
    return [text, stage, confidence, candidates.map(one => one.name)]
  })

describe('the forms of names', () => {
  it('are those of the demo, whose declension is another implementation', () => {
    const { paradigms } = demoWorld({ seed: 'wyrocznia' })
    const { names } = worldOf(filesOf([...paradigms.keys()]))
    const missed = demoForms(paradigms).filter(({ form, names: owners }) => {
      const { candidates } = resolveName(names, form, { upTo: 'alternation' })
      return owners.size === 1 && !candidates.some(one => owners.has(one.name))
    })
    deepEqual(
      missed.map(({ form }) => form),
      [],
    )
  })

  it('resolve after changes as in an index that is built from scratch', () => {
    fc.assert(
      fc.property(headings, headings, fc.array(heading, { maxLength: 20 }), (first, then, texts) => {
        const before = worldOf(filesOf(first)).names
        const { entities } = worldOf(filesOf(then))
        const asked = [...texts, ...first, ...then].flatMap(text => [
          text,
          `${text}a`,
          `${text.slice(0, -1)}em`,
        ])
        const after = buildNameIndex(entities, before.language, before)
        deepEqual(answers(after, asked), answers(buildNameIndex(entities, before.language, null), asked))
      }),
      { numRuns: runsOf(60) },
    )
  })

  it('find a block that has the name, whatever the text', () => {
    const { names } = worldOf(filesOf(['Czarna Wieża', 'Torek Zdrojek', 'Ithan', 'Kupiec Orrin']))
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
        const found = resolveName(names, text, { upTo: 'fuzzy' })
        equal(found.entity === null, found.candidates.length !== 1)
        ok(found.confidence >= 0 && found.confidence <= 1)
        deepEqual(resolveName(names, text, { upTo: 'fuzzy' }), found)
      }),
      { numRuns: runsOf(500) },
    )
  })

  it('are read in bounded work, whatever the text', () => {
    const many = Array.from({ length: 300 }, (_, at) => `Ala ${'ala '.repeat(at % 14)}Alan${at % 7}`)
    const { names } = worldOf(filesOf(many))
    for (const text of [
      'ala '.repeat(5000),
      'a'.repeat(100_000),
      '-'.repeat(50_000),
      '’'.repeat(9_000),
      'pan '.repeat(40),
    ]) {
      const began = process.cpuUsage()
      resolveName(names, text, { upTo: 'fuzzy' })
      const { user, system } = process.cpuUsage(began)
      ok((user + system) / 1000 < 200, `${text.slice(0, 10)}: ${(user + system) / 1000} ms`)
    }
  })

  it('are left out above the budget, with a finding, and exact names still resolve', () => {
    const { entities } = worldOf(filesOf(['Czarna Wieża', 'Ithan', 'Golec']))
    const names = buildNameIndex(entities, emptyLanguage, null, { distinctMax: 3, wordsMax: 100 })
    deepEqual(
      names.findings.map(({ kind }) => kind),
      ['NamesAboveBudget'],
    )
    equal(resolveName(names, 'Ithana', { upTo: 'fuzzy' }).stage, 'miss')
    equal(resolveName(names, 'ithan', { upTo: 'fuzzy' }).stage, 'exact')
    const again = buildNameIndex(entities, emptyLanguage, names, { distinctMax: 4, wordsMax: 100 })
    equal(resolveName(again, 'Ithana', { upTo: 'alternation' }).stage, 'declension')
  })

  it('resolve the same whenever the forms of a first index are made', () => {
    fc.assert(
      fc.property(
        headings,
        headings,
        fc.array(heading, { maxLength: 10 }),
        fc.nat(3),
        (first, then, texts, slices) => {
          const [older, newer] = [first, [...first, ...then]].map(
            names => worldOf(filesOf([...new Set(names)])).entities,
          )
          if (older === undefined || newer === undefined) return
          const asked = [...texts, ...first, ...then].flatMap(text => [text, `${text}a`])
          const before = atOnce(buildSnapshotNamesInSlices(older, emptyLanguage, null))
          equal(before.forms?.table.isFilled(), false)
          const filling = fillNameForms(before)
          for (let slice = 0; slice < slices; slice += 1) filling.next()
          const after = atOnce(buildSnapshotNamesInSlices(newer, emptyLanguage, before))
          const whole = buildNameIndex(older, emptyLanguage, null)
          const expected = answers(buildNameIndex(newer, emptyLanguage, whole), asked)
          deepEqual(answers(after, asked), expected)
          equal(after.forms?.table.isFilled(), true)
          atOnce(filling)
          deepEqual(answers(after, asked), expected)
        },
      ),
      { numRuns: runsOf(60) },
    )
  })

  it('are built in slices', () => {
    const { entities } = worldOf(
      filesOf(
        Array.from(
          { length: 500 },
          (_, at) =>
            `Nazwa${String.fromCharCode(97 + (at % 26))}${'bcdfg'.charAt(at % 5).repeat(1 + (at % 9))}an`,
        ),
      ),
    )
    let slices = 0
    const work = buildNameIndexInSlices(entities, emptyLanguage, null)
    while (work.next().done !== true) slices += 1
    ok(slices > 2, `${slices}`)
  })
})
