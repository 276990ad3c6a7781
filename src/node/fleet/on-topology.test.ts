import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { onTopology } from './on-topology.js'

describe('a change of the topology', () => {
  it('is told once for each version, and for none that is unknown', () => {
    let changes = 0
    const see = onTopology(() => {
      changes += 1
    })
    const steps: ReadonlyArray<readonly [commit: string | null, changes: number]> = [
      [null, 0],
      ['a', 1],
      ['a', 1],
      [null, 1],
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ]
    for (const [commit, count] of steps) {
      see({ fence: commit === null ? null : { commit, blob: 'the same' } })
      equal(changes, count, String(commit))
    }
  })
})
