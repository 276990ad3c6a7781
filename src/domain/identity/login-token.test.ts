import { equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import {
  type LoginRight,
  loginCaller,
  loginToken,
  type TokenRecord,
  tokenHash,
} from './credentials/tokens.js'

const store = (role: string): string => `## Gracz
### Brzoza
- @gameid: 100
${role}
### Cis
- @gameid: 200 (:2026-06-14)
- @gameid: 201 (2026-06-15:)
### Dąb
- @gameid: 300
### Grab
- @gameid: 300
`
const bindingsWith = (gameId: string): string =>
  JSON.stringify({ bindings: [{ chatId: 'c1', gameId, since: '2026-01-01T00:00:00Z', by: 'Brzoza' }] })
const worldWith = (role: string, bound: string) =>
  worldOf(
    { 'kontrybutorzy.md': store(role), '.svc/bindings.json': bindingsWith(bound) },
    { day: '2026-06-15' },
  )
const world = worldWith('- @rola: Narrator', '100')

const expiresMs = 1_000_000
const logins = new Map<string, TokenRecord<LoginRight>>()
const keep = (token: string, gameId: string, chatId: string | null = null): string => {
  const hash = tokenHash(token)
  logins.set(hash.toString('hex'), { hash, right: { gameId, chatId, expiresMs } })
  return token
}
const caller = loginCaller(hash => logins.get(hash) ?? null)
const brzoza = keep('sess_brzoza', '100')

describe('a login token', () => {
  it('is 256 random bits behind its prefix', () => {
    match(loginToken(Buffer.alloc(32, 0xff)), /^sess_[A-Za-z0-9_-]{43}$/)
    notEqual(loginToken(Buffer.alloc(32)), loginToken(Buffer.alloc(32, 1)))
  })

  it('speaks for its game id with the rights of the snapshot that is asked', () => {
    const then = caller(brzoza, world, 0)
    equal(then?.kind, 'session')
    equal(then.gracz, 'Brzoza')
    ok(then.holds.has('session.write'))
    const now = caller(brzoza, worldWith('- @rola: Narrator (:2026-06-14)', '100'), 0)
    equal(now?.gracz, 'Brzoza')
    ok(!now.holds.has('session.write'), 'a role that ended is gone with the next snapshot (S30)')
  })

  it('makes its caller once per snapshot', () => {
    equal(caller(brzoza, world, 0), caller(brzoza, world, 1))
    notEqual(caller(brzoza, worldWith('- @rola: Narrator', '100'), 0), caller(brzoza, world, 0))
  })

  it('is good until it expires, and not at that moment nor a second after', () => {
    ok(caller(brzoza, world, expiresMs - 1) !== null)
    equal(caller(brzoza, world, expiresMs), null)
    equal(caller(brzoza, world, expiresMs + 1000), null)
  })

  it('is nobody before the first snapshot, and on a host that did not mint it', () => {
    equal(caller(brzoza, null, 0), null)
    equal(loginCaller(() => null)(brzoza, world, 0), null)
  })

  it('is nobody where its game id is closed today, shared, or unknown', () => {
    equal(caller(keep('sess_closed', '200'), world, 0), null)
    ok(caller(keep('sess_open', '201'), world, 0) !== null)
    equal(caller(keep('sess_shared', '300'), world, 0), null)
    equal(caller(keep('sess_unknown', '999'), world, 0), null)
  })

  it('of a chat account ends with the link by which it signed in', () => {
    const byChat = keep('sess_chat', '100', 'c1')
    ok(caller(byChat, world, 0) !== null)
    equal(caller(byChat, worldWith('', '201'), 0), null)
    equal(caller(byChat, worldOf({ 'kontrybutorzy.md': store('') }), 0), null)
    ok(caller(brzoza, worldWith('', '201'), 0) !== null, 'a game login needs no link')
  })

  it('is no other token: not its hash, not its body behind another prefix', () => {
    const hash = tokenHash(brzoza)
    for (const text of [hash.toString('hex'), `sess_${hash.toString('hex')}`, 'fsess_brzoza', 'named_brzoza'])
      equal(caller(text, world, 0), null, text)
  })
})
