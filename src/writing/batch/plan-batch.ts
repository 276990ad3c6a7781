import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nothingTaken } from './claims.js'
import { type BeforeWrite, leavesTooLarge, refuseChange } from './hooks.js'

/** A write of a batch by its place in the order of arrival, with what it would change. */
export interface Ready<C> {
  readonly at: number
  readonly command: C
  readonly set: ChangeSet<unknown>
}

/** Writes planned on one snapshot, each in one of four places. */
export interface PlannedBatch<C> {
  /** To be committed together, in their order. */
  readonly ready: ReadonlyArray<Ready<C>>
  /** Nothing to change: answered by the snapshot's commit (D32). */
  readonly same: ReadonlyArray<Ready<C>>
  readonly refused: ReadonlyArray<{ readonly at: number; readonly refusal: Refusal }>
  /** Rules that threw, for the log; their writes are among the refused. */
  readonly faults: ReadonlyArray<{ readonly route: string; readonly error: unknown }>
  /** To be planned again on what the others leave. */
  readonly deferred: ReadonlyArray<number>
}

type Plan = Either<Refusal, ChangeSet<unknown>>

/** A rule that throws costs its own write, not those that share the batch. */
const planContained = (plan: () => Plan, fault: (error: unknown) => void): Plan => {
  try {
    return plan()
  } catch (error) {
    fault(error)
    return left(refuse('Internal', 'The write could not be planned; the log names it.'))
  }
}

/** Files that say who may do what. */
const rightsRoles: ReadonlySet<FileRole> = new Set([
  'contributors',
  'roles',
  'grants',
  'bindings',
  'fleet-keys',
])

const changesRights = ({ edits }: ChangeSet<unknown>): boolean =>
  edits.some(({ path }) => rightsRoles.has(roleOf(path)))

/**
 * Plans writes on one snapshot, in order of arrival. Of two that claim one thing, or edit the same lines, the later
 * waits; so does whoever meets one that waits, for arrival orders what depends on each other. Behind a write that
 * changes rights all wait: whether they may still be made is asked on what it leaves (S30, ADR 1018).
 */
export const planBatch = <C extends { readonly route: string }>(
  snapshot: Snapshot,
  commands: ReadonlyArray<C>,
  plan: (command: C, at: number) => Plan,
  hooks: ReadonlyArray<BeforeWrite>,
): PlannedBatch<C> => {
  const ready: Array<Ready<C>> = []
  const same: Array<Ready<C>> = []
  const refused: Array<PlannedBatch<C>['refused'][number]> = []
  const deferred: Array<number> = []
  const faults: Array<PlannedBatch<C>['faults'][number]> = []
  let rightsChange = false
  const taken = nothingTaken(edit => leavesTooLarge(snapshot, edit))
  for (const [at, command] of commands.entries()) {
    if (rightsChange) {
      deferred.push(at)
      continue
    }
    const { route } = command
    const planned = planContained(
      () => plan(command, at),
      error => void faults.push({ route, error }),
    )
    if (isLeft(planned)) {
      refused.push({ at, refusal: planned.left })
      continue
    }
    const set = planned.right
    if (taken.meets(set)) {
      taken.take(set)
      deferred.push(at)
      continue
    }
    const rejection = refuseChange(hooks, snapshot, set)
    if (rejection !== null) {
      refused.push({ at, refusal: rejection })
      continue
    }
    if (set.edits.length === 0) same.push({ at, command, set })
    else {
      taken.take(set)
      ready.push({ at, command, set })
      rightsChange = changesRights(set)
    }
  }
  return { ready, same, refused, deferred, faults }
}
