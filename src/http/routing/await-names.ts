import type { Route } from '#protocol/route.js'
import { fillNameForms, hasNameForms } from '#src/domain/names/name-index.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { breather } from '#src/kernel/time/breathe.js'
import type { FrontDeps } from './deps.js'

/**
 * Waits until the names of a first snapshot have their forms, which are made in pauses after the ready line: a handler
 * that read them before would make the others in one turn. Undefined where there is nothing to wait for.
 */
export const awaitNames = (
  row: Pick<Route, 'early'>,
  deps: Pick<FrontDeps, 'snapshot' | 'clock'>,
): Promise<void> | undefined => {
  const snapshot = deps.snapshot()
  return row.early || snapshot === null || hasNameForms(snapshot.names)
    ? undefined
    : runWithPauses(fillNameForms(snapshot.names), breather(deps.clock.monotonicMs))
}
