import { randomBytes } from 'node:crypto'
import { callerByApiKey } from '#src/domain/identity/credentials/api-keys.js'
import {
  type LoginRight,
  loginCaller,
  type NamedRight,
  namedCaller,
  tokenHash,
} from '#src/domain/identity/credentials/tokens.js'
import { worldOf } from '#test/support/world.js'
import { type Figure, figureAtLeast, figureAtMost } from './figure.js'

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
const measure = (times: ReadonlyArray<number>): Measured => {
  const middle = times.toSorted((one, other) => one - other).slice(0, Math.floor(times.length * 0.95))
  const meanNs = middle.reduce((sum, one) => sum + one, 0) / middle.length
  const variance = middle.reduce((sum, one) => sum + (one - meanNs) ** 2, 0) / (middle.length - 1)
  return { meanNs, spread: variance / middle.length }
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
  const [left, right] = [measure(near), measure(far)]
  return Math.abs(left.meanNs - right.meanNs) / Math.sqrt(left.spread + right.spread)
}

/** The least of a few measurements: noise of a busy machine comes and goes, a difference in the code stays. */
const leastSigmas = (good: string, resolve: (token: string) => unknown): number => {
  sigmas(good, resolve)
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries && least >= sigmasMax; at += 1) least = Math.min(least, sigmas(good, resolve))
  return least
}

const storeOf = <A>(token: string, right: A) => {
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
  storeOf<LoginRight>(session, { gameId: '100', chatId: null, expiresMs: Number.POSITIVE_INFINITY }),
)
const ofNamed = namedCaller(
  storeOf<NamedRight>(named, { id: '1', name: 'bot', capabilities: [], expiresMs: null }),
)

const resolvers: ReadonlyArray<readonly [kind: string, good: string, resolve: (token: string) => unknown]> = [
  ['sess_', session, token => ofSession(token, world, 0)],
  ['named_', named, token => ofNamed(token, world, 0)],
  ['apik_', api, token => callerByApiKey(token, world)],
]

/** A comparison that ends at the first difference: what the measurement must see. */
const compareEarly = (token: string): boolean =>
  token.startsWith(session.slice(0, 20)) && tokenHash(token).length > 0

/**
 * How far the time of refusing a token that begins as a good one does lies from that of a random one, in standard
 * deviations of the difference (SECURITY 4.3.18), and the same of a comparison that ends early.
 */
export const refusalTimeFigures = (): ReadonlyArray<Figure> => [
  ...resolvers.map(([kind, good, resolve]) =>
    figureAtMost(
      `refusal of a near ${kind} against a random one`,
      'sigma',
      sigmasMax,
      leastSigmas(good, resolve),
    ),
  ),
  figureAtLeast(
    'the same of a comparison that ends early',
    'sigma',
    sigmasMax,
    leastSigmas(session, compareEarly),
  ),
]
