import { parseArgs } from 'node:util'
import { findOutdated, huntBug, listPlantedBugs, openTree, type Planted, shuffleBugs } from './plant.js'

/**
 * `npm run planted [-- --only job --seeds 1000 --limit-s 50 --seed TEXT]`: plants each bug of this folder in a copy of
 * the tree and lets the simulation look for it (RELIABILITY 3, oracle strength). Leaves with 1 when one is not found, or
 * its patch no longer applies: then the patch must be made again on the code as it is. After `--limit-s` it begins no
 * hunt, and names the bugs that were not hunted; `--seed` (the day) decides which come first.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    'limit-s': { type: 'string', default: 'Infinity' },
  },
})

const lanes = 2
const limitMs = Number(values['limit-s']) * 1000
const seeds = Number(values.seeds)
const bugs = shuffleBugs(listPlantedBugs(values.only), values.seed)
const say = (text: string): void => void process.stdout.write(`${text}\n`)

let found = 0
const hunt = async (waiting: Array<Planted>): Promise<void> => {
  const tree = openTree()
  try {
    while (performance.now() < limitMs) {
      const bug = waiting.shift()
      if (bug === undefined) return
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
const complaints = findOutdated(check.path, bugs)
check.close()
for (const complaint of complaints) say(`NO LONGER APPLIES ${complaint}`)
if (complaints.length > 0) process.exitCode = 1
else {
  const waiting = [...bugs]
  await Promise.all(Array.from({ length: lanes }, () => hunt(waiting)))
  say(`${found} of ${bugs.length} planted bugs found, in the order of --seed ${values.seed}`)
  if (waiting.length > 0) say(`not hunted: ${waiting.map(({ name }) => name).join(', ')}`)
}
