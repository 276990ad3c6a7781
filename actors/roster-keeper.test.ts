import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import type { PlayerKey } from '#protocol/lore/people.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import type { OnlineAnswer } from '#src/ports/identity.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import {
  type BudgetAsked,
  type RosterFetched,
  type RosterKeeperMessage,
  rosterKeeper,
  rosterMissesMax,
  rosterOverdueMs,
  rosterPauseMs,
  rosterWaitersMax,
} from './roster-keeper.js'

const missTtlMs = 300_000

const nick = (text: string): PlayerKey => ({ by: 'nick', key: nameKey(text) })
const player = (name: string, gameId: string) => ({
  nick: name,
  nickKey: nameKey(name),
  gameId,
  charId: `c${gameId}`,
})

const describeAnswer = (answer: OnlineAnswer): string => {
  if (answer._tag === 'Online') return `online ${answer.player.nick}`
  if (answer._tag === 'Absent') return answer.isRemembered ? 'remembered' : 'absent'
  return answer._tag
}

describe('the roster keeper', () => {
  let world: KernelWorld
  let keeper: Ref<RosterKeeperMessage>
  let tree: ActorTree
  let flights: ReadonlyArray<{
    readonly signal: AbortSignal
    readonly end: (outcome: RosterFetched['outcome']) => void
  }>
  let results: ReadonlyArray<string>
  let budget: BudgetAsked['outcome']
  let taken: number
  let payers: ReadonlyArray<string | null>
  let spent: ReadonlySet<string | null>
  let givenBack: ReadonlyArray<number>

  const start = async (ttlMs = missTtlMs): Promise<void> => {
    const placed = await world.alone(rosterKeeper({ missTtlMs: ttlMs }), {
      takeFetch: person => {
        if (spent.has(person)) return { _tag: 'Exhausted', of: 'person', retryAfterMs: 1000 }
        if (budget._tag !== 'Taken') return budget
        taken += 1
        payers = [...payers, person]
        return { _tag: 'Taken', fetch: taken }
      },
      giveBack: fetch => {
        givenBack = [...givenBack, fetch]
      },
      fetchRoster: signal =>
        new Promise(end => {
          flights = [...flights, { signal, end }]
        }),
      fetched: told => {
        results = [...results, told.result]
      },
    })
    keeper = placed.ref
    tree = placed.tree
  }
  beforeEach(async () => {
    world = kernelWorld()
    flights = []
    results = []
    budget = { _tag: 'Taken', fetch: 0 }
    taken = 0
    payers = []
    spent = new Set()
    givenBack = []
    await start()
  })
  afterEach(() => void tree.close())

  /** A running ask; the returned function gives its answer in short, once there is one. */
  const asked = (sought: PlayerKey, person: string | null = null): (() => string) => {
    let answer = 'waits'
    void ask<RosterKeeperMessage, OnlineAnswer>(
      keeper,
      replyTo => ({ _tag: 'Ask', sought, person, replyTo }),
      2 * rosterOverdueMs,
    ).then(given => {
      answer = isLeft(given) ? given.left._tag : describeAnswer(given.right)
    })
    return () => answer
  }
  const answerTo = async (sought: PlayerKey, person: string | null = null): Promise<string> => {
    const answer = asked(sought, person)
    await world.settle()
    return answer()
  }
  const end = async (outcome: RosterFetched['outcome'], index = flights.length - 1): Promise<void> => {
    flights[index]?.end(outcome)
    await world.settle()
  }
  const bring = (...players: ReadonlyArray<ReturnType<typeof player>>) => end({ _tag: 'Read', players })
  const fail = () => end({ _tag: 'Failed', why: 'unreachable' })

  it('fetches nothing before it is asked', async () => {
    await world.advance(10 * missTtlMs)
    deepEqual([flights.length, taken], [0, 0])
  })

  it('makes one fetch for all who ask meanwhile, and takes one from the budget', async () => {
    const answers = Array.from({ length: 100 }, (_, at) => asked(nick(at % 2 === 0 ? 'Lis' : 'Sowa')))
    await world.settle()
    const later = asked({ by: 'gameId', gameId: '7' })
    await world.settle()
    deepEqual([flights.length, taken], [1, 1])
    await bring(player('LIS', '7'))
    deepEqual([...new Set(answers.map(answer => answer()))], ['online LIS', 'absent'])
    equal(later(), 'online LIS')
    deepEqual(results, ['ok'])
  })

  it('remembers a miss for its time, and makes no fetch for it', async () => {
    const first = asked(nick('Nikt'))
    await world.settle()
    await bring()
    equal(first(), 'absent')
    await world.advance(missTtlMs - 1)
    equal(await answerTo(nick('NIKT')), 'remembered')
    equal(flights.length, 1)
    await world.advance(1)
    equal(await answerTo(nick('Nikt')), 'waits')
    equal(flights.length, 2)
  })

  it('remembers a nick and a game id of the same text apart', async () => {
    asked(nick('7'))
    await world.settle()
    await bring()
    equal(await answerTo({ by: 'gameId', gameId: '7' }), 'waits')
    equal(await answerTo(nick('7')), 'remembered')
  })

  it('answers a remembered miss while a fetch runs for another player', async () => {
    asked(nick('Nikt'))
    await world.settle()
    await bring()
    asked(nick('Inny'))
    equal(await answerTo(nick('Nikt')), 'remembered')
  })

  it('gives back a fetch that failed, remembers nothing of it, and makes the next after a pause', async () => {
    const first = asked(nick('Nikt'))
    await world.settle()
    await fail()
    equal(first(), 'Away')
    await world.advance(rosterPauseMs - 1)
    equal(await answerTo(nick('Nikt')), 'Away')
    deepEqual([flights.length, taken, results, givenBack], [1, 1, ['unreachable'], [1]])
    await world.advance(1)
    const next = asked(nick('Nikt'))
    await world.settle()
    await bring()
    equal(next(), 'absent')
    equal(await answerTo(nick('Inny')), 'waits')
    deepEqual([flights.length, taken, givenBack], [3, 3, [1]])
  })

  it('takes a fetch from the share of the first who waits; a person whose share is used up does not block the others', async () => {
    spent = new Set(['Brzoza'])
    const brzoza = [asked(nick('a'), 'Brzoza'), asked(nick('b'), 'Brzoza')]
    const others = [asked(nick('a'), 'Jodła'), asked(nick('c'))]
    await world.settle()
    deepEqual([brzoza.map(answer => answer()), payers], [['Exhausted', 'Exhausted'], ['Jodła']])
    const late = asked(nick('c'), 'Brzoza')
    await world.settle()
    await bring(player('c', '7'))
    deepEqual(
      [...others, late].map(answer => answer()),
      ['absent', 'online c', 'online c'],
    )
    equal(await answerTo(nick('d'), 'Brzoza'), 'Exhausted')
    deepEqual([flights.length, taken], [1, 1])
  })

  it('says that the budget is spent, makes no fetch, and remembers nothing', async () => {
    budget = { _tag: 'Exhausted', of: 'host', retryAfterMs: 1000 }
    equal(await answerTo(nick('Nikt')), 'Exhausted')
    budget = { _tag: 'Taken', fetch: 0 }
    equal(await answerTo(nick('Nikt')), 'waits')
    deepEqual([flights.length, taken], [1, 1])
  })

  it('makes no fetch that the disk does not record', async () => {
    budget = { _tag: 'DiskRefused', code: 'SQLITE_FULL' }
    equal(await answerTo(nick('Nikt')), 'DiskRefused')
    equal(flights.length, 0)
  })

  it('gives up a fetch that does not end, and ignores its late outcome', async () => {
    const first = asked(nick('Lis'))
    await world.settle()
    await world.advance(rosterOverdueMs)
    deepEqual([first(), givenBack], ['Away', [1]])
    await world.advance(rosterPauseMs)
    const second = asked(nick('Lis'))
    await world.settle()
    await end({ _tag: 'Read', players: [player('Lis', '7')] }, 0)
    equal(second(), 'waits')
    await bring()
    equal(second(), 'absent')
  })

  it('lets a bounded number wait for one fetch', async () => {
    const answers: Array<() => string> = []
    for (let at = 0; at <= rosterWaitersMax; at += 1) {
      answers.push(asked(nick(`n${at}`)))
      if (at % 100 === 0) await world.settle()
    }
    await world.settle()
    deepEqual([answers.at(-1)?.(), answers.at(-2)?.()], ['Away', 'waits'])
    await bring()
    equal(answers.at(-2)?.(), 'absent')
  })

  it('forgets the oldest misses above their bound', async () => {
    for (let from = 0; from <= rosterMissesMax; from += 500) {
      for (let at = from; at < from + 500; at += 1) asked(nick(`n${at}`))
      await world.settle()
      await bring()
    }
    equal(await answerTo(nick(`n${rosterMissesMax + 499}`)), 'remembered')
    equal(await answerTo(nick('n0')), 'waits')
  })

  it('remembers no miss where the time for it is 0', async () => {
    tree.close()
    world = kernelWorld()
    await start(0)
    asked(nick('Nikt'))
    await world.settle()
    await bring()
    equal(await answerTo(nick('Nikt')), 'waits')
  })

  it('cancels the fetch of an incarnation that ends', async () => {
    asked(nick('Lis'))
    await world.settle()
    tree.close()
    equal(flights[0]?.signal.aborted, true)
  })
})
