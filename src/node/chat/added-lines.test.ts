import { equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { BlobId, requirePath } from '#protocol/atoms.js'
import type { Intent } from '#src/ports/records.js'
import { commitId } from '#test/support/commit-id.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { findAddedLines } from './enactment-notices.js'

const ledger = requirePath('.svc/pu/batches.jsonl')

describe('the lines that a write added to a ledger', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ [ledger]: '{"id":1}\n', 'a.md': 'a\n' })
  })
  afterEach(() => repository.dispose())

  const commit = (text: string) => {
    writeFiles(repository.path, { [ledger]: text })
    repository.git('commit', '-qam', 'x')
    return commitId(repository.head())
  }
  const blobAt = (at: string): BlobId => {
    const decoded = BlobId.decode(repository.git('rev-parse', `${at}:${ledger}`))
    if (decoded._tag === 'Left') throw new Error('no blob')
    return decoded.right
  }

  it('are in a squash that has them, and not in a tip without them or where they were taken out', async () => {
    const first = commitId(repository.head())
    const made = commit('{"id":1}\n{"id":2}\n')
    const paths: Intent['paths'] = [{ path: ledger, old: blobAt(first), new: blobAt(made) }]
    const reversed = commit('{"id":1}\n')
    const squashed = commit('{"id":1}\n{"id":0}\n{"id":2}\n')
    for (const [at, lines] of [
      [first, 'Gone'],
      [made, 'All'],
      [reversed, 'Gone'],
      [squashed, 'All'],
    ] as const)
      equal(await findAddedLines(repository.path, at, paths), lines)
    equal(await findAddedLines(repository.path, made, []), 'NoneAdded')
    const two = commit('{"id":1}\n{"id":2}\n{"id":3}\n')
    const both: Intent['paths'] = [{ path: ledger, old: blobAt(first), new: blobAt(two) }]
    equal(await findAddedLines(repository.path, made, both), 'Some')
  })
})
