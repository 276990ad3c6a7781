import { deepEqual } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { runGitIn } from './remote/run-git.js'
import { findRemoved, findShunned, readShunned, shunBlobs } from './shunned.js'

describe('what a purge removed', () => {
  let repository: Repository
  let run: ReturnType<typeof runGitIn>
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'raz\n' })
    run = runGitIn(repository.path, new AbortController().signal)
  })
  afterEach(() => repository.dispose())

  /** Makes a commit with this tree on a parent, or as a root. */
  const graft = (tree: string, ...parents: ReadonlyArray<string>): string =>
    repository.git('commit-tree', `${tree}^{tree}`, ...parents.flatMap(one => ['-p', one]), '-m', 'x')

  it('are the versions that the new history has at no commit, in the root or after it', async () => {
    const first = repository.head()
    const [second, secret, last] = [
      repository.commit({ 'a.md': 'dwa\n', 'usunięty.md': 'zwykły\n' }),
      repository.commit({ 'tajne.md': 'hasło\n', 'pusty.md': '' }),
      repository.commit({ 'a.md': 'trzy\n' }),
    ]
    repository.git('rm', '-q', 'usunięty.md', 'tajne.md', 'pusty.md')
    const clean = repository.commit({ 'a.md': 'trzy\n' })
    const onFirst = graft(clean, graft(second, first))
    const removed = [{ id: repository.git('rev-parse', `${secret}:tajne.md`), path: 'tajne.md' }]
    // Changed and deleted in the ordinary way: `raz`, `dwa` and `zwykły` stay in the history.
    deepEqual(await findRemoved(run, last, onFirst), removed)
    deepEqual(await findRemoved(run, clean, onFirst), removed)
    deepEqual(await findRemoved(run, last, graft(clean, graft(second, graft(first)))), removed)
    deepEqual(await findRemoved(run, last, last), [])
    deepEqual(await findRemoved(run, second, last), [])
  })

  it('is kept in one list, and found in what commits bring', async () => {
    const first = repository.head()
    const secret = repository.commit({ 'tajne.md': 'hasło\n' })
    const gone = repository.git('rev-parse', `${secret}:tajne.md`)
    deepEqual(await findShunned(run, first, secret), [])
    deepEqual([...(await shunBlobs(run, [{ id: gone, path: 'tajne.md' }], first))], [gone])
    deepEqual([...(await shunBlobs(run, [], first)), ...(await readShunned(run))], [gone, gone])
    deepEqual(await findShunned(run, first, secret), [{ id: gone, path: 'tajne.md' }])
    deepEqual(await findShunned(run, secret, secret), [])
    deepEqual(await findShunned(run, null, first), [])
  })

  it('is nothing where the branch was only wound back: the same may be written again', async () => {
    const first = repository.head()
    const second = repository.commit({ 'a.md': 'dwa\n' })
    deepEqual(await findRemoved(run, second, first), [])
  })

  it('leaves the list once a history that has it is accepted', async () => {
    const first = repository.head()
    const second = repository.commit({ 'b.md': 'dwa\n' })
    const [one = '', two = ''] = ['a.md', 'b.md'].map(path =>
      repository.git('rev-parse', `${second}:${path}`),
    )
    const blobs = [
      { id: one, path: 'a.md' },
      { id: two, path: 'b.md' },
    ]
    await shunBlobs(run, blobs, graft(repository.git('mktree', '--missing')))
    deepEqual([...(await shunBlobs(run, [], first))], [two])
    deepEqual([...(await shunBlobs(run, [], second))], [])
    deepEqual([...(await readShunned(run))], [])
  })
})
