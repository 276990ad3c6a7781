import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { virtualClock } from '#test/support/kernel/virtual-clock.js'
import { noMeter } from '#test/support/no-meter.js'
import { type AfterWrite, afterWrite, type WriteFact } from './plan-on.js'

const fact = (commit: string): WriteFact => ({
  commit,
  route: 'entities.patch',
  actor: 'Brzoza',
  intent: 'i',
  subject: 's',
  touches: [],
  audit: [],
})

describe('the hooks after a write', () => {
  it('are left behind after two seconds of the kernel’s clock, all of a batch together', async () => {
    const clock = virtualClock(0)
    const seen: string[] = []
    const hanging: AfterWrite = { name: 'hanging', run: () => new Promise(() => undefined) }
    const telling: AfterWrite = { name: 'telling', run: ({ commit }) => void seen.push(commit) }
    let isOver = false
    const ran = afterWrite(
      {
        afterWrite: [hanging, telling],
        after: clock.after,
        meter: noMeter,
        publish: (_kind, payload) => void seen.push(JSON.stringify(payload)),
        warn: event => void seen.push(event),
      },
      [fact('a'), fact('b')],
    ).then(() => {
      isOver = true
    })
    await clock.advance(1_999)
    deepEqual([seen, isOver], [[], false])
    await clock.advance(1)
    await ran
    const failed = (commit: string): ReadonlyArray<string> => [
      JSON.stringify({ hook: 'hanging', commit, reason: 'it took too long and was abandoned' }),
      'hook_failed',
      commit,
    ]
    deepEqual(seen, [...failed('a'), ...failed('b')])
    deepEqual(clock.nextMs(), null)
  })

  it('leave no timer where all end in time', async () => {
    const clock = virtualClock(0)
    await afterWrite(
      {
        afterWrite: [{ name: 'quick', run: () => Promise.resolve() }],
        after: clock.after,
        meter: noMeter,
        publish: () => undefined,
        warn: () => undefined,
      },
      [fact('a')],
    )
    deepEqual(clock.nextMs(), null)
  })
})
