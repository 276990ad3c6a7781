import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { findOutdated, judgeRun, judgeTest, listPlantedBugs, openTree } from './plant.js'

describe('the hunt for planted bugs', () => {
  it('counts a bug as found by a violation of what it breaks, with the seed that replays it', () => {
    const said = 'trace\n\nat 12 ms: Enroth: lost (S12)\nnpm run simulate -- --seed 7\n7 seeds in 1 s'
    deepEqual(judgeRun('S12', said), {
      isFound: true,
      said: 'npm run simulate -- --seed 7: at 12 ms: Enroth: lost (S12)',
    })
    equal(judgeRun('S13 S12', said).isFound, true)
    equal(judgeRun('S27', said).isFound, false)
  })

  it('does not count a quiet run, or one that broke down', () => {
    equal(judgeRun('S12', '100 seeds in 20 s').isFound, false)
    equal(judgeRun('S12', 'SyntaxError: at 12 ms of S12').isFound, false)
  })

  it('counts a test that failed, and not one that could not run', () => {
    const said = '  1 passing (2s)\n  1 failing\n\n  1) the group of a git\n       ends'
    deepEqual(judgeTest(said), { isFound: true, said: 'the group of a git' })
    equal(judgeTest('  7 passing (2s)').isFound, false)
    equal(judgeTest('Error: Cannot find module').isFound, false)
  })

  it('has patches that apply, and tells of one that no longer does', () => {
    const bugs = listPlantedBugs('')
    const [bug] = bugs
    ok(bug !== undefined)
    const tree = openTree()
    try {
      deepEqual(findOutdated(tree.path, bugs), [])
      const [complaint] = findOutdated(`${tree.path}/protocol`, [bug])
      ok(complaint?.startsWith(`${bug.name}: error: `))
    } finally {
      tree.close()
    }
  })
})
