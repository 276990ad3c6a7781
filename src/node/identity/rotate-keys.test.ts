import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { RotateOptions } from '#src/cli/keys.js'
import { type FleetKeys, fleetKeysOf, fleetKeysPath } from '#src/domain/identity/credentials/fleet-keys.js'
import { findMintKey, privateKeysOf } from '#src/domain/identity/credentials/private-keys.js'
import {
  gitIn,
  headIn,
  type Repository,
  repositoryOf,
  temporaryFolder,
  writeFiles,
} from '#test/support/repository.js'
import { sourceFile } from '#test/support/world.js'
import { rotateKeys } from './fleet-keys.js'

describe('kronika keys rotate', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n', 'encje/indeks.md': '## NPC\n' })
  })
  afterEach(() => repository.dispose())

  const git = (...args: ReadonlyArray<string>): string => gitIn(repository.path, ...args)
  const rotate = (changes: Partial<RotateOptions> = {}, variables: NodeJS.ProcessEnv = {}) =>
    rotateKeys(
      variables,
      () => undefined,
    )({
      repo: repository.path,
      town: 'Arkadia',
      raiseEpoch: false,
      json: false,
      ...changes,
    })
  const done = async (...args: Parameters<typeof rotate>) => {
    const outcome = await rotate(...args)
    if (isLeft(outcome)) throw new Error(outcome.left.reason)
    return outcome.right
  }
  const refused = async (...args: Parameters<typeof rotate>) => {
    const outcome = await rotate(...args)
    return isLeft(outcome) ? outcome.left : { code: 0, reason: '' }
  }
  const madePem = (): string =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const keyFile = (): string => join(repository.path, '.svc/state/fleet.key')
  const committed = (): FleetKeys =>
    fleetKeysOf(sourceFile(fleetKeysPath, git('cat-file', 'blob', `HEAD:${fleetKeysPath}`)))
  const held = () => privateKeysOf(readFileSync(keyFile(), 'utf8'))
  const signer = (keys = committed()) =>
    findMintKey({ town: 'Arkadia', held: held() }, keys, Date.now())?.published.kid

  it('commits the public half of a key whose private half lies in the state area, for the owner alone', async () => {
    const before = headIn(repository.path)
    const { kid, epoch, commit, behind } = await done()
    deepEqual([kid, epoch, behind], ['Arkadia.1', 1, false])
    equal(commit, headIn(repository.path))
    equal(git('rev-parse', 'HEAD^'), before)
    equal(git('diff', '--name-only', 'HEAD^', 'HEAD'), fleetKeysPath)
    equal(git('status', '--porcelain'), '')
    match(git('log', '-1', '--format=%an %s'), /^Kronika identity: the fleet key Arkadia\.1, epoch 1$/)
    equal(statSync(keyFile()).mode & 0o777, 0o600)
    equal(signer(), 'Arkadia.1')
    ok(!git('cat-file', 'blob', `HEAD:${fleetKeysPath}`).includes('"d"'))
    equal(existsSync(join(repository.path, '.svc/state/beside')), false)
    equal(git('fsck', '--strict'), '')
  })

  it('goes on signing with the older key for most of its hour, and keeps its private half', async () => {
    await done()
    const { kid, keys } = await done()
    equal(kid, 'Arkadia.2')
    deepEqual(
      keys.map(key => [key.kid, key.notAfter !== null]),
      [
        ['Arkadia.1', true],
        ['Arkadia.2', false],
      ],
    )
    equal(signer(), 'Arkadia.1')
    equal(held().length, 2)
    await done()
    equal(held().length, 3)
  })

  it('signs with the new key at once when it raises the epoch', async () => {
    await done()
    await done({ town: 'Bergen', state: join(repository.path, '.svc/state/other') })
    const { kid, epoch } = await done({ raiseEpoch: true })
    deepEqual([kid, epoch, [...committed().byKid.keys()]], ['Arkadia.2', 2, ['Bergen.1', 'Arkadia.2']])
    equal(signer(), 'Arkadia.2')
  })

  it('publishes the key that the environment brings, once', async () => {
    const pem = madePem()
    const first = await done({}, { SVC_FLEET_KEY: pem })
    deepEqual([first.kid, first.privateKey], ['Arkadia.1', 'SVC_FLEET_KEY'])
    equal(existsSync(keyFile()), false)
    const second = await done({}, { SVC_FLEET_KEY: pem })
    deepEqual([second.kid, second.commit], ['Arkadia.1', null])
    equal(second.commit, null)
    const { code, reason } = await refused({}, { SVC_FLEET_KEY: 'nothing' })
    deepEqual([code, reason], [64, 'SVC_FLEET_KEY: it is not an Ed25519 key as PKCS8 PEM or JWK.'])
  })

  it('raises the epoch with a new key of the environment, never with the one that may have leaked', async () => {
    const [old, next] = [madePem(), madePem()]
    await done({}, { SVC_FLEET_KEY: old })
    const head = headIn(repository.path)
    for (const town of ['Arkadia', 'Bergen']) {
      const { code, reason } = await refused({ town, raiseEpoch: true }, { SVC_FLEET_KEY: old })
      deepEqual([code, headIn(repository.path)], [64, head])
      match(reason, /^SVC_FLEET_KEY still has Arkadia\.1, .* Put a new key there .* then rotate\.$/)
    }
    const raised = await done({ raiseEpoch: true }, { SVC_FLEET_KEY: next })
    deepEqual([raised.kid, raised.epoch, [...committed().byKid.keys()]], ['Arkadia.2', 2, ['Arkadia.2']])
  })

  it('keeps a state area to one town, whose key file may not sign for another', async () => {
    await done({ town: 'Inna' })
    const [head, key] = [headIn(repository.path), readFileSync(keyFile(), 'utf8')]
    const { code, reason } = await refused()
    deepEqual([code, headIn(repository.path), readFileSync(keyFile(), 'utf8')], [64, head, key])
    match(reason, /fleet\.key holds Inna\.1, published for the town Inna: .* keys revoke --town Inna\.$/)
    const env = await refused({}, { SVC_FLEET_KEY: key })
    match(env.reason, /^SVC_FLEET_KEY holds Inna\.1/)
  })

  it('takes out all that a leaked key file could sign with when it raises the epoch', async () => {
    const other = join(repository.path, '.svc/state/other')
    await done({ town: 'Bergen', state: other })
    await done({ town: 'Inna' })
    const leaked = held()
    const { kid } = await done({ raiseEpoch: true })
    deepEqual([kid, [...committed().byKid.keys()]], ['Arkadia.1', ['Bergen.1', 'Arkadia.1']])
    for (const town of ['Inna', 'Arkadia', 'Bergen'])
      equal(findMintKey({ town, held: leaked }, committed(), Date.now()), null)
  })

  it('leaves work that a person has not committed as it is, staged or not', async () => {
    writeFiles(repository.path, { 'encje/indeks.md': '## NPC\n\nstaged\n', 'nowe.md': 'nowe\n' })
    git('add', 'encje/indeks.md')
    writeFiles(repository.path, { 'encje/indeks.md': '## NPC\n\nnot staged\n' })
    const before = git('status', '--porcelain')
    const staged = git('diff', '--cached')
    await done()
    equal(git('status', '--porcelain'), before)
    equal(git('diff', '--cached'), staged)
    equal(readFileSync(join(repository.path, 'encje/indeks.md'), 'utf8'), '## NPC\n\nnot staged\n')
  })

  it('refuses where the published file is being edited, cannot be read, or HEAD is on no branch', async () => {
    await done()
    const head = headIn(repository.path)
    writeFiles(repository.path, { [fleetKeysPath]: '{"epoch": 9, "keys": []}\n' })
    const dirty = await refused()
    deepEqual([dirty.code, headIn(repository.path)], [65, head])
    match(dirty.reason, /Commit or stash them/)
    equal(readFileSync(join(repository.path, fleetKeysPath), 'utf8'), '{"epoch": 9, "keys": []}\n')
    equal(signer(), 'Arkadia.1', 'the older private half stays')
    writeFiles(repository.path, { [fleetKeysPath]: 'x' })
    git('commit', '-qam', 'a slip')
    equal((await refused()).code, 65)
    git('revert', '--no-edit', 'HEAD')
    git('checkout', '-q', '--detach')
    match((await refused()).reason, /HEAD is on no branch/)
    git('checkout', '-q', '-')
    await done()
  })

  it('waits for the lock of a git at work, and gives up at one that stays', async () => {
    const lock = join(repository.path, '.git/index.lock')
    writeFileSync(lock, '')
    setTimeout(() => rmSync(lock), 150)
    await done()
    writeFileSync(lock, '')
    const { code, reason } = await refused()
    equal(code, 75)
    match(reason, /another program holds .*index\.lock/)
    equal(existsSync(lock), true)
  })

  it('stands among commits that others make at the same time; none is lost', async () => {
    let made = 0
    const over = new AbortController()
    const others = (async () => {
      while (!over.signal.aborted) {
        try {
          git('commit', '-q', '--allow-empty', '-m', `other ${made}`)
          made += 1
        } catch {
          // The lock was ours.
        }
        await new Promise(resolve => setTimeout(resolve, 30))
      }
    })()
    const kids = []
    for (let nth = 0; nth < 3; nth += 1) kids.push((await done({ raiseEpoch: true })).kid)
    over.abort()
    await others
    deepEqual(kids, ['Arkadia.1', 'Arkadia.2', 'Arkadia.3'])
    const subjects = git('log', '--format=%s').split('\n')
    equal(subjects.filter(subject => subject.startsWith('other ')).length, made)
    equal(subjects.filter(subject => subject.startsWith('identity: ')).length, 3)
    equal(git('status', '--porcelain'), '')
  })

  it('has nothing to do with a plain directory, a repository without a commit, and a linked state area', async () => {
    const folder = temporaryFolder()
    match((await refused({ repo: folder.path })).reason, /is empty/)
    writeFiles(folder.path, { 'encje/indeks.md': '' })
    match((await refused({ repo: folder.path })).reason, /is not a git checkout/)
    gitIn(folder.path, 'init', '-q')
    match((await refused({ repo: folder.path })).reason, /is a git repository without a commit/)
    folder.dispose()
    mkdirSync(join(repository.path, 'elsewhere'))
    symlinkSync(join(repository.path, 'elsewhere'), join(repository.path, '.svc/state'))
    match((await refused()).reason, /is a symbolic link/)
  })
})
