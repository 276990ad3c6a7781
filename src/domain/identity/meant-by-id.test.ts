import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { grantPlan } from '#src/writing/identity/grants.js'
import { worldOf } from '#test/support/world.js'
import { resolveGameId } from './callers.js'
import { findByGameId } from './player-refusals.js'

const world = worldOf({
  'kontrybutorzy.md': `## Gracz
### Brzoza
- @gameid: 100
### Cis
- @gameid: 300
### Dąb
- @gameid: 300
### Grab
- @gameid: 400
- @gameid: 401
`,
})

const doubts = [
  ['999', { _tag: 'Nobody' }, 'no_gracz_for_game_id', /^No person has/],
  ['300', { _tag: 'Several', names: ['Cis', 'Dąb'] }, 'ambiguous_game_id', /^Several people/],
  ['400', { _tag: 'OneOfTwo', names: ['Grab'] }, 'ambiguous_game_id', /has a second id open today/],
] as const

describe('whom a game id means', () => {
  it('is the one Gracz that has it open alone', () => {
    const meant = resolveGameId(world, '100')
    equal(isLeft(meant) ? null : meant.right.identity.name, 'Brzoza')
  })

  for (const [gameId, doubt, tag, sentence] of doubts)
    it(`is nobody (${doubt._tag}), for whoever binds and whoever grants`, () => {
      const meant = resolveGameId(world, gameId)
      deepEqual(isLeft(meant) && meant.left, doubt)
      const bound = findByGameId(world, gameId)
      equal(isLeft(bound) && bound.left._tag, tag)
      const granter = { by: 'machine', holds: new Set(['admin.all']) }
      const granted = grantPlan({ gameId, capability: 'pu.read' }, granter)(world, 0)
      match(isLeft(granted) ? granted.left.detail : '', sentence)
    })
})
