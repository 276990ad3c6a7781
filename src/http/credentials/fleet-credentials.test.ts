import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { verifyJws } from '#src/adapters/jose.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nowMs } from '#test/support/front.js'
import { fleetWorld, keysFile, publishedKeyOf, testHost } from '#test/support/identity/fleet.js'
import { arkadiaBeside } from '#test/support/identity/fleet-bearer.js'
import { credentialsOf, fleetResolver } from './authenticate.js'

const other = testHost('Bergen')
const { host, world, header, claims, signedHere } = arkadiaBeside([other])
const keys = (epoch: number, notAfter: string | null = null) =>
  keysFile({ epoch, keys: [publishedKeyOf(host, notAfter), publishedKeyOf(other)] })

const tokenOf = (changes: object = {}): string => `fsess_${signedHere(header, { ...claims, ...changes })}`

/** A resolver that counts its verifications. */
const makeCountingResolver = () => {
  const seen = { verified: 0 }
  const resolve = fleetResolver((compact, key) => {
    seen.verified += 1
    return verifyJws(compact, key)
  })
  const who = async (token: string, at: Snapshot | null, ms = nowMs) =>
    (await resolve(token, at, ms))?.gracz ?? null
  return { seen, who }
}

describe('the bearer of a fleet token', () => {
  it('is a caller of the kind fleet with the rights of now', async () => {
    const caller = await fleetResolver(verifyJws)(tokenOf(), world, nowMs)
    deepEqual([caller?.kind, caller?.gracz, caller?.gameId], ['fleet', 'Brzoza', '100'])
    equal(caller?.holds.has('session.write'), true)
    const contributors =
      '## Gracz\n### Brzoza\n- @gameid: 100 (2020-01:)\n- @rola: Narrator (2024-01:2026-05)\n'
    const after = fleetWorld(keys(1), { 'kontrybutorzy.md': contributors })
    equal((await fleetResolver(verifyJws)(tokenOf(), after, nowMs))?.holds.has('session.write'), false)
  })

  it('is nobody before the first snapshot, and once nobody has the id', async () => {
    const { who } = makeCountingResolver()
    equal(await who(tokenOf(), null), null)
    equal(await who(tokenOf(), fleetWorld(keys(1), { 'kontrybutorzy.md': '## Gracz\n' })), null)
  })

  it('has one signature verified, for as long as its kid names the same key', async () => {
    const { seen, who } = makeCountingResolver()
    const token = tokenOf()
    for (let nth = 0; nth < 3; nth += 1) equal(await who(token, world), 'Brzoza')
    equal(await who(token, { ...world, generation: 2 }), 'Brzoza')
    equal(await who(token, fleetWorld(keys(1))), 'Brzoza')
    equal(seen.verified, 1)
    equal(await who(token, fleetWorld(keysFile({ epoch: 1, keys: [publishedKeyOf(other)] }))), null)
    equal(await who(token, fleetWorld(keys(2))), null)
    equal(seen.verified, 1)
    const swapped = { ...publishedKeyOf(host), jwk: publishedKeyOf(other).jwk }
    equal(await who(token, fleetWorld(keysFile({ epoch: 1, keys: [swapped] }))), null)
    equal(seen.verified, 2)
  })

  it('is looked at again at once on the keys of another snapshot; one that was never verified is nobody', async () => {
    const { resolveAgain: again, resolve } = credentialsOf(Buffer.alloc(32), {
      fsess_: fleetResolver(verifyJws),
    })
    const token = tokenOf()
    equal(again(token, world, nowMs), null)
    equal((await resolve(token, world, nowMs))?.gracz, 'Brzoza')
    equal(again(token, fleetWorld(keys(1)), nowMs)?.gracz, 'Brzoza')
    equal(again(token, fleetWorld(keys(2)), nowMs), null)
    equal(again(token, fleetWorld(keysFile({ epoch: 1, keys: [publishedKeyOf(other)] })), nowMs), null)
    equal(again(token, world, nowMs + 900_000), null)
  })

  it('is forgotten for newer ones past 10,000, and known again when it comes', async () => {
    let verified = 0
    const resolve = fleetResolver(() => {
      verified += 1
      return Promise.resolve(true)
    })
    const unsigned = (nth: number) => {
      const [head = '', body = ''] = tokenOf({ nth }).split('.')
      return `${head}.${body}.AAAA`
    }
    const tokens = Array.from({ length: 10_001 }, (_, nth) => unsigned(nth))
    for (const token of tokens) await resolve(token, world, nowMs)
    await resolve(tokens[1] ?? '', world, nowMs)
    equal(verified, 10_001)
    await resolve(tokens[0] ?? '', world, nowMs)
    equal(verified, 10_002)
  })

  const lives: ReadonlyArray<readonly [name: string, changes: object, atMs: number, who: string | null]> = [
    ['in its last millisecond', {}, nowMs + 899_999, 'Brzoza'],
    ['when it expires', {}, nowMs + 900_000, null],
    ['60 s before it was made, by this clock', {}, nowMs - 60_000, 'Brzoza'],
    ['61 s before it was made', {}, nowMs - 61_000, null],
    ['with a lifetime of 901 s', { exp: claims.iat + 901 }, nowMs, null],
    ['with a lifetime of 901 s that began earlier', { iat: claims.iat - 1 }, nowMs, null],
    ['with exp of 1e308', { exp: 1e308 }, nowMs, null],
    ['with exp as text', { exp: String(claims.exp) }, nowMs, null],
    ['without exp', { exp: undefined }, nowMs, null],
    ['without iat', { iat: undefined }, nowMs, null],
    ['of an epoch that was not published yet here', { epoch: 2 }, nowMs, 'Brzoza'],
    ['of epoch 0', { epoch: 0 }, nowMs, null],
    ['of an epoch as text', { epoch: '1' }, nowMs, null],
    ['of the account that speaks for the id', { chat: 'c1' }, nowMs, 'Brzoza'],
    ['of another account', { chat: 'c2' }, nowMs, null],
    ['of an account for another id', { chat: 'c1', sub: '200' }, nowMs, null],
  ]
  for (const [name, changes, atMs, who] of lives)
    it(`is ${who === null ? 'nobody' : 'known'} ${name}`, async () => {
      const fresh = makeCountingResolver()
      equal(await fresh.who(tokenOf(changes), world, atMs), who)
      const used = makeCountingResolver()
      await used.who(tokenOf(changes), world)
      equal(await used.who(tokenOf(changes), world, atMs), who, 'the same of a token that was remembered')
    })

  it('is nobody after the key that signed was withdrawn, remembered or not', async () => {
    const ending = fleetWorld(keys(1, new Date(nowMs + 5_000).toISOString()))
    const { seen, who } = makeCountingResolver()
    equal(await who(tokenOf(), ending, nowMs + 5_000), 'Brzoza')
    equal(await who(tokenOf(), ending, nowMs + 5_001), null)
    equal(seen.verified, 1)
  })

  it('is nobody after the account was bound to another id', async () => {
    const moved = { chatId: 'c1', gameId: '200', since: '2026-01-01T00:00:00Z', by: 'Brzoza' }
    const { who } = makeCountingResolver()
    equal(await who(tokenOf({ chat: 'c1' }), world), 'Brzoza')
    const after = fleetWorld(keys(1), { '.svc/bindings.json': JSON.stringify({ bindings: [moved] }) })
    equal(await who(tokenOf({ chat: 'c1' }), after), null)
  })
})
