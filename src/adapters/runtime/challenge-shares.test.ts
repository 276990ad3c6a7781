import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { challengesMax } from '#protocol/identity/sign-in.js'
import type { Challenge, Challenges } from '#src/ports/identity.js'
import { challengesInMemory } from '#test/support/identity/challenges.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

const player = '198.51.100.7'

/** A challenge, or null where it is refused as a flood. */
const askChallenge = (challenges: Challenges, network: string, nowMs: number): Challenge | null => {
  const minted = challenges.mint('game', network, nowMs)
  return isLeft(minted) ? null : minted.right
}

/**
 * Asks this many times, a millisecond apart, from the networks in turn; returns how many challenges it got.
 */
const flood = (challenges: Challenges, times: number, networks: number, fromMs = 0): number =>
  Array.from({ length: times }, (_, at) =>
    askChallenge(challenges, `203.0.113.${at % networks}`, fromMs + at),
  ).filter(given => given !== null).length

describe('shares of the challenges', () => {
  let runtime: TestRuntime | null = null
  afterEach(() => {
    runtime?.dispose()
    runtime = null
  })

  it('are all 512 of one network that asks alone, and its next is a flood', () => {
    const challenges = challengesInMemory()
    equal(flood(challenges, challengesMax + 100, 1), challengesMax)
    equal(challenges.count(700), challengesMax)
  })

  it('are given up by the network that holds most, its oldest first', () => {
    const challenges = challengesInMemory()
    const [first, second, third] = [0, 1, 2].map(at => askChallenge(challenges, 'loud', at))
    if (!first || !second || !third) throw new Error('the first three are given')
    for (let at = 3; at < challengesMax; at += 1) askChallenge(challenges, 'loud', at)
    ok(askChallenge(challenges, player, 600))
    ok(askChallenge(challenges, 'another', 601))
    const stand = [first, second, third].map(({ text }) => challenges.isOutstanding('game', text, 602))
    deepEqual(stand, [false, false, true])
    equal(challenges.count(602), challengesMax)
    equal(askChallenge(challenges, 'loud', 603), null)
  })

  it('leave a player a place that nobody takes, however fewer than 512 networks flood', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: challengesMax - 1 }), networks => {
        const challenges = challengesInMemory()
        flood(challenges, 700, networks)
        const mine = askChallenge(challenges, player, 700)
        ok(mine, `refused behind ${networks} networks`)
        flood(challenges, 700, networks, 701)
        ok(challenges.isOutstanding('game', mine.text, 1_401))
        equal(challenges.count(1_401), challengesMax)
      }),
      { numRuns: 6, examples: [[1], [challengesMax - 1]] },
    )
  })

  it('can be held by 512 networks, one each: the next is a flood (ADR 1021)', () => {
    const challenges = challengesInMemory()
    equal(flood(challenges, challengesMax, challengesMax), challengesMax)
    equal(askChallenge(challenges, player, 600), null)
  })

  it('are known by a name that tells no network, and after a start nobody is known', () => {
    runtime = runtimeOf()
    ok(askChallenge(runtime.db().challenges, player, 1))
    for (const name of ['runtime.db', 'runtime.db-wal'])
      equal(readFileSync(join(runtime.state, name)).includes(player), false, name)
    runtime.reopen()
    const { challenges } = runtime.db()
    equal(flood(challenges, challengesMax, 1), challengesMax - 1)
    ok(askChallenge(challenges, player, 600))
    equal(challenges.count(601), challengesMax)
  })
})
