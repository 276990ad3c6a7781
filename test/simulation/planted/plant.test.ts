import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { judged, openTree, outdated, plantedBugs } from './plant.js'

describe('the hunt for planted bugs', () => {
  it('counts a bug as found by a violation of what it breaks, with the seed that replays it', () => {
    const said = 'trace\n\nat 12 ms: Enroth: lost (S12)\nnpm run simulate -- --seed 7\n7 seeds in 1 s'
    deepEqual(judged('S12', said), {
      isFound: true,
      said: 'npm run simulate -- --seed 7: at 12 ms: Enroth: lost (S12)',
    })
    equal(judged('S13 S12', said).isFound, true)
    equal(judged('S27', said).isFound, false)
  })

  it('does not count a quiet run, or one that broke down', () => {
    equal(judged('S12', '100 seeds in 20 s').isFound, false)
    equal(judged('S12', 'SyntaxError: at 12 ms of S12').isFound, false)
  })

  it('tells of a patch that no longer applies', () => {
    const [bug] = plantedBugs('')
    ok(bug !== undefined)
    const tree = openTree()
    try {
      const [complaint] = outdated(`${tree.path}/protocol`, [bug])
      ok(complaint?.startsWith(`${bug.name}: error: `))
    } finally {
      tree.close()
    }
  })
})
