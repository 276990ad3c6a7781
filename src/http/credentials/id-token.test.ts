import { equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { claims, tokenWithClaims, tokenWithHeader } from '#test/support/identity/forged-tokens.js'
import { chatSignInWith, clientId, issuer } from '#test/support/identity/id-tokens.js'
import { runsOf } from '#test/support/runs.js'
import { verifyIdToken } from './authenticate.js'

const rules = { issuer, clientId }
const chat = chatSignInWith()

const isTaken = async (text: string): Promise<boolean> =>
  !isLeft(await verifyIdToken(text, rules, chat, Date.now()))

/** The empty one leaves a letter out. */
const letters = [
  '',
  ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n%'),
]

describe('an id token that is believed', () => {
  it('is refused with any one letter otherwise, left out or put in', async () => {
    const good = tokenWithHeader({})
    ok(await isTaken(good))
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: good.length - 1 }),
        fc.constantFrom(...letters),
        fc.constantFrom(0, 1),
        async (at, letter, taken) => {
          const other = good.slice(0, at) + letter + good.slice(at + taken)
          equal(await isTaken(other), other === good, `at ${at}`)
        },
      ),
      { numRuns: runsOf(1_000) },
    )
  })

  it('never throws, whatever text it is', async () => {
    const part = fc.oneof(
      fc.string(),
      fc.json().map(text => Buffer.from(text).toString('base64url')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async parts => {
        equal(await isTaken(parts.join('.')), false)
      }),
      { numRuns: runsOf(1_000) },
    )
  })

  it('is refused with any claim of another kind of value', async () => {
    const names = Object.keys(claims()).filter(name => name !== 'iat')
    const kinds = [null, true, [], {}, '', -1, 1.5e300, 'x']
    for (const name of names)
      for (const value of kinds)
        equal(await isTaken(tokenWithClaims({ [name]: value })), name === 'sub' && value === 'x')
  })

  it('costs no key and no signature where it can be told without', async () => {
    const keysBy = () => Promise.reject(new Error('a key was asked for'))
    const without = { ...chat, keysBy }
    for (const token of ['', 'a.b.c', tokenWithClaims({ aud: 'other' }), tokenWithHeader({ alg: 'none' })])
      ok(isLeft(await verifyIdToken(token, rules, without, Date.now())))
    const away = { ...chat, keysBy: () => Promise.resolve(left({ _tag: 'KeysAway', why: 'unset' } as const)) }
    const verdict = await verifyIdToken(tokenWithHeader({}), rules, away, Date.now())
    equal(isLeft(verdict) && verdict.left._tag, 'SigningKeyAway')
  })
})
