import { deepEqual, doesNotMatch, equal, match, notEqual } from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { NamedTokenList, NamedTokenMinted } from '#protocol/identity/sign-in.js'
import { type Daemon, postJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

describe('kronika token', () => {
  let repository: Repository
  let daemon: Daemon | null = null
  const token = (...args: ReadonlyArray<string>) => runInProcess('token', ...args, '--repo', repository.path)
  const serve = async (): Promise<Daemon> => {
    daemon = await startDaemon(['serve', '--repo', repository.path])
    return daemon
  }
  const statusWith = async ({ ready }: Daemon, bearer: string): Promise<number> =>
    (await fetch(`${ready.url}/entities`, { headers: { authorization: `Bearer ${bearer}` } })).status
  const listed = async (): Promise<NamedTokenList> => {
    const { stdout, stderr } = await token('list', '--json')
    const said: unknown = JSON.parse(stdout)
    if (!NamedTokenList.is(said)) throw new Error(stderr)
    return said
  }
  before(() => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n' })
  })
  after(async () => {
    if (daemon !== null && daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  it('says what to do where nothing was ever served', async () => {
    const ended = await token('list')
    equal(ended.code, 64)
    match(ended.stderr, /no state area at .* start kronika serve once/)
    equal(existsSync(join(repository.path, '.svc/state')), false)
  })

  it('mints through the daemon that holds the checkout, lists and revokes', async () => {
    const node = await serve()
    const minted = await token('mint', '--name', 'bot', '--capability', 'entity.read', 'sync.read')
    equal(minted.code, 0, minted.stderr)
    match(minted.stdout, /^named_[0-9a-f]{16}\.[\w-]{43}\n$/)
    match(
      minted.stderr,
      /^minted [0-9a-f]{16} \(bot\): entity\.read sync\.read; valid on this host until revoked$/m,
    )
    match(minted.stderr, /To revoke it: \S.* token revoke [0-9a-f]{16} --repo \S+$/m)
    doesNotMatch(minted.stderr, /named_/)
    equal(await statusWith(node, minted.stdout.trim()), 200)
    const list = await token('list')
    match(
      list.stdout,
      /^ID +NAME +EXPIRES +MINTED BY +CAPABILITIES\n[0-9a-f]{16} +bot +until revoked +machine /,
    )
    doesNotMatch(list.stdout, /named_/)
    const { items } = await listed()
    const revoked = await token('revoke', items[0]?.id ?? '')
    equal(revoked.code, 0, revoked.stderr)
    match(revoked.stdout, /^revoked [0-9a-f]{16} \(bot\)\n$/)
    equal(await statusWith(node, minted.stdout.trim()), 401)
    const again = await token('revoke', items[0]?.id ?? '')
    equal(again.code, 65)
    match(again.stderr, /^TokenNotFound: /)
  })

  it('tells what the gate and the rules refuse, in words or as JSON', async () => {
    const node = daemon ?? (await serve())
    const strange = await token('mint', '--name', 'x', '--capability', 'docs.edit', '--json')
    equal(strange.code, 65)
    match(strange.stderr, /"error":"ValueRefused"/)
    await postJson(node, '/admin/mode', { mode: 'read-only' })
    const shut = await token('mint', '--name', 'x', '--capability', 'entity.read')
    deepEqual([shut.code, shut.stdout], [65, ''])
    match(shut.stderr, /^ReadOnly: /)
    await postJson(node, '/admin/mode', { mode: 'read-write' })
  })

  it('works on the state area after a kill, and the next daemon knows what it did', async () => {
    const node = daemon ?? (await serve())
    await node.stop('SIGKILL')
    equal(existsSync(join(node.ready.state, 'listening.json')), true, 'a kill leaves the address behind')
    const minted = await token(
      'mint',
      '--name',
      'bot',
      '--capability',
      'entity.read',
      '--expires-in',
      '30d',
      '--json',
    )
    equal(minted.code, 0, minted.stderr)
    const said: unknown = JSON.parse(minted.stdout)
    if (!NamedTokenMinted.is(said)) throw new Error(minted.stdout)
    const lifetimeMs = Date.parse(said.expires ?? '') - Date.parse(said.created)
    equal(lifetimeMs, 30 * 86_400_000)
    equal(existsSync(join(node.ready.state, 'listening.json')), false)
    equal(await statusWith(await serve(), said.token), 200)
    deepEqual(
      (await listed()).items.map(one => one.id),
      [said.id],
    )
    notEqual(readFileSync(join(node.ready.state, 'runtime.db')).length, 0)
    equal(await daemon?.stop(), 0)
    equal(existsSync(join(node.ready.state, 'listening.json')), false)
    const revoked = await token('revoke', said.id)
    equal(revoked.code, 0, revoked.stderr)
    equal(await statusWith(await serve(), said.token), 401)
    match((await token('list')).stdout, /^no named tokens$/m)
  })

  it('asks a daemon that keeps its state elsewhere, once it is named', async () => {
    if (daemon !== null) await daemon.stop()
    const elsewhere = temporaryFolder()
    daemon = await startDaemon(['serve', '--repo', repository.path, '--state', elsewhere.path])
    const lost = await token('list')
    deepEqual([lost.code, lost.stdout], [75, ''])
    match(lost.stderr, /is held by process \d+, kronika serve/)
    match(lost.stderr, / is held by process \d+, .*\. Give --state \S+\.\n$/)
    const found = await token('list', '--state', elsewhere.path)
    deepEqual([found.code, found.stdout], [0, 'no named tokens\n'], found.stderr)
    await daemon.stop()
    elsewhere.dispose()
  })

  it('believes no address that is not loopback', async () => {
    const node = await serve()
    writeFileSync(
      join(node.ready.state, 'listening.json'),
      '{"url": "http://192.0.2.1:80/v1/api", "town": ""}',
    )
    equal((await token('list')).code, 75)
  })
})
