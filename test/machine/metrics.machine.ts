import { equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'mocha'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { startPrometheus } from './prometheus-server.js'
import { hasTool } from './tool.js'

describe('the metrics, by the tools that read them', () => {
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n' })
    daemon = await startDaemon(['serve', '--repo', repository.path])
    await getJson(daemon, '/health')
    await getJson(daemon, '/people')
    await getJson(daemon, '/nothing')
  })
  after(async () => {
    await daemon.stop()
    repository.dispose()
  })

  it('pass promtool check metrics but for the one name that is in milliseconds', async function () {
    if (!hasTool('promtool')) this.skip()
    const text = await (await fetch(`${daemon.ready.ops}/metrics`)).text()
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    equal(
      `${checked.stdout}${checked.stderr}`,
      'svc_loop_lag_ms metric names should not contain abbreviated units\n',
    )
    // What promtool ends with where it only has remarks.
    equal(checked.status, 3)
  })

  it('are scraped by a real Prometheus', async function () {
    if (!hasTool('prometheus')) this.skip()
    const server = await startPrometheus({ host: new URL(daemon.ready.ops).host })
    try {
      await eventually(
        () => server.query('up{job="kronika"} == 1'),
        series => series.length === 1,
      )
      const actors = JSON.stringify(await server.query('svc_actor_state{state="running"} == 1'))
      for (const actor of ['corpus-keeper', 'write-gate', 'http-front'])
        ok(actors.includes(`"actor":"${actor}"`), actors)
    } finally {
      await server.stop()
    }
  })
})
