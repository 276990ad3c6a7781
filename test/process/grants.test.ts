import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { grantsPath } from '#src/domain/identity/grants.js'
import { type Daemon, type DaemonReply, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { clientOf, type Reply } from '#test/support/http-client.js'
import { isFields } from '#test/support/matching.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

const keyOf = (letter: string): string => `apik_${letter.repeat(20)}${'x1Y2z3'.repeat(3)}`
const person = (name: string, gameId: string, key: string): string =>
  `### ${name}\n- @gameid: ${gameId}\n- @klucz_api: sha256:${tokenHash(key).toString('hex')}\n`
const keys = { brzoza: keyOf('b'), cis: keyOf('c') } as const

const files = {
  '.svc/format.json': '{"format": 2}',
  '.svc/config.json': JSON.stringify({ server: { publish_mode: 'push', sync_interval_min: 60 } }),
  'kontrybutorzy.md': `## Gracz\n${person('Brzoza', '100', keys.brzoza)}${person('Cis', '200', keys.cis)}`,
}

describe('grants of two daemons over one repository', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let hosts: ReadonlyArray<Daemon>
  beforeEach(async () => {
    folder = temporaryFolder()
    const at = (name: string): string => join(folder.path, name)
    gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', 'bare.git')
    gitIn(folder.path, 'init', '-q', '-b', 'main', 'seed')
    writeFiles(at('seed'), files)
    gitIn(at('seed'), 'add', '-A')
    gitIn(at('seed'), 'commit', '-q', '-m', 'seed')
    gitIn(at('seed'), 'push', '-q', at('bare.git'), 'main')
    for (const name of ['a', 'b']) cloneOf(at('bare.git'), at(name))
    hosts = await Promise.all(
      ['a', 'b'].map(name => startDaemon(['serve', '--repo', at(name), '--town', name])),
    )
    // A host with a town takes no writes before it has looked for a topology.
    await sync(0, 1)
  })
  afterEach(async () => {
    await Promise.all(hosts.map(host => host.stop()))
    folder.dispose()
  })

  const host = (at: number): Daemon => {
    const found = hosts[at]
    if (found === undefined) throw new Error(`no host ${at}`)
    return found
  }
  const sync = async (...order: ReadonlyArray<number>): Promise<void> => {
    for (const at of order) equal((await postJson(host(at), '/sync', {})).status, 200)
  }
  const change = (what: 'grant' | 'revoke', at: number, gameId: string, capability: string) =>
    postJson(host(at), `/capabilities/${what}`, { gameId, capability })
  const asks = (at: number, key: string, path: string): Promise<Reply> =>
    clientOf({ port: Number(new URL(host(at).ready.url).port), token: key, recorded: true }).ask(path)
  const field = ({ body }: DaemonReply, name: string): unknown => (isFields(body) ? body[name] : undefined)

  it('both stand after they meet, and one taken back on one host is gone on both', async () => {
    equal((await asks(0, keys.brzoza, '/sync')).status, 403)
    const given = await Promise.all([
      change('grant', 0, '100', 'sync.read'),
      change('grant', 1, '200', 'pu.read'),
    ])
    deepEqual(
      given.map(reply => [reply.status, field(reply, 'changed')]),
      [
        [200, true],
        [200, true],
      ],
    )
    equal((await asks(0, keys.brzoza, '/sync')).status, 200)
    equal((await asks(1, keys.brzoza, '/sync')).status, 403)
    await sync(0, 1, 0)
    for (const at of [0, 1]) {
      equal((await asks(at, keys.brzoza, '/sync')).status, 200)
      match((await asks(at, keys.cis, '/capabilities')).text, /"pu\.read"/)
    }
    const [one, two] = hosts.map((_, at) =>
      gitIn(join(folder.path, at === 0 ? 'a' : 'b'), 'show', `HEAD:${grantsPath}`),
    )
    equal(one, two)
    equal(one?.split('\n').length, 4)

    const again = await change('grant', 1, '100', 'sync.read')
    equal(field(again, 'changed'), false)
    const taken = await Promise.all([
      change('revoke', 0, '100', 'sync.read'),
      change('grant', 1, '200', 'log.read'),
    ])
    ok(taken.every(reply => reply.status === 200))
    equal((await asks(0, keys.brzoza, '/sync')).status, 403)
    await sync(0, 1, 0)
    for (const at of [0, 1]) {
      equal((await asks(at, keys.brzoza, '/sync')).status, 403)
      match((await asks(at, keys.cis, '/capabilities')).text, /"pu\.read".*"log\.read"/)
    }
    const state = await getJson(host(1), '/sync')
    ok(!JSON.stringify(state.body).includes('refs/svc/parked'))
  })
})
