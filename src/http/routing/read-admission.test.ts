import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import {
  boundWork,
  openReadPlaces,
  openRequestWork,
  type ReadCaller,
  readLimits,
  requestUnitsMax,
  WorkMoved,
  WorkStopped,
} from './read-admission.js'

const person: ReadCaller = { key: 'person Solmyr', underWayMax: readLimits.person }
const machine: ReadCaller = { key: 'token 00', underWayMax: readLimits.token }
const there = (): boolean => true

const waitFor = (places: ReturnType<typeof openReadPlaces>, caller = person, isWanted = there) => {
  const waits = places.wait(caller, isWanted)
  if (isLeft(waits)) throw new Error(waits.left.detail)
  return waits.right
}

const settled = async <A>(promise: Promise<A>): Promise<A | 'waits'> =>
  Promise.race([promise, new Promise<'waits'>(resolve => setImmediate(() => resolve('waits')))])

describe('the places of long reads', () => {
  it('are 4 for a person and 8 for a token without one, whatever others hold', () => {
    const places = openReadPlaces()
    for (const caller of [person, { ...person, key: 'person Gelu' }])
      deepEqual(
        Array.from({ length: 6 }, () => places.take(caller) !== null),
        [true, true, true, true, false, false],
      )
    equal(Array.from({ length: 20 }, () => places.take(machine)).filter(one => one !== null).length, 8)
  })

  it('are handed over in the order of the line', async () => {
    const places = openReadPlaces()
    const held = Array.from({ length: 4 }, () => places.take(person))
    const order: number[] = []
    const lines = [0, 1, 2].map(at => waitFor(places).then(() => void order.push(at)))
    equal(places.take(person), null)
    held[0]?.()
    await lines[0]
    equal(await settled(lines[1] ?? Promise.resolve()), 'waits')
    held[1]?.()
    held[2]?.()
    await Promise.all(lines)
    deepEqual(order, [0, 1, 2])
  })

  it('are freed once, however often they are given back', () => {
    const places = openReadPlaces()
    const [first] = Array.from({ length: 4 }, () => places.take(person))
    first?.()
    first?.()
    ok(places.take(person) !== null)
    equal(places.take(person), null)
  })

  it('have a line of 64 for one caller, behind which it is refused and others are not', () => {
    const places = openReadPlaces()
    for (let at = 0; at < 4 + readLimits.waitingOfCaller; at += 1) ok(isRight(places.wait(person, there)))
    const refused = places.wait(person, there)
    ok(isLeft(refused) && refused.left.detail.includes('64'))
    ok(isRight(places.wait(machine, there)))
  })

  it('have a line of 512 for all callers together', () => {
    const places = openReadPlaces()
    const callers = Array.from({ length: 8 }, (_, at) => ({ ...person, key: `person ${at}` }))
    for (const caller of callers)
      for (let at = 0; at < 4 + 64; at += 1) ok(isRight(places.wait(caller, there)))
    for (let at = 0; at < 8; at += 1) ok(isRight(places.wait(machine, there)))
    const refused = places.wait(machine, there)
    ok(isLeft(refused) && refused.left.detail.includes('512'))
  })

  it('are not taken up in the line by clients who have left', async () => {
    const places = openReadPlaces()
    let isThere = true
    const held = Array.from({ length: 4 }, () => places.take(person))
    const gone = Array.from({ length: 64 }, () => waitFor(places, person, () => isThere))
    isThere = false
    const next = waitFor(places)
    deepEqual(new Set(await Promise.all(gone)), new Set([null]))
    held[0]?.()
    ok((await next) !== null)
  })
})

const worth = function* (amount: number, log: number[] = []): Sliced<string> {
  for (let at = 0; at < 4; at += 1) {
    log.push(at)
    yield amount / 4
  }
  return 'done'
}

describe('the work of a request', () => {
  const budgeted = routes['resolve.batch.list']

  it('is refused above its units, with what to narrow, and runs below them', () => {
    equal(atOnce(boundWork(budgeted, there)(worth(requestUnitsMax))), 'done')
    try {
      atOnce(boundWork(budgeted, there)(worth(requestUnitsMax + 4)))
      throw new Error('not refused')
    } catch (error) {
      ok(error instanceof WorkStopped && error.refusal?._tag === 'TooMuchWork')
      deepEqual(error.refusal.narrow, ['queries'])
      ok(error.refusal.detail.includes('`queries`'))
    }
  })

  it('counts all pieces of a request together', () => {
    const bound = boundWork(budgeted, there)
    atOnce(bound(worth(requestUnitsMax * 0.6)))
    let refused = false
    try {
      atOnce(bound(worth(requestUnitsMax * 0.6)))
    } catch {
      refused = true
    }
    ok(refused)
  })

  it('has no budget in a list of the whole corpus, a job and a fresh lint', () => {
    for (const id of ['entities.list', 'jobs.result.get', 'claims.lint.get'] as const)
      equal(atOnce(boundWork(routes[id], there)(worth(10 * requestUnitsMax))), 'done')
  })

  it('stops at the first pause after its client has left', () => {
    const log: number[] = []
    let isThere = true
    const work = boundWork(budgeted, () => isThere)(worth(4, log))
    work.next()
    isThere = false
    try {
      work.next()
    } catch (error) {
      ok(error instanceof WorkStopped && error.refusal === null)
    }
    deepEqual(log, [0, 1])
  })

  const requestOf = (row = budgeted as (typeof routes)[keyof typeof routes], places = openReadPlaces()) => {
    const asked: string[] = []
    const work = openRequestWork({
      row,
      places,
      caller: person,
      isWanted: there,
      scheduler: {
        // Work is always left after the first turn.
        run: async (caller, steps, afterFirst) => {
          asked.push(caller)
          const first = steps.next()
          if (first.done === true) return first.value
          await afterFirst?.()
          for (;;) {
            const step = steps.next()
            if (step.done === true) return step.value
          }
        },
      },
    })
    return { work, places, asked }
  }

  it('takes a place when work is left after its first turn, and keeps it until its end', async () => {
    const { work, places, asked } = requestOf()
    await work.run(worth(4))
    await work.run(worth(4))
    deepEqual(asked, [person.key, person.key])
    equal([1, 2, 3, 4].filter(() => places.take(person) !== null).length, 3)
    work.release()
    await Promise.resolve()
    ok(places.take(person) !== null)
  })

  it('is refused by the line where it is full', async () => {
    const { work, places } = requestOf()
    for (let at = 0; at < 4 + 64; at += 1) places.wait(person, there)
    await rejects(
      work.run(worth(4)),
      error => error instanceof WorkStopped && error.refusal?._tag === 'Overloaded',
    )
  })

  it('moves to a thread once it has a place', async () => {
    const { work, places } = requestOf()
    await rejects(work.runFirstTurn(worth(4)), WorkMoved)
    equal([1, 2, 3, 4].filter(() => places.take(person) !== null).length, 3)
  })

  it('has neither a place nor a budget in a write', async () => {
    const { work, places } = requestOf(routes['entities.create'])
    equal(await work.run(worth(10 * requestUnitsMax)), 'done')
    equal([1, 2, 3, 4].filter(() => places.take(person) !== null).length, 4)
  })

  it('gives back a place that it is given after its end', async () => {
    const { work, places } = requestOf()
    const held = Array.from({ length: 4 }, () => places.take(person))
    const waits = work.hold()
    work.release()
    held[0]?.()
    await waits
    await Promise.resolve()
    ok(places.take(person) !== null)
  })
})
