import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { challengesMax, challengeTtlMs } from '#protocol/identity/sign-in.js'
import type { Challenge, ChallengeKind } from '#src/ports/identity.js'
import { runsOf } from '#test/support/runs.js'
import { openRuntimeDb, type RuntimeDb } from './runtime-db.js'

const home = '203.0.113.1'

describe('challenges', () => {
  let state: string
  let db: RuntimeDb
  const opened = (): RuntimeDb => {
    const made = openRuntimeDb(state)
    if (isLeft(made)) throw new Error(made.left.reason)
    return made.right
  }
  const reopen = (): void => {
    db.close()
    db = opened()
  }
  const mint = (nowMs: number, kind: ChallengeKind = 'game', network = home): Challenge => {
    const minted = db.challenges.mint(kind, network, nowMs)
    if (isLeft(minted)) throw new Error(minted.left.detail)
    return minted.right
  }
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'challenges-'))
    db = opened()
  })
  afterEach(() => {
    db.close()
    rmSync(state, { recursive: true })
  })

  it('are 32 signs of [A-Za-z0-9], each another', () => {
    const texts = Array.from({ length: 200 }, () => mint(1).text)
    for (const text of texts) match(text, /^[A-Za-z0-9]{32}$/)
    equal(new Set(texts).size, 200)
    equal(new Set(texts.join('')).size, 62)
  })

  it('are burned once, until they expire and not a millisecond longer', () => {
    const { text, expiresMs } = mint(1_000)
    equal(expiresMs, 1_000 + challengeTtlMs)
    deepEqual(db.challenges.burn('game', text, expiresMs), right(false))
    ok(db.challenges.isOutstanding('game', text, expiresMs - 1))
    deepEqual(db.challenges.burn('game', text, expiresMs - 1), right(true))
    deepEqual(db.challenges.burn('game', text, expiresMs - 1), right(false))
    deepEqual(db.challenges.burn('game', 'nobody', 1_000), right(false))
  })

  it('are of one kind: a nonce opens no game sign-in', () => {
    const { text } = mint(1, 'chat')
    deepEqual(db.challenges.burn('game', text, 2), right(false))
    deepEqual(db.challenges.burn('chat', text, 2), right(true))
  })

  it('number 512 of both kinds together; the next is a flood that says when to come again', () => {
    for (let at = 0; at < challengesMax; at += 1) mint(at, at % 2 === 0 ? 'game' : 'chat')
    equal(db.challenges.count(600), challengesMax)
    const flood = db.challenges.mint('chat', home, 600)
    ok(isLeft(flood) && flood.left._tag === 'challenge_flood')
    equal(flood.left.retryAfterSeconds, 300)
    // The first challenge has expired, so its place is free.
    ok(mint(challengeTtlMs))
    ok(isLeft(db.challenges.mint('game', home, challengeTtlMs)))
  })

  it('are swept at each mint', () => {
    for (let at = 0; at < 10; at += 1) mint(0)
    mint(challengeTtlMs)
    equal(db.challenges.count(0), 1)
  })

  it('are kept as their hash alone', () => {
    const { text } = mint(1)
    reopen()
    for (const name of ['runtime.db', 'runtime.db-wal'])
      equal(readFileSync(join(state, name)).includes(text), false, name)
    ok(db.challenges.isOutstanding('game', text, 2))
  })

  it('burned stay burned when the process dies at once: the burn is on disk when it returns (S31)', () => {
    const burned = mint(1)
    const left = mint(1)
    deepEqual(db.challenges.burn('game', burned.text, 2), right(true))
    // Another connection sees what a process would find after a kill: nothing was closed.
    const next = opened()
    deepEqual(next.challenges.burn('game', burned.text, 3), right(false))
    deepEqual(next.challenges.burn('game', left.text, 3), right(true))
    next.close()
  })

  it('are burned once between two connections, whatever the order (S31)', () => {
    const other = opened()
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), turns => {
        const { text } = mint(1)
        const wins = turns.filter(first => {
          const burned = (first ? db : other).challenges.burn('game', text, 2)
          return !isLeft(burned) && burned.right
        })
        equal(wins.length, 1)
      }),
      { numRuns: runsOf(40) },
    )
    other.close()
  })
})
