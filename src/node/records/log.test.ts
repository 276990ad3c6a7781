import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Log, logRecord } from './records.js'

const levelsOf = (...events: ReadonlyArray<string>): ReadonlyArray<string> => {
  const levels: Array<string> = []
  const at = (level: string) => (event: string) => void levels.push(`${level} ${event}`)
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => undefined,
  }
  for (const event of events) logRecord(log)({ event })
  return levels
}

describe('a record of the kernel', () => {
  it('is a warning, unless it is about the ordinary life of an actor', () => {
    deepEqual(levelsOf('ready', 'dead_letter'), ['debug ready', 'warn dead_letter'])
  })

  it('about a reply that came too late is for debugging, because its caller has reported the time-out', () => {
    deepEqual(levelsOf('late_reply'), ['debug late_reply'])
  })
})
