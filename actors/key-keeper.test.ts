import { deepEqual, equal } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type AskFailure, ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import type { KeySource } from '#src/ports/identity.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import {
  forcedMs,
  type KeyKeeperMessage,
  type KeysAnswer,
  type KeysFetched,
  keyKeeper,
  overdueMs,
  retryMs,
  staleMs,
  waitersMax,
} from './key-keeper.js'

const ttlMs = 3_600_000
const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
const keySetText = (...kids: ReadonlyArray<string>): string =>
  JSON.stringify({ keys: kids.map(kid => ({ ...jwk, kid })) })

interface Flight {
  readonly source: KeySource
  readonly end: (outcome: KeysFetched['outcome']) => void
  readonly signal: AbortSignal
}

const describeAnswer = (answer: Either<AskFailure, KeysAnswer>): string => {
  if (isLeft(answer)) return answer.left._tag
  if (isLeft(answer.right)) return answer.right.left.why
  return answer.right.right.map(one => one.kid ?? 'nameless').join(' ') || 'none'
}

describe('the key keeper', () => {
  let world: KernelWorld
  let keeper: Ref<KeyKeeperMessage>
  let tree: ActorTree
  let flights: ReadonlyArray<Flight>
  let results: ReadonlyArray<string>

  const start = async (game: { readonly ttlMs: number } | null = { ttlMs }): Promise<void> => {
    const placed = await world.alone(keyKeeper({ game, jwks: { ttlMs } }), {
      fetchKeys: (source, signal) =>
        new Promise(end => {
          flights = [...flights, { source, signal, end }]
        }),
      fetched: (source, told) => {
        const kids = 'keys' in told ? told.keys.map(one => ` ${one.kid ?? 'nameless'}`).join('') : ''
        results = [...results, `${source} ${told.result}${kids}`]
      },
    })
    keeper = placed.ref
    tree = placed.tree
  }
  beforeEach(async () => {
    world = kernelWorld()
    flights = []
    results = []
    await start()
  })
  afterEach(() => void tree.close())

  /** A running ask; the returned function gives its answer in short, once there is one. */
  const asked = (kid: string | null, source: KeySource = 'jwks'): (() => string) => {
    let answer = 'waits'
    void ask<KeyKeeperMessage, KeysAnswer>(
      keeper,
      replyTo => ({ _tag: 'Ask', source, kid, replyTo }),
      2 * overdueMs,
    ).then(given => {
      answer = describeAnswer(given)
    })
    return () => answer
  }
  const answerTo = async (kid: string | null, source: KeySource = 'jwks'): Promise<string> => {
    const answer = asked(kid, source)
    await world.settle()
    return answer()
  }
  const end = async (outcome: KeysFetched['outcome'], index = flights.length - 1): Promise<void> => {
    flights[index]?.end(outcome)
    await world.settle()
  }
  const verified = (kid: string | null): void => void tell(keeper, { _tag: 'Verified', source: 'jwks', kid })
  const brings = (text: string, index?: number) => end({ _tag: 'Text', text }, index)
  const fails = () => end({ _tag: 'Failed', why: 'unreachable' })
  const kept = async (...kids: ReadonlyArray<string>): Promise<void> => {
    asked(null)
    await world.settle()
    await brings(keySetText(...kids))
  }

  it('fetches nothing before it is asked', async () => {
    await world.advance(10 * ttlMs)
    equal(flights.length, 0)
  })

  it('fetches once for all who ask at a time, and then not until the keys are old', async () => {
    const answers = Array.from({ length: 100 }, () => asked('a'))
    await world.settle()
    equal(flights.length, 1)
    await brings(keySetText('a', 'b'))
    deepEqual([...new Set(answers.map(answer => answer()))], ['a'])
    equal(await answerTo(null), 'a b')
    await world.advance(ttlMs - 1)
    equal(await answerTo('b'), 'b')
    equal(flights.length, 1)
    await world.advance(1)
    equal(await answerTo('b'), 'waits')
    equal(flights.length, 2)
    deepEqual(results, ['jwks ok a b'])
  })

  it('asks the issuer anew for an unknown kid, and finds the key that was rotated in', async () => {
    await kept('a')
    const answer = asked('b')
    await world.settle()
    equal(await answerTo('a'), 'a')
    await brings(keySetText('a', 'b'))
    equal(answer(), 'b')
    equal(flights.length, 2)
  })

  it('makes one fetch for a thousand unknown kids, cold or warm, and one more after a minute', async () => {
    for (const times of [1, 2]) {
      for (let n = 0; n < 1_000; n += 1) {
        const answer = asked(`unknown-${n}`)
        await world.settle()
        if (flights.length === times && answer() === 'waits') await brings(keySetText('a'))
        equal(answer(), 'none')
      }
      equal(flights.length, times)
      await world.advance(forcedMs)
    }
  })

  it('has no key for an unknown kid where the fetch for it fails', async () => {
    await kept('a')
    const answer = asked('b')
    await world.settle()
    await fails()
    equal(answer(), 'none')
    equal(await answerTo('a'), 'a')
  })

  it('keeps old keys while the source is down, for a day and no longer', async () => {
    await kept('a')
    await world.advance(ttlMs)
    const answer = asked('a')
    await world.settle()
    await fails()
    equal(answer(), 'a')
    equal(await answerTo('a'), 'a')
    equal(flights.length, 2)
    await world.advance(staleMs - 1)
    const late = asked('a')
    await world.settle()
    await fails()
    equal(late(), 'a')
    await world.advance(retryMs)
    const tooLate = asked('a')
    await world.settle()
    await fails()
    equal(tooLate(), 'unreachable')
  })

  it('pauses after a failure: who asks meanwhile is told at once', async () => {
    const answer = asked('a')
    await world.settle()
    await fails()
    equal(answer(), 'unreachable')
    for (let n = 0; n < 100; n += 1) equal(await answerTo('a'), 'unreachable')
    equal(flights.length, 1)
    await world.advance(retryMs)
    equal(await answerTo('a'), 'waits')
    equal(flights.length, 2)
  })

  it('takes a document that it cannot read for a failure, and keeps what it had', async () => {
    await kept('a')
    await world.advance(ttlMs)
    const answer = asked('a')
    await world.settle()
    await brings('<html>')
    equal(answer(), 'a')
    deepEqual(results, ['jwks ok a', 'jwks malformed'])
  })

  it('takes a set in which nothing is a key for a failure: good keys stay, and without them it asks again soon', async () => {
    const cold = asked('a')
    await world.settle()
    await brings('{"keys": [[[]]]}')
    equal(cold(), 'unreachable')
    await world.advance(retryMs)
    await kept('a')
    await world.advance(ttlMs)
    const answer = asked('a')
    await world.settle()
    await brings('{"keys": [[[]]]}')
    equal(answer(), 'a')
    deepEqual(results, ['jwks malformed', 'jwks ok a', 'jwks malformed'])
  })

  it('takes over an empty key set where no kept key has verified a token', async () => {
    await kept('a')
    await world.advance(ttlMs)
    const answer = asked('a')
    await world.settle()
    await brings('{"keys": []}')
    equal(answer(), 'none')
  })

  for (const [what, text] of [
    ['an empty set', '{"keys": []}'],
    ['a set without the key', keySetText('b')],
    ['a set of keys that it cannot use', '{"keys": [{"kty": "EC"}]}'],
  ] as const)
    it(`keeps a key that verified somebody beside ${what}, for the time of the cache and no longer`, async () => {
      await kept('a')
      verified('a')
      await world.advance(ttlMs - 1)
      const forced = asked('unknown')
      await world.settle()
      await brings(text)
      equal(forced(), 'none')
      equal(await answerTo('a'), 'a')
      verified('a')
      await world.advance(ttlMs - 1)
      equal(await answerTo('a'), 'a')
      await world.advance(1)
      const late = asked('a')
      await world.settle()
      await brings(text)
      equal(late(), 'none')
    })

  it('keeps no key longer where the set lacks it again and again, or the source fails after that', async () => {
    await kept('a')
    verified('a')
    asked('x')
    await world.settle()
    await brings('{"keys": []}')
    await world.advance(forcedMs)
    asked('y')
    await world.settle()
    await brings('{"keys": []}')
    await world.advance(ttlMs - forcedMs)
    const answer = asked('a')
    await world.settle()
    await fails()
    equal(answer(), 'none')
  })

  it('takes a key back that is listed again, and a new one of the same name in its place', async () => {
    await kept('a')
    verified('a')
    for (const text of ['{"keys": []}', keySetText('a')]) {
      asked('x')
      await world.settle()
      await brings(text)
      await world.advance(forcedMs)
    }
    await world.advance(ttlMs - forcedMs - 1)
    equal(await answerTo('a'), 'a')
    await world.advance(1)
    asked('a')
    await world.settle()
    await brings(keySetText('a', 'b'))
    equal(await answerTo(null), 'a b')
  })

  it('gives for no kid the listed keys, and those that are missing while none is listed', async () => {
    await kept('a')
    verified('a')
    for (const [text, given] of [
      [keySetText('b'), 'b'],
      ['{"keys": []}', 'a'],
    ] as const) {
      asked('x')
      await world.settle()
      await brings(text)
      equal(await answerTo(null), given)
      await world.advance(forcedMs)
    }
  })

  it('fetches once a minute for unknown kids of all callers while the set is empty', async () => {
    await kept('a')
    verified('a')
    for (const times of [2, 3, 4]) {
      for (let n = 0; n < 100; n += 1) {
        const answer = asked(`unknown-${times}-${n}`)
        await world.settle()
        if (answer() === 'waits') await brings('{"keys": []}')
        equal(answer(), 'none')
      }
      equal(flights.length, times)
      equal(await answerTo('a'), 'a')
      await world.advance(forcedMs)
    }
  })

  it('gives up a fetch that tells no end, and does not believe it later', async () => {
    const answer = asked('a')
    await world.settle()
    await world.advance(overdueMs)
    equal(answer(), 'unreachable')
    await brings(keySetText('a'), 0)
    equal(await answerTo('a'), 'unreachable')
    deepEqual(results, ['jwks ok a'])
  })

  it('turns away who would be one too many to wait', async () => {
    const answers = Array.from({ length: waitersMax + 1 }, (_, n) => asked(`kid-${n}`))
    // The mailbox holds this many at once, so the last ask is sent after they have been received.
    await world.settle()
    const last = await answerTo('one more')
    equal(answers.filter(answer => answer() === 'waits').length, waitersMax)
    equal(last, 'unreachable')
  })

  it('keeps the two sources apart', async () => {
    const game = asked(null, 'game')
    const chat = asked(null)
    await world.settle()
    deepEqual(
      flights.map(one => one.source),
      ['game', 'jwks'],
    )
    await brings(keySetText('a'), 1)
    equal(chat(), 'a')
    equal(game(), 'waits')
    await brings(JSON.stringify(jwk), 0)
    equal(game(), 'nameless')
  })

  it('fetches nothing from a source that has no URL', async () => {
    tree.close()
    world = kernelWorld()
    await start(null)
    equal(await answerTo(null, 'game'), 'unset')
    equal(flights.length, 0)
  })

  it('takes back the fetch when it ends, and tells who waits', async () => {
    const answer = asked('a')
    await world.settle()
    const [flight] = flights
    equal(flight?.signal.aborted, false)
    tree.close()
    await world.settle()
    equal(answer(), 'Gone')
    equal(flight.signal.aborted, true)
  })
})
