import { deepEqual } from 'node:assert/strict'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { admitMachine, testCommand } from '#test/support/commands.js'
import { olderCommit, servedCommit } from '#test/support/contract-world.js'
import { worldOf } from '#test/support/world.js'
import { type PreviewPorts, preview } from './preview.js'

const at = (commit: CommitId): Snapshot => ({ ...worldOf({}), commit })

describe('a dry run that wants a commit', () => {
  const plannedOn: Array<string | null> = []
  const command = testCommand({ dryRun: true, wants: servedCommit })
  const shown = async (snapshot: Snapshot): Promise<string> => {
    const ports: PreviewPorts = {
      admit: admitMachine,
      read: () => Promise.resolve(null),
      hooks: [],
      nowMs: () => 0,
      warn: () => undefined,
      containsCommit: () => Promise.resolve(false),
      plan: (_command, { commit }) => {
        plannedOn.push(commit)
        return right({ edits: [], claims: [], touches: [], subject: 's', answer: {}, preview: {} })
      },
      checked: null,
      trees: new Map(),
    }
    const outcome = await preview(ports, snapshot, command)
    return isLeft(outcome) ? outcome.left._tag : 'planned'
  }

  it('is planned on a snapshot that has it, and on no other', async () => {
    deepEqual([await shown(at(olderCommit)), plannedOn], ['CommitNotHere', []])
    deepEqual([await shown(at(servedCommit)), plannedOn], ['planned', [servedCommit]])
  })
})
