import type { LookOutcome } from '#actors/corpus-keeper/messages.js'
import type { Publish } from '#src/ports/events.js'
import type { Log } from './log.js'

/** Writes down a look that fails, once for each reason in a row, and the first that succeeds after it. */
export const lookLog = (log: Log): ((outcome: LookOutcome) => void) => {
  let failing: string | null = null
  return outcome => {
    const reason = outcome._tag === 'LookFailed' ? outcome.reason : null
    if (reason !== null && reason !== failing) log.warn('look_failed', { reason })
    if (reason === null && failing !== null) log.info('look_recovered')
    failing = reason
  }
}

/** Publishes each generation of the snapshot once. */
export const publishedOnce = (publish: Publish): ((outcome: LookOutcome) => void) => {
  let told = 0
  return outcome => {
    if (outcome._tag === 'LookFailed' || outcome.generation === told) return
    told = outcome.generation
    publish('snapshot:published', { generation: outcome.generation, commit: outcome.commit })
  }
}
