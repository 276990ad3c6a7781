import { deepEqual, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { boundThreads } from './bounded-threads.js'
import { readConfig } from './read-config.js'

const on = (processors: number, threads: number) => {
  const text = JSON.stringify({ server: { reader_threads: threads } })
  const file = sourceFile('.svc/config.json', text)
  const { config, findings } = boundThreads(file, readConfig(file), processors)
  return { threads: config['server.reader_threads'], findings }
}

describe('the reader threads of a host', () => {
  it('are at most its processors, and more than those is a finding', () => {
    const { threads, findings } = on(2, 1_000_000)
    deepEqual([threads, findings.length], [2, 1])
    const [finding] = findings
    deepEqual(
      [finding?.kind, finding?.severity, finding?.subject],
      ['ConfigInvalid', 'warning', 'server.reader_threads'],
    )
    match(finding?.reason ?? '', /is 1000000, .* 2 processors; it uses 2 threads/)
  })

  it('are as many as asked for where the host has a processor for each', () => {
    for (const wanted of [0, 1, 2]) deepEqual(on(2, wanted), { threads: wanted, findings: [] })
  })
})
