import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { type OpenLanding, openLanding } from './landing.js'

const idOf = (text: string): CommitId => {
  const id = CommitId.decode(text)
  if (isLeft(id)) throw new Error(`no commit id: ${text}`)
  return id.right
}

describe('a move of the branch to a commit that exists', () => {
  let repository: Repository
  let landing: OpenLanding
  let from: CommitId
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a\n', 'b/c.md': 'c\n', 'run.sh': '#!/bin/sh\n' })
    repository.git('update-index', '--chmod=+x', 'run.sh')
    repository.git('commit', '-qm', 'executable')
    repository.git('checkout', '-q', '--', '.')
    from = idOf(repository.head())
    landing = openLanding({ repo: repository.path, intents: null, lockWaitsMs: [] })
  })
  afterEach(() => {
    landing.close()
    repository.dispose()
  })

  /** Makes a commit that is not on the branch. */
  const aside = (files: Readonly<Record<string, string>>, ...removed: ReadonlyArray<string>): CommitId => {
    if (removed.length > 0) repository.git('rm', '-q', ...removed)
    const id = repository.commit(files)
    repository.git('reset', '-q', '--hard', from)
    return idOf(id)
  }
  const advance = (to: CommitId, start = from) =>
    landing.advance(
      { intent: 'i-1', from: start, to, reason: 'merge', atMs: 1_700_000_000_000 },
      new AbortController().signal,
    )
  it('takes a commit that takes the place of the branch, where a person accepted that', async () => {
    const to = aside({ 'a.md': 'other\n', 'd.md': 'd\n' })
    await advance(to)
    writeFiles(repository.path, { 'draft.md': 'mine' })
    const move = {
      intent: 'i-2',
      from: to,
      to: from,
      reason: 'rewrite',
      atMs: 1_700_000_000_000,
      replaces: true,
    }
    equal(isRight(await landing.advance(move, new AbortController().signal)), true)
    deepEqual([repository.head(), repository.git('status', '--porcelain')], [from, '?? draft.md'])
  })

  const tagOf = (outcome: Awaited<ReturnType<typeof advance>>): string =>
    isLeft(outcome) ? outcome.left._tag : 'Landed'

  it('brings index and work tree along, and leaves what a person began elsewhere', async () => {
    const to = aside({ 'a.md': 'other\n', 'b/d.md': 'd\n', 'run.sh': '#!/bin/sh\necho\n' }, 'b/c.md')
    writeFiles(repository.path, { 'draft.md': 'mine' })
    equal(isRight(await advance(to)), true)
    equal(repository.head(), to)
    equal(repository.git('status', '--porcelain'), '?? draft.md')
    equal(readFileSync(join(repository.path, 'b/d.md'), 'utf8'), 'd\n')
    // The umask decides whether others may run it.
    equal(statSync(join(repository.path, 'run.sh')).mode & 0o100, 0o100)
    equal(repository.git('symbolic-ref', 'HEAD'), 'refs/heads/main')
  })

  it('names the files that a person changed and moves nothing', async () => {
    const to = aside({ 'a.md': 'other\n' })
    writeFiles(repository.path, { 'a.md': 'mine\n' })
    deepEqual(await advance(to), { _tag: 'Left', left: { _tag: 'Dirty', files: ['a.md'] } })
    equal(repository.head(), from)
    equal(readFileSync(join(repository.path, 'a.md'), 'utf8'), 'mine\n')
  })

  it('is Moved when the branch is elsewhere', async () => {
    const to = aside({ 'a.md': 'other\n' })
    repository.commit({ 'a.md': 'by hand\n' })
    equal(tagOf(await advance(to)), 'Moved')
    equal(repository.git('status', '--porcelain'), '')
  })

  it('never takes a commit off the branch, nor a path that no checkout takes', async () => {
    const to = aside({ 'a.md': 'other\n' })
    await advance(to)
    equal(tagOf(await advance(from, to)), 'Failed')
    const blob = repository.git('hash-object', '-w', 'a.md')
    repository.git('update-index', '--add', '--cacheinfo', `100644,${blob},.svc/state/machine.token`)
    const tree = repository.git('write-tree')
    const evil = idOf(repository.git('commit-tree', '-p', to, '-m', 'evil', tree))
    repository.git('read-tree', 'HEAD')
    equal(tagOf(await advance(evil, to)), 'Failed')
    equal(repository.head(), to)
  })
})
