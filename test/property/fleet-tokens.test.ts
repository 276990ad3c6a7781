import { equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { encodeSegment } from '#test/support/identity/fleet.js'
import { arkadiaBeside, fleetBearerOf } from '#test/support/identity/fleet-bearer.js'
import { runsOf } from '#test/support/runs.js'

const { world, header, claims, signedHere } = arkadiaBeside()
const good = signedHere(header, claims)
const bearer = fleetBearerOf()
const who = (jws: string) => bearer(jws, world)

const letter = fc.constantFrom(...Array.from('ABCXYZabcxyz0189-_.=+/ \n\u0000é'))
const place = fc.nat(good.length)

/** A text that one edit makes of another. */
const edited = fc.oneof(
  fc.tuple(place, letter).map(([at, put]) => `${good.slice(0, at)}${put}${good.slice(at + 1)}`),
  fc.tuple(place, letter).map(([at, put]) => `${good.slice(0, at)}${put}${good.slice(at)}`),
  fc
    .tuple(place, fc.integer({ min: 1, max: 40 }))
    .map(([at, cut]) => good.slice(0, at) + good.slice(at + cut)),
  place.map(at => good.slice(at) + good.slice(0, at)),
)

/** Values that JSON may have where a claim stands. */
const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.double(), fc.string())

describe('fleet tokens', () => {
  it('have one text: no edit of a good one is taken, before it is remembered and after', async () => {
    for (let round = 0; round < 2; round += 1) {
      await fc.assert(
        fc.asyncProperty(edited, async text => {
          if (text !== good) equal(await who(text), null, text)
        }),
        { numRuns: runsOf(1_000) },
      )
      equal(await who(good), 'Brzoza')
    }
  })

  it('are taken with the claims that a host gives them alone: an odd value of any is refused, never thrown', async () => {
    const name = fc.constantFrom('iss', 'sub', 'aud', 'iat', 'exp', 'epoch', 'chat')
    await fc.assert(
      fc.asyncProperty(name, odd, async (claim, value) => {
        const token = signedHere(header, { ...claims, [claim]: value })
        const isSame = JSON.stringify(value) === JSON.stringify(Reflect.get(claims, claim))
        const isLess =
          Number.isSafeInteger(value) &&
          ((claim === 'epoch' && Number(value) >= 1) ||
            (claim === 'exp' && Number(value) > claims.iat && Number(value) <= claims.exp) ||
            (claim === 'iat' && Number(value) >= claims.iat && Number(value) <= claims.iat + 60))
        if (!isSame && !isLess) equal(await who(token), null, `${claim}: ${JSON.stringify(value)}`)
      }),
      { numRuns: runsOf(500) },
    )
  })

  it('are nothing without a signature of theirs, whatever stands in the header', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom('alg', 'typ', 'kid', 'jwk', 'x'), odd), async extra => {
        const head = encodeSegment({ ...header, ...extra })
        equal(await who(`${head}.${encodeSegment(claims)}.${good.split('.')[2] ?? ''}x`), null)
        equal(
          await who(`${head}.${encodeSegment({ ...claims, sub: '200' })}.${good.split('.')[2] ?? ''}`),
          null,
        )
      }),
      { numRuns: runsOf(300) },
    )
  })
})
