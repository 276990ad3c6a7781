import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { repositoryOf } from '#test/support/repository.js'
import { incomingAuthorsOf } from './sync-git.js'

describe('the authors of what came in', () => {
  it('are those of the commits that the range adds, merges apart, without credentials', async () => {
    const repository = repositoryOf({ 'a.md': 'a\n' })
    const { git } = repository
    const from = git('rev-parse', 'HEAD').trim()
    const commitAs = (author: string): void =>
      void git('commit', '-q', '--allow-empty', '-m', 'x', `--author=${author} <a@example.org>`)
    git('checkout', '-q', '-b', 'side')
    commitAs('Żaneta Łuk')
    git('checkout', '-q', '-')
    commitAs('apik_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef')
    git('merge', '-q', '--no-ff', '-m', 'merge', 'side')
    const to = git('rev-parse', 'HEAD').trim()
    const { signal } = new AbortController()
    const authors = await incomingAuthorsOf(repository.path, { from, to }, signal)
    deepEqual([authors.size, [...authors.values()].includes('Żaneta Łuk')], [2, true])
    equal([...authors.values()].join().includes('0123456789abcdef'), false)
    deepEqual([...(await incomingAuthorsOf(repository.path, { from: to, to: from }, signal))], [])
    deepEqual([...(await incomingAuthorsOf(repository.path, { from, to: 'f'.repeat(40) }, signal))], [])
    repository.dispose()
  })
})
