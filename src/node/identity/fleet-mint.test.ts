import { deepEqual, equal, ok } from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Mode } from '#protocol/host/discovery.js'
import { verifyJws } from '#src/adapters/jose.js'
import { writeSecret } from '#src/adapters/state/private-file.js'
import { fleetResolver } from '#src/http/credentials/authenticate.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { nowMs } from '#test/support/front.js'
import { fleetWorld, keysFile, publishedKeyOf, testHost } from '#test/support/identity/fleet.js'
import { temporaryFolder } from '#test/support/repository.js'
import { fleetKeySource, fleetMint, fleetSigner, peerMint, privateKeysAt } from './fleet-keys.js'

const host = testHost('Arkadia')
const next = { ...testHost('Arkadia'), kid: 'Arkadia.2' }
const pem = ({ privateKey }: typeof host): string =>
  privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const world = fleetWorld(keysFile({ epoch: 4, keys: [publishedKeyOf(host)] }))
const game = { gameId: '100', chatId: null }

describe('the mint of fleet tokens', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let key: string
  beforeEach(() => {
    folder = temporaryFolder()
    key = join(folder.path, 'fleet.key')
  })
  afterEach(() => folder.dispose())

  const mintOver = (
    variables: NodeJS.ProcessEnv,
    town = 'Arkadia',
    served: { snapshot: Snapshot | null; mode: Mode; head?: Snapshot } = {
      snapshot: world,
      mode: 'ReadWrite',
    },
  ) => {
    const told: Array<object> = []
    const findSigningKey = fleetSigner({
      town,
      source: fleetKeySource(variables, folder.path),
      snapshot: () => served.snapshot,
      look: () => {
        served.snapshot = served.head ?? served.snapshot
        return Promise.resolve()
      },
      warn: (event, fields) => void told.push({ event, ...fields }),
    })
    const mint = fleetMint(findSigningKey, () => served.mode)
    return { mint, mintPeer: peerMint(findSigningKey), told, served }
  }

  it('gives out what every host with the commit takes, for 900 s', async () => {
    writeSecret(key, pem(host))
    const { mint } = mintOver({})
    const byGame = await mint(game, nowMs)
    const byChat = await mint({ gameId: '100', chatId: 'c1' }, nowMs)
    equal(byGame?.expiresMs, nowMs + 900_000)
    for (const minted of [byGame, byChat]) {
      ok(minted?.token.startsWith('fsess_'))
      const resolve = fleetResolver(verifyJws)
      equal((await resolve(minted?.token ?? '', world, nowMs))?.gracz, 'Brzoza')
      equal(await resolve(minted?.token ?? '', world, nowMs + 900_000), null)
    }
    const unbound = fleetWorld(keysFile({ epoch: 4, keys: [publishedKeyOf(host)] }), {
      '.svc/bindings.json': '{"bindings": []}',
    })
    equal(await fleetResolver(verifyJws)(byChat?.token ?? '', unbound, nowMs), null)
  })

  it('gives out none while the host is read-only, before a snapshot, and without a key', async () => {
    const { mint, told, served } = mintOver({})
    equal(await mint(game, nowMs), null)
    writeSecret(key, pem(host))
    served.mode = 'ReadOnly'
    equal(await mint(game, nowMs), null)
    served.mode = 'ReadWrite'
    served.snapshot = null
    equal(await mint(game, nowMs), null)
    served.snapshot = world
    ok((await mint(game, nowMs)) !== null, 'a key that came is taken up')
    deepEqual(told, [])
  })

  it('says once why it gives out none, without a byte of the key', async () => {
    writeSecret(key, pem(next))
    const { mint, told } = mintOver({})
    for (let nth = 0; nth < 3; nth += 1) equal(await mint(game, nowMs), null)
    writeSecret(key, 'nothing')
    for (let nth = 0; nth < 3; nth += 1) equal(await mint(game, nowMs), null)
    deepEqual(told, [
      {
        event: 'fleet_tokens_off',
        key,
        reason: 'its public half is not published; run `kronika keys rotate --repo DIR --town TOWN`',
      },
      { event: 'fleet_tokens_off', key, reason: 'it is not an Ed25519 key as PKCS8 PEM or JWK' },
    ])
  })

  it('loads the newest commit for a key that the served one does not have yet, and says nothing', async () => {
    writeSecret(key, pem(next) + pem(host))
    const rotated = fleetWorld(keysFile({ epoch: 4, keys: [publishedKeyOf(next)] }))
    const { mint, told } = mintOver({}, 'Arkadia', {
      snapshot: fleetWorld(keysFile({ epoch: 4, keys: [] })),
      mode: 'ReadWrite',
      head: rotated,
    })
    const minted = await mint(game, nowMs)
    const resolve = fleetResolver(verifyJws)
    equal((await resolve(minted?.token ?? '', rotated, nowMs))?.gracz, 'Brzoza')
    deepEqual(told, [])
  })

  it('says of a key of its own town that has ended to rotate', async () => {
    writeSecret(key, pem(host))
    const ended = publishedKeyOf(host, new Date(nowMs + 60_000).toISOString())
    const snapshot = fleetWorld(keysFile({ epoch: 4, keys: [ended] }))
    const { mint, told } = mintOver({}, 'Arkadia', { snapshot, mode: 'ReadWrite' })
    equal(await mint(game, nowMs), null)
    const reason =
      'its key published for Arkadia has ended, or ends before a token would; run `kronika keys rotate --repo DIR --town Arkadia`'
    deepEqual(told, [{ event: 'fleet_tokens_off', key, reason }])
  })

  it('gives out none with a key that is published for another town, and says for which', async () => {
    writeSecret(key, pem(host))
    for (const [town, self] of [
      ['Bergen', 'Bergen'],
      ['', 'of no town'],
    ]) {
      const { mint, told } = mintOver({}, town)
      equal(await mint(game, nowMs), null)
      const reason =
        `its public half is published for Arkadia, and this host is ${self}: ` +
        'use the published --town with serve, or rotate for this one'
      deepEqual(told, [{ event: 'fleet_tokens_off', key, reason }])
    }
  })

  it('takes SVC_FLEET_KEY before the file it may name, and this before its own', async () => {
    const mounted = join(folder.path, 'secret')
    const linked = join(folder.path, 'linked')
    writeFileSync(mounted, pem(host))
    symlinkSync(mounted, linked)
    writeSecret(key, pem(next))
    const takes = async (variables: NodeJS.ProcessEnv) =>
      (await mintOver(variables).mint(game, nowMs)) !== null
    equal(await takes({}), false)
    equal(await takes({ SVC_FLEET_KEY_FILE: linked }), true)
    equal(await takes({ SVC_FLEET_KEY: pem(host) }), true)
    equal(await takes({ SVC_FLEET_KEY: pem(next), SVC_FLEET_KEY_FILE: mounted }), false)
    equal(await takes({ SVC_FLEET_KEY: '', SVC_FLEET_KEY_FILE: join(folder.path, 'away') }), false)
  })

  it('makes a peer token for the town of this host for 900 s, also while it is read-only', async () => {
    writeSecret(key, pem(host))
    const { mintPeer } = mintOver({}, 'Arkadia', { snapshot: world, mode: 'ReadOnly' })
    const token = (await mintPeer(nowMs)) ?? ''
    const listed = fleetWorld(keysFile({ epoch: 4, keys: [publishedKeyOf(host)] }), {
      '.svc/fleet.json': fleetText('Arkadia', 1, ['Arkadia']),
    })
    const resolve = fleetResolver(verifyJws)
    equal((await resolve(token, listed, nowMs))?.token?.name, 'Arkadia')
    equal(await resolve(token, listed, nowMs + 900_000), null)
    const [head = '', claims = ''] = token.slice('fsess_'.length).split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    deepEqual(read(head), { alg: 'EdDSA', typ: 'fpeer+jwt', kid: 'Arkadia.1' })
    const iat = Math.floor(nowMs / 1_000)
    deepEqual(read(claims), {
      ...{ iss: 'Arkadia', sub: 'Arkadia', aud: 'kronika:fleet' },
      ...{ iat, exp: iat + 900, epoch: 4 },
    })
  })

  it('makes no peer token without a key, or with one that is published for another town', async () => {
    const without = mintOver({})
    equal(await without.mintPeer(nowMs), null)
    deepEqual(without.told, [])
    writeSecret(key, pem(host))
    equal(await mintOver({}, 'Bergen').mintPeer(nowMs), null)
  })

  it('reads its own file for the owner alone, and through no link', () => {
    writeSecret(key, pem(host))
    equal(statSync(key).mode & 0o777, 0o600)
    chmodSync(key, 0o644)
    equal(privateKeysAt(fleetKeySource({}, folder.path))._tag, 'Right')
    equal(statSync(key).mode & 0o777, 0o600)
    const elsewhere = temporaryFolder()
    symlinkSync(key, join(elsewhere.path, 'fleet.key'))
    deepEqual(privateKeysAt(fleetKeySource({}, elsewhere.path)), {
      _tag: 'Left',
      left: 'it is a symbolic link',
    })
    writeSecret(join(elsewhere.path, 'fleet.key'), pem(next))
    equal(readFileSync(key, 'utf8'), pem(host), 'a write replaces the link and not what it names')
    elsewhere.dispose()
  })
})
