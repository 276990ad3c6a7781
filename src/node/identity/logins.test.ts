import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import type { MintFleet } from '#src/ports/identity.js'
import { runsOf } from '#test/support/runs.js'
import { refuseWritesSql, runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { hostLogins } from './tokens.js'

const ttlMs = 60_000
const brzoza = { gameId: '100', chatId: 'c1' }

describe('the logins of a host', () => {
  let runtime: TestRuntime
  const opened = (bootMs = 0, mintFleet: MintFleet = () => Promise.resolve(null)) =>
    hostLogins({ store: runtime.db().logins, ttlMs, mintFleet, bootMs })
  const minted = async (logins: ReturnType<typeof opened>, nowMs: number) => {
    const made = await logins.mint(brzoza, nowMs)
    if (isLeft(made)) throw new Error(made.left.detail)
    return made.right
  }
  const hexOf = (token: string): string => tokenHash(token).toString('hex')
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('are found by the hash of their token as soon as it is told, and after the next start', async () => {
    const logins = opened()
    const { token, expiresMs, fleet } = await minted(logins, 1_000)
    match(token, /^sess_[A-Za-z0-9_-]{43}$/)
    deepEqual([expiresMs, fleet], [61_000, null])
    const found = logins.find(hexOf(token))
    deepEqual(found?.right, { ...brzoza, createdMs: 1_000, expiresMs })
    runtime.reopen()
    deepEqual(opened(60_999).find(hexOf(token)), found)
    equal(opened(61_000).find(hexOf(token)), null)
  })

  it('are on disk as hashes alone', async () => {
    const { token } = await minted(opened(), 1_000)
    for (const name of ['runtime.db', 'runtime.db-wal']) {
      const bytes = readFileSync(join(runtime.state, name))
      ok(!bytes.includes(token) && !bytes.includes(token.slice('sess_'.length)), name)
    }
    ok(readFileSync(join(runtime.state, 'runtime.db-wal')).includes(hexOf(token)))
  })

  it('are refused where the disk refuses, and no fleet token is minted beside them', async () => {
    let asked = 0
    const logins = opened(0, () => {
      asked += 1
      return Promise.resolve(null)
    })
    runtime.execute(refuseWritesSql('sessions'))
    const made = await logins.mint(brzoza, 1_000)
    deepEqual(isLeft(made) && made.left._tag, 'DiskRefused')
    equal(asked, 0)
    equal(runtime.db().logins.outstanding(0).size, 0)
  })

  it('leave memory with the disk when they have expired', async () => {
    const logins = opened()
    const { token } = await minted(logins, 0)
    await minted(logins, ttlMs - 1)
    ok(logins.find(hexOf(token)) !== null)
    await minted(logins, ttlMs)
    equal(logins.find(hexOf(token)), null)
  })

  it('come with the token of the fleet where the host mints one', async () => {
    const logins = opened(0, (who, nowMs) =>
      Promise.resolve({ token: `fsess_${who.gameId}`, expiresMs: nowMs + 900_000 }),
    )
    const made = await logins.mint(brzoza, 5)
    deepEqual(isRight(made) && made.right.fleet, { token: 'fsess_100', expiresMs: 900_005 })
  })

  it('are each another', async () => {
    const logins = opened()
    const all = await Promise.all(Array.from({ length: 50 }, () => minted(logins, 0)))
    equal(new Set(all.map(one => one.token)).size, 50)
  })

  it('are found or not as a model of them says, over restarts and a clock that goes on', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('mint' as const), waitMs: fc.nat(ttlMs / 2) }),
      fc.record({ kind: fc.constant('restart' as const), waitMs: fc.nat(ttlMs) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        runtime.dispose()
        runtime = runtimeOf()
        let nowMs = 0
        let logins = opened()
        const model = new Map<string, number>()
        for (const { kind, waitMs } of steps) {
          nowMs += waitMs
          if (kind === 'restart') {
            runtime.reopen()
            logins = opened(nowMs)
          } else {
            const { token, expiresMs } = await minted(logins, nowMs)
            model.set(token, expiresMs)
          }
          for (const [token, expiresMs] of model) {
            const right = logins.find(hexOf(token))?.right ?? null
            if (nowMs < expiresMs) equal(right?.expiresMs, expiresMs)
            else if (kind === 'mint') equal(right, null, 'swept with the mint')
          }
        }
      }),
      { numRuns: runsOf(40) },
    )
  })
})
