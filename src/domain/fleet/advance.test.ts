import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { fleetText, takeoverJob } from '#test/support/fleet/topologies.js'
import { ForgeModel } from '#test/support/forge/forge-model.js'
import { advanceTakeover, beginTakeover } from './takeover.js'
import { actionOf, type TakeoverAction, type TakeoverEnd, type TakeoverOutcome } from './takeover-run.js'

const claim = 'c1'
const blob = 'b'.repeat(40)
const job = { ...takeoverJob, fence: { commit: 'first', blob } }

/** Drives a job whose forge checks for a while; `fenceAt` is the commit of the fence that each fetch finds. */
const drive = (
  checks: number,
  fenceAt: (fetches: number) => string,
): { readonly end: TakeoverEnd; readonly calls: ReadonlyArray<string>; readonly fetches: number } => {
  const forge = new ForgeModel(claim, checks)
  const calls: Array<string> = []
  let [monotonicMs, fetches, isPushed] = [0, 0, false]
  const answer = (action: TakeoverAction): TakeoverOutcome => {
    switch (action._tag) {
      case 'Fetch': {
        fetches += 1
        const topology = { fence: { commit: fenceAt(fetches), blob }, text: fleetText('Erathia', 3) }
        const made = { commit: claim, apex: 'Deyja', isMerged: false, isPlain: true }
        const found = {
          branch: 'main',
          tip: 't',
          topology,
          claim: isPushed ? made : null,
          candidates: ['Deyja'],
          cooldown: 'over' as const,
        }
        return { _tag: 'Fetched', found }
      }
      case 'ProbeTown':
        return { _tag: 'Probed', result: 'silent' }
      case 'PushClaim':
        isPushed = true
        return { _tag: 'Pushed', commit: claim }
      case 'CallForge':
        calls.push(action.call._tag)
        return { _tag: 'Answered', outcome: forge.answer(action.call, undefined) }
      case 'Converge':
        return { _tag: 'Converged' }
    }
  }
  let step = beginTakeover(job, 'Deyja', null, { monotonicMs })
  while (step._tag === 'Do') {
    monotonicMs += step.afterMs
    step = advanceTakeover(step.run, answer(actionOf(step.run)), { monotonicMs })
  }
  return { end: step.end, calls, fetches }
}

describe('a takeover whose forge checks for more than a minute', () => {
  it('fetches again before it merges', () => {
    const { end, calls, fetches } = drive(10, () => 'first')
    deepEqual([end._tag, fetches], ['Done', 2])
    equal(calls.filter(call => call === 'MergeRequest').length, 1)
    equal(drive(2, () => 'first').fetches, 1)
  })

  it('does not merge into a version whose blob came back meanwhile (A, B, A)', () => {
    const { end, calls } = drive(10, fetches => (fetches === 1 ? 'first' : 'second'))
    equal(end._tag === 'Failed' && end.failure, 'superseded')
    ok(!calls.includes('MergeRequest') && calls.includes('CloseRequest'))
  })
})
