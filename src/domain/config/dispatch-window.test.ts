import { deepEqual, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { readConfig } from './read-config.js'
import { boundDispatchWindow } from './schedules.js'

const boundBy = (dispatch: object) => {
  const text = JSON.stringify({ integrations: { chat: { dispatch } } })
  const file = sourceFile('.svc/config.json', text)
  const { config, findings } = boundDispatchWindow(file, readConfig(file))
  return { windowMs: config['integrations.chat.dispatch.window_ms'], findings }
}

describe('the window of a dispatch', () => {
  it('is as configured up to the time-out of the worker less 1,500 ms', () => {
    deepEqual(boundBy({}), { windowMs: 5_000, findings: [] })
    deepEqual(boundBy({ window_ms: 6_000, worker_timeout_ms: 7_500 }), { windowMs: 6_000, findings: [] })
  })

  it('is at most that, with a finding', () => {
    const { windowMs, findings } = boundBy({ window_ms: 5_001 })
    deepEqual([windowMs, findings.length], [5_000, 1])
    match(findings[0]?.reason ?? '', /window_ms .*is 5001, and .*worker_timeout_ms is 6500; .* 5000/)
    deepEqual(boundBy({ worker_timeout_ms: 1_000 }).windowMs, 0)
  })
})
