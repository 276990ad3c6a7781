import { doesNotMatch, equal, match } from 'node:assert/strict'
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { exitCodes } from '#protocol/exit-code.js'
import { type Daemon, eventually, getJson, postJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

describe('a state area that is removed under a running host', () => {
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': '{"server": {"selfheal_interval_ms": 100}}',
      'encje/indeks.md': '### Orrin\n- @typ: NPC\n',
    })
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  after(async () => {
    await daemon.stop('SIGKILL')
    repository.dispose()
  })

  const state = (): string => join(repository.path, '.svc/state')
  const blocked = async () => JSON.stringify((await getJson(daemon, '/health')).body)
  const isOpen = () => eventually(blocked, text => text.includes('"blocked":[]'))
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

  it('is an error of doctor, with path, what was lost and what to do, also where another area lies there', async () => {
    const doctor = () => runInProcess('doctor', '--repo', repository.path)
    const moved = `${repository.path}-state`
    const shows = async (path: string, what: string): Promise<void> => {
      const { code, stdout } = await doctor()
      equal(code, 65)
      match(
        stdout,
        new RegExp(`^checkout \\S+${path}: error: ${what}.*\\[StateAreaLost\\]\\n {4}Move the same`, 'm'),
      )
    }
    doesNotMatch((await doctor()).stdout, /StateAreaLost/)
    renameSync(state(), moved)
    await shows('/\\.svc/state', 'This is gone; lost with it: named tokens, .*, machine token')
    cpSync(moved, state(), { recursive: true })
    writeFileSync(join(state(), 'id'), '00000000-0000-4000-8000-000000000000\n')
    await shows(
      '/\\.svc/state',
      'This is not the state area that the host of this checkout used; lost with it: named tokens',
    )
    rmSync(state(), { recursive: true })
    renameSync(moved, state())
    doesNotMatch((await doctor()).stdout, /StateAreaLost/)
    renameSync(join(state(), 'runtime.db'), moved)
    await shows('/runtime\\.db', 'This is gone; lost with it: named tokens, logins, jobs, open intents')
    renameSync(moved, join(state(), 'runtime.db'))
    await isOpen()
  })

  it('is reported, refuses writes and tokens, and the host goes on when the same folder is back', async () => {
    const moved = `${repository.path}-state`
    const loggedBefore = daemon.stderr().length
    renameSync(state(), moved)
    const create = (name: string, query = '') => postJson(daemon, `/entities${query}`, { name, type: 'NPC' })
    // A write is refused at once, before any look of the watch.
    const { status, body } = await create('Nowa')
    equal(status, 503)
    match(
      JSON.stringify(body),
      /"DiskRefused".*state area was moved.*Move the same folder back: the host goes/,
    )
    await eventually(blocked, text => text.includes('"blocked":[{"code":"state_gone","count":1}]'))
    equal((await create('Nowa', '?dryRun=true')).status, 503)
    equal((await postJson(daemon, '/tokens', { name: 'x', capabilities: ['session.read'] })).status, 503)
    equal((await postJson(daemon, '/admin/mode', { mode: 'read-write' })).status, 503)
    equal((await getJson(daemon, '/entities/Orrin')).status, 200)
    await eventually(
      () => Promise.resolve(daemon.stderr().slice(loggedBefore)),
      text => /"code":"state_gone".*"writes_blocked"/.test(text),
    )
    rmSync(state(), { recursive: true, force: true })
    renameSync(moved, state())
    await isOpen()
    equal((await create('Nowa')).status, 201)
  })
})
