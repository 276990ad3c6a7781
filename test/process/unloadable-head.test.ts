import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { realClock } from '#src/kernel/time/clock.js'
import { type Daemon, eventually, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { findFreePort } from '#test/support/free-port.js'
import { clientOf } from '#test/support/http-client.js'
import { isFields } from '#test/support/matching.js'
import { orrin, restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { commitMillionPaths, commitUnchecked } from '#test/support/unloadable.js'

const people = (role: string): string =>
  `## Gracz\n### Brzoza\n- @gameid: 100\n- @rola: ${role}\n### Cis\n- @gameid: 200\n`
const roles = JSON.stringify({
  roles: { gracz: ['entity.read'], Radny: ['entity.read', 'entity.write', 'log.read', 'events.subscribe'] },
})
const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 100, "reader_threads": 1}}\n',
  '.svc/roles.json': roles,
  'kontrybutorzy.md': people('Radny'),
  'encje/indeks.md': orrin,
}

describe('a commit of HEAD that cannot be loaded', () => {
  let node: TestNode
  let token: string
  let good: string
  before(async () => {
    node = await startNode({ files })
    good = node.repository.head()
    const made = await node.host.tokens.mintLogin({ gameId: '100', chatId: null }, realClock.nowMs())
    if (isLeft(made)) throw new Error(made.left.detail)
    token = made.right.token
  })
  afterEach(async () => {
    await restoreCommit(node, good)
    await eventually(health, ({ status }) => status === 'ok')
  })
  after(() => node.stop())

  const statusOf = async (path: string, by: string): Promise<number> =>
    (await node.client.ask(path, { token: by })).status
  const health = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { json } = await node.client.ask('/health')
    ok(isFields(json))
    return json
  }
  const write = (by?: string) =>
    node.client.ask('/entities', {
      method: 'POST',
      body: JSON.stringify({ name: 'Nowa', type: 'NPC' }),
      ...(by === undefined ? {} : { token: by }),
    })
  const isStale = ({ blocked }: Readonly<Record<string, unknown>>): boolean =>
    JSON.stringify(blocked).includes('{"code":"snapshot_stale","count":1}')
  const isBlocked = (): Promise<unknown> => eventually(health, isStale)
  const isLoaded = (): Promise<unknown> => eventually(health, found => !isStale(found))

  it('gives no right that a later commit took away, shows it, and recovers by a commit', async () => {
    equal(await statusOf('/logs/operational', token), 200)
    deepEqual([(await health())['status'], (await health())['blocked']], ['ok', []])

    commitMillionPaths(node.repository)
    await isBlocked()
    equal((await health())['status'], 'degraded')
    // Reads go on, and the rights are those of the commit that cannot be loaded.
    equal(await statusOf('/logs/operational', token), 200)
    equal((await node.client.ask('/entities/Orrin', { token })).status, 200)

    commitUnchecked(node.repository, { 'kontrybutorzy.md': people('gracz') })
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status !== 200,
    )
    equal(await statusOf('/logs/operational', token), 403)
    equal(await statusOf('/events', token), 403)
    equal(await statusOf('/entities/Orrin', token), 200)
    equal((await write(token)).status, 403)

    commitUnchecked(node.repository, { 'kontrybutorzy.md': '## Gracz\n### Cis\n- @gameid: 200\n' })
    await eventually(
      () => statusOf('/entities/Orrin', token),
      status => status !== 200,
    )
    equal(await statusOf('/entities/Orrin', token), 401)
    ok(isStale(await health()))

    commitUnchecked(node.repository, { 'kontrybutorzy.md': people('Radny') }, good)
    await isLoaded()
    equal(await statusOf('/logs/operational', token), 200)
    node.repository.git('reset', '-q', '--hard')
    equal((await write(token)).status, 201)
    await eventually(health, ({ status }) => status === 'ok')
  })

  it('gives what a later commit grants, and follows each file of identity', async () => {
    commitMillionPaths(node.repository)
    await isBlocked()
    const wider = { roles: { gracz: ['entity.read', 'governance.read'], Radny: ['entity.read'] } }
    commitUnchecked(node.repository, { '.svc/roles.json': JSON.stringify(wider) })
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 403,
    )
    const grant = { gameId: '100', capability: 'log.read', since: '2026-01-01T00:00:00Z', by: 'x' }
    commitUnchecked(node.repository, { '.svc/grants.json': JSON.stringify({ grants: [grant] }) })
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 200,
    )
    commitUnchecked(node.repository, { '.svc/grants.json': null })
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 403,
    )
    commitUnchecked(node.repository, { '.svc/roles.json': '{"roles": ' })
    await eventually(
      () => statusOf('/entities/Orrin', token),
      status => status === 403,
    )
  })

  it('refuses every write at once, a dry run too, and says why', async () => {
    commitMillionPaths(node.repository)
    await isBlocked()
    const looks = await node.metric('svc_write_step_seconds_count', { step: 'look' })
    for (const path of ['/entities', '/entities?dryRun=true', '/locations/reindex']) {
      const { status, json, text } = await node.client.ask(path, {
        method: 'POST',
        body: JSON.stringify(path === '/locations/reindex' ? {} : { name: 'Nowa', type: 'NPC' }),
      })
      ok(isFields(json), text)
      deepEqual([status, json['error']], [503, 'SnapshotStale'])
      match(
        String(json['detail']),
        /HEAD cannot be loaded: the commit has more than 500000 files and folders; remove some in git\. /,
      )
    }
    // None of them waited for a look at HEAD.
    equal(await node.metric('svc_write_step_seconds_count', { step: 'look' }), looks)
    equal(await node.metric('svc_write_gate_open', { arm: 'snapshot_stale' }), 0)
  })

  it('ends a stream of events whose right a later commit took away', async () => {
    const port = node.running.listeners.current()?.apiPort
    const reply = await fetch(`http://127.0.0.1:${port}/v1/api/events`, {
      headers: { authorization: `Bearer ${token}` },
    })
    equal(reply.status, 200)
    const told = reply.text()
    commitMillionPaths(node.repository)
    await isBlocked()
    commitUnchecked(node.repository, { 'kontrybutorzy.md': people('gracz') })
    match(await told, /: ended, the token no longer opens this stream\n\n$/)
  })

  it('takes rights back with HEAD that is set back to the commit that is served', async () => {
    commitMillionPaths(node.repository)
    commitUnchecked(node.repository, { 'kontrybutorzy.md': people('gracz') })
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 403,
    )
    node.repository.git('update-ref', 'HEAD', good)
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 200,
    )
    await isLoaded()
  })

  it('gives nobody but the machine a right while HEAD cannot be read at all, and reads go on', async () => {
    const head = commitUnchecked(node.repository, { 'kontrybutorzy.md': people('gracz') }, good)
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 403,
    )
    node.repository.git('update-ref', 'HEAD', good)
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 200,
    )
    rmSync(join(node.repository.path, '.git/refs/heads/main'))
    await isBlocked()
    await eventually(
      () => statusOf('/logs/operational', token),
      status => status === 403,
    )
    equal((await node.client.ask('/entities/Orrin')).status, 200)
    node.repository.git('update-ref', 'HEAD', head)
    await isLoaded()
    equal(await statusOf('/entities/Orrin', token), 200)
  })
})

describe('kronika serve over a HEAD that cannot be loaded', () => {
  let repository: Repository
  let starting: Promise<Daemon> | null
  let good: string
  beforeEach(() => {
    repository = repositoryOf(files)
    good = repository.head()
    starting = null
  })
  afterEach(async () => {
    // A daemon that a failed test left behind becomes ready, so that it can be ended.
    if (starting !== null) {
      repository.git('update-ref', 'HEAD', good)
      await (await starting).stop()
    }
    repository.dispose()
  })

  it('answers reads and writes with 503 and a reason, and is ready with the commit that repairs it', async () => {
    commitMillionPaths(repository)
    const port = await findFreePort()
    starting = startDaemon(['serve', '--repo', repository.path, '--port', String(port)])
    const client = clientOf({ port, token: '', recorded: true })
    const health = async (): Promise<unknown> => {
      try {
        const { json } = await client.ask('/health')
        return isFields(json) ? [json['status'], json['blocked']] : null
      } catch {
        return null
      }
    }
    await eventually(health, found =>
      JSON.stringify(found).startsWith('["degraded",[{"code":"snapshot_stale","count":1}'),
    )
    const token = readFileSync(join(repository.path, '.svc/state/machine.token'), 'utf8').trim()
    const read = await client.ask('/entities/Orrin', { token })
    deepEqual([read.status, isFields(read.json) && read.json['error']], [503, 'Starting'])
    match(read.text, /HEAD cannot be loaded/)
    const body = JSON.stringify({ name: 'Nowa', type: 'NPC' })
    const written = await client.ask('/entities', { method: 'POST', body, token })
    deepEqual([written.status, isFields(written.json) && written.json['error']], [503, 'SnapshotStale'])

    commitUnchecked(repository, {}, good)
    repository.git('reset', '-q', '--hard')
    const daemon = await starting
    equal((await getJson(daemon, '/entities/Orrin')).status, 200)
    equal((await postJson(daemon, '/entities', { name: 'Nowa', type: 'NPC' })).status, 201)
    await eventually(health, found => JSON.stringify(found) === '["ok",[]]')
    match(daemon.stderr(), /more than 500000 files and folders; remove some in git","event":"look_failed"/)
    starting = null
    equal(await daemon.stop(), 0)
  })
})
