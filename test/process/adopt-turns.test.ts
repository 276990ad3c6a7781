import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'mocha'
import { readConfig } from '#src/domain/config/read-config.js'
import { adoptionPlan } from '#src/node/gate/preview.js'
import { eventually, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { filesOf } from '#test/support/legacy/legacy-world.js'
import { manySessions } from '#test/support/legacy/many-sessions.js'
import { leastTurnMs, longestTurnMs } from '#test/support/longest-turn.js'
import { startNode } from '#test/support/node.js'
import { repositoryOf } from '#test/support/repository.js'
import { skipUnlessWhole } from '#test/support/runs.js'

const count = 10_000
const turnMsMax = 100
/** Of what can be done once only. */
const onceTurnMsMax = 2 * turnMsMax

/** How long the test waits between two questions for health: it must not take the processor from the previews. */
const healthEveryMs = 20

const spareBytes = 128 * 1024 * 1024

const errorOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'no refusal'

describe('an adoption of 10,000 sessions', () => {
  before(skipUnlessWhole)

  it('is planned without a turn above 100 ms of processor time', async () => {
    const plan = adoptionPlan(readConfig(null).config)
    const worstMs = await leastTurnMs(turnMsMax, async () => {
      const files = filesOf(manySessions(count))
      await new Promise(resolve => setImmediate(resolve))
      const { report } = await plan(files, Date.parse('2026-06-15T10:00:00Z'), true, new Map())
      equal(report.SessionsObserved, count + 2)
    })
    console.log(`      ${Math.round(worstMs)} ms`)
    ok(worstMs < turnMsMax, `${Math.round(worstMs)} ms`)
  })

  it('is carried out by the daemon without one, and published', async () => {
    const node = await startNode({ files: manySessions(count) })
    try {
      const worstMs = await leastTurnMs(turnMsMax, async () => {
        const dry = await node.client.ask('/import?dryRun=true', { method: 'POST', body: '{}' })
        equal(dry.status, 200)
      })
      const adoptMs = await longestTurnMs(async () => {
        const made = await node.client.ask('/import', { method: 'POST', body: '{}' })
        equal(made.status, 200)
      })
      console.log(`      dry ${Math.round(worstMs)} ms, adopted ${Math.round(adoptMs)} ms`)
      ok(worstMs < turnMsMax && adoptMs < onceTurnMsMax, `${worstMs} ${adoptMs}`)
    } finally {
      await node.stop()
    }
  })

  it('previewed by 200 callers at once is answered 200 or 503, while health is answered and memory is given back', async () => {
    const repository = repositoryOf(manySessions(200))
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    try {
      const usedBytes = (): number => {
        const [, kib = '0'] =
          /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${daemon.ready.pid}/status`, 'utf8')) ?? []
        return Number(kib) * 1024
      }
      equal((await postJson(daemon, '/import?dryRun=true', {})).status, 200)
      const before = usedBytes()
      let [isOver, healthy] = [false, 0]
      const watched = (async () => {
        while (!isOver) {
          equal((await getJson(daemon, '/health')).status, 200)
          healthy += 1
          await new Promise(resolve => setTimeout(resolve, healthEveryMs))
        }
      })()
      const replies = await Promise.all(
        Array.from({ length: 200 }, () => postJson(daemon, '/import?dryRun=true', {})),
      )
      isOver = true
      await watched
      const statuses = replies.map(({ status, body }) =>
        `${status} ${status === 200 ? '' : errorOf(body)}`.trim(),
      )
      deepEqual(
        [...new Set(statuses)].filter(one => one !== '200' && one !== '503 Overloaded'),
        [],
      )
      ok(statuses.includes('200') && healthy > 1, `${healthy} answers of /health`)
      // What a process once had it may keep for a while; a copy of the world for each caller would be far above this.
      await eventually(
        () => Promise.resolve(usedBytes()),
        bytes => bytes < before + spareBytes,
      )
      equal((await postJson(daemon, '/import?dryRun=true', {})).status, 200)
    } finally {
      await daemon.stop()
      repository.dispose()
    }
  })
}).timeout(600_000)
