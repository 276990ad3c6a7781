import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { filesOf, type WorldTexts } from '#test/support/legacy/legacy-world.js'
import { day, worldOf } from '#test/support/world.js'
import { type Emptied, planRegistry } from './registry.js'

const world: WorldTexts = {
  'encje/indeks.md': [
    ...['### Kotlina', '- @typ: Lokacja', '', '### Rynek (Młyn)', '- @typ: Lokacja', '- @lokacja: Młyn', ''],
    ...['### Młyn', '- @typ: Lokacja', '- @lokacja: Kotlina', '', '### ..', '- @typ: Lokacja', ''],
    ...['### A/B', '- @typ: Lokacja', '- @lokacja: Nieznana', ''],
  ].join('\n'),
  'sesje.md': [
    ...[
      '### 2024-01-01, Raz, N',
      '',
      '- @Lokacje:',
      '    - Młyn/Rynek',
      '    - Kotlina -> Młyn',
      '    - ..',
      '',
    ],
    ...['### 2024-02-01, Dwa, N', '', '- @Lokacje:', '    - A/B', '    - Kotlina', ''],
    ...['### 2024-03-01, Trzy, N', '', '- @Lokacje:', '    - Nigdzie', ''],
  ].join('\n'),
}

const planTexts = (texts: WorldTexts, emptied: Emptied = 'AsTheyStand') => {
  const { entities, sessions } = worldOf(texts)
  return planRegistry(entities, sessions, day('2026-06-15'), filesOf(texts), emptied)
}

const stale = 'Lokacje/Dawno/Sesje.md'
const mark = '<!-- generated from sessions; do not edit -->\n'

describe('the session registry', () => {
  it('is a tree of places, newest session first, and leaves no folder above it', () => {
    const { changes, roots, total, placed } = planTexts(world)
    deepEqual(changes.map(change => change.path).sort(), [
      'Lokacje/Kotlina/Młyn/Rynek (Młyn)/Sesje.md',
      'Lokacje/Kotlina/Młyn/Sesje.md',
      'Lokacje/Kotlina/Sesje.md',
      'Lokacje/Nieznana/A-B/Sesje.md',
      'Lokacje/_./Sesje.md',
    ])
    equal(
      changes.find(change => change.path === 'Lokacje/Kotlina/Sesje.md')?.after,
      `${mark}- 2024-02-01, Dwa, N (sesje.md)\n- 2024-01-01, Raz, N (sesje.md)\n`,
    )
    deepEqual([roots, total, placed], [3, 3, 2])
  })

  it('counts what stands already and removes a generated file that nothing fills', () => {
    const first = planTexts(world)
    const after = {
      ...world,
      ...Object.fromEntries(first.changes.map(change => [change.path, change.after ?? ''])),
      [stale]: mark,
    }
    const { changes, written, unchanged } = planTexts(after)
    deepEqual(
      changes.map(change => [change.path, change.after]),
      [[stale, null]],
    )
    deepEqual([written, unchanged], [0, 5])
  })

  it('makes files of places without a session where asked, and keeps them where they stand', () => {
    const lone = { ...world, 'encje/inne.md': '### Pustka\n- @typ: Lokacja\n' }
    const path = 'Lokacje/Pustka/Sesje.md'
    const paths = (texts: WorldTexts, emptied?: Emptied) =>
      planTexts(texts, emptied).changes.map(({ path: one }): string => one)
    equal(paths(lone).includes(path), false)
    equal(paths(lone, 'WithEmpty').includes(path), true)
    deepEqual([planTexts(lone, 'WithEmpty').empty, planTexts(lone, 'WithEmpty').placeless], [1, 0])
    deepEqual(planTexts({ ...lone, [path]: mark }).gone, [])
    deepEqual(planTexts({ ...world, [path]: mark }).gone, [path])
  })

  it('leaves a file that was not generated alone and tells of it', () => {
    const own = 'Lokacje/Kotlina/Sesje.md'
    const { changes, findings } = planTexts({ ...world, [own]: 'moje notatki\n' })
    equal(
      changes.some(change => change.path === own),
      false,
    )
    deepEqual(
      findings.map(({ kind, file }) => [kind, file]),
      [['RegistryFileForeign', own]],
    )
  })

  it('makes no file that a file system cannot hold, and tells of the place', () => {
    const names = ['ა'.repeat(90), ...Array.from({ length: 6 }, (_, at) => `${at} ${'ą'.repeat(110)}`)]
    const texts = {
      'encje/indeks.md': names
        .map((name, at) => `### ${name}\n- @typ: Lokacja\n${at > 1 ? `- @lokacja: ${names[at - 1]}\n` : ''}`)
        .join('\n'),
      'sesje.md': `### 2024-01-01, Raz, N\n\n- @Lokacje:\n${names.map(name => `    - ${name}\n`).join('')}`,
    }
    const { changes, findings } = planTexts(texts, 'WithEmpty')
    deepEqual(
      findings.map(({ kind, subject }) => [kind, subject]),
      [names[0], names[5], names[6]].map(name => ['PlaceNameUnsafe', name]),
    )
    equal(changes.length, 4)
  })
})
