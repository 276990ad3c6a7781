import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import { callerOf, hasEveryRightOf, identitiesOf, isAboveFloor, resolveGameId } from './callers.js'

const store = `## Gracz
### Brzoza
- @gameid: 100 (2020-01:)
- @gameid: 99 (:2019-12)
- @rola: Narrator (2024-01:)
- @rola: Radny (:2023-12)
### Cis
- @gameid: 200
### Dąb
- @gameid: 300
### Grab
- @gameid: 300
`
const grant = (gameId: string, capability: string) => ({
  gameId,
  capability,
  since: '2026-01-01T00:00:00Z',
  by: 'Brzoza',
})
const world = worldOf(
  {
    'kontrybutorzy.md': store,
    '.svc/grants.json': JSON.stringify({ grants: [grant('200', 'sync.run'), grant('200', 'docs.edit')] }),
    '.svc/bindings.json': JSON.stringify({
      bindings: [{ chatId: 'c1', gameId: '100', since: '2026-01-01T00:00:00Z', by: 'Brzoza' }],
    }),
  },
  { day: '2026-06-15' },
)
const { byGameId, holdersOf } = identitiesOf(world)

describe('identities', () => {
  it('are known by the id of today, with the roles of today and the chat account that is linked', () => {
    deepEqual(byGameId('100')?.identity, { gameId: '100', name: 'Brzoza', roles: ['Narrator'], chatId: 'c1' })
    equal(byGameId('99'), null)
  })

  it('are never those of a block whose heading the audit gives to the daemon', () => {
    for (const heading of ['machine', 'MACHINE', 'Máchine', 'ma\u00a0chine', 'chat:123', 'Kronika']) {
      const ground = worldOf(
        { 'kontrybutorzy.md': `## Gracz\n### ${heading}\n- @gameid: 100\n` },
        { day: '2026-06-15' },
      )
      const isTaken = heading === 'ma\u00a0chine'
      equal(identitiesOf(ground).byGameId('100')?.identity.name ?? null, isTaken ? 'ma chine' : null, heading)
      equal(resolveGameId(ground, '100')._tag, isTaken ? 'Right' : 'Left', heading)
    }
  })

  it('hold the bundle gracz, the bundles of their roles, and what was granted', () => {
    const holds = (id: string) => byGameId(id)?.holds ?? new Set<string>()
    ok(holds('100').has('session.write') && holds('100').has('player.write.own'))
    ok(!holds('100').has('pu.award'), 'a closed range of a role gives nothing')
    ok(holds('200').has('sync.run') && !holds('200').has('session.write'))
    ok(!holds('200').has('docs.edit'), 'no grant gives docs.edit (A 5)')
  })

  it('are nobody where two people have the id', () => {
    equal(byGameId('300'), null)
    deepEqual(
      holdersOf('300').map(person => person.name),
      ['Dąb', 'Grab'],
    )
  })

  it('are nobody where a second block of a name has the id of somebody else', () => {
    const second = (id: string) =>
      identitiesOf(
        worldOf({ 'kontrybutorzy.md': `${store}### BRZOZA\n- @gameid: ${id}\n` }, { day: '2026-06-15' }),
      )
    equal(second('200').byGameId('200'), null)
    equal(second('100').byGameId('100')?.identity.name, 'Brzoza')
  })

  it('stand above the floor by a role or a grant, and cover each other by what they satisfy', () => {
    const holds = (id: string) => byGameId(id)?.holds ?? new Set<string>()
    const plain = identitiesOf(worldOf({ 'kontrybutorzy.md': store }, { day: '2026-06-15' })).byGameId('200')
    ok(isAboveFloor(holds('100'), world.roles) && isAboveFloor(holds('200'), world.roles))
    ok(plain !== null && !isAboveFloor(plain.holds, world.roles))
    ok(hasEveryRightOf(holds('100'), plain.holds) && !hasEveryRightOf(plain.holds, holds('100')))
  })

  it('make callers with the rights of the snapshot', () => {
    const known = byGameId('100')
    ok(known !== null)
    const caller = callerOf('session', known)
    deepEqual([caller.gracz, caller.gameId, caller.view.sessions], ['Brzoza', '100', true])
  })
})
