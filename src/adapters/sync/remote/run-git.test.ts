import { deepEqual, rejects } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { repositoryOf } from '#test/support/repository.js'
import { remoteFailureOf, runGitIn } from './run-git.js'

describe('a git of a merge that does not end', () => {
  it('is told with its command and the limit', async () => {
    const repository = repositoryOf({ 'a.md': 'a\n' })
    const run = runGitIn(repository.path, new AbortController().signal, 100)
    const asked = run(['-c', 'alias.slow=!sleep 1', 'slow'])
    await rejects(asked, (error: unknown) => {
      const detail = 'git slow did not end within 0.1 s'
      deepEqual(remoteFailureOf(error), { _tag: 'Failed', action: 'timeout', detail })
      return true
    })
    repository.dispose()
  })
})
