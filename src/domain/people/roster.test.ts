import assert from 'node:assert/strict'
import { day, sourceFile } from '#test/support/world.js'
import { parseContributorStore } from './contributor-store.js'
import { type Contributor, personNamed, rosterOf } from './roster.js'

const people = parseContributorStore(
  sourceFile(
    'kontrybutorzy.md',
    `## Gracz
### Solmyr
- @gameid: 12345 (2023-06:)
- @gameid: 11111 (:2023-05)
- @rola: Narrator (2024-01:2024-06)
- @rola: Radny (2024-07:)
- @status: Nieaktywny (2022:2022)
- @chat: BRAK
- @chat: sesje/solmyr-kanał
- @tematy: gore
- @alias: Sol
- @alias: Wspólny
### Emeryt
- @gameid: 5 (:2020)
- @chat: BRAK
### Bezimienny
- @status: Aktywny
- @alias: Wspólny
### Dwoje
- @gameid: 6
- @gameid: 7
### Lewa
- @gameid: 8
### Prawa
- @gameid: 8 (2024:)
### Odmowna
- @gameid: 10
- @chat: BRAK
### Cicha
- @gameid: 11
`,
  ),
)

const on = (at: string, name: string): Contributor => {
  const found = rosterOf(people, day(at)).all.find(one => one.person.name === name)
  assert.ok(found !== undefined)
  return found
}

describe('the roster on a day', () => {
  it('takes the id, roles and status of the day and drops retired ranges', () => {
    const now = on('2026-06-15', 'Solmyr')
    assert.deepEqual(
      [now.gameId, now.retiredIds, now.status, now.standing],
      ['12345', ['11111'], 'Aktywny', 'listed'],
    )
    assert.deepEqual(
      now.roles.map(role => role.name),
      ['Radny'],
    )
    const then = on('2022-03-01', 'Solmyr')
    assert.deepEqual([then.gameId, then.retiredIds, then.status, then.roles], ['11111', [], 'Nieaktywny', []])
  })

  it('lets a channel outweigh a declination', () => {
    const states = ['Solmyr', 'Odmowna', 'Cicha'].map(name => on('2026-06-15', name).chat.state)
    assert.deepEqual(states, ['set', 'declined', 'missing'])
    assert.deepEqual(on('2026-06-15', 'Solmyr').chat.channels, [
      { category: 'sesje', channel: 'solmyr-kanał' },
    ])
  })

  it('lists only people whose id is open and theirs alone', () => {
    const standings = rosterOf(people, day('2026-06-15')).all.map(one => `${one.person.name} ${one.standing}`)
    assert.deepEqual(standings, [
      'Solmyr listed',
      'Emeryt retired',
      'Bezimienny unlisted',
      'Dwoje unlisted',
      'Lewa unlisted',
      'Prawa unlisted',
      'Odmowna listed',
      'Cicha listed',
    ])
    assert.equal(on('2023-06-15', 'Lewa').standing, 'listed')
  })

  it('finds a person by heading and alias, whatever the case, and nobody by a shared alias', () => {
    assert.equal(personNamed(people, ' SOLMYR ')?.name, 'Solmyr')
    assert.equal(personNamed(people, 'sol')?.name, 'Solmyr')
    assert.equal(personNamed(people, 'Wspólny'.normalize('NFD')), null)
    assert.equal(personNamed(people, 'Nikt'), null)
  })
})
