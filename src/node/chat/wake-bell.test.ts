import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { openWakeBell } from './chat.js'

describe('the bell of an actor', () => {
  it('wakes once until the actor looks at the store', () => {
    const bell = openWakeBell()
    let wakes = 0
    const ring = () =>
      bell.ring(() => {
        wakes += 1
        return true
      })
    ring()
    ring()
    equal(wakes, 1)
    bell.silence()
    ring()
    ring()
    equal(wakes, 2)
  })

  it('wakes again after a wake that the mailbox did not accept', () => {
    const bell = openWakeBell()
    let tries = 0
    const wake = () => {
      tries += 1
      return tries > 1
    }
    for (let interaction = 0; interaction < 3; interaction += 1) bell.ring(wake)
    equal(tries, 2)
  })
})
