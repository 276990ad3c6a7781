import { deepEqual, equal, match } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { fleetKeysOf, fleetKeysPath } from '#src/domain/identity/credentials/fleet-keys.js'
import { keysFile, publishedKeyOf, testHost } from '#test/support/identity/fleet.js'
import { gitIn, headIn, type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { sourceFile } from '#test/support/world.js'
import { revokeKeys } from './fleet-keys.js'

const [arkadia, bergen] = [testHost('Arkadia'), testHost('Bergen')]

describe('kronika keys revoke', () => {
  let repository: Repository
  beforeEach(() => {
    const keys = [
      publishedKeyOf(arkadia, '2027-01-01T00:00:00Z'),
      publishedKeyOf(bergen),
      publishedKeyOf({ ...testHost('Arkadia'), kid: 'Arkadia.2' }),
    ]
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      [fleetKeysPath]: keysFile({ epoch: 4, keys }),
    })
  })
  afterEach(() => repository.dispose())

  const git = (...args: ReadonlyArray<string>): string => gitIn(repository.path, ...args)
  const revoke = async (town: string) => {
    const outcome = await revokeKeys({ repo: repository.path, town, json: false })
    return isLeft(outcome) ? outcome.left : outcome.right
  }
  const committed = () =>
    fleetKeysOf(sourceFile(fleetKeysPath, git('cat-file', 'blob', `HEAD:${fleetKeysPath}`)))

  it('commits the published file without the keys of a town, and makes none', async () => {
    const before = headIn(repository.path)
    const answer = await revoke('Arkadia')
    if ('code' in answer) throw new Error(answer.reason)
    deepEqual([answer.revoked, answer.epoch, answer.behind], [['Arkadia.1', 'Arkadia.2'], 4, false])
    deepEqual([answer.commit, git('rev-parse', 'HEAD^')], [headIn(repository.path), before])
    deepEqual([[...committed().byKid.keys()], committed().epoch], [['Bergen.1'], 4])
    equal(git('diff', '--name-only', 'HEAD^', 'HEAD'), fleetKeysPath)
    equal(git('status', '--porcelain'), '')
    equal(git('log', '-1', '--format=%s'), 'identity: without the fleet keys of Arkadia')
    equal(existsSync(join(repository.path, '.svc/state/fleet.key')), false)
  })

  it('leaves a file that can be read where the last town goes', async () => {
    await revoke('Arkadia')
    await revoke('Bergen')
    deepEqual({ ...committed().stored }, { epoch: 4, keys: [] })
  })

  it('says which towns there are where the named one has no key, and commits nothing', async () => {
    const head = headIn(repository.path)
    deepEqual(await revoke('Arkadja'), {
      code: 64,
      reason: 'no key of Arkadja is published; there are keys of Arkadia, Bergen.',
    })
    equal(headIn(repository.path), head)
  })

  it('does not touch a file that somebody edits', async () => {
    writeFiles(repository.path, { [fleetKeysPath]: '{"epoch": 9, "keys": []}\n' })
    const answer = await revoke('Arkadia')
    if (!('code' in answer)) throw new Error('it was committed')
    equal(answer.code, 65)
    match(answer.reason, /Commit or stash them, then try again/)
    equal(readFileSync(join(repository.path, fleetKeysPath), 'utf8'), '{"epoch": 9, "keys": []}\n')
  })
})
