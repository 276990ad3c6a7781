import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, RepoPath } from '#protocol/atoms.js'
import type { Intent } from '#src/ports/records.js'
import { olderCommit, servedCommit } from './contract-world.js'

const path = RepoPath.decode('encje/indeks.md')
const blob = BlobId.decode('d'.repeat(40))

/** An intent of one new file. */
export const intentOf = (id: string, overrides: Partial<Intent> = {}): Intent => {
  if (isLeft(path) || isLeft(blob)) throw new Error('the sample of an intent does not decode')
  return {
    id,
    tree: 'lore',
    atMs: 1,
    actor: 'Brzoza',
    route: 'PATCH /entities/{name}',
    commit: servedCommit,
    parent: olderCommit,
    state: 'prepared',
    paths: [{ path: path.right, old: null, new: blob.right }],
    ...overrides,
  }
}
