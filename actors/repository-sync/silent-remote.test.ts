import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const limitsMs = { near: 30_000, far: 400 }

describe('a remote that goes silent', () => {
  let world: SyncWorld
  beforeEach(() => {
    world = syncWorld({ 'inne.md': 'Raz.\n' })
  })
  afterEach(() => world.dispose())

  /** The converge at this address fails with `timeout`; the next one, at the address of then, publishes. */
  const recovers = async (host: SyncHost, silence: string): Promise<void> => {
    host.git('remote', 'set-url', 'origin', silence)
    const commit = host.write({ 'a.md': 'a\n' })
    const silent = await host.sync()
    deepEqual([silent.lastAction, silent.unpublished], ['timeout', 1])
    match(silent.lastDetail ?? '', /the remote|The remote|The push/)
    host.git('remote', 'set-url', 'origin', world.bare)
    equal((await host.sync()).lastAction, 'pushed')
    equal(world.remoteHead(), commit)
  }

  it('over http ends the converge, and the next one uses the address of then', async () => {
    const server: Server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await recovers(await world.host('a', { limitsMs }), `http://127.0.0.1:${port}/lore.git`)
    server.close()
  })

  it('over ssh does the same', async () => {
    const host = await world.host('a', { limitsMs })
    host.git('config', 'core.sshCommand', "trap '' TERM; sleep 1000; sleep 1000 #")
    await recovers(host, 'ssh://nowhere/lore.git')
  })

  it('by a hook that sleeps does the same, and names what the remote said', async () => {
    const host = await world.host('a', { limitsMs, setup: { convergeMsMax: 1_000 } })
    const hook = join(world.bare, 'hooks/pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho Czekam na skaner. >&2\nsleep 1000\n')
    chmodSync(hook, 0o755)
    const commit = host.write({ 'a.md': 'a\n' })
    const silent = await host.sync()
    equal(silent.lastAction, 'timeout')
    match(silent.lastDetail ?? '', /push/)
    writeFileSync(hook, '#!/bin/sh\n')
    equal((await host.sync()).lastAction, 'pushed')
    equal(world.remoteHead(), commit)
  })

  it('follows the head of the remote at another address', async () => {
    const host = await world.host('a')
    host.git('push', '-q', world.bare, 'HEAD:refs/heads/lore')
    const { git } = host
    const copy = `${world.bare}.copy`
    git('clone', '-q', '--bare', world.bare, copy)
    git('--git-dir', copy, 'symbolic-ref', 'HEAD', 'refs/heads/lore')
    git('remote', 'set-url', 'origin', copy)
    const commit = host.write({ 'a.md': 'a\n' })
    equal((await host.sync()).lastAction, 'pushed')
    equal(git('--git-dir', copy, 'rev-parse', 'refs/heads/lore'), commit)
  })

  for (const step of ['fetch', 'push'] as const)
    it(`at the ${step} ends the whole converge in its time, and is named`, async () => {
      const host = await world.host('a', {
        setup: { convergeMsMax: 300 },
        remote: remote => ({
          ...remote,
          [step]: (...given: ReadonlyArray<unknown>) =>
            new Promise(resolve => {
              const signal = given.at(-1)
              ok(signal instanceof AbortSignal)
              const end = () => resolve({ _tag: 'Failed', action: 'failed', detail: 'git printed nothing.' })
              signal.addEventListener('abort', end, { once: true })
            }),
        }),
      })
      host.write({ 'a.md': 'a\n' })
      const report = await host.sync()
      equal(report.lastAction, 'timeout')
      equal(
        report.lastDetail,
        `The converge did not end in time: it waited for the ${step} ${step === 'push' ? 'to' : 'from'} the remote.`,
      )
    })
})
