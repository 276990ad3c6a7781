import { deepEqual, equal } from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'mocha'
import { verifyJws } from '#src/adapters/jose.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { nowMs } from '#test/support/front.js'
import {
  encodeSegment,
  fleetHeader,
  fleetWorld,
  goodClaims,
  goodPeerClaims,
  keysFile,
  peerHeader,
  publishedKeyOf,
  signCompact,
  testHost,
  xOf,
} from '#test/support/identity/fleet.js'
import { fleetResolver } from './authenticate.js'

const [host, other, foreign] = [testHost('Avlee'), testHost('Deyja'), testHost('Avlee')]
const keys = (epoch: number, notAfter: string | null = null) =>
  keysFile({ epoch, keys: [publishedKeyOf(host, notAfter), publishedKeyOf(other)] })
const towns = ['Avlee', 'Deyja']
const worldWith = (keysText: string, listed: ReadonlyArray<string> = towns) =>
  fleetWorld(keysText, { '.svc/fleet.json': fleetText('Deyja', 1, listed) })
const world = worldWith(keys(3))
const header = peerHeader(host)
const claims = { ...goodPeerClaims(host, nowMs), epoch: 3 }
const good = signCompact(host.privateKey, header, claims)

const callerOf = (jws: string, snapshot: Snapshot = world, atMs = nowMs) =>
  fleetResolver(verifyJws)(`fsess_${jws}`, snapshot, atMs)
const kindOf = async (...args: Parameters<typeof callerOf>) => (await callerOf(...args))?.kind ?? null

describe('the bearer of a peer token', () => {
  it('is a town with two capabilities and no person, whatever roles and grants say', async () => {
    const caller = await callerOf(good)
    if (caller === null) throw new Error('the token has no caller')
    deepEqual([...caller.holds], ['fleet.read', 'derive.read'])
    deepEqual([caller.kind, caller.gracz, caller.gameId], ['peer', null, null])
    deepEqual(caller.token, { id: 'Avlee.1', name: 'Avlee' })
    deepEqual(caller.view, { mayReadRestricted: false, sessions: false, logs: false, external: false })
    const granted = fleetWorld(keys(3), {
      '.svc/fleet.json': fleetText('Deyja', 1, towns),
      'kontrybutorzy.md': '## Gracz\n### Avlee\n- @gameid: Avlee\n- @rola: IT\n',
      '.svc/grants.json': JSON.stringify({
        grants: [{ gameId: 'Avlee', capability: 'admin.all', since: '2026-01-01T00:00:00Z', by: 'Brzoza' }],
      }),
    })
    const still = await callerOf(good, granted)
    deepEqual(still === null ? null : [...still.holds], ['fleet.read', 'derive.read'])
  })

  it('is nobody once the topology does not list the town, or is not there, with the key still published', async () => {
    equal(await kindOf(good, worldWith(keys(3), ['Deyja'])), null)
    equal(await kindOf(good, fleetWorld(keys(3))), null)
    equal(await kindOf(good, fleetWorld(keys(3), { '.svc/fleet.json': '{"apex": 1}' })), null)
    const resolve = fleetResolver(verifyJws)
    equal((await resolve(`fsess_${good}`, world, nowMs))?.kind, 'peer')
    equal(await resolve(`fsess_${good}`, worldWith(keys(3), ['Deyja']), nowMs), null, 'also once verified')
  })

  it('is nobody by a raised epoch, a key that was taken out, and a key that has ended', async () => {
    const only = keysFile({ epoch: 3, keys: [publishedKeyOf(other)] })
    const ended = worldWith(keys(3, new Date(nowMs - 1).toISOString()))
    for (const snapshot of [worldWith(keys(4)), worldWith(only), ended]) {
      const resolve = fleetResolver(verifyJws)
      equal((await resolve(`fsess_${good}`, world, nowMs))?.kind, 'peer')
      equal(await resolve(`fsess_${good}`, snapshot, nowMs), null)
      equal(await kindOf(good, snapshot), null)
    }
  })

  it('never passes for a person, and a person never for a town', async () => {
    const person = fleetWorld(keys(3), {
      '.svc/fleet.json': fleetText('Deyja', 1, towns),
      'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 100\n### Avlee\n- @gameid: Avlee\n',
    })
    const byPerson = { ...goodClaims(host, nowMs), epoch: 3 }
    equal(await kindOf(signCompact(host.privateKey, header, byPerson), person), null)
    equal(await kindOf(signCompact(host.privateKey, fleetHeader(host), byPerson), person), 'fleet')
    // A person whose id is the name of the town is that person, with their own rights alone.
    const asTown = await callerOf(signCompact(host.privateKey, fleetHeader(host), claims), person)
    deepEqual([asTown?.kind, asTown?.gracz], ['fleet', 'Avlee'])
    equal(await kindOf(signCompact(host.privateKey, fleetHeader(host), claims)), null)
  })

  const signedHere = (changes: object, head: object = header): string =>
    signCompact(host.privateKey, head, { ...claims, ...changes })
  const hmac = (): string => {
    const input = `${encodeSegment({ ...header, alg: 'HS256' })}.${encodeSegment(claims)}`
    return `${input}.${createHmac('sha256', xOf(host.publicKey)).update(input).digest('base64url')}`
  }
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const ed448 = generateKeyPairSync('ed448').privateKey
  const [headPart, , signature] = good.split('.')
  const refused: ReadonlyArray<readonly [name: string, jws: string]> = [
    ['alg none', `${encodeSegment({ ...header, alg: 'none' })}.${encodeSegment(claims)}.`],
    ['alg none with a signature', signedHere({}, { ...header, alg: 'none' })],
    ['an HMAC keyed with the public half', hmac()],
    ['a key of the curve P-256', signCompact(p256, { ...header, alg: 'ES256' }, claims, 'sha256')],
    ['a key of the curve Ed448', signCompact(ed448, header, claims)],
    ['the type of no token', signedHere({}, { ...header, typ: 'JWT' })],
    ['no type', signedHere({}, { alg: 'EdDSA', kid: host.kid })],
    ['its type in other letters', signedHere({}, { ...header, typ: 'FPEER+JWT' })],
    ['its type with the prefix of a media type', signedHere({}, { ...header, typ: 'application/fpeer+jwt' })],
    ['a list of both types', signedHere({}, { ...header, typ: ['fsess+jwt', 'fpeer+jwt'] })],
    ['a foreign key', signCompact(foreign.privateKey, header, claims)],
    ['a foreign key in its header', signedHere({}, { ...header, jwk: publishedKeyOf(foreign).jwk })],
    ['the key of another town', signCompact(other.privateKey, peerHeader(other), claims)],
    ['the name of another town, signed by its own key', signedHere({ sub: 'Deyja' })],
    ['another town in both names', signedHere({ sub: 'Deyja', iss: 'Deyja' })],
    ['an issuer that is another town', signedHere({ iss: 'Deyja' })],
    ['a town in other letters', signedHere({ sub: 'avlee' })],
    ['no town', signedHere({ sub: '' })],
    ['an older epoch', signedHere({ epoch: 2 })],
    ['an epoch in a list', signedHere({ epoch: [3] })],
    ['another audience', signedHere({ aud: 'kronika' })],
    ['a list of audiences', signedHere({ aud: ['kronika:fleet'] })],
    ['a lifetime of 901 s', signedHere({ exp: claims.exp + 1 })],
    ['an end in the past', signedHere({ iat: claims.iat - 900, exp: claims.exp - 900 })],
    ['a begin 61 s ahead', signedHere({ iat: claims.iat + 61, exp: claims.exp + 61 })],
    ['no end', signedHere({ exp: undefined })],
    ['nested claims', signedHere({ sub: { town: 'Avlee' } })],
    ['claims within claims', signCompact(host.privateKey, header, { claims })],
    ['a token as its claims', signCompact(host.privateKey, { ...header, cty: 'JWT' }, good)],
    [
      'other claims than were signed',
      `${headPart}.${encodeSegment({ ...claims, sub: 'Deyja' })}.${signature}`,
    ],
  ]
  for (const [name, jws] of refused)
    it(`is refused with ${name}`, async () => {
      equal(await kindOf(good), 'peer')
      equal(await kindOf(jws), null)
    })

  it('gains nothing by claims of its own', async () => {
    const caller = await callerOf(
      signedHere({ capabilities: ['admin.all'], holds: ['admin.all'], chat: 'c1' }),
    )
    deepEqual(caller === null ? null : [...caller.holds], ['fleet.read', 'derive.read'])
  })

  it('is known 60 s ahead of this clock and to its last millisecond', async () => {
    equal(await kindOf(good, world, nowMs - 60_000), 'peer')
    equal(await kindOf(good, world, nowMs + 899_999), 'peer')
    equal(await kindOf(good, world, nowMs + 900_000), null)
  })
})
