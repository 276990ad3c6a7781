import { deepEqual, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'mocha'
import { callerByApiKey } from '#src/identity/tokens/api-keys.js'
import { type LoginRight, loginCaller } from '#src/identity/tokens/login-token.js'
import { tokenHash } from '#src/identity/tokens/machine-token.js'
import { type NamedRight, namedCaller } from '#src/identity/tokens/named-token.js'
import { worldOf } from '#test/support/world.js'

/** SECURITY 4.3.18: how long a refusal takes tells nothing of how near a token came to one that is good. */

const samples = 10_000
const sigmasMax = 3
/** Of two means that are one, noise that comes in bursts puts every third apart: that many in a row are no chance. */
const tries = 20

/** A text as it comes from a socket: in one piece, not joined or cut of others. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

const random = (prefix: string): string => flat(prefix + randomBytes(32).toString('base64url'))

interface Measured {
  readonly meanNs: number
  /** Variance of the mean. */
  readonly spread: number
}

/** Pauses of the machine are no answers of the resolver: the slowest twentieth is left out on both sides. */
const measured = (times: ReadonlyArray<number>): Measured => {
  const kept = times.toSorted((one, other) => one - other).slice(0, Math.floor(times.length * 0.95))
  const meanNs = kept.reduce((sum, one) => sum + one, 0) / kept.length
  const variance = kept.reduce((sum, one) => sum + (one - meanNs) ** 2, 0) / (kept.length - 1)
  return { meanNs, spread: variance / kept.length }
}

const timeOf = (resolve: (token: string) => unknown, token: string): number => {
  const start = process.hrtime.bigint()
  resolve(token)
  return Number(process.hrtime.bigint() - start)
}

/** By how many sigmas the means differ: tokens that begin as a good one does against random ones, in turn. */
const sigmas = (good: string, resolve: (token: string) => unknown): number => {
  const prefix = good.slice(0, good.indexOf('_') + 1)
  const near: Array<number> = []
  const far: Array<number> = []
  for (let at = 0; at < samples; at += 1) {
    const tokens = [flat(good.slice(0, -8) + randomBytes(6).toString('base64url')), random(prefix)] as const
    const [one, other] = at % 2 === 0 ? [near, far] : [far, near]
    one.push(timeOf(resolve, at % 2 === 0 ? tokens[0] : tokens[1]))
    other.push(timeOf(resolve, at % 2 === 0 ? tokens[1] : tokens[0]))
  }
  const [left, right] = [measured(near), measured(far)]
  return Math.abs(left.meanNs - right.meanNs) / Math.sqrt(left.spread + right.spread)
}

/** The least of a few measurements: noise of a busy machine comes and goes, a difference in the code stays. */
const leastSigmas = (good: string, resolve: (token: string) => unknown): number => {
  sigmas(good, resolve)
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries && least >= sigmasMax; at += 1) least = Math.min(least, sigmas(good, resolve))
  return least
}

const kept = <A>(token: string, right: A) => {
  const hash = tokenHash(token)
  const entry = { hash, right }
  const hex = hash.toString('hex')
  return (wanted: string) => (wanted === hex ? entry : null)
}

const [session, named, api] = [random('sess_'), random('named_00ff.'), random('apik_')]
const world = worldOf({
  'kontrybutorzy.md': `## Gracz\n### Brzoza\n- @gameid: 100\n- @klucz_api: sha256:${tokenHash(api).toString('hex')}\n`,
})
const ofSession = loginCaller(
  kept<LoginRight>(session, { gameId: '100', chatId: null, expiresMs: Number.POSITIVE_INFINITY }),
)
const ofNamed = namedCaller(
  kept<NamedRight>(named, { id: '1', name: 'bot', capabilities: [], expiresMs: null }),
)

const resolvers: ReadonlyArray<readonly [kind: string, good: string, resolve: (token: string) => unknown]> = [
  ['sess_', session, token => ofSession(token, world, 0)],
  ['named_', named, token => ofNamed(token, world, 0)],
  ['apik_', api, token => callerByApiKey(token, world)],
]

describe('SECURITY 4.3 time of a refusal', () => {
  for (const [at, [kind, good, resolve]] of resolvers.entries())
    it(`4.3.18${'abc'[at] ?? ''} | ${kind}: a valid prefix against a random token, ${samples} of each | under ${sigmasMax} sigma`, () => {
      ok(resolve(good) !== null, 'the good one is known')
      const apart = leastSigmas(good, resolve)
      ok(apart < sigmasMax, `${apart.toFixed(1)} sigma`)
    })

  it('asks what is kept by the hash of the whole token, and for nothing else', () => {
    const asked: Array<string> = []
    const nobody = (hash: string): null => {
      asked.push(hash)
      return null
    }
    const near = [session, named].map(good => `${good.slice(0, -8)}AAAAAAAA`)
    loginCaller(nobody)(near[0] ?? '', world, 0)
    namedCaller(nobody)(near[1] ?? '', world, 0)
    deepEqual(
      asked,
      near.map(token => tokenHash(token).toString('hex')),
    )
  })

  it('would be seen: a comparison that ends at the first difference', () => {
    const slow = (token: string): boolean =>
      token.startsWith(session.slice(0, 20)) && tokenHash(token).length > 0
    const least = leastSigmas(session, slow)
    ok(least > sigmasMax, `${least.toFixed(1)} sigma`)
  })
})
