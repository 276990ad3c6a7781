import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import type { AuditLine } from '#protocol/host/events.js'
import { refusalFoldRule } from '#src/domain/limits/fold-refusals.js'
import { refusalTeller } from './tokens.js'

describe('the teller of refused credentials', () => {
  const { windowMs, linesPerClient } = refusalFoldRule
  const start = () => {
    const lines: Array<AuditLine> = []
    const logged: Array<object> = []
    const timers: Array<() => void> = []
    let atMs = 0
    const teller = refusalTeller({
      log: { warn: (_event, fields = {}) => void logged.push(fields) },
      audit: line => void lines.push(line),
      nowMs: () => atMs,
      after: (_delayMs, run) => {
        timers.push(run)
        return () => void timers.splice(timers.indexOf(run), timers.includes(run) ? 1 : 0)
      },
    })
    const pass = (ms: number): void => {
      atMs += ms
      for (const run of timers.splice(0)) run()
    }
    return { lines, logged, timers, teller, pass }
  }
  const count = {
    action: 'credential.refused',
    actor: 'nobody',
    count: 3,
    from: instantOf(0),
    to: instantOf(windowMs),
  }

  it('writes the pending count when the window has passed, to the audit stream and the log', () => {
    const { lines, logged, teller, pass } = start()
    for (let at = 0; at < linesPerClient + 3; at += 1) teller.tellToken('a', `r${at}`, 'GET')
    equal(lines.length, linesPerClient)
    pass(windowMs)
    deepEqual(lines.slice(linesPerClient), [count])
    equal(logged.length, lines.length)
  })

  it('says of a count of sign-ins which one it was', () => {
    const { lines, teller, pass } = start()
    for (let at = 0; at < linesPerClient + 3; at += 1) teller.tellSignIn('game', 'a', 'SignatureInvalid')
    pass(windowMs)
    deepEqual(lines.slice(linesPerClient), [{ ...count, signIn: 'game' }])
  })

  it('writes the pending count at a shutdown, and leaves no timer', () => {
    const { lines, timers, teller } = start()
    for (let at = 0; at < linesPerClient + 3; at += 1) teller.tellToken('a', `r${at}`, 'GET')
    teller.end()
    deepEqual(lines.slice(linesPerClient), [{ ...count, to: instantOf(0) }])
    equal(timers.length, 0)
  })
})
