import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type { WroteNote } from '#actors/repository-sync/state.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import type { Publish } from '#src/ports/records.js'
import type { Log } from './log.js'

/** Logs a failed look, once for each reason in a row, and the first success after it. */
export const lookLog = (log: Log): ((outcome: LookOutcome) => void) => {
  let failing: string | null = null
  return outcome => {
    const reason = outcome._tag === 'LookFailed' ? outcome.reason : null
    if (reason !== null && reason !== failing) log.warn('look_failed', { reason })
    if (reason === null && failing !== null) log.info('look_recovered')
    failing = reason
  }
}

/** Publishes an event for each generation of the snapshot, once. */
export const publishGenerations = (publish: Publish): ((outcome: LookOutcome) => void) => {
  let told = 0
  return outcome => {
    if (outcome._tag === 'LookFailed' || outcome.generation === told) return
    told = outcome.generation
    publish('snapshot:published', { generation: outcome.generation, commit: outcome.commit })
  }
}

/** Tells these actors of each new commit of the branch, once, also of a person's commit. */
export const tellOfCommits = (refs: ReadonlyArray<Ref<WroteNote>>): ((outcome: LookOutcome) => void) => {
  let told: string | null = null
  return outcome => {
    if (outcome._tag === 'LookFailed' || outcome.commit === null || outcome.commit === told) return
    told = outcome.commit
    for (const ref of refs) tell(ref, { _tag: 'Wrote', commit: outcome.commit })
  }
}
