import { deepEqual } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import type { LookAtCheckout, TreeSource } from '#src/ports/git.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { lookAtCommit } from './look.js'

describe('a look at a checkout that is compared with a commit', () => {
  let repository: Repository
  let source: TreeSource
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a' })
    source = openTreeSource(repository.path)
  })
  afterEach(async () => {
    await source.close()
    repository.dispose()
  })

  const lock = {
    code: 'index_lock',
    reason: 'Another program holds it.',
    files: ['.git/index.lock'],
  } as const
  const lookTwice = async (meanwhile: () => void) => {
    const { commit } = await source.head()
    const look: LookAtCheckout = () => {
      meanwhile()
      return Promise.resolve({ gone: false, detached: false, faults: [lock], dirty: ['a.md'] })
    }
    const at = lookAtCommit(look, source.head)
    return { first: await at(commit, []), again: () => at(commit, []) }
  }

  it('tells dirty files where HEAD names that commit throughout', async () => {
    deepEqual((await lookTwice(() => undefined)).first.dirty, ['a.md'])
  })

  it('tells none where HEAD moved during it or before it, and tells the lock all the same', async () => {
    let calls = 0
    const { first, again } = await lookTwice(() => {
      if (calls === 0) repository.commit({ 'a.md': 'b' })
      calls += 1
    })
    deepEqual([first.faults, first.dirty], [[lock], null])
    deepEqual((await again()).dirty, null)
  })

  it('tells none where HEAD cannot be read', async () => {
    const look: LookAtCheckout = () =>
      Promise.resolve({ gone: false, detached: false, faults: [], dirty: ['a.md'] })
    const at = lookAtCommit(look, () => Promise.reject(new Error('no HEAD')))
    deepEqual((await at(null, [])).dirty, null)
  })
})
