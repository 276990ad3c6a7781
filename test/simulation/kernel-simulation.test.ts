import assert from 'node:assert/strict'
import type { KernelRules } from '#src/kernel/rules.js'
import { runsOf } from '#test/support/runs.js'
import { type KernelRun, simulateKernel } from './kernel-simulation.js'

/** `KERNEL_SEED=17` replays one seed, `KERNEL_SEEDS=5000` runs as many. */
const seedsDefault = runsOf(600)
const only = process.env.KERNEL_SEED
const seeds = only === undefined ? Number(process.env.KERNEL_SEEDS ?? seedsDefault) : 1
const first = only === undefined ? 1 : Number(only)

const describeFailure = (outcome: KernelRun): string =>
  [`KERNEL_SEED=${outcome.seed} replays this:`, ...outcome.violations.slice(0, 5)].join('\n')

/** Bugs, each planted in one decision of the kernel; the checkers must find every one. */
const planted: ReadonlyArray<readonly [bug: string, rules: Partial<KernelRules>, seen: RegExp]> = [
  ['results of an ended incarnation are let in', { isCurrent: () => true }, /got a result of/],
  ['a mailbox takes one too many', { isFull: (waiting, max) => waiting > max }, /may hold/],
  ['poison is delivered again', { poison: 'redeliver' }, /again \(L7\)/],
  ['a restart loses the mailbox', { keepsMailbox: false }, /accepted, .* dead \(S33\)/],
  ['no budget is ever exceeded', { exceeds: () => false }, /nothing followed/],
  ['a budget is exceeded early', { exceeds: (restarts, max) => restarts >= max }, /within its budget/],
  ['a fault leaves its askers waiting', { failsOwed: false }, /which had ended|has no end/],
]
const plantedSeedsMax = 200

describe('the kernel under simulation', function () {
  this.timeout(600_000)

  it(`keeps S32, S33 and L7 over ${seeds} seeds`, async () => {
    let faults = 0
    let gaveUp = 0
    for (let seed = first; seed < first + seeds; seed += 1) {
      const outcome = await simulateKernel(seed)
      assert.deepEqual(outcome.violations, [], describeFailure(outcome))
      faults += outcome.faults
      gaveUp += outcome.gaveUp ? 1 : 0
      if (seed % 50 !== 0) continue
      const again = await simulateKernel(seed)
      assert.equal(again.hash, outcome.hash, `seed ${seed} took two ways`)
    }
    if (seeds >= seedsDefault) {
      assert.ok(faults > seeds, `only ${faults} faults: the simulation is too kind`)
      assert.ok(gaveUp > 0 && gaveUp < seeds / 2, `${gaveUp} of ${seeds} trees gave up`)
    }
  })

  for (const [bug, rules, seen] of planted)
    it(`finds the bug: ${bug}`, async () => {
      for (let seed = 1; seed <= plantedSeedsMax; seed += 1)
        if ((await simulateKernel(seed, rules)).violations.some(text => seen.test(text))) return
      assert.fail(`not found in ${plantedSeedsMax} seeds`)
    })
})
