import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { invalidBudget, noLimits, tokenHoldMs } from '#src/domain/chat/limits.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { realClock } from '#src/kernel/time/clock.js'
import { sampleSum } from '#test/support/metric-text.js'
import { chatCourierPorts } from './chat.js'

const metric = 'svc_chat_courier_shut_until_timestamp_seconds'

const openPorts = () => {
  const { meter, text } = prometheus(() => undefined)
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    debug: () => undefined,
    flush: () => undefined,
  }
  const { config } = readConfig(null)
  const secrets = { chatBotToken: null, forgeToken: null }
  const ports = chatCourierPorts({ config, secrets, version: '0', meter, log })
  const untilSeconds = async (reason: string): Promise<number> => sampleSum(await text(), metric, { reason })
  return { ports, untilSeconds, text }
}

describe('the metric of the chat courier', () => {
  it('is there from the start, at 0', async () => {
    const { text } = openPorts()
    for (const reason of ['token', 'budget']) ok((await text()).includes(`${metric}{reason="${reason}"} 0`))
  })

  it('has until when a refused token stops the calls, and is 0 when it is over', async () => {
    const { ports, untilSeconds } = openPorts()
    const nowMs = realClock.monotonicMs()
    ports.limits.set({ ...noLimits, tokenRefusedUntilMs: nowMs + tokenHoldMs })
    ok((await untilSeconds('token')) > realClock.nowMs() / 1_000)
    equal(await untilSeconds('budget'), 0)
    ports.limits.set({ ...noLimits, tokenRefusedUntilMs: nowMs - 1 })
    equal(await untilSeconds('token'), 0)
  })

  it('has until when too many invalid answers stop the calls', async () => {
    const { ports, untilSeconds } = openPorts()
    const invalid = Array.from({ length: invalidBudget.max }, () => realClock.monotonicMs())
    ports.limits.set({ ...noLimits, invalid: invalid.slice(1) })
    equal(await untilSeconds('budget'), 0)
    ports.limits.set({ ...noLimits, invalid })
    ok((await untilSeconds('budget')) > realClock.nowMs() / 1_000)
  })
})
