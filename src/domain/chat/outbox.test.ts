import { deepEqual, equal, ok } from 'node:assert/strict'
import * as fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import {
  type CallArrival,
  type ChatBehaviour,
  type ChatRun,
  runModel,
  type Seen,
} from '#test/support/chat/chat-model.js'
import { runsOf } from '#test/support/runs.js'
import type { Verdict } from './failures.js'
import { noLimits, recordAnswer } from './limits.js'
import { attemptMs, attemptsMax } from './outbox.js'

const rules = { messages: { max: 30, windowMs: 60_000 } }

const callOf = (route: number, major: number): ChatCall => ({
  method: route === 2 ? 'POST' : 'GET',
  route: `/route-${route}/{id}`,
  major: String(major),
  path: `/route-${route}/${major}`,
  body: null,
  isMessage: route === 2,
})

const well: ChatBehaviour = { latencyMs: 20, kind: 'ok', scope: 'user', waitMs: 0, form: 'header' }

const behaviours: fc.Arbitrary<ChatBehaviour> = fc.record({
  latencyMs: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: attemptMs + 500 })),
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('ok' as const) },
    { weight: 4, arbitrary: fc.constant('untold' as const) },
    { weight: 4, arbitrary: fc.constantFrom('lost', 'fails', 'forbids', 'limits') },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
  scope: fc.constantFrom('user', 'global', 'shared'),
  waitMs: fc.integer({ min: 0, max: 8_000 }),
  form: fc.constantFrom('header', 'body', 'date', 'both'),
})

const arrivals: fc.Arbitrary<ReadonlyArray<CallArrival>> = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 30_000 }),
    call: fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 1 })).map(ids => callOf(...ids)),
    budgetMs: fc.integer({ min: 1, max: 30_000 }),
  }),
  { minLength: 1, maxLength: 60 },
)

const worlds = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  windowMs: fc.integer({ min: 1, max: 6_000 }),
  drawn: fc.array(behaviours, { minLength: 1, maxLength: 40 }),
  // Two routes may share one bucket.
  isShared: fc.boolean(),
  arrivals,
})

type World = typeof worlds extends fc.Arbitrary<infer W> ? W : never

const runOf = ({ limit, windowMs, drawn, isShared, arrivals: given }: World): ChatRun =>
  runModel(
    {
      limit,
      windowMs,
      hashOf: call => (isShared && call.route !== '/route-0/{id}' ? 'shared' : call.route),
      behaviour: index => drawn[index % drawn.length] ?? well,
    },
    rules,
    given,
  )

const holds = (check: (run: ChatRun, world: World) => void): void =>
  fc.assert(
    fc.property(worlds, world => check(runOf(world), world)),
    { numRuns: runsOf(400) },
  )

const within = (seen: ReadonlyArray<Seen>, windowMs: number, at: number): number =>
  seen.filter(({ startMs }) => startMs >= at && startMs < at + windowMs).length

/** Whether a call before this one was told its bucket on the same route. */
const isKnown = (seen: ReadonlyArray<Seen>, call: Seen): boolean =>
  seen.slice(0, seen.indexOf(call)).some(one => one.told !== null && one.call.route === call.call.route)

describe('the outbox of the chat courier', () => {
  it('makes no more calls in a window than it was told', () =>
    holds(({ seen }) => {
      for (const [index, one] of seen.entries()) {
        const { told } = one
        if (told === null) continue
        const later = seen.slice(index + 1)
        const known = later.findIndex(next => next.bucket === one.bucket && next.told !== null)
        // The call that is told anew is still one of this window.
        const counted = later
          .slice(0, known === -1 ? later.length : known + 1)
          .filter(next => next.bucket === one.bucket && next.startMs < told.untilMs)
          // Of a route that was never told it is not known what it shares.
          .filter(next => isKnown(seen, next))
        ok(counted.length <= told.remaining, `${counted.length} of ${told.remaining}`)
      }
    }))

  it('makes no call before the wait of a 429 has passed, and none at all where it is global', () =>
    holds(({ seen }) => {
      for (const [index, { held, call }] of seen.entries()) {
        if (held === null) continue
        const early = seen
          .slice(index + 1)
          .filter(({ startMs }) => startMs < held.untilMs)
          .filter(
            next =>
              held.scope === 'global' || (next.call.route === call.route && next.call.major === call.major),
          )
        deepEqual(early, [])
      }
    }))

  it('asks nothing for ten minutes after a 401', () =>
    holds(({ seen }) => {
      const refused = seen.findIndex(({ kind }) => kind === 'unknown')
      if (refused !== -1) equal(seen.length, refused + 1)
    }))

  it('answers every call once, none long after its deadline', () =>
    holds(({ answers }, world) => {
      equal(answers.size, world.arrivals.length)
      for (const [index, given] of answers) {
        const arrival = world.arrivals[index]
        equal(given.length, 1)
        const lateMs = (given[0]?.atMs ?? Infinity) - (arrival?.atMs ?? 0) - (arrival?.budgetMs ?? 0)
        ok(lateMs <= attemptMs, `${lateMs} ms late`)
      }
    }))

  it('makes one call at a time, each at most four times', () =>
    holds(({ seen, answers }, { arrivals: given }) => {
      for (const [index, { startMs }] of seen.entries()) ok(startMs >= (seen[index - 1]?.endMs ?? 0))
      ok(seen.length <= given.length * attemptsMax)
      equal(answers.size, given.length)
    }))

  const many = (count: number, everyMs: number, budgetMs = 60_000): ReadonlyArray<CallArrival> =>
    Array.from({ length: count }, (_, at) => ({
      atMs: at * everyMs,
      call: callOf(at % 2, at % 97),
      budgetMs,
    }))

  const steady = (kind: ChatBehaviour['kind'], waitMs = 0) => ({
    limit: 1_000_000,
    windowMs: 1,
    hashOf: (call: ChatCall) => call.route,
    behaviour: (): ChatBehaviour => ({ ...well, kind, latencyMs: 0, waitMs }),
  })

  it('makes 50 calls in any 1.1 s, and not fewer', () => {
    const { seen } = runModel(steady('ok'), rules, many(500, 20))
    equal(seen.length, 500)
    for (const { startMs } of seen) ok(within(seen, 1_100, startMs) <= 50)
    equal(within(seen, 1_100, seen[0]?.startMs ?? 0), 50)
  })

  for (const kind of ['forbids', 'limits'] as const)
    it(`stops at 1,000 invalid answers in ten minutes, tells why, and goes on after: ${kind}`, () => {
      const { seen, answers } = runModel(steady(kind), rules, many(8_000, 100, 1_000))
      const invalid = seen.filter(({ isInvalid }) => isInvalid)
      for (const { startMs } of invalid) ok(within(invalid, 600_000, startMs) <= 1_000)
      equal(within(invalid, 600_000, 0), 1_000)
      ok(seen.length > 1_000, 'it never goes on')
      const why = [...answers.values()].flatMap(([one]) =>
        one !== undefined && isLeft(one.outcome) ? [one.outcome.left._tag] : [],
      )
      ok(why.includes('InvalidBudgetSpent'))
    })

  it('presumes windows as long as the one it was told of, where it is told no more', () => {
    const shape = {
      ...steady('ok'),
      limit: 2,
      windowMs: 5_000,
      behaviour: (at: number): ChatBehaviour => ({ ...well, latencyMs: 0, kind: at < 1 ? 'ok' : 'untold' }),
    }
    const given = many(10, 0).map(one => ({ ...one, call: callOf(0, 1) }))
    const { seen } = runModel(shape, rules, given)
    deepEqual(
      seen.map(({ startMs }) => startMs / 1_000),
      [0, 0, 5, 5, 10, 10, 15, 15, 20, 20],
    )
  })

  it('does not count shared 429s as invalid', () => {
    const shape = {
      ...steady('limits'),
      behaviour: (): ChatBehaviour => ({ ...well, kind: 'limits', scope: 'shared' }),
    }
    const { answers } = runModel(shape, rules, many(2_000, 100, 1_000))
    const why = new Set(
      [...answers.values()].map(([one]) => (one && isLeft(one.outcome) ? one.outcome.left._tag : '')),
    )
    deepEqual([...why], ['RateLimited'])
  })

  it('asks once and then refuses for ten minutes where the token is not known', () => {
    const { seen, answers } = runModel(steady('unknown'), rules, many(100, 1_000))
    equal(seen.length, 1)
    for (const [given] of answers.values())
      equal(given && isLeft(given.outcome) && given.outcome.left._tag, 'BotTokenRefused')
    equal(runModel(steady('unknown'), rules, many(3, 600_100)).seen.length, 3)
  })

  it('counts a 401, a 403 and a 429 as invalid, and nothing else', () => {
    const counted = (kind: Verdict): number => {
      const what: Heard = { _tag: 'NoAnswer', reason: 'network' }
      return recordAnswer(noLimits, callOf(0, 0), what, kind, 5).invalid.length
    }
    const refused = (status: number): Verdict => ({ _tag: 'Refused', status, code: null, isOfClient: false })
    deepEqual([counted({ _tag: 'TokenRefused' }), counted(refused(403))], [1, 1])
    equal(counted({ _tag: 'Limited', waitMs: 1, scope: 'global' }), 1)
    for (const status of [301, 400, 404, 410]) equal(counted(refused(status)), 0)
    equal(counted({ _tag: 'Failed', reason: 'status 500' }) + counted({ _tag: 'Done', text: '' }), 0)
  })

  it('keeps the place of a call that is made again', () => {
    const shape = {
      ...steady('ok'),
      behaviour: (at: number): ChatBehaviour => ({ ...well, kind: at < 1 ? 'limits' : 'ok', waitMs: 100 }),
    }
    const given = many(3, 0).map((one, at) => ({ ...one, call: { ...callOf(0, 1), path: `/${at}` } }))
    deepEqual(
      runModel(shape, rules, given).seen.map(({ call }) => call.path),
      ['/0', '/0', '/1', '/2'],
    )
  })

  it('sends at most the configured messages a minute', () => {
    const given = Array.from({ length: 100 }, (_, at) => ({
      atMs: at * 1_000,
      call: callOf(2, at),
      budgetMs: 120_000,
    }))
    const { seen } = runModel(steady('ok'), { messages: { max: 10, windowMs: 60_000 } }, given)
    for (const { startMs } of seen) ok(within(seen, 60_000, startMs) <= 10)
    ok(seen.length >= 20)
  })

  it('tries again after a failure and answers with the attempt that did well', () => {
    const shape = {
      ...steady('ok'),
      behaviour: (at: number): ChatBehaviour => ({ ...well, kind: at < 2 ? 'fails' : 'ok' }),
    }
    const { seen, answers } = runModel(shape, rules, many(1, 1))
    equal(seen.length, 3)
    ok(answers.get(0)?.every(({ outcome }) => isRight(outcome)))
    ok((seen[2]?.startMs ?? 0) - (seen[1]?.endMs ?? 0) >= 500)
  })

  it('refuses at once what would wait longer than its deadline', () => {
    const shape = {
      ...steady('ok'),
      behaviour: (): ChatBehaviour => ({ ...well, kind: 'limits', waitMs: 50_000 }),
    }
    const { answers } = runModel(shape, rules, many(2, 97_000 / 97, 10_000))
    const [first] = answers.get(0) ?? []
    ok(first && isLeft(first.outcome))
    deepEqual(
      [first.outcome.left._tag, first.outcome.left.retryAfterMs, first.atMs],
      ['RateLimited', 50_000, 20],
    )
  })

  it('takes 64 calls beside the one it makes, and refuses more', () => {
    const shape = { ...steady('ok'), behaviour: (): ChatBehaviour => ({ ...well, latencyMs: 1_000 }) }
    const { answers } = runModel(shape, rules, many(70, 0))
    const busy = [...answers.values()].filter(
      ([one]) => one && isLeft(one.outcome) && one.outcome.left._tag === 'CourierBusy',
    )
    equal(busy.length, 5)
  })

  it('leaves a doubt where an attempt had no answer, whatever a later one says', () => {
    const lost: ChatBehaviour = { ...well, kind: 'lost', latencyMs: 60_000 }
    const { answers } = runModel(
      {
        limit: 5,
        windowMs: 1_000,
        hashOf: call => call.route,
        behaviour: index => (index === 0 ? lost : { ...well, kind: 'forbids' }),
      },
      rules,
      [{ atMs: 0, call: callOf(2, 1), budgetMs: 30_000 }],
    )
    const outcome = answers.get(0)?.[0]?.outcome
    equal(outcome !== undefined && isLeft(outcome) && outcome.left.mayBeDone, true)
  })
})
