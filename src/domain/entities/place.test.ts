import assert from 'node:assert/strict'
import { day, worldOf } from '#test/support/world.js'
import { canonicalPath, cycleFindings } from './canonical-path.js'
import { entityNamed } from './entities.js'
import { placeNamed } from './places.js'

const on = day('2026-06-15')
const block = (name: string, parent: string | null, type = 'Lokacja') =>
  `### ${name}\n- @typ: ${type}\n${parent === null ? '' : `- @lokacja: ${parent}\n`}`
const world = (...blocks: ReadonlyArray<string>) => worldOf({ 'encje/indeks.md': blocks.join('\n') }).entities
const pathOf = (entities: ReturnType<typeof world>, name: string) => {
  const named = entityNamed(entities, name, on)
  assert.ok(named)
  return canonicalPath(entities, named.entity, on).path
}

describe('places', () => {
  it('have the path from the outermost place inward', () => {
    const entities = world(
      block('Enroth', null),
      block('Erathia', 'Enroth'),
      block('Ratusz', 'Erathia'),
      block('Orrin', 'Ratusz', 'NPC'),
    )
    assert.equal(pathOf(entities, 'Ratusz'), 'Lokacja/Enroth/Erathia/Ratusz')
    assert.equal(pathOf(entities, 'Orrin'), 'NPC/Orrin')
  })
  it('take the first door for a parent where no @lokacja is, and a parent without block by its name', () => {
    const entities = world(
      block('Dom', null),
      '### Piwnica\n- @typ: Lokacja\n- @drzwi: Dom',
      block('Las', 'Dzicz'),
    )
    assert.equal(pathOf(entities, 'Piwnica'), 'Lokacja/Dom/Piwnica')
    assert.equal(pathOf(entities, 'Las'), 'Lokacja/Dzicz/Las')
  })
  it('have flat paths in a cycle, with one finding; what hangs below hangs on its member', () => {
    const entities = world(
      block('A', 'B'),
      block('B', 'C'),
      block('C', 'A'),
      block('X', 'B'),
      block('S', 'S'),
    )
    assert.deepEqual(
      ['A', 'B', 'C', 'S'].map(name => pathOf(entities, name)),
      ['A', 'B', 'C', 'S'].map(name => `Lokacja/${name}`),
    )
    assert.equal(pathOf(entities, 'X'), 'Lokacja/B/X')
    assert.deepEqual(
      cycleFindings(entities, on).map(finding => finding.subject),
      ['A', 'S'],
    )
  })
  it('are told apart by their parent: A/B is B below A', () => {
    const entities = world(
      block('Erathia', null),
      block('Steadwick', null),
      block('Karczma (Erathia)', 'Erathia'),
      block('Karczma (Steadwick)', 'Steadwick'),
      block('Port', 'Erathia'),
    )
    const named = (text: string) => placeNamed(entities, text, on)?.name ?? null
    assert.equal(named('Erathia/Karczma'), 'Karczma (Erathia)')
    assert.equal(named('Steadwick/Karczma'), 'Karczma (Steadwick)')
    assert.equal(named('Karczma'), null)
    assert.equal(named('Erathia / Port'), 'Port')
    assert.equal(named('karczma (erathia)'), 'Karczma (Erathia)')
    assert.equal(named('Nigdzie/Nic'), null)
    assert.equal(named('/'), null)
  })
  it('of a path that names itself are still answered', () => {
    const entities = world(block('B (X)', 'Y/B'), block('B (Z)', 'Y/B'))
    assert.equal(placeNamed(entities, 'Y/B', on)?.name, 'B (X)')
  })
  it('of an NPC and a Lokacja with one name: a parent is sought among places', () => {
    const entities = world(
      block('Erathia', null, 'NPC'),
      block('Enroth', null),
      block('Erathia', 'Enroth'),
      block('Plac', 'Erathia'),
    )
    assert.equal(pathOf(entities, 'Plac'), 'Lokacja/Enroth/Erathia/Plac')
  })
})
