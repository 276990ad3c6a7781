import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { Command, Written } from '#src/writing/command.js'
import { testCommand } from '#test/support/commands.js'
import { makeLatch } from '#test/support/latch.js'
import { callerLimits, dryRunLimits, limitCallers } from './limit-callers.js'

type Answer = Either<Refusal, Written>
const written: Answer = right({ status: null, body: {}, commit: null })

const byToken = (token: string): Command => testCommand({ asker: { _tag: 'Bearer', token } })
const byPerson = (token: string, gracz: string): Command =>
  testCommand({ asker: { _tag: 'Bearer', token }, actor: { name: gracz, gracz, kind: 'session' } })

/** A write port whose gate answers nothing until it opens. */
const openHeldGate = () => {
  const gate = makeLatch()
  const reached: Array<Command> = []
  const write = limitCallers().limitWrites(async command => {
    reached.push(command)
    await gate.opened
    return written
  })
  const fill = (command: Command) => Array.from({ length: callerLimits.writes }, () => write(command))
  return { write, fill, reached, open: gate.open }
}

const isTurnedAway = async (answer: Promise<Answer>): Promise<void> => {
  const said = await answer
  equal(isLeft(said) && said.left._tag, 'Overloaded')
  match(
    isLeft(said) ? said.left.detail : '',
    /^64 writes of this caller .* nothing was written\..*Retry-After/,
  )
}

describe('the writes of one caller', () => {
  it('are refused while as many wait as one caller may have, and pass again when those are answered', async () => {
    const { write, fill, reached, open } = openHeldGate()
    const waiting = fill(byToken('a'))
    await isTurnedAway(write(byToken('a')))
    equal(reached.length, callerLimits.writes)
    open()
    deepEqual(new Set(await Promise.all(waiting)), new Set([written]))
    deepEqual(await write(byToken('a')), written)
  })

  it('take no place of another caller', async () => {
    const { write, fill, open } = openHeldGate()
    const waiting = [...fill(byToken('a')), write(byToken('b')), write(byPerson('c', 'Brzoza'))]
    open()
    deepEqual(new Set(await Promise.all(waiting)), new Set([written]))
  })

  it('are those of a person under every token of theirs', async () => {
    const { write, fill, open } = openHeldGate()
    const waiting = fill(byPerson('a', 'Brzoza'))
    await isTurnedAway(write(byPerson('b', 'Brzoza')))
    open()
    await Promise.all(waiting)
  })

  it('count until the gate is done with them, even if their caller has left', async () => {
    const gate = makeLatch()
    const write = limitCallers().limitWrites(() => gate.opened.then(() => written))
    const waiting = Array.from({ length: callerLimits.writes }, () => write(byToken('a'), () => false))
    await isTurnedAway(write(byToken('a')))
    gate.open()
    await Promise.all(waiting)
    deepEqual(await write(byToken('a')), written)
  })

  it('leave room for a dry run, and free their places where the port fails', async () => {
    const { write, fill, reached, open } = openHeldGate()
    const waiting = fill(byToken('a'))
    const dry = write({ ...byToken('a'), dryRun: true })
    equal(reached.length, callerLimits.writes + 1)
    open()
    await Promise.all([...waiting, dry])
    const failing = limitCallers().limitWrites(() => Promise.reject(new Error('no')))
    for (let at = 0; at <= callerLimits.writes; at += 1)
      equal(await failing(byToken('a')).catch(() => 'failed'), 'failed')
  })
})

describe('the dry runs of writes', () => {
  /** A write port whose dry runs end one by one, in the order in which the port got them. */
  const openPort = () => {
    const reached: Array<string> = []
    const ends: Array<() => void> = []
    const write = limitCallers().limitWrites(async ({ route }) => {
      const end = makeLatch()
      reached.push(route)
      ends.push(end.open)
      await end.opened
      return written
    })
    let asked = 0
    const ask = (token: string): Promise<Answer> => {
      asked += 1
      return write({ ...byToken(token), route: `${asked}`, dryRun: true })
    }
    const askMany = (token: string, count: number) => Array.from({ length: count }, () => ask(token))
    /** Ends them all, also those that come to the port meanwhile. */
    const endAll = async (answers: ReadonlyArray<Promise<Answer>>): Promise<void> => {
      while (reached.length < answers.length || ends.length > 0) {
        ends.shift()?.()
        await new Promise(resolve => setImmediate(resolve))
      }
      deepEqual(new Set(await Promise.all(answers)), new Set([written]))
    }
    return { ask, askMany, endAll, ends, reached }
  }
  const isRefused = async (answer: Promise<Answer>, detail: RegExp): Promise<void> => {
    const said = await answer
    ok(isLeft(said) && said.left._tag === 'Overloaded')
    match(said.left.detail, detail)
  }

  it('are under way a few at a time, and the others wait in the order of arrival', async () => {
    const { askMany, endAll, ends, reached } = openPort()
    const asked = [...askMany('a', dryRunLimits.underWay + 1), ...askMany('b', 2)]
    equal(reached.length, dryRunLimits.underWay)
    ends.shift()?.()
    await asked[0]
    equal(reached.length, dryRunLimits.underWay + 1)
    await endAll(asked)
    deepEqual(
      reached,
      asked.map((_, at) => `${at + 1}`),
    )
  })

  it('of one caller are bounded, those in the line included, and not at the cost of another caller', async () => {
    const { ask, askMany, endAll } = openPort()
    const asked = askMany('a', callerLimits.dryRuns)
    await isRefused(ask('a'), /^16 dry runs of this caller .* nothing was written\..*Retry-After/)
    await endAll([...asked, ask('b')])
  })

  it('of all callers are refused while the line is full, and pass again when it moves', async () => {
    const { ask, askMany, endAll, ends } = openPort()
    const most = dryRunLimits.underWay + dryRunLimits.waiting
    const asked = Array.from({ length: most }, (_, at) => askMany(`${at}`, 1)).flat()
    await isRefused(ask('last'), /^64 dry runs are waiting/)
    ends.shift()?.()
    await asked[0]
    await endAll([...asked, ask('last')])
  })

  it('give their place back where the port fails', async () => {
    const write = limitCallers().limitWrites(() => Promise.reject(new Error('no')))
    for (let at = 0; at <= callerLimits.dryRuns; at += 1)
      equal(await write({ ...byToken('a'), dryRun: true }).catch(() => 'failed'), 'failed')
  })
})

describe('the imports and reindexes of one caller', () => {
  const nothing = left(refuse('NoRepository', 'x'))
  const { actor, route } = testCommand()
  const ofToken = (token: string) =>
    [
      { actor, route },
      { row: 'x', asker: { _tag: 'Bearer', token }, grade: 'full' },
    ] as const

  it('are one at a time, dry runs included, and leave another caller theirs', async () => {
    const held = makeLatch()
    let runs = 0
    const wait = async () => {
      runs += 1
      await held.opened
      return nothing
    }
    const { limitAdoptions } = limitCallers()
    const [adopt, reindex] = [limitAdoptions(wait), limitAdoptions(wait)]
    const first = adopt(false, ...ofToken('a'))
    for (const second of [adopt(false, ...ofToken('a')), reindex(true, ...ofToken('a'))]) {
      const said = await second
      equal(isLeft(said) && said.left._tag, 'Overloaded')
    }
    const other = reindex(true, ...ofToken('b'))
    held.open()
    deepEqual([await first, await other, runs], [nothing, nothing, 2])
    deepEqual(await reindex(true, ...ofToken('a')), nothing)
  })
})
