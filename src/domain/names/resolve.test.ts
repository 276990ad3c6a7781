import assert from 'node:assert/strict'
import { day, worldOf } from '#test/support/world.js'
import { resolveName } from './resolve.js'

const { names } = worldOf({
  'encje/indeks.md': [
    '### Złoty Smok\n- @typ: NPC',
    '### Złoty Smok\n- @typ: Lokacja',
    '### Rion\n- @typ: NPC\n- @alias: Arcymag Rion (2024:)\n- @alias: Mag',
    '### Kyrre\n- @typ: Postać\n- @alias: Mag',
    '### Strażnik\n- @typ: NPC\n- @generyczne_nazwy: Wartownik, Mag',
  ].join('\n'),
})

describe('names', () => {
  it('match exactly whatever the case, the blanks and the composition', () => {
    const found = resolveName(names, ' rion ', { upTo: 'alias' })
    assert.deepEqual([found.entity?.name, found.stage, found.confidence], ['Rion', 'exact', 1])
    assert.equal(resolveName(names, 'STRAŻNIK', { upTo: 'alias' }).entity?.name, 'Strażnik')
    assert.equal(resolveName(names, 'Straz\u0307nik', { upTo: 'alias' }).entity?.name, 'Strażnik')
  })
  it('match an alias, on a day only while it holds', () => {
    assert.equal(resolveName(names, 'arcymag  rion', { upTo: 'alias' }).stage, 'alias')
    assert.equal(resolveName(names, 'Arcymag Rion', { upTo: 'alias', day: day('2023-01-01') }).stage, 'miss')
    assert.equal(
      resolveName(names, 'Arcymag Rion', { upTo: 'alias', day: day('2024-01-01') }).entity?.name,
      'Rion',
    )
  })
  it('are ambiguous where several own them, and resolved where the type leaves one', () => {
    const found = resolveName(names, 'Złoty Smok', { upTo: 'alias' })
    assert.deepEqual(
      [found.entity, found.ambiguous, found.candidates.map(one => one.type)],
      [null, true, ['NPC', 'Lokacja']],
    )
    assert.equal(
      resolveName(names, 'Złoty Smok', { upTo: 'alias', types: ['Lokacja'] }).entity?.type,
      'Lokacja',
    )
    assert.equal(resolveName(names, 'Mag', { upTo: 'alias' }).candidates.length, 2)
  })
  it('ask generic names only where no alias answers', () => {
    assert.equal(resolveName(names, 'Wartownik', { upTo: 'alias' }).entity?.name, 'Strażnik')
    assert.equal(resolveName(names, 'Mag', { upTo: 'alias', types: ['Postać'] }).entity?.name, 'Kyrre')
  })
  it('miss an inflected form and a blank query', () => {
    assert.equal(resolveName(names, 'Riona', { upTo: 'alias' }).stage, 'miss')
    assert.equal(resolveName(names, '  ', { upTo: 'alias' }).stage, 'miss')
  })
})
