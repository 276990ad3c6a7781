import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { SearchTiers } from '#protocol/host/config.js'
import { tiersOfConfig } from './query.js'

describe('server.search_index', () => {
  it('turns on none, all, a tier or a list, in the order of the tiers', () => {
    deepEqual(tiersOfConfig(''), [])
    deepEqual(tiersOfConfig([]), [])
    deepEqual(tiersOfConfig('all'), ['lore', 'session', 'speech', 'external'])
    deepEqual(tiersOfConfig('session'), ['session'])
    deepEqual(tiersOfConfig('external, speech'), ['speech', 'external'])
    deepEqual(tiersOfConfig(['external', 'session']), ['session', 'external'])
  })

  it('brings session with lore', () => {
    deepEqual(tiersOfConfig(['lore']), ['lore', 'session'])
  })

  it('takes no other word', () => {
    const values = ['', 'all', 'lore,speech', ['lore'], [], 'lor', ['lore', 'wszystko'], 7, null, [7]]
    deepEqual(
      values.map(value => SearchTiers.is(value)),
      [true, true, true, true, true, false, false, false, false, false],
    )
  })
})
