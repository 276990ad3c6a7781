import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import {
  type NamedRight,
  namedCaller,
  namedToken,
  type TokenRecord,
  tokenHash,
} from './credentials/tokens.js'

const kept = new Map<string, TokenRecord<NamedRight>>()
const keep = (token: string, right: NamedRight): string => {
  const hash = tokenHash(token)
  kept.set(hash.toString('hex'), { hash, right })
  return token
}
const caller = namedCaller(hash => kept.get(hash) ?? null)
const bot = keep('named_1.bot', {
  id: '1',
  name: 'bot kalendarza',
  capabilities: ['session.read', 'lore.edit'],
  expiresMs: 5_000,
})

describe('a named token', () => {
  it('is its public id and 256 random bits behind its prefix', () => {
    match(namedToken('00ff', Buffer.alloc(32, 0xff)), /^named_00ff\.[A-Za-z0-9_-]{43}$/)
  })

  it('speaks for nobody, with the set that was frozen, also before the first snapshot', () => {
    for (const snapshot of [null, worldOf({ '.svc/roles.json': '{"roles": {}}' })]) {
      const found = caller(bot, snapshot, 0)
      equal(found?.kind, 'named')
      deepEqual([found.gracz, found.gameId, found.grade], [null, null, 'full'])
      deepEqual(found.token, { id: '1', name: 'bot kalendarza' })
      deepEqual([...found.holds], ['session.read', 'lore.edit'])
      deepEqual(found.view, { mayReadRestricted: true, sessions: true, logs: false, external: false })
    }
    equal(caller(bot, null, 0), caller(bot, null, 1))
  })

  it('is good until it expires, and for ever without an end', () => {
    ok(caller(bot, null, 4_999) !== null)
    equal(caller(bot, null, 5_000), null)
    equal(caller(bot, null, 6_000), null)
    const lasting = keep('named_2.bot', {
      id: '2',
      name: 'bot',
      capabilities: ['entity.read'],
      expiresMs: null,
    })
    ok(caller(lasting, null, Number.MAX_SAFE_INTEGER) !== null)
  })

  it('is nobody when it is gone, and is no other token', () => {
    const hash = tokenHash(bot).toString('hex')
    for (const text of [`named_${hash}`, hash, 'sess_1.bot', 'apik_1.bot', 'named_1', 'named_1.'])
      equal(caller(text, null, 0), null, text)
    kept.delete(hash)
    equal(caller(bot, null, 0), null)
  })
})
