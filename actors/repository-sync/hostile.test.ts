import { deepEqual, equal, ok } from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { gitIn } from '#test/support/repository.js'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const index = 'encje/indeks.md'
const orrin = '### Orrin\n- @typ: NPC\n'
const zoe = '\n### Zoe\n- @typ: NPC\n'

/** The command lines of all running processes. */
const commandLines = (): string =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')

describe('a hostile remote', () => {
  let world: SyncWorld
  let one: SyncHost
  let ran: string
  beforeEach(async () => {
    world = syncWorld({ [index]: orrin })
    one = await world.host('a')
    ran = join(one.path, '..', 'ran')
  })
  afterEach(() => world.dispose())

  it('names a branch that is an option, and nothing of it is run or pushed', async () => {
    gitIn(world.bare, 'update-ref', 'refs/heads/--upload-pack=x', 'main')
    gitIn(world.bare, 'symbolic-ref', 'HEAD', 'refs/heads/--upload-pack=x')
    const other = await world.host('b')
    equal(other.reports.at(-1)?.lastAction, 'failed')
    equal(gitIn(world.bare, 'for-each-ref', '--format=%(refname)', 'refs/heads').split('\n').length, 2)
  })

  it('brings a submodule, which is taken over as a link and never fetched', async () => {
    const other = await world.host('b')
    other.git('update-index', '--add', '--cacheinfo', `160000,${other.head()},moduł`)
    const modules = `[submodule "m"]\n\tpath = moduł\n\turl = ext::sh -c touch% ${ran}\n`
    const commit = other.write({ '.gitmodules': modules })
    await other.sync()
    one.write({ [index]: orrin + zoe })
    equal((await one.sync()).lastAction, 'merged')
    one.git('merge-base', '--is-ancestor', commit, 'HEAD')
    deepEqual([existsSync(ran), existsSync(join(one.path, '.git/modules'))], [false, false])
  })

  it('finds no hook of the checkout that would run', async () => {
    const hooks = join(one.path, '.git/hooks')
    mkdirSync(hooks, { recursive: true })
    for (const hook of ['pre-push', 'post-merge', 'post-checkout', 'reference-transaction', 'post-rewrite']) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${ran}\n`)
      chmodSync(join(hooks, hook), 0o755)
    }
    const other = await world.host('b')
    other.write({ 'inne.md': 'x\n' })
    await other.sync()
    writeFileSync(join(one.path, index), orrin + zoe)
    one.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'write')
    equal((await one.sync()).lastAction, 'merged')
    equal(existsSync(ran), false)
  })

  it('gains nothing by what the environment says to git', async () => {
    const before = { ...process.env }
    const planted = {
      GIT_DIR: '/nonexistent',
      GIT_SSH_COMMAND: `touch ${ran}`,
      GIT_EXTERNAL_DIFF: `touch ${ran}`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: '/tmp',
    }
    const commit = one.write({ [index]: orrin + zoe })
    Object.assign(process.env, planted)
    try {
      equal((await one.sync()).lastAction, 'pushed')
    } finally {
      for (const name of Object.keys(planted)) Reflect.deleteProperty(process.env, name)
      Object.assign(process.env, before)
    }
    equal(world.remoteHead(), commit)
    equal(existsSync(ran), false)
  })

  it('never sees, and nobody sees, a password on a command line', async function () {
    if (process.platform !== 'linux') this.skip()
    const seen: Array<string> = []
    const server = createServer(socket => {
      seen.push(commandLines())
      socket.destroy()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    one.git('remote', 'set-url', 'origin', `https://robot:bardzotajne@127.0.0.1:${address.port}/lore.git`)
    const report = await one.sync()
    await new Promise(resolve => server.close(resolve))
    equal(report.lastAction, 'unreachable')
    ok(seen.length > 0 && seen.every(lines => lines.includes(`127.0.0.1:${address.port}`)))
    equal([...seen, JSON.stringify([one.reports, one.ended])].join().includes('bardzotajne'), false)
  })
})
