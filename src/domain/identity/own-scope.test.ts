import assert from 'node:assert/strict'
import fc from 'fast-check'
import { charactersOf } from '#src/domain/people/characters.js'
import { worldOf } from '#test/support/world.js'
import { type OwnScope, ownScope, reachesId, scopeFor } from './readable.js'

const world = worldOf({
  'kontrybutorzy.md': `## Gracz
### Łucja
- @gameid: 1
- @alias: Ania
- @alias: Wspólna
- @alias: Odo
### Odo
- @gameid: 2
- @alias: Wspólna
`,
  'encje/indeks.md': `### Żbik
- @typ: Postać
- @należy_do: łucja
- @alias: Kot
### Wilk
- @typ: Postać
- @należy_do: Odo
- @alias: Kot
### Sowa
- @typ: Postać
- @należy_do: Odo (:2025-12)
- @należy_do: Ania (2026-01:)
### Ania
- @typ: NPC
- @należy_do: Łucja
`,
})

const ground = {
  people: world.people,
  entities: world.entities,
  characters: charactersOf(world.entities, world.people, world.day),
}
const scopeOf = (gracz: string | null): OwnScope => ownScope(gracz, ground)

describe('the scope of an own-only caller', () => {
  it('takes heading and alias for theirs, whatever the case or normal form', () => {
    const scope = scopeOf('Łucja')
    for (const name of ['Łucja', 'łUCJA', ' ania ']) assert.ok(scope.isSelf(name), name)
    for (const name of ['Żbik', 'Żbik'.normalize('NFD'), 'ŻBIK']) assert.ok(scope.isOwnCharacter(name), name)
  })

  it('takes a shared alias, another’s heading and an inflected form for nobody’s', () => {
    const scope = scopeOf('Łucja')
    for (const name of ['Wspólna', 'Odo', 'Łucji', '', 'Nikt']) assert.ok(!scope.isSelf(name), name)
    for (const name of ['Kot', 'Wilk', 'Żbika', 'Ania', 'Łucja', ''])
      assert.ok(!scope.isOwnCharacter(name), name)
  })

  it('follows the owner of the day', () => {
    assert.deepEqual([...scopeOf('Łucja').characters], ['Żbik', 'Sowa'])
    assert.deepEqual([...scopeOf('Odo').characters], ['Wilk'])
  })

  it('gives nothing to a caller whose Gracz is none or unknown', () => {
    for (const gracz of [null, 'Nikt', 'Ania', '']) {
      const scope = scopeOf(gracz)
      assert.deepEqual([scope.person, scope.characters.size], [null, 0])
      assert.ok(!scope.isSelf('Łucja') && !scope.isOwnCharacter('Żbik'))
    }
  })

  it('binds everybody but who holds the capability in full', () => {
    assert.equal(
      scopeFor({ grade: 'full', gracz: null }, () => ground),
      null,
    )
    for (const grade of ['own', 'none'] as const)
      assert.deepEqual(
        [...(scopeFor({ grade, gracz: 'Odo' }, () => ground)?.characters ?? [])],
        ['Wilk'],
        grade,
      )
  })

  it('reaches what hangs on the caller’s own game id, and with the full capability on any', () => {
    assert.ok(
      reachesId({ grade: 'full', gameId: null }, '2') && reachesId({ grade: 'own', gameId: '1' }, '1'),
    )
    for (const gameId of [null, '1', '', '02', ' 2'])
      assert.ok(!reachesId({ grade: 'own', gameId }, '2'), String(gameId))
    assert.ok(!reachesId({ grade: 'none', gameId: '1' }, '2'))
  })

  it('never lets two callers share a name', () => {
    const names = fc.constantFrom(
      'Łucja',
      'Ania',
      'Odo',
      'Wspólna',
      'Żbik',
      'Wilk',
      'Sowa',
      'Kot',
      'ODO',
      'kot',
    )
    const [left, right] = [scopeOf('Łucja'), scopeOf('Odo')]
    fc.assert(
      fc.property(names, name => {
        assert.ok(!(left.isSelf(name) && right.isSelf(name)))
        assert.ok(!(left.isOwnCharacter(name) && right.isOwnCharacter(name)))
      }),
    )
  })
})
