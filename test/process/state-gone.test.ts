import { equal, match } from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { exitCodes } from '#protocol/exit-code.js'
import { type Daemon, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

describe('a state area that is removed under a running host', () => {
  let repository: Repository
  let daemon: Daemon
  beforeEach(async () => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': '{"server": {"selfheal_interval_ms": 100}}',
      'encje/indeks.md': '### Orrin\n- @typ: NPC\n',
    })
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  afterEach(async () => {
    await daemon.stop('SIGKILL')
    repository.dispose()
  })

  const state = (): string => join(repository.path, '.svc/state')
  const remove = (): void => rmSync(state(), { recursive: true })

  it('lets no second host or adoption begin, and the next one after a kill', async () => {
    remove()
    for (const args of [
      ['serve', '--repo', repository.path],
      ['adopt', repository.path],
    ]) {
      const second = await runCommand(args)
      equal(second.code, exitCodes.held, second.stderr)
      match(second.stderr, /is held by process \d+, kronika serve, since .*; stop that process first/)
      equal(existsSync(state()), false)
    }
    await daemon.stop('SIGKILL')
    daemon = await startDaemon(['serve', '--repo', repository.path])
    match(daemon.stderr(), /"state_lost"/)
  })
})
