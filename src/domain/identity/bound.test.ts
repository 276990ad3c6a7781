import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'
import {
  type AccountBinding,
  type Binding,
  type Bindings,
  bindAccount,
  bindingsOf,
  bindingsPath,
  bindingsText,
} from './bindings.js'

const since = instantOf(0)
const one = (chatId: string, gameId: string): Binding => ({ chatId, gameId, since, by: 'x' })
const read = (stored: ReadonlyArray<Binding>): Bindings =>
  bindingsOf(sourceFile(bindingsPath, bindingsText({}, stored)))
const bind = (stored: ReadonlyArray<Binding>, chatId: string, gameId: string): AccountBinding =>
  bindAccount(read(stored), stored, one(chatId, gameId))
const pairs = (stored: ReadonlyArray<Binding>) => stored.map(({ chatId, gameId }) => `${chatId}=${gameId}`)

const stored = [one('a', '1'), one('b', '2')]

describe('a binding', () => {
  it('of a new account to a new id takes nothing away', () => {
    const { displaces, replaces, alreadyLinked, after } = bind(stored, 'c', '3')
    deepEqual([displaces, replaces, alreadyLinked, pairs(after)], [null, null, false, ['a=1', 'b=2', 'c=3']])
  })

  it('of an id that another account holds displaces that account', () => {
    const { displaces, replaces, after } = bind(stored, 'c', '1')
    deepEqual([displaces, replaces, pairs(after)], ['a', null, ['b=2', 'c=1']])
  })

  it('of an account that has another id replaces that id, and may do both', () => {
    const { displaces, replaces, after } = bind(stored, 'a', '2')
    deepEqual([displaces, replaces, pairs(after)], ['b', '1', ['a=2']])
  })

  it('that stands is left as it is, with when and by whom it was made', () => {
    const { alreadyLinked, binding, after } = bindAccount(read(stored), stored, {
      ...one('a', '1'),
      by: 'other',
    })
    deepEqual([alreadyLinked, binding.by, after], [true, 'x', stored])
  })

  it('mends rows of its own account and id that stood twice, which bound nobody, and leaves others', () => {
    const twice = [one('a', '1'), one('a', '2'), one('b', '1'), one('c', '3'), one('d', '3')]
    const { displaces, replaces, after } = bind(twice, 'a', '1')
    deepEqual([displaces, replaces, pairs(after)], [null, null, ['c=3', 'd=3', 'a=1']])
  })

  it('leaves one of each account and each id after any sequence, and the last word holds', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3', '4'))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const model = new Map<string, string>()
        let now: ReadonlyArray<Binding> = []
        for (const [chatId, gameId] of steps) {
          const before = new Map(model)
          const displaced = [...before].find(([chat, game]) => game === gameId && chat !== chatId)?.[0]
          const made = bind(now, chatId, gameId)
          const same = before.get(chatId) === gameId
          equal(made.alreadyLinked, same)
          equal(made.displaces, displaced ?? null)
          equal(made.replaces, same ? null : (before.get(chatId) ?? null))
          if (displaced !== undefined) model.delete(displaced)
          model.set(chatId, gameId)
          now = made.after
        }
        const { byChat, byGame, findings } = read(now)
        deepEqual(findings, [])
        equal(byGame.size, now.length)
        deepEqual(new Map([...byChat].map(([chat, { gameId }]) => [chat, gameId])), model)
      }),
      { numRuns: runsOf(300) },
    )
  })
})

describe('the text of the bindings', () => {
  it('is a binding a line, in the order they were made', () => {
    const line = (chatId: string, gameId: string) =>
      `{"chatId":"${chatId}","gameId":"${gameId}","since":"${since}","by":"x"}`
    equal(
      bindingsText({}, [one('b', '2'), one('a', '1')]),
      `{"bindings": [\n${line('b', '2')},\n${line('a', '1')}\n]}\n`,
    )
    equal(bindingsText({}, []), '{"bindings": []}\n')
  })

  it('keeps fields that this daemon does not know', () => {
    const file = sourceFile(
      bindingsPath,
      JSON.stringify({ bindings: [{ ...one('a', '1'), note: 'przez administrację' }] }),
    )
    ok(bindingsText({}, bindingsOf(file).stored ?? []).includes('"note":"przez administrację"'))
  })
})
