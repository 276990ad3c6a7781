import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { remindersPath } from '#src/domain/sessions/reminders.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command } from '#src/writing/command.js'
import { worldOf } from '#test/support/world.js'
import { closeReminder, type ReminderPorts } from './close-reminder.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.parse('2026-05-12T10:00:00Z')

/** A world with an open session, whose narrator was reminded at these times. */
const worldWith = (...reminded: ReadonlyArray<number>): Snapshot =>
  worldOf({
    'kontrybutorzy.md': '## Gracz\n### Gosia\n- @chat: sesje/gosia\n',
    'sesje/maj.md': '### 2026-05-10, Most, Gosia\n\nOpis.\n',
    [remindersPath]: reminded
      .map(atMs => {
        const at = new Date(atMs).toISOString()
        return `${JSON.stringify({ id: at, at, by: 'close_reminder', narrator: 'Gosia', sessions: [] })}\n`
      })
      .join(''),
  })

describe('the workload that reminds narrators', () => {
  let nowMs: number
  let reminded: ReadonlyArray<number>
  let served: Snapshot
  let commands: Array<Command>
  let said: Array<string>
  let given: Partial<ReminderPorts>
  beforeEach(() => {
    ;[nowMs, reminded, commands, said, given] = [startMs, [], [], [], {}]
    served = worldWith()
  })

  /** The ports of a host at the time of the test, whose commits all hosts see. */
  const ports = (): ReminderPorts => ({
    snapshot: () => served,
    mayRemind: () => true,
    write: command => {
      commands.push(command)
      reminded = [...reminded, nowMs]
      served = worldWith(...reminded)
      return Promise.resolve(right({ status: null, body: {}, commit: null }))
    },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    log: { info: event => void said.push(event), warn: event => void said.push(event) },
    ...given,
  })
  const host = (whyNot: string | null = null) => {
    const runner = closeReminder(dayMs, ports)
    return () => runner.run({ whyNoPush: () => whyNot }, new AbortController().signal)
  }
  /** Ticks each minute until a time after the start. */
  const tickUntil = async (tick: () => Promise<void>, afterMs: number): Promise<void> => {
    for (; nowMs <= startMs + afterMs; nowMs += 60_000) await tick()
  }

  it('looks at the first tick and then once an interval, and reminds again behind the cooldown', async () => {
    const tick = host()
    await tickUntil(tick, 5 * dayMs)
    equal(said.length, 6)
    deepEqual(
      reminded.map(atMs => (atMs - startMs) / hourMs),
      [0, 48, 96],
    )
    deepEqual(
      commands.slice(0, 1).map(({ row, route, actor, asker }) => [row, route, actor.name, asker._tag]),
      [['workflows.closeReminder', 'POST /workflows/close-reminder', 'close_reminder', 'Host']],
    )
  })

  it('repeats no reminder after a restart or a takeover', async () => {
    await tickUntil(host(), hourMs)
    await tickUntil(host(), 47 * hourMs)
    deepEqual([reminded.length, commands.length], [1, 1])
    nowMs = startMs + 48 * hourMs
    await host()()
    equal(reminded.length, 2)
  })

  it('asks for no commit while no narrator is due, and does not look while it may not write', async () => {
    given = { mayRemind: () => false }
    const tick = host()
    await tick()
    deepEqual([commands, said], [[], []])
    given = {}
    served = worldWith(startMs - hourMs)
    await tick()
    deepEqual([commands, said], [[], ['close_reminder_looked']])
  })

  it('tries again with the next tick where it lost the duty or the commit', async () => {
    const fallen = host('superseded')
    await fallen()
    deepEqual([commands, said], [[], ['close_reminder_lost']])
    const refusing = host()
    given = { write: () => Promise.resolve(left(refuse('Overloaded', 'x'))) }
    await refusing()
    given = {}
    await refusing()
    deepEqual([commands.length, said.slice(1)], [1, ['close_reminder_lost', 'close_reminder_looked']])
  })
})
