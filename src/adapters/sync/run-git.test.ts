import { deepEqual, rejects } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { repositoryOf } from '#test/support/repository.js'
import { failureOf, runGitIn } from './run-git.js'

describe('a git of a merge that does not end', () => {
  it('is told with its command and the limit', async () => {
    const repository = repositoryOf({ 'a.md': 'a\n' })
    const run = runGitIn(repository.path, new AbortController().signal, 1)
    const asked = run(['-c', 'core.attributesFile=/dev/null', 'merge-tree', '--write-tree', 'HEAD', 'HEAD'])
    await rejects(asked, (error: unknown) => {
      const detail = 'git merge-tree did not end within 0.001 s'
      deepEqual(failureOf(error), { _tag: 'Failed', action: 'timeout', detail })
      return true
    })
    repository.dispose()
  })
})
