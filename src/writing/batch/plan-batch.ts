import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nothingTaken } from './claims.js'
import { type BeforeWrite, leavesTooLarge, refuseChange } from './hooks.js'

/** A planned write with its place in the order of arrival. */
export interface Ready<C> {
  readonly at: number
  readonly command: C
  readonly set: ChangeSet<unknown>
}

/** Writes planned on one snapshot, each in exactly one of `ready`, `same`, `refused` and `deferred`. */
export interface PlannedBatch<C> {
  /** Writes to commit together, in this order. */
  readonly ready: ReadonlyArray<Ready<C>>
  /** Writes that change nothing; they are answered with the commit of the snapshot (D32). */
  readonly same: ReadonlyArray<Ready<C>>
  readonly refused: ReadonlyArray<{ readonly at: number; readonly refusal: Refusal }>
  /** Errors thrown by planners, for the log; their writes are among the refused ones. */
  readonly faults: ReadonlyArray<{ readonly route: string; readonly error: unknown }>
  /** Writes to plan again on the result of the others. */
  readonly deferred: ReadonlyArray<number>
}

type Plan = Either<Refusal, ChangeSet<unknown>>

/** Runs a planner. An error it throws fails only its own write, not the others of the batch. */
const planContained = (plan: () => Plan, fault: (error: unknown) => void): Plan => {
  try {
    return plan()
  } catch (error) {
    fault(error)
    return left(refuse('Internal', 'The write failed on a fault of the daemon. The log has the fault.'))
  }
}

/** Files that decide who may do what. */
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
 * Plans writes on one snapshot, in order of arrival. A write that claims the same thing as an earlier one, or
 * edits the same lines, is deferred; so is a write that conflicts with a deferred one, so that dependent
 * writes keep their order. All writes after one that changes rights are deferred, because their callers are
 * admitted again on its result (S30, ADR 1018).
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
