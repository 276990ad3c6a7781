import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { openWakeSignal } from './chat.js'

describe('the wake signal of an actor', () => {
  it('wakes once until the actor looks at the store', () => {
    const signal = openWakeSignal()
    let wakes = 0
    const raise = () =>
      signal.raise(() => {
        wakes += 1
        return true
      })
    raise()
    raise()
    equal(wakes, 1)
    signal.clear()
    raise()
    raise()
    equal(wakes, 2)
  })

  it('wakes again after a wake that the mailbox did not accept', () => {
    const signal = openWakeSignal()
    let tries = 0
    const wake = () => {
      tries += 1
      return tries > 1
    }
    for (let interaction = 0; interaction < 3; interaction += 1) signal.raise(wake)
    equal(tries, 2)
  })
})
