import type { DispatchOutcome } from '#protocol/chat/dispatch.js'
import type { Enactor } from '#src/ports/chat.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { Life, Weather } from '#test/simulation/node/weather.js'
import type { KeyedBranch } from './keyed-branch.js'

export interface EnactorParts {
  readonly branch: KeyedBranch
  readonly weather: Weather
  readonly trace: Trace
  readonly life: Life
  readonly sleep: (ms: number) => Promise<void>
  /** The version that the process fetched last. */
  readonly fetchedVersion: () => number
}

/** What a dead process waits for. */
const never = (): Promise<never> => new Promise(() => undefined)

/** An enactor over the branch. It pushes from the version that it fetched last; a push may land and be reported lost. */
export const branchEnactor = (parts: EnactorParts): Pick<Enactor, 'enact'> => {
  const { branch, weather, trace, life, sleep, fetchedVersion } = parts
  const { between, mishap, strike, isCut } = weather
  const push = (id: string, from: number): DispatchOutcome => {
    if (isCut(life.host)) return { _tag: 'Failed', reason: 'the remote is away' }
    if (!branch.push(life.host, id, from)) return { _tag: 'Failed', reason: 'the branch moved' }
    if (!mishap(0.1)) return { _tag: 'Enacted', answer: `Zrobione: ${id}` }
    trace.mark('a push that landed was reported as lost')
    return { _tag: 'Failed', reason: 'the remote did not answer' }
  }
  return {
    enact: async ({ id }, budgetMs) => {
      const from = fetchedVersion()
      const isSlow = mishap(0.08)
      const tookMs = isSlow ? between(5_000, 59_000) : between(20, 1_500)
      if (tookMs > 30_000) trace.mark('an attempt took longer than half a minute')
      await sleep(Math.min(tookMs, budgetMs))
      if (strike(life, `enact ${id}`)) return never()
      if (tookMs > budgetMs) return { _tag: 'Failed', reason: 'it took too long' }
      if (mishap(0.08)) return { _tag: 'Refused', reason: 'closed already', answer: `Zrobione: ${id}` }
      const outcome = push(id, from)
      // Between the effect and its mark.
      return strike(life, `enacted ${id}`) ? never() : outcome
    },
  }
}
