import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { KeysListOptions } from '#src/cli/keys-list.js'
import { fleetKeysPath } from '#src/domain/identity/credentials/fleet-keys.js'
import { keysFile, publishedKeyOf, testHost } from '#test/support/identity/fleet.js'
import {
  gitIn,
  headIn,
  type Repository,
  repositoryOf,
  temporaryFolder,
  writeFiles,
} from '#test/support/repository.js'
import { listKeys, rotateKeys } from './fleet-keys.js'

const bergen = testHost('Bergen')
const good = publishedKeyOf(bergen)

describe('kronika keys list', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      [fleetKeysPath]: keysFile({ epoch: 4, keys: [good] }),
    })
  })
  afterEach(() => repository.dispose())

  const git = (...args: ReadonlyArray<string>): string => gitIn(repository.path, ...args)
  const outcomeOf = (changes: Partial<KeysListOptions> = {}, variables: NodeJS.ProcessEnv = {}) =>
    listKeys(variables, () => undefined)({ repo: repository.path, json: false, ...changes })
  const listed = async (...args: Parameters<typeof outcomeOf>) => {
    const outcome = await outcomeOf(...args)
    if (isLeft(outcome)) throw new Error(outcome.left.reason)
    return outcome.right
  }
  const refused = async (...args: Parameters<typeof outcomeOf>) => {
    const outcome = await outcomeOf(...args)
    return isLeft(outcome) ? outcome.left : { code: 0, reason: '' }
  }
  const rows = async (...args: Parameters<typeof outcomeOf>) =>
    (await listed(...args)).keys.map(({ kid, standing, held }) => [kid, standing, held])
  const rotate = async (variables: NodeJS.ProcessEnv = {}): Promise<void> => {
    const where = { repo: repository.path, town: 'Arkadia', raiseEpoch: false, json: false }
    const outcome = await rotateKeys(variables, () => undefined)(where)
    if (isLeft(outcome)) throw new Error(outcome.left.reason)
  }
  const commitKeys = (text: string): void => {
    writeFiles(repository.path, { [fleetKeysPath]: text })
    git('commit', '-qam', 'by hand')
  }

  it('shows the keys of HEAD, not of the work tree, and makes nothing in the checkout', async () => {
    writeFiles(repository.path, { [fleetKeysPath]: '{"epoch": 9, "keys": []}\n' })
    const { commit, epoch, privateKey, keys } = await listed()
    const state = join(repository.path, '.svc/state')
    deepEqual([commit, epoch, privateKey], [headIn(repository.path), 4, join(state, 'fleet.key')])
    deepEqual(keys, [
      { kid: 'Bergen.1', town: 'Bergen', standing: 'current', notAfter: null, held: false, x: good.jwk.x },
    ])
    equal(existsSync(state), false)
  })

  it('follows a rotation: the older key ends, and both private halves are here', async () => {
    await rotate()
    await rotate()
    const own = [
      ['Arkadia.1', 'older', true],
      ['Arkadia.2', 'current', true],
    ]
    deepEqual(await rows(), [...own, ['Bergen.1', 'current', false]])
    const elsewhere = { state: join(repository.path, 'none') }
    ok((await listed(elsewhere)).keys.every(key => key.held === false))
  })

  it('finds the private half that the environment brings, and prints none of it', async () => {
    const key = bergen.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const answer = await listed({}, { SVC_FLEET_KEY: key })
    deepEqual([answer.privateKey, answer.keys[0]?.held], ['SVC_FLEET_KEY', true])
    const d = String(bergen.privateKey.export({ format: 'jwk' })['d'])
    ok(!JSON.stringify(answer).includes(d))
    const burnt = { ...good, jwk: { ...good.jwk, d } }
    commitKeys(keysFile({ epoch: 4, keys: [burnt] }))
    const shown = await listed()
    equal(shown.keys[0]?.standing, 'unusable')
    ok(!JSON.stringify(shown).includes(d), 'not even one that is committed')
  })

  it('lists the public halves where the private ones cannot be read', async () => {
    const { unreadable, keys } = await listed({}, { SVC_FLEET_KEY_FILE: join(repository.path, 'gone.key') })
    deepEqual([unreadable, keys[0]?.held], ['there is no such file', null])
  })

  it('names the field that cannot be read', async () => {
    for (const [text, said] of [
      [
        keysFile({ epoch: 4, keys: [good, { ...good, jwk: { ...good.jwk, x: 'A' } }] }),
        /\$\.keys\[1\]\.jwk\.x /,
      ],
      [keysFile({ epoch: 4, keys: [{ ...good, notAfter: 'soon' }] }), /the field \$\.keys\[0\]\.notAfter /],
      [keysFile({ epoch: 'four', keys: [] }), /the field \$\.epoch is not as in \{"epoch": 1/],
      ['{"epoch": 1, "epoch": 2, "keys": []}', /no JSON at \$: a key is there twice/],
      [' '.repeat(1_048_577), /more than 1048576 characters/],
    ] as const) {
      commitKeys(text)
      const { code, reason } = await refused()
      equal(code, 65)
      match(reason, said)
      match(reason, /Fix it, or restore an earlier version .* and commit it\.$/)
    }
  })

  it('says what to do where there is no file, no commit, no git and no folder', async () => {
    git('rm', '-q', fleetKeysPath)
    git('commit', '-qm', 'gone')
    const none = await refused()
    equal(none.code, 64)
    match(none.reason, /HEAD has no \.svc\/fleet-keys\.json\. kronika keys rotate --town NAME publishes/)
    const folder = temporaryFolder()
    match((await refused({ repo: folder.path })).reason, /is empty/)
    writeFiles(folder.path, { 'encje/indeks.md': '' })
    match((await refused({ repo: folder.path })).reason, /is not a git checkout, .* with --repo\.$/)
    gitIn(folder.path, 'init', '-q')
    const uncommitted = await refused({ repo: folder.path })
    equal(uncommitted.code, 64)
    match(uncommitted.reason, /is a git repository without a commit, so it has no lore\. Commit the lore\. /)
    match((await refused({ repo: join(folder.path, 'no') })).reason, /is not a directory; name the lore/)
    folder.dispose()
  })

  it('reads no key file that a link leads to', async () => {
    await rotate()
    const elsewhere = join(repository.path, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'fleet.key'), readFileSync(join(repository.path, '.svc/state/fleet.key')))
    symlinkSync(elsewhere, join(repository.path, 'linked'))
    const { code, reason } = await refused({ state: join(repository.path, 'linked') })
    equal(code, 64)
    match(reason, /is a symbolic link/)
  })
})
