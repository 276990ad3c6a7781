import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { demoPort } from '#src/node/commands/demo.js'
import {
  binary,
  type Daemon,
  eventually,
  getJson,
  postJson,
  runCommand,
  startDaemon,
} from '#test/support/daemon.js'
import { cloneOf, gitIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'

const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"publish_mode": "push", "selfheal_interval_ms": 100}}\n',
  'encje/indeks.md': '',
}

const eventsOf = (stderr: string): ReadonlyArray<string> =>
  stderr
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map((line): unknown => JSON.parse(line))
    .map(record =>
      typeof record === 'object' && record !== null && 'event' in record ? String(record.event) : '',
    )

describe('the log of a daemon', () => {
  let repository: Repository
  let folder: ReturnType<typeof temporaryFolder>
  let bare = ''
  beforeEach(() => {
    repository = repositoryOf(files)
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
  })
  afterEach(() => {
    repository.dispose()
    folder.dispose()
  })

  const start = (...flags: ReadonlyArray<string>): Promise<Daemon> =>
    startDaemon(['serve', '--repo', repository.path, ...flags])
  const addRemote = (): void => {
    gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', bare)
    repository.git('remote', 'add', 'origin', bare)
    repository.git('push', '-q', 'origin', 'main')
  }
  const create = async (daemon: Daemon, name: string): Promise<void> =>
    equal((await postJson(daemon, '/entities', { name, type: 'NPC' })).status, 201)
  const countOf = (daemon: Daemon, event: string): number =>
    eventsOf(daemon.stderr()).filter(one => one === event).length
  const logged = (daemon: Daemon, event: string, times = 1): Promise<number> =>
    eventually(
      () => Promise.resolve(countOf(daemon, event)),
      count => count >= times,
    )

  it('has one JSON line for each write, push, pull and 503, and none for the start of an actor', async () => {
    addRemote()
    const daemon = await start()
    await create(daemon, 'Zoe')
    equal(await logged(daemon, 'wrote'), 1)
    equal(await logged(daemon, 'pushed'), 1)
    const other = join(folder.path, 'other')
    cloneOf(bare, other)
    gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'other')
    gitIn(other, 'push', '-q', 'origin', 'main')
    equal((await postJson(daemon, '/sync', {})).status, 200)
    equal(await logged(daemon, 'pulled'), 1)
    renameSync(bare, `${bare}.away`)
    equal((await postJson(daemon, '/sync', {})).status, 503)
    equal(await logged(daemon, 'http.unavailable'), 1)
    match(daemon.stderr(), /"method":"POST","route":"\/sync","error":"ConvergeFailed"/)
    equal(await daemon.stop(), 0)
    deepEqual(
      ['wrote', 'pushed', 'pulled', 'started', 'draining'].map(event => countOf(daemon, event)),
      [1, 1, 1, 0, 1],
    )
  })

  it('shows what --log-level asks for, and a wrong level is bad usage', async () => {
    const loud = await start('--log-level', 'debug')
    await loud.stop()
    ok(countOf(loud, 'started') > 5, loud.stderr())
    const quiet = await start('--log-level', 'warn')
    await create(quiet, 'Zoe')
    await quiet.stop()
    equal(quiet.stderr(), '')
    equal((await runCommand(['serve', '--repo', repository.path, '--log-level', 'all'])).code, 64)
  })

  it('says nothing at Ctrl-C, and the end is 0', async () => {
    const daemon = await start()
    const before = daemon.stderr()
    equal(await daemon.stop('SIGINT'), 0)
    equal(daemon.stderr(), before)
    equal((await getJson(daemon, '/health').catch(() => ({ status: 0 }))).status, 0)
  })

  it('of a demo names one port at each start where it is free, and another where it is not', async () => {
    const demo = (name: string): Promise<Daemon> => startDaemon(['demo', join(folder.path, name), '--serve'])
    const [first, second] = [await demo('one'), await demo('two')]
    const again = await first.stop().then(() => demo('one'))
    const [one, two, three] = [first, second, again].map(({ ready }) => new URL(ready.url).port)
    await second.stop()
    await again.stop()
    ok(two !== String(demoPort))
    if (one === String(demoPort)) equal(three, one)
    else console.log(`      note: another process has port ${demoPort}`)
  })

  it('is readable on a terminal', async function () {
    if (!existsSync('/usr/bin/script')) {
      console.log('      note: there is no `script` to open a terminal with; not run')
      return this.skip()
    }
    const command = `exec '${process.execPath}' '${binary}' serve --repo '${repository.path}'`
    const child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let shown = ''
    child.stdout.on('data', (part: Buffer) => {
      shown += part.toString('utf8')
    })
    const ended = new Promise(resolve => child.once('close', resolve))
    await eventually(
      () => Promise.resolve(shown),
      text => text.includes('"ready":true'),
    )
    child.stdin.write('\u0003')
    equal(await ended, 0, shown)
    // The terminal echoes the key in front of the line that comes next, if one comes: Ctrl-C also ends a git at work.
    const lines = shown
      .split(/\r?\n/)
      .map(line => line.replace(/^\^C/, ''))
      .filter(line => line !== '' && !line.startsWith('{"ready"'))
    ok(lines.length > 0)
    for (const line of lines) match(line, /^\d\d:\d\d:\d\d (info |WARN |ERROR) \w/)
  })
})
