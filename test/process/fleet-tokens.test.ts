import { equal, match, ok } from 'node:assert/strict'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { WhoAmI } from '#protocol/identity/identity.js'
import { keyPrint } from '#src/domain/identity/credentials/key-documents.js'
import { eventually } from '#test/support/daemon.js'
import { fleetHeader, goodClaims, signCompact } from '#test/support/identity/fleet.js'
import { type Fleet, type FleetHost, fleetOf, serveGameKey } from '#test/support/identity/fleet-hosts.js'
import { testGameKey } from '#test/support/identity/game-envelopes.js'

const contributors = (brzoza: string): string =>
  `## Gracz\n### Brzoza\n- @gameid: 100\n${brzoza}### Cis\n- @gameid: 200\n`

/** Sync is asked for by the test alone. */
const configWith = (keyUrl: string): string =>
  JSON.stringify({
    server: { selfheal_interval_ms: 100, sync_interval_min: 600, publish_mode: 'push' },
    integrations: { game: { signing_key_url: keyUrl } },
  })

describe('fleet tokens over three daemons and one remote', () => {
  let fleet: Fleet
  let key: Awaited<ReturnType<typeof serveGameKey>>
  let token: string
  const pids = (): ReadonlyArray<number> => Object.values(fleet.hosts).map(host => host.daemon().ready.pid)
  let started: ReadonlyArray<number>

  before(async () => {
    key = await serveGameKey()
    fleet = await fleetOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': configWith(key.url),
      'kontrybutorzy.md': contributors('- @rola: Narrator\n'),
    })
    started = pids()
  })
  after(async () => {
    await fleet.dispose()
    key.close()
  })

  const who = async (host: FleetHost, bearer: string): Promise<string> => {
    const reply = await host.client().ask('/auth/whoami', { token: bearer })
    if (reply.status !== 200) return String(reply.status)
    return WhoAmI.is(reply.json) ? `${reply.json.kind} ${reply.json.identity?.name ?? ''}` : reply.text
  }
  const sessions = async (host: FleetHost, bearer: string): Promise<number> =>
    (await host.client().ask('/sessions', { token: bearer })).status
  const all = (): ReadonlyArray<FleetHost> => Object.values(fleet.hosts)
  /** Converges every host, so that none has a reason to do so by itself before its interval is over. */
  const settle = async (): Promise<void> => {
    for (const host of all()) await host.sync()
  }
  const fleetTokenOf = async (host: FleetHost, userId: string): Promise<string> =>
    (await host.signIn(userId)).fleetToken ?? ''

  it('are given to nobody before a key is published, and then by the running daemon', async () => {
    const { a } = fleet.hosts
    const before = await a.signIn('100')
    equal(before.fleetToken, undefined)
    equal(before.fleetTokenExpires, undefined)
    const print = keyPrint(testGameKey().publicKey)
    ok(a.daemon().stderr().includes(`"source":"game","keys":[{"kid":null,"spki":"${print}"}]`))
    const said = await a.rotate()
    match(said, /published Arkadia\.1, epoch 1/)
    // The rotation committed beside the daemon, which may serve the commit before it.
    token = await fleetTokenOf(a, '100')
    equal(await who(a, token), 'fleet Brzoza')
    equal(a.daemon().stderr().includes('fleet_tokens_off'), false)
    for (const host of all()) await host.sync()
  })

  it('are read at every host that has the commit; the session is known where it was made alone', async () => {
    const { a, b, c } = fleet.hosts
    const { token: session } = await a.signIn('100')
    equal(await who(a, session), 'session Brzoza')
    for (const host of [b, c]) {
      equal(await who(host, token), 'fleet Brzoza')
      equal(await sessions(host, token), 200)
      equal(await who(host, session), '401')
    }
  })

  it('are not given by a read-only host, which verifies them all the same', async () => {
    const { c } = fleet.hosts
    equal(await c.rotate().then(() => 'rotated'), 'rotated')
    ok((await fleetTokenOf(c, '200')).startsWith('fsess_'))
    const body = JSON.stringify({ mode: 'read-only' })
    equal((await c.client().ask('/admin/mode', { method: 'POST', body })).status, 200)
    const answer = await c.signIn('200')
    equal(answer.fleetToken, undefined)
    ok(answer.token.startsWith('sess_'))
    equal(await who(c, token), 'fleet Brzoza')
  })

  it('lose a right with the converge that brings its end, without a restart', async () => {
    const { a, b, c } = fleet.hosts
    await settle()
    fleet.push({ 'kontrybutorzy.md': contributors('') }, 'Brzoza is no Narrator any more')
    equal(await sessions(b, token), 200, 'B has not heard of it yet')
    await b.sync()
    equal(await sessions(b, token), 403)
    equal(await who(b, token), 'fleet Brzoza')
    equal(await sessions(c, token), 200, 'C has not heard of it yet')
    await c.sync()
    equal(await sessions(c, token), 403)
    await a.sync()
  })

  it('are all refused once the epoch is raised, host by host as they converge', async () => {
    const { a, b, c } = fleet.hosts
    await settle()
    match(await a.rotate('--raise-epoch'), /published Arkadia\.2, epoch 2/)
    await eventually(
      () => who(a, token),
      said => said === '401',
    )
    equal(await who(b, token), 'fleet Brzoza', 'B has not heard of it yet')
    await a.sync()
    for (const host of [b, c]) {
      await host.sync()
      equal(await who(host, token), '401')
    }
    token = await fleetTokenOf(a, '100')
    for (const host of all()) equal(await who(host, token), 'fleet Brzoza')
  })

  it('are signed for the town of the daemon alone: rotate refuses another', async () => {
    const { b } = fleet.hosts
    const said = await b.rotate('--town', 'Inna').catch(String)
    match(said, /daemon that serves this checkout has the town Bergen and would sign with no key of Inna/)
    ok(!fleet.history().includes('Inna'))
  })

  it('of a stolen host are refused once its town is revoked, with the epoch of today too', async () => {
    const { a, b, c } = fleet.hosts
    const stolen = readFileSync(join(c.path, '.svc/state/fleet.key'), 'utf8')
    const privateKey = createPrivateKey(stolen)
    const thief = { town: 'Cedr', kid: 'Cedr.1', privateKey, publicKey: createPublicKey(privateKey) }
    const forged = (): string => {
      const claims = { ...goodClaims(thief, Date.now()), epoch: 2 }
      return `fsess_${signCompact(privateKey, fleetHeader(thief), claims)}`
    }
    for (const host of all()) await host.sync()
    equal(await who(b, forged()), 'fleet Brzoza', 'raising the epoch for Arkadia has not shut him out')
    match(await a.revoke('Cedr'), /revoked Cedr\.1 of Cedr/)
    await eventually(
      () => who(a, forged()),
      said => said === '401',
    )
    await a.sync()
    await b.sync()
    equal(await who(b, forged()), '401')
    equal(await who(b, token), 'fleet Brzoza', 'tokens of other towns stay good')
  })

  it('serve the player at B after A was killed', async () => {
    const { a, b } = fleet.hosts
    equal(pids().join(), started.join(), 'no daemon was started again')
    await a.daemon().stop('SIGKILL')
    equal(await who(b, token), 'fleet Brzoza')
    equal((await b.client().ask('/entities', { token })).status, 200)
  })

  it('leave no private key in the remote, on stderr, or in a stream', () => {
    const history = fleet.history()
    for (const host of all()) {
      const said = host.daemon().stdout() + host.daemon().stderr()
      let held = ''
      try {
        held = readFileSync(join(host.path, '.svc/state/fleet.key'), 'utf8')
      } catch {
        continue
      }
      const secrets = held.split('\n').filter(line => line !== '' && !line.startsWith('-'))
      ok(secrets.length > 0)
      for (const secret of secrets) ok(!history.includes(secret) && !said.includes(secret))
    }
    ok(!history.includes('PRIVATE') && !history.includes(token))
  })
})
