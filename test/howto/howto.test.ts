import { deepEqual, equal, throws } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { tiersOf } from '#test/run/tiers.js'
import { documents, root, sources } from '#test/tidy/sources.js'
import { applyEdit, applySample, findGaps, type Howto, listHandEdits, stepsOf } from './howto.js'
import { howtos } from './howtos.js'

const textOf = (page: string): string =>
  documents.find(({ path }) => path === `docs/howto/develop/${page}.md`)?.text ?? ''

const sample: Howto = {
  page: 'page',
  edits: [{ of: [{ step: 1 }], path: 'src/domain/places/a.ts', isNew: true, text: '' }],
  scripts: [],
  idle: [{ step: 3, reason: 'nothing to do' }],
  slowTests: [],
  filesMax: 1,
}

describe('the samples of the howtos', () => {
  for (const howto of howtos)
    it(`follow every step of ${howto.page}, and change what the steps name`, () => {
      deepEqual(findGaps(howto, textOf), [])
    })

  it('apply to the tree, each alone and one behind the other', () => {
    const textOfFile = (path: string): string | null =>
      existsSync(`${root}/${path}`) ? readFileSync(`${root}/${path}`, 'utf8') : null
    const texts = new Map<string, string>()
    for (const howto of howtos) {
      deepEqual(new Set(applySample(howto, textOfFile).keys()), listHandEdits(howto))
      for (const [path, text] of applySample(howto, path => texts.get(path) ?? textOfFile(path)))
        texts.set(path, text)
    }
  })

  it('name as slow only tests that exist and that test:fast leaves out', () => {
    const tiers = tiersOf(sources)
    const slow = howtos.flatMap(({ slowTests }) => slowTests).map(({ path }) => path)
    deepEqual(
      slow.filter(path => tiers.get(path) === 'pure' || !existsSync(`${root}/${path}`)),
      [],
    )
  })

  it('reports a step that the sample leaves out, and a file that no step names', () => {
    const page = '1. Write `src/domain/<area>/`.\n2. Test it.\n3. Rest,\n   and rest.\n'
    deepEqual([...stepsOf(page).values()][2], '3. Rest,\n   and rest.\n')
    deepEqual(
      findGaps(sample, () => page),
      ['the sample does not follow step 2 of page'],
    )
    deepEqual(
      findGaps(sample, () => '1. Write `src/http/<area>.ts`.\n3. Rest.\n'),
      ['page 1 does not name src/domain/places/a.ts'],
    )
    deepEqual(
      findGaps(sample, () => '1. Write `src/domain/<area>/`.\n'),
      ['there is no step page 3'],
    )
    deepEqual(
      findGaps({ ...sample, filesMax: 0 }, () => '1. Write `src/domain/<area>/`.\n3. Rest.\n'),
      ['the sample of page touches 1 files by hand; at most 0 may be touched'],
    )
  })

  it('puts text behind an anchor that is there once', () => {
    const edit = { of: [], path: 'a.ts', after: 'one\n', text: 'two\n' }
    equal(applyEdit(edit, 'one\nthree\n'), 'one\ntwo\nthree\n')
    throws(() => applyEdit(edit, 'one\none\n'), /2 times/)
    throws(() => applyEdit({ of: [], path: 'a.ts', isNew: true, text: '' }, ''), /there already/)
    const again = { ...edit, after: 'two\n', text: 'three\n' }
    deepEqual(
      [...applySample({ ...sample, edits: [edit, again] }, () => 'one\n')],
      [['a.ts', 'one\ntwo\nthree\n']],
    )
  })
})

/** Paths that a page names in backticks, without placeholders. */
const findNamedFiles = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`((?:src|protocol|actors|supervisors|test|docs)\/[\w./-]+)`/g)].map(
    found => found[1] ?? '',
  )

describe('the howtos of developers', () => {
  for (const page of ['add-a-route', 'add-a-write', 'add-a-job', 'add-an-actor'])
    it(`${page} names files that exist`, () => {
      deepEqual(
        findNamedFiles(textOf(page)).filter(path => !existsSync(`${root}/${path}`)),
        [],
      )
    })
})
