import assert from 'node:assert/strict'
import { nameKey } from '#protocol/atoms.js'
import { projectionOf } from '#test/support/at-once.js'
import { day, worldOf } from '#test/support/world.js'
import { entityNamed } from './entities.js'
import * as state from './entity.js'

const index = (text: string, more: Readonly<Record<string, string>> = {}) =>
  worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': text, ...more }).entities
const on = day('2026-06-15')
const kinds = (text: string, more: Readonly<Record<string, string>> = {}) =>
  index(text, more).findings.map(finding => [finding.kind, finding.line])

describe('entities', () => {
  it('are the typed blocks of every index file, by path and line', () => {
    const entities = index('### B\n- @typ: NPC\n### A\n- @typ: Mapa', {
      'encje/inne.md': '### C\n- @typ: organizacja',
    })
    assert.deepEqual(
      entities.all.map(entity => [entity.name, entity.type, entity.file, entity.line]),
      [
        ['B', 'NPC', 'encje/indeks.md', 1],
        ['A', 'Mapa', 'encje/indeks.md', 3],
        ['C', 'Grupa', 'encje/inne.md', 1],
      ],
    )
  })
  it('keep the deciding order within a tag: undated first, then by FROM', () => {
    const [entity] = index(
      '### A\n- @typ: NPC\n- @lokacja: Y (2024:)\n- @status: Aktywny\n- @lokacja: X (2020:2023)\n- @lokacja: W',
    ).all
    assert.deepEqual(
      entity?.rows.map(row => row.value),
      ['NPC', 'W', 'Aktywny', 'X', 'Y'],
    )
    assert.deepEqual(
      ['2019-05-05', '2021-01-01', '2026-01-01'].map(text => state.locationOn(entity, day(text))),
      ['W', 'X', 'Y'],
    )
  })
  it('answer their state on a day', () => {
    const [entity] = index(
      '### A\n- @typ: Postać\n- @status: Nieaktywny (2025:)\n- @grupa: G\n- @grupa: H (:2020)\n- @alias: Al\n- @nick: A\n- @pu_suma: 31,25\n- @pu_zdobyte: BRAK\n- @ilość: -3\n- @generyczne_nazwy: x, y',
    ).all
    assert.ok(entity)
    assert.equal(state.statusOn(entity, day('2024-01-01')), 'Aktywny')
    assert.equal(state.statusOn(entity, on), 'Nieaktywny')
    assert.deepEqual(state.groupsOn(entity, on), ['G'])
    assert.deepEqual(state.spellingsOn(entity, on), ['Al'])
    const { PuSuma, PuZdobyte } = projectionOf(entity, on, null)
    assert.deepEqual([PuSuma, PuZdobyte], [31.25, null])
    assert.equal(state.quantityOn(entity, on), -3)
    assert.deepEqual(state.genericNamesOn(entity, on), ['x', 'y'])
    assert.equal(state.ownerOn(entity, on), null)
  })
  it('take the last type that is one of the eight, and the type on a day', () => {
    const [entity] = index('### A\n- @typ: NPC\n- @typ: Postać (2024:)\n- @typ: Loch (2025:)').all
    assert.equal(entity?.type, 'Postać')
    assert.equal(state.typeOn(entity, day('2023-01-01')), 'NPC')
    assert.equal(state.typeOn(entity, on), 'Postać')
  })
  it('find what the tag schema does not know, and keep its rows', () => {
    const text =
      '### A\n- @typ: NPC\n- @dziwne: x\n- @status: Śpi\n- @drzwi: B\n### B\n- @info: x\n### C\n- @typ: Smok'
    assert.deepEqual(kinds(text), [
      ['UnknownTag', 3],
      ['UnknownStatus', 4],
      ['ForeignTag', 5],
      ['TypeMissing', 6],
      ['UnknownType', 9],
    ])
    assert.equal(index(text).all[0]?.rows.length, 4)
    assert.equal(index(text).all.length, 1)
  })
  it('answer to a heading first, then to an alias; types tell homonyms apart', () => {
    const entities = index(
      '### Erathia\n- @typ: Mapa\n### Erathia\n- @typ: Lokacja\n### X\n- @typ: NPC\n- @alias: erathia\n- @alias: Iks',
    )
    const named = entityNamed(entities, ' ERATHIA ', on)
    assert.deepEqual([named?.entity.type, named?.alsoTypes], ['Lokacja', ['Mapa']])
    assert.equal(entityNamed(entities, 'Erathia', on, 'Mapa')?.entity.type, 'Mapa')
    assert.equal(entityNamed(entities, 'Erathia', on, 'NPC')?.entity.name, 'X')
    assert.equal(entityNamed(entities, 'iks', on)?.entity.name, 'X')
    assert.equal(entityNamed(entities, 'iksa', on), null)
  })
})

describe('@ref', () => {
  const ref = (target: string, more: Readonly<Record<string, string>>) =>
    index(`### A\n- @typ: NPC\n- @alias: Al\n- @ref: ${target}`, more)
  it('takes every key but the local ones from the leading list of a file', () => {
    const entities = ref('Postacie/A.md', {
      'Postacie/A.md':
        '# A\n\n- @lokacja: Erathia\n- @typ: Grupa\n- @info: x\n  y\n\n## Dzieje\n- @info: nie',
    })
    const [entity] = entities.all
    assert.deepEqual(
      entity?.rows.map(row => [row.tag, row.value, row.source]),
      [
        ['typ', 'NPC', { _tag: 'File', path: 'encje/indeks.md' }],
        ['alias', 'Al', { _tag: 'File', path: 'encje/indeks.md' }],
        ['ref', 'Postacie/A.md', { _tag: 'File', path: 'encje/indeks.md' }],
        ['lokacja', 'Erathia', { _tag: 'File', path: 'Postacie/A.md' }],
        ['info', 'x\ny', { _tag: 'File', path: 'Postacie/A.md' }],
      ],
    )
    assert.deepEqual(entity.ref, { file: 'Postacie/A.md', form: 'list', broken: null, hidden: [] })
    assert.deepEqual(entities.findings, [])
  })
  it('takes the block of the same heading from an index shape', () => {
    const entities = ref('opisy.md', { 'opisy.md': '### B\n- @info: nie\n### a\n- @info: tak' })
    assert.deepEqual(
      entities.all[0]?.rows.filter(row => row.tag === 'info').map(row => row.value),
      ['tak'],
    )
    assert.equal(entities.all[0].ref?.form, 'index')
  })
  it('is broken by a missing, closed, unreadable or chained target, and then leaves the block as it is', () => {
    const faults = [
      ref('nie.md', {}),
      ref('b.md', { 'b.md': '### B\n- @info: x' }),
      ref('kontrybutorzy.md', {}),
      ref('.svc/a.md', {}),
      ref('../a.md', {}),
      ref('c.md', { 'c.md': 'Zdanie.' }),
      ref('d.md', { 'd.md': '- @ref: c.md' }),
    ].map(entities => [
      entities.all.find(one => one.key === nameKey('A'))?.ref?.broken,
      entities.findings[0]?.kind,
    ])
    const wanted = [
      'wiszący-ref',
      'wiszący-ref',
      'odrzucona-ścieżka-ref',
      'odrzucona-ścieżka-ref',
      'odrzucona-ścieżka-ref',
      'nieczytelny-ref',
      'łańcuch-ref',
    ]
    assert.deepEqual(
      faults,
      wanted.map(kind => [kind, kind]),
    )
  })
  it('cuts the rows of its target to its range and drops local rows of those days', () => {
    const entities = index(
      '### A\n- @typ: NPC\n- @lokacja: Stara (:2023)\n- @lokacja: Zła (2024-05:)\n- @ref: a.md (2024:)',
      {
        'a.md': '- @lokacja: Nowa\n- @lokacja: Dawna (:2020)',
      },
    )
    assert.deepEqual(
      entities.all[0]?.rows
        .filter(row => row.tag === 'lokacja')
        .map(row => [row.value, row.range.from, row.range.to]),
      [
        ['Stara', null, '2023-12-31'],
        ['Nowa', '2024-01-01', null],
      ],
    )
    assert.deepEqual(
      entities.findings.map(finding => [finding.kind, finding.line]),
      [['konflikt-ref', 4]],
    )
  })
  it('finds two that hold at once', () => {
    assert.deepEqual(
      kinds('### A\n- @typ: NPC\n- @ref: a.md\n- @ref: a.md (2024:)', { 'a.md': '- @info: x' }),
      [['wielokrotny-ref', 4]],
    )
  })
})
