import { equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { PlayerKey } from '#protocol/lore/people.js'
import { carryOut } from '#src/kernel/actor/actor.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import type { OnlineAnswer } from '#src/ports/identity.js'
import {
  type BudgetAsked,
  type RosterKeeperMessage,
  type RosterState,
  rosterKeeper,
  rosterOverdueMs,
  rosterPauseMs,
} from './roster-keeper.js'

const missTtlMs = 60_000
const nicks = ['a', 'b', 'c', 'd'] as const
type Nick = (typeof nicks)[number]
/** `spent` has used up their share. */
const people = ['spent', 'Jodła', null] as const

const Command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: fc.constantFrom(...nicks), person: fc.constantFrom(...people) }) },
  {
    weight: 3,
    arbitrary: fc.record({ pass: fc.constantFrom(1, 1_000, rosterOverdueMs, rosterPauseMs, missTtlMs) }),
  },
  { weight: 3, arbitrary: fc.record({ bring: fc.subarray([...nicks]) }) },
  { weight: 1, arbitrary: fc.record({ fail: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ budget: fc.boolean() }) },
)

/** One keeper on the test's clock, whose budget and fetches the test answers. */
const keeperRun = () => {
  const actor = rosterKeeper({ missTtlMs })
  let [nowMs, turn, open, taken] = [1_000_000, 0, 0, 0]
  let [bad, givenBack] = [0, 0]
  let failedMs: number | null = null
  let hasBudget = true
  let flight: { readonly id: string; readonly atMs: number } | null = null
  /** When the last good fetch that somebody waited for did not have a nick. */
  const missedMs = new Map<Nick, number>()
  let brought: ReadonlyArray<Nick> | null = null
  const moment = () => {
    turn += 1
    return { nowMs, monotonicMs: nowMs, id: `t${turn}`, chance: 0, incarnation: 'roster-keeper.1' }
  }
  let [state]: readonly [RosterState, unknown] = actor.initial(moment())

  const judge = (nick: Nick, person: string | null, answer: OnlineAnswer): void => {
    open -= 1
    const lastMs = missedMs.get(nick)
    const isRemembered = lastMs !== undefined && nowMs - lastMs < missTtlMs
    if (answer._tag === 'Online') ok(brought?.includes(nick), 'a player whom no roster had')
    if (answer._tag === 'Exhausted')
      ok(answer.of === 'person' ? person === 'spent' : !hasBudget, 'a budget that was there')
    if (answer._tag !== 'Absent') return
    if (answer.isRemembered) ok(isRemembered, 'a miss that is too old, or that no roster had')
    else ok(brought !== null && !brought.includes(nick), 'a miss without a roster')
  }
  const takeFetch = (person: string | null): BudgetAsked['outcome'] => {
    ok(failedMs === null || nowMs - failedMs >= rosterPauseMs, 'a fetch in the pause after one that failed')
    if (!hasBudget) return { _tag: 'Exhausted', of: 'host', retryAfterMs: 1 }
    if (person === 'spent') return { _tag: 'Exhausted', of: 'person', retryAfterMs: 1 }
    taken += 1
    return { _tag: 'Taken', fetch: taken }
  }
  const send = (message: RosterKeeperMessage): void => {
    const [next, effects] = actor.receive(state, message, moment())
    state = next
    for (const effect of effects) {
      if ('kernel' in effect && effect.kernel !== 'beside') {
        carryOut(effect)
        continue
      }
      const one = 'kernel' in effect ? effect.effect : effect
      if (one._tag === 'TakeFetch')
        send({ _tag: 'BudgetAsked', flight: one.flight, outcome: takeFetch(one.person) })
      else if (one._tag === 'GiveBack') {
        equal(one.fetch, taken)
        givenBack += 1
      } else if (one._tag === 'Fetch') {
        ok(flight === null, 'two fetches at once')
        flight = { id: one.flight, atMs: nowMs }
      }
    }
  }
  const end = (online: ReadonlyArray<Nick> | null): void => {
    if (flight === null) return
    const { id } = flight
    flight = null
    brought = online
    failedMs = online === null ? nowMs : null
    bad += online === null ? 1 : 0
    const waiting = new Set(state.flight?.waiting.map(({ sought }) => sought.by === 'nick' && sought.key))
    const rows = online ?? []
    const players = rows.map(nick => ({ nick, nickKey: nick, gameId: `1${nick}`, charId: '1' }))
    send({
      _tag: 'Fetched',
      flight: id,
      outcome: online === null ? { _tag: 'Failed', why: 'status' } : { _tag: 'Read', players },
    })
    brought = null
    for (const nick of nicks)
      if (online !== null && waiting.has(nick) && !online.includes(nick)) missedMs.set(nick, nowMs)
  }
  return {
    ask: (nick: Nick, person: string | null): void => {
      open += 1
      const sought: PlayerKey = { by: 'nick', key: nick }
      const replyTo = replyToOf<OnlineAnswer>('ask', answer => {
        judge(nick, person, answer)
        return true
      })
      send({ _tag: 'Ask', sought, person, replyTo })
    },
    /** Advances the time; a fetch that has not ended by then is overdue. */
    pass: (ms: number): void => {
      nowMs += ms
      if (flight === null || nowMs - flight.atMs < rosterOverdueMs) return
      const { id } = flight
      flight = null
      failedMs = nowMs
      bad += 1
      send({ _tag: 'Overdue', flight: id })
    },
    end,
    setBudget: (next: boolean): void => {
      hasBudget = next
    },
    check: (): void => {
      ok(open === 0 || flight !== null, 'somebody waits for nothing')
      equal(givenBack, bad, 'a fetch that failed was not given back, or another was')
    },
    open: () => open,
    taken: () => taken,
  }
}

describe('the laws of the roster keeper', () => {
  it('hold for any order of asks, outcomes and time', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.array(Command, { minLength: 20, maxLength: 60 }), commands => {
        const run = keeperRun()
        for (const command of commands) {
          if ('ask' in command) run.ask(command.ask, command.person)
          else if ('pass' in command) run.pass(command.pass)
          else if ('budget' in command) run.setBudget(command.budget)
          else run.end('bring' in command ? command.bring : null)
          run.check()
        }
        run.end(null)
        equal(run.open(), 0, 'somebody was never answered')
        taken += run.taken()
      }),
      { numRuns: 500 },
    )
    ok(taken > 500, `only ${taken} fetches`)
  })
})
