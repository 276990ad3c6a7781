import { equal, ok, rejects } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms.js'
import { commitId } from '#test/support/commit-id.js'
import { storeCommit, storeObject, storeTree, type TreeRow } from '#test/support/plain-git.js'
import { type Repository, repositoryOf, testPerson } from '#test/support/repository.js'
import { treeDiff } from './tree-edit.js'

describe('the files that differ between two commits', () => {
  let repository: Repository
  let from: CommitId
  let [one, two] = ['', '']
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a\n' })
    from = commitId(repository.head())
    one = storeObject(repository.path, 'blob', Buffer.from('one\n'))
    two = storeObject(repository.path, 'blob', Buffer.from('two\n'))
  })
  afterEach(() => repository.dispose())

  const tree = (...rows: ReadonlyArray<TreeRow>): string => storeTree(repository.path, rows)
  const file = (name: string, id: string): TreeRow => ['100644', name, id]
  const folder = (name: string, id: string): TreeRow => ['40000', name, id]
  const commit = (root: string): CommitId =>
    commitId(storeCommit(repository.path, root, [from], 'tree', testPerson()))

  it('are refused where a tree has one name twice, in the root and below, files and folders alike', async () => {
    const twins: ReadonlyArray<readonly [path: string, root: string]> = [
      ['zz.md', tree(file('zz.md', one), file('zz.md', two))],
      ['zz.md', tree(file('zz.md', one), file('zz.md', one))],
      ['k/zz.md', tree(folder('k', tree(file('zz.md', one), file('zz.md', two))))],
      ['zz', tree(file('zz', one), folder('zz', tree(file('x.md', two))))],
      ['zz', tree(folder('zz', tree(file('x.md', two))), folder('zz', tree(file('y.md', two))))],
    ]
    for (const [path, root] of twins)
      await rejects(treeDiff(repository.path, from, commit(root)), ({ message }: Error) => {
        equal(
          message,
          `the commit has a file at "${path}", which no checkout can hold: its tree has this name twice; remove it in git`,
        )
        return true
      })
  })

  it('are told where the next commit has mended the tree', async () => {
    const mended = commit(tree(file('zz.md', two)))
    equal((await treeDiff(repository.path, from, mended)).length, 2)
  })

  it('are refused where a name is above 255 bytes, with the path and why', async () => {
    const long = 'ż'.repeat(128)
    await rejects(treeDiff(repository.path, from, commit(tree(file(long, one)))), ({ message }: Error) => {
      ok(message.includes(`"${'ż'.repeat(120)}…", which no checkout can hold`), message)
      ok(message.includes('above 255 bytes'), message)
      return true
    })
    const longest = commit(tree(file(`${'ż'.repeat(127)}a`, one)))
    equal((await treeDiff(repository.path, from, longest)).length, 2)
  })

  it('are refused where one small commit names a billion files, before they are in memory', async () => {
    const leaves = tree(...Array.from({ length: 10 }, (_, n) => file(`${n}.bin`, one)))
    const bomb = Array.from({ length: 8 }).reduce<string>(
      below => tree(...Array.from({ length: 10 }, (_, n) => folder(`${n}`, below))),
      leaves,
    )
    await rejects(treeDiff(repository.path, from, commit(bomb)), /printed more than 134217728 bytes/)
  })
})
