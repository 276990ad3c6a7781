import type { Route } from '#protocol/route.js'
import { fillNameForms, hasNameForms } from '#src/domain/names/name-index.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { FrontDeps } from './deps.js'

type Names = Snapshot['names']

const filling = new WeakMap<Names, Promise<void>>()

/** Makes the forms of names, once for all who ask for them. */
export const fillNames = (names: Names): Promise<void> => {
  const known = filling.get(names)
  if (known !== undefined) return known
  const begun = runDaemonWork(fillNameForms(names))
  filling.set(names, begun)
  begun.catch(() => filling.delete(names))
  return begun
}

/**
 * Waits until the names of a first snapshot have their forms, which are made in pauses after the ready line: a handler
 * that read them before would make the others in one turn. Undefined where there is nothing to wait for.
 */
export const awaitNames = (
  row: Pick<Route, 'early'>,
  deps: Pick<FrontDeps, 'snapshot'>,
): Promise<void> | undefined => {
  const snapshot = deps.snapshot()
  return row.early || snapshot === null || hasNameForms(snapshot.names)
    ? undefined
    : fillNames(snapshot.names)
}
