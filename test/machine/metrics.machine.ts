import { equal, ok } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { hasTool } from './tool.js'

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })

const configOf = (target: string): string =>
  [
    'global: { scrape_interval: 1s, scrape_timeout: 1s }',
    'scrape_configs:',
    '  - job_name: kronika',
    `    static_configs: [{ targets: ['${target}'] }]`,
    '',
  ].join('\n')

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

  it('pass promtool check metrics without a line', async function () {
    if (!hasTool('promtool')) this.skip()
    const text = await (await fetch(`${daemon.ready.ops}/metrics`)).text()
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    equal(`${checked.stdout}${checked.stderr}`, '')
    equal(checked.status, 0)
  })

  it('are scraped by a real Prometheus', async function () {
    if (!hasTool('prometheus')) this.skip()
    const folder = temporaryFolder()
    const port = await freePort()
    writeFileSync(join(folder.path, 'prometheus.yml'), configOf(new URL(daemon.ready.ops).host))
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(folder.path, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder.path, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    )
    try {
      const ask = async (query: string): Promise<string> => {
        const answer = await fetch(
          `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`,
        ).catch(() => null)
        return answer === null ? '' : answer.text()
      }
      await eventually(
        () => ask('up{job="kronika"} == 1'),
        text => text.includes('"value"'),
        30_000,
      )
      const actors = await ask('svc_actor_state{state="running"} == 1')
      for (const actor of ['corpus-keeper', 'write-gate', 'http-front'])
        ok(actors.includes(`"actor":"${actor}"`), actors)
    } finally {
      child.kill('SIGTERM')
      await new Promise(resolve => child.once('close', resolve))
      folder.dispose()
    }
  })
})
