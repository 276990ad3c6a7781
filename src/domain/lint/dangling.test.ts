import { deepEqual } from 'node:assert/strict'
import { day, worldOf } from '#test/support/world.js'
import { findDanglingReferences, integrityOfEntities } from './integrity-of.js'

const on = day('2026-06-15')
const world = (text: string, more: Readonly<Record<string, string>> = {}) =>
  worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': text, ...more }).entities
const findDangling = (text: string, more: Readonly<Record<string, string>> = {}) =>
  findDanglingReferences(world(text, more), on)
    .filter(one => one.kind === 'DanglingReference')
    .map(one => [one.subject, one.file, one.line])

const places = `### Erathia
- @typ: Lokacja
- @alias: Stolica
### Steadwick
- @typ: Lokacja
### Karczma (Erathia)
- @typ: Lokacja
- @lokacja: Erathia
### Karczma (Steadwick)
- @typ: Lokacja
- @lokacja: Steadwick
`
const at = (line: number): number => places.split('\n').length - 1 + line

describe('dangling references', () => {
  it('are rows of the five tags that name no block, each told at its own line', () => {
    const text = `${places}### A
- @typ: Lokacja
- @lokacja: Nigdzie
- @drzwi: Erathia
- @drzwi: Brama
- @region: Pustka
### B
- @typ: NPC
- @należy_do: Nikt
- @grupa: Cech`
    deepEqual(
      findDangling(text),
      [3, 5, 6, 9, 10].map(line => [line < 7 ? 'A' : 'B', 'encje/indeks.md', at(line)]),
    )
    deepEqual(
      integrityOfEntities(world(text), on)
        .filter(one => one.kind === 'DanglingReference' && one.line === at(3))
        .map(one => [one.severity, one.reason]),
      [['warning', '@lokacja: „Nigdzie” nie jest nazwą ani aliasem żadnego bloku.']],
    )
  })

  it('are none where a heading, an alias, a leaf or a path answers, whatever the case', () => {
    for (const value of ['erathia', 'stolica', 'Karczma', 'Erathia/Karczma', 'Karczma (Steadwick)'])
      deepEqual(findDangling(`${places}### B\n- @typ: NPC\n- @lokacja: ${value}`), [], value)
    deepEqual(findDangling(`${places}### B\n- @typ: NPC\n- @lokacja: Erathia/Wieża`), [
      ['B', 'encje/indeks.md', at(3)],
    ])
  })

  it('are doubtful where several answer, and the first of a type is not meant by a shared alias', () => {
    const text = `${places}### Cech
- @typ: Grupa
- @alias: Bracia
### Bractwo
- @typ: Grupa
- @alias: Bracia
### Steadwick
- @typ: NPC
### B
- @typ: NPC
- @lokacja: Karczma
- @grupa: Bracia
- @grupa: Cech
- @należy_do: Steadwick`
    deepEqual(
      findDanglingReferences(world(text), on).map(one => [one.kind, one.line, one.reason]),
      [
        [
          'AmbiguousReference',
          at(11),
          '@lokacja: „Karczma” należy do kilku bloków (Lokacja Karczma (Erathia), Lokacja Karczma (Steadwick)).',
        ],
        [
          'AmbiguousReference',
          at(12),
          '@grupa: „Bracia” należy do kilku bloków (Grupa Cech, Grupa Bractwo).',
        ],
      ],
    )
  })

  it('are none in rows that do not hold on the day, or that a later row replaces', () => {
    deepEqual(
      findDangling(`${places}### B
- @typ: NPC
- @lokacja: Dawniej (:2020)
- @lokacja: Zawsze
- @lokacja: Erathia (2021:)
- @grupa: Rozwiązana (2019:2020)`),
      [],
    )
  })

  it('are told in the document where @ref takes the row from', () => {
    deepEqual(findDangling('### B\n- @typ: NPC\n- @ref: dok/b.md', { 'dok/b.md': '- @grupa: Cech\n' }), [
      ['B', 'dok/b.md', 1],
    ])
  })
})
