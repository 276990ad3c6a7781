import { deepEqual, equal, match } from 'node:assert/strict'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { Refusal } from '#protocol/refusal.js'
import type { Command, Written } from '#src/writing/command.js'
import { testCommand } from '#test/support/commands.js'
import { makeLatch } from '#test/support/latch.js'
import { callerWritesMax, limitWrites } from './limit-writes.js'

type Answer = Either<Refusal, Written>
const written: Answer = right({ status: null, body: {}, commit: null })

const byToken = (token: string): Command => testCommand({ asker: { _tag: 'Bearer', token } })
const byPerson = (token: string, gracz: string): Command =>
  testCommand({ asker: { _tag: 'Bearer', token }, actor: { name: gracz, gracz, kind: 'session' } })

/** A write port whose gate answers nothing until it opens. */
const openHeldGate = () => {
  const gate = makeLatch()
  const reached: Array<Command> = []
  const write = limitWrites(async command => {
    reached.push(command)
    await gate.opened
    return written
  })
  const fill = (command: Command) => Array.from({ length: callerWritesMax }, () => write(command))
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
    equal(reached.length, callerWritesMax)
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
    const write = limitWrites(() => gate.opened.then(() => written))
    const waiting = Array.from({ length: callerWritesMax }, () => write(byToken('a'), () => false))
    await isTurnedAway(write(byToken('a')))
    gate.open()
    await Promise.all(waiting)
    deepEqual(await write(byToken('a')), written)
  })

  it('leave room for a dry run, and free their places where the port fails', async () => {
    const { write, fill, reached, open } = openHeldGate()
    const waiting = fill(byToken('a'))
    const dry = write({ ...byToken('a'), dryRun: true })
    equal(reached.length, callerWritesMax + 1)
    open()
    await Promise.all([...waiting, dry])
    const failing = limitWrites(() => Promise.reject(new Error('no')))
    for (let at = 0; at <= callerWritesMax; at += 1)
      equal(await failing(byToken('a')).catch(() => 'failed'), 'failed')
  })
})
