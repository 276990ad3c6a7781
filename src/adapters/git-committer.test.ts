import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms/commit.js'
import type { CommitDraft } from '#src/ports/committer.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { sourceFile } from '#test/support/world.js'
import { gitCommitter } from './git-committer.js'

describe('the committer', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a\n', 'b.md': 'b\n' })
  })
  afterEach(() => repository.dispose())

  const draft = (changes: Readonly<Record<string, string | null>>): CommitDraft => {
    const parent = CommitId.decode(repository.git('rev-parse', 'HEAD'))
    if (isLeft(parent)) throw new Error('a commit wanted')
    return {
      parent: parent.right,
      changes: Object.entries(changes).map(([path, after]) => ({
        path: sourceFile(path, '').path,
        before: null,
        after,
      })),
      message: 'change\n\nSvc-Intent: 1\n',
      author: { name: 'Żaneta', email: 'zaneta@example.org' },
      atMs: 1_700_000_000_000,
    }
  }

  it('makes one commit, refreshes the work tree and leaves it clean', async () => {
    const landed = await gitCommitter(repository.path)(
      draft({ 'a.md': 'changed\n', 'Zażółć/gęślą "jaźń".md': 'nowy\n', 'b.md': null }),
    )
    equal(isRight(landed), true)
    equal(repository.git('rev-list', '--count', 'HEAD'), '2')
    equal(repository.git('status', '--porcelain'), '')
    equal(readFileSync(join(repository.path, 'a.md'), 'utf8'), 'changed\n')
    equal(readFileSync(join(repository.path, 'Zażółć/gęślą "jaźń".md'), 'utf8'), 'nowy\n')
    equal(repository.git('log', '-1', '--format=%an <%ae>'), 'Żaneta <zaneta@example.org>')
    equal(repository.git('for-each-ref', 'refs/svc'), '')
    repository.git('fsck', '--strict')
  })

  it('refuses while a tracked file is changed, and changes nothing', async () => {
    const head = repository.git('rev-parse', 'HEAD')
    writeFiles(repository.path, { 'b.md': 'a draft of a person\n' })
    const landed = await gitCommitter(repository.path)(draft({ 'a.md': 'changed\n' }))
    deepEqual(landed, { _tag: 'Left', left: { _tag: 'Dirty', files: ['b.md'] } })
    equal(repository.git('rev-parse', 'HEAD'), head)
    equal(readFileSync(join(repository.path, 'b.md'), 'utf8'), 'a draft of a person\n')
  })

  it('leaves an untracked file alone, and refuses to write over one', async () => {
    writeFiles(repository.path, { 'notes.txt': 'mine', 'new.md': 'mine too' })
    const refused = await gitCommitter(repository.path)(draft({ 'new.md': 'theirs' }))
    equal(isLeft(refused) && refused.left._tag, 'Dirty')
    equal(readFileSync(join(repository.path, 'new.md'), 'utf8'), 'mine too')
    equal(isRight(await gitCommitter(repository.path)(draft({ 'a.md': 'changed\n' }))), true)
    equal(readFileSync(join(repository.path, 'notes.txt'), 'utf8'), 'mine')
  })

  it('does not move a branch that moved', async () => {
    const stale = draft({ 'a.md': 'changed\n' })
    repository.commit({ 'c.md': 'c\n' })
    const landed = await gitCommitter(repository.path)(stale)
    equal(isLeft(landed), true)
    equal(repository.git('rev-list', '--count', 'HEAD'), '2')
    equal(readFileSync(join(repository.path, 'a.md'), 'utf8'), 'a\n')
  })
})
