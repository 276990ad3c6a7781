import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { openAcceptingLoop, openWorkScheduler, type WorkScheduler } from './work-scheduler.js'

/** A loop whose turns and time the test gives: each step of work takes a millisecond. */
const givenLoop = () => {
  let [nowMs, next]: [number, (() => void) | null] = [0, null]
  const scheduler = openWorkScheduler(
    {
      monotonicMs: () => nowMs,
      nextTurn: run => {
        next = run
      },
    },
    { turnMs: 10, sliceMs: 2 },
  )
  return {
    scheduler,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Takes one turn; returns whether there was one to take. */
    turn: async (): Promise<boolean> => {
      const run = next
      next = null
      run?.()
      for (let at = 0; at < 8; at += 1) await Promise.resolve()
      return run !== null
    },
  }
}

type Given = ReturnType<typeof givenLoop>

/** Work of some steps of one millisecond, which notes each. */
const stepsOf = function* (
  given: Given,
  log: string[],
  name: string,
  steps: number,
): Generator<undefined, string> {
  for (let at = 0; at < steps; at += 1) {
    given.pass(1)
    log.push(name)
    yield
  }
  return name
}

const countIn = (log: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const name of log) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

describe('the scheduler of long work', () => {
  const begin = (
    given: Given,
    log: string[],
    scheduler: WorkScheduler,
    caller: string,
    name: string,
    steps = 100,
  ) => scheduler.run(caller, stepsOf(given, log, name, steps))

  it('runs work that finds the turn free at once, to its end', async () => {
    const given = givenLoop()
    const log: string[] = []
    const done = begin(given, log, given.scheduler, 'a', 'short', 3)
    equal(log.length, 3)
    equal(await done, 'short')
  })

  it('gives all work together one budget in each turn, however many pieces there are', async () => {
    const given = givenLoop()
    const log: string[] = []
    for (let at = 0; at < 100; at += 1) void begin(given, log, given.scheduler, 'a', `piece ${at}`)
    equal(log.length, 10)
    for (let turn = 2; turn <= 5; turn += 1) {
      await given.turn()
      equal(log.length, 10 * turn)
    }
  })

  it('gives callers turns, so that one with much work delays another by a slice', async () => {
    const given = givenLoop()
    const log: string[] = []
    for (let at = 0; at < 50; at += 1) void begin(given, log, given.scheduler, 'crowd', 'crowd')
    const other = begin(given, log, given.scheduler, 'other', 'other', 4)
    log.length = 0
    await given.turn()
    deepEqual(log.slice(0, 6), ['crowd', 'crowd', 'other', 'other', 'crowd', 'crowd'])
    await given.turn()
    equal(await other, 'other')
  })

  it('gives the pieces of one caller turns too', async () => {
    const given = givenLoop()
    const log: string[] = []
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth'])
      void begin(given, log, given.scheduler, 'a', name)
    for (let turn = 0; turn < 4; turn += 1) await given.turn()
    log.length = 0
    for (let turn = 0; turn < 5; turn += 1) await given.turn()
    deepEqual(countIn(log), { first: 10, second: 10, third: 10, fourth: 10, fifth: 10 })
  })

  it('makes what enters wait once the turn is used up, behind no more than a slice of each caller', async () => {
    const given = givenLoop()
    const log: string[] = []
    void begin(given, log, given.scheduler, 'crowd', 'crowd')
    let entered = 0
    void given.scheduler.enter(
      () => 'other',
      () => {
        entered += 1
      },
    )
    equal(entered, 0)
    log.length = 0
    await given.turn()
    equal(entered, 1)
    equal(log.length, 10)
  })

  it('shares the turn between a loop that breathes and the work of others', async () => {
    const given = givenLoop()
    const log: string[] = []
    const breathe = given.scheduler.breather('daemon')
    const loop = (async () => {
      for (let at = 0; at < 20; at += 1) {
        given.pass(1)
        log.push('daemon')
        await breathe()
      }
    })()
    await given.turn()
    void begin(given, log, given.scheduler, 'a', 'a', 1000)
    log.length = 0
    for (let turn = 0; turn < 5; turn += 1) await given.turn()
    const { daemon = 0, a = 0 } = countIn(log)
    equal(daemon, 10)
    equal(a, 40)
    while (await given.turn()) if (log.filter(one => one === 'daemon').length >= 20) break
    void loop
  })

  it('waits behind the first slice where work is left, and runs no further where that is refused', async () => {
    const given = givenLoop()
    const log: string[] = []
    let asked = 0
    const short = given.scheduler.run('a', stepsOf(given, log, 'short', 3), () => {
      asked += 1
      return Promise.resolve()
    })
    equal(await short, 'short')
    equal(asked, 0)
    const long = given.scheduler.run('a', stepsOf(given, log, 'long', 50), () => {
      asked += 1
      return Promise.reject(new Error('refused'))
    })
    await Promise.all([rejects(long, /refused/), given.turn()])
    const ran = log.filter(name => name === 'long').length
    await given.turn()
    deepEqual([asked, log.filter(name => name === 'long').length], [1, ran])
  })

  it('rejects with the fault of the work, and goes on with the others', async () => {
    const given = givenLoop()
    const log: string[] = []
    const next = (): never => {
      throw new Error('fault')
    }
    const faulty = given.scheduler.run('a', { next })
    await rejects(faulty, /fault/)
    equal(await begin(given, log, given.scheduler, 'a', 'next', 2), 'next')
  })
})

describe('a loop that accepts connections', () => {
  it('runs work in the first turn after one without a connection, and after 30 ms at the latest', () => {
    let [nowMs, next, runs]: [number, (() => void) | null, number] = [0, null, 0]
    const loop = openAcceptingLoop({
      monotonicMs: () => nowMs,
      nextTurn: run => {
        next = run
      },
    })
    const turn = (hasConnection: boolean): number => {
      if (hasConnection) loop.accepted()
      nowMs += 1
      const run = next
      next = null
      run?.()
      return runs
    }
    const ask = (): void =>
      loop.nextTurn(() => {
        runs += 1
      })
    ask()
    equal(turn(false), 1)
    ask()
    deepEqual([turn(true), turn(true), turn(false)], [1, 1, 2])
    ask()
    deepEqual(
      Array.from({ length: 31 }, () => turn(true)),
      [...Array.from({ length: 30 }, () => 2), 3],
    )
  })
})
