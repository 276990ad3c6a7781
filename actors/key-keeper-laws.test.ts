import { equal, ok } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { carryOut } from '#src/kernel/actor/actor.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import {
  forcedMs,
  type KeyKeeperMessage,
  type KeyState,
  type KeysAnswer,
  keyKeeper,
  overdueMs,
  retryMs,
  staleMs,
} from './key-keeper.js'

const ttlMs = 600_000
const kids = ['a', 'b', 'c', 'x', 'y', 'z']
const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })

const Command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: fc.constantFrom(...kids) }) },
  { weight: 3, arbitrary: fc.record({ pass: fc.constantFrom(1, 1_000, retryMs, forcedMs, ttlMs, staleMs) }) },
  { weight: 3, arbitrary: fc.record({ bring: fc.subarray(kids.slice(0, 3)) }) },
  { weight: 2, arbitrary: fc.record({ fail: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ verify: fc.constantFrom(...kids.slice(0, 3)) }) },
)
type Command = typeof Command extends fc.Arbitrary<infer C> ? C : never

/** Answers with a key that the last set lacked. */
let retained = 0

/** One keeper on the test's clock, whose fetches the test answers. */
const keeperRun = () => {
  const actor = keyKeeper({ game: null, jwks: { ttlMs } })
  let nowMs = 1_000_000
  let turn = 0
  let open = 0
  /** Whether the ask that is being sent joins a running fetch. */
  let joins = false
  /** When the last fetch failed, if no good one followed; when fresh keys were last fetched again. */
  let failedMs: number | null = null
  let youngMs: number | null = null
  let flights: ReadonlyArray<{ readonly id: string; readonly atMs: number; ended: boolean }> = []
  /** When each answered set was fetched, newest last. */
  let brought: ReadonlyArray<{ readonly atMs: number; readonly kids: ReadonlyArray<string> }> = []
  const verified = new Set<string>()
  const moment = () => {
    turn += 1
    return { nowMs, monotonicMs: nowMs, id: `t${turn}`, chance: 0, incarnation: 'key-keeper.1' }
  }
  let [state]: readonly [KeyState, unknown] = actor.initial(moment())

  const judge = (kid: string, answer: KeysAnswer): void => {
    open -= 1
    const last = brought.at(-1)
    ok(!isLeft(answer) || !joins, 'sent away while a fetch was under way')
    if (isLeft(answer)) return
    ok(last !== undefined, 'keys that no fetch returned')
    ok(nowMs - last.atMs < ttlMs + staleMs, 'keys that are too old')
    if (last.kids.includes(kid)) equal(answer.right.length, 1, 'a key of the last set is not given')
    else if (answer.right.length > 0) {
      const listed = brought.findLastIndex(one => one.kids.includes(kid))
      const missed = listed < 0 ? undefined : brought[listed + 1]
      ok(verified.has(kid), 'a key that the last set lacks and that never verified a token')
      ok(
        missed !== undefined && nowMs - missed.atMs < ttlMs,
        'a key that was missing for longer than the cache',
      )
      retained += 1
    }
  }
  /** A fetch waits for the pause after a failed one; fresh keys are fetched at most once a minute. */
  const launch = (id: string): void => {
    ok(failedMs === null || nowMs - failedMs >= retryMs, 'a source that is down was not left alone')
    const last = brought.at(-1)
    if (last !== undefined && nowMs - last.atMs < ttlMs) {
      ok(youngMs === null || nowMs - youngMs >= forcedMs, 'two forced fetches within a minute')
      youngMs = nowMs
    }
    flights = [...flights, { id, atMs: nowMs, ended: false }]
  }
  const send = (message: KeyKeeperMessage): void => {
    const [next, effects] = actor.receive(state, message, moment())
    state = next
    for (const effect of effects) {
      if (!('kernel' in effect)) continue
      if (effect.kernel !== 'beside') carryOut(effect)
      else if (effect.effect._tag === 'Fetch') launch(effect.effect.flight)
    }
  }
  const flying = () => flights.find(one => !one.ended)
  return {
    ask: (kid: string): void => {
      open += 1
      const replyTo = replyToOf<KeysAnswer>('ask', answer => {
        judge(kid, answer)
        return true
      })
      joins = flying() !== undefined
      send({ _tag: 'Ask', source: 'jwks', kid, replyTo })
      joins = false
    },
    /** Advances the time; a fetch that has not ended by then is overdue. */
    pass: (ms: number): void => {
      nowMs += ms
      const late = flying()
      if (late === undefined || nowMs - late.atMs < overdueMs) return
      late.ended = true
      failedMs = nowMs
      send({ _tag: 'Overdue', source: 'jwks', flight: late.id })
    },
    end: (set: ReadonlyArray<string> | null): void => {
      const one = flying()
      if (one === undefined) return
      one.ended = true
      failedMs = set === null ? nowMs : null
      if (set !== null) brought = [...brought, { atMs: nowMs, kids: set }]
      const text = JSON.stringify({ keys: (set ?? []).map(kid => ({ ...jwk, kid })) })
      const outcome =
        set === null ? ({ _tag: 'Failed', why: 'status' } as const) : ({ _tag: 'Text', text } as const)
      send({ _tag: 'Fetched', source: 'jwks', flight: one.id, outcome })
    },
    verify: (kid: string): void => {
      verified.add(kid)
      send({ _tag: 'Verified', source: 'jwks', kid })
    },
    launches: () => flights.length,
    flying: () => flights.filter(one => !one.ended).length,
    open: () => open,
  }
}

describe('the laws of the key keeper', () => {
  it('hold for any order of asks, outcomes and time', () => {
    let launched = 0
    fc.assert(
      fc.property(fc.array(Command, { minLength: 30, maxLength: 80 }), commands => {
        const run = keeperRun()
        for (const command of commands) {
          if ('ask' in command) run.ask(command.ask)
          else if ('pass' in command) run.pass(command.pass)
          else if ('verify' in command) run.verify(command.verify)
          else run.end('bring' in command ? command.bring : null)
          ok(run.flying() <= 1, 'two fetches at once')
          ok(run.open() === 0 || run.flying() === 1, 'somebody waits for nothing')
        }
        run.end(null)
        equal(run.open(), 0, 'somebody was never answered')
        launched += run.launches()
      }),
      { numRuns: 1_000 },
    )
    ok(launched > 3_000, `only ${launched} fetches`)
    ok(retained > 50, `only ${retained} answers with a key that the set lacked`)
  })
})
