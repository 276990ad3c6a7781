import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

/** As the daemon has them, but a call to a silent remote, whose limit is `far` while it is silent. */
const limitsOf = () => ({ near: 30_000, far: 60_000 })
type Limits = ReturnType<typeof limitsOf>

describe('a remote that goes silent', () => {
  let world: SyncWorld
  beforeEach(() => {
    world = syncWorld({ 'inne.md': 'Raz.\n' })
  })
  afterEach(() => world.dispose())

  /** The converge fails with `timeout` while the remote is silent; the next one publishes. */
  const recovers = async (host: SyncHost, limitsMs: Limits, mend: () => void): Promise<void> => {
    limitsMs.far = 400
    const commit = host.write({ 'a.md': 'a\n' })
    const silent = await host.sync()
    deepEqual([silent.lastAction, silent.unpublished], ['timeout', 1])
    match(silent.lastDetail ?? '', /^The (remote|push) /)
    limitsMs.far = 60_000
    mend()
    ok((await host.sync()).lastOk !== null)
    equal(world.remoteHead(), commit)
  }

  const recoversFrom = async (silence: string, settings: Readonly<Record<string, string>> = {}) => {
    const limitsMs = limitsOf()
    const host = await world.host('a', { limitsMs })
    for (const [name, value] of Object.entries(settings)) host.git('config', name, value)
    host.git('remote', 'set-url', 'origin', silence)
    await recovers(host, limitsMs, () => host.git('remote', 'set-url', 'origin', world.bare))
  }

  it('over http ends the converge, and the next one uses the address of then', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await recoversFrom(`http://127.0.0.1:${(server.address() as AddressInfo).port}/lore.git`)
    server.close()
  })

  it('over ssh does the same', async () => {
    const hangs = "trap '' TERM; sleep 1000; sleep 1000 #"
    await recoversFrom('ssh://nowhere/lore.git', { 'core.sshCommand': hangs })
  })

  it('by a hook that sleeps does the same', async () => {
    const limitsMs = limitsOf()
    const host = await world.host('a', { limitsMs })
    const hook = join(world.bare, 'hooks/pre-receive')
    writeFileSync(hook, '#!/bin/sh\nsleep 1000\n')
    chmodSync(hook, 0o755)
    await recovers(host, limitsMs, () => writeFileSync(hook, '#!/bin/sh\n'))
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
    ok((await host.sync()).lastOk !== null)
    equal(git('--git-dir', copy, 'rev-parse', 'refs/heads/lore'), commit)
  })

  for (const [step, words] of [
    ['fetch', 'the fetch from the remote'],
    ['push', 'the push to the remote'],
  ] as const)
    it(`at the ${step} ends the whole converge when its time is over, and is named`, async () => {
      let endTime: () => void = () => undefined
      const host = await world.host('a', {
        after: (_ms, run) => {
          endTime = run
          return () => undefined
        },
        remote: remote => ({
          ...remote,
          [step]: (...given: ReadonlyArray<unknown>) =>
            new Promise(resolve => {
              const end = () => resolve({ _tag: 'Failed', action: 'failed', detail: 'git printed nothing.' })
              const signal = given.at(-1)
              if (signal instanceof AbortSignal) signal.addEventListener('abort', end, { once: true })
              endTime()
            }),
        }),
      })
      host.write({ 'a.md': 'a\n' })
      const { lastAction, lastDetail } = await host.sync()
      const detail = `The converge did not end in time: it waited for ${words}.`
      deepEqual([lastAction, lastDetail], ['timeout', detail])
    })
})
