import { deepEqual, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { lineageRoutes } from '#protocol/transcripts/lineage.js'
import { logsRoutes } from '#protocol/transcripts/logs.js'
import { spokenRoutes } from '#protocol/transcripts/spoken.js'
import { type Daemon, getJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { hasTool } from './tool.js'

const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 3600000}}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 100\n',
  'encje/indeks.md': '### Orrin\n- @typ: NPC\n- @plik: Wątki/orrin.md\n',
  'Wątki/orrin.md': '# Orrin\n\n### 2024-05-03, Próba, Solmyr\n\nOrrin przyszedł.\n',
}

/** What is no part of the snapshot: records of this host, and the history that git keeps. */
const kept: ReadonlyArray<string> = [
  'events.stream',
  'events.journal.list',
  'logs.list',
  'jobs.get',
  'jobs.result.get',
  'tokens.list',
  'apiKeys.claim',
  'audit.changes.list',
] satisfies ReadonlyArray<keyof typeof routes>

/** Lines of transcripts are not in memory: a thread answers them from its index on disk. */
const spoken: ReadonlyArray<string> = Object.keys({ ...lineageRoutes, ...logsRoutes, ...spokenRoutes })

/** Paths of the other GET rows with names that the world above has. */
const paths = Object.entries(routes)
  .filter(([id, row]) => row.method === 'GET' && !kept.includes(id) && !spoken.includes(id))
  .map(([, row]) =>
    row.path
      .replace('{name}', 'Orrin')
      .replace('{header}', '2024-05-03%2C%20Pr%C3%B3ba%2C%20Solmyr')
      .replace('{nick}', 'Solmyr')
      .replace('{ref}', 'rada')
      .replace('{id}', '100'),
  )

describe('after boot', () => {
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    repository = repositoryOf(files)
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  after(async () => {
    await daemon.stop()
    repository.dispose()
  })

  it('no read of the snapshot opens or reads a file', async function () {
    if (!hasTool('strace')) this.skip()
    for (const path of paths) await getJson(daemon, path)
    const folder = temporaryFolder()
    const log = join(folder.path, 'calls')
    const child = spawn(
      'strace',
      [
        '-f',
        '-e',
        'trace=openat,open,stat,lstat,newfstatat,pread64,write,writev',
        '-o',
        log,
        '-p',
        String(daemon.ready.pid),
      ],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    await new Promise(resolve => child.stderr.once('data', resolve))
    for (const path of paths) await getJson(daemon, `${path}?x=${encodeURIComponent(path)}`)
    child.kill('SIGINT')
    await new Promise(resolve => child.once('close', resolve))
    const calls = readFileSync(log, 'utf8').split('\n')
    folder.dispose()
    const touched = calls.filter(
      line =>
        /\b(openat|open|stat|lstat|newfstatat|pread64)\(/.test(line) &&
        !/"\/proc\/|"\/sys\/|"\/etc\/localtime/.test(line),
    )
    ok(
      calls.filter(line => line.includes('HTTP/1.1')).length >= paths.length,
      'the answers themselves were traced',
    )
    deepEqual(touched, [])
  })
})
