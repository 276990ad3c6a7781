import { parseArgs } from 'node:util'
import { takeShare } from '#test/support/runs.js'
import { findOutdated, huntBug, listPlantedBugs, openTree, type Planted } from './plant.js'

/**
 * `npm run planted [-- --only job --seeds 1000 --share 3/10]`: plants each bug of this folder in a copy of
 * the tree and lets the simulation look for it (RELIABILITY 3, oracle strength). Leaves with 1 when one is not found, or
 * its patch no longer applies: then the patch must be made again on the code as it is. A share hunts its bugs alone, and
 * tries every patch.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seeds: { type: 'string', default: '300' },
    share: { type: 'string', default: '' },
  },
})

const lanes = 2
const seeds = Number(values.seeds)
const planted = listPlantedBugs(values.only)
const bugs = takeShare(planted, values.share)
const say = (text: string): void => void process.stdout.write(`${text}\n`)

let found = 0
const hunt = async (waiting: Array<Planted>): Promise<void> => {
  const tree = openTree()
  try {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const { name, isFound, said, ms } = await huntBug(tree.path, bug, seeds)
      say(`${isFound ? 'found' : 'NOT FOUND'} ${name} in ${(ms / 1000).toFixed(1)} s: ${said}`)
      if (isFound) found += 1
      else process.exitCode = 1
    }
  } finally {
    tree.close()
  }
}

const check = openTree()
const complaints = findOutdated(check.path, planted)
check.close()
for (const complaint of complaints) say(`NO LONGER APPLIES ${complaint}`)
if (complaints.length > 0) process.exitCode = 1
else {
  const waiting = [...bugs]
  await Promise.all(Array.from({ length: lanes }, () => hunt(waiting)))
  say(`${found} of ${bugs.length} planted bugs found`)
}
