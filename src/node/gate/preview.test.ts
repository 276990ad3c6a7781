import { deepEqual } from 'node:assert/strict'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WriteRequest } from '#src/writing/write-plan.js'
import { olderCommit, servedCommit } from '#test/support/contract-world.js'
import { worldOf } from '#test/support/world.js'
import { preview } from './preview.js'

const at = (commit: CommitId): Snapshot => ({ ...worldOf({}), commit })

describe('a dry run that wants a commit', () => {
  const plannedOn: Array<string | null> = []
  const request: WriteRequest<unknown> = {
    actor: { name: 'Sol', gracz: 'Sol', kind: 'session' },
    route: 'POST /entities',
    dryRun: true,
    requestId: 'r',
    hasCommit: ({ commit }) => Promise.resolve(commit === servedCommit),
    plan: ({ commit }) => {
      plannedOn.push(commit)
      return right({ edits: [], claims: [], touches: [], subject: 's', answer: {}, preview: {} })
    },
  }
  const shown = async (snapshot: Snapshot): Promise<string> => {
    const parts = { read: () => Promise.resolve(null), hooks: [], nowMs: () => 0, checked: null }
    const outcome = await preview(parts, snapshot, request)
    return isLeft(outcome) ? outcome.left._tag : 'planned'
  }

  it('is planned on a snapshot that has it, and on no other', async () => {
    deepEqual([await shown(at(olderCommit)), plannedOn], ['CommitNotHere', []])
    deepEqual([await shown(at(servedCommit)), plannedOn], ['planned', [servedCommit]])
  })
})
