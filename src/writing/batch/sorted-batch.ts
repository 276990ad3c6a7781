import { isLeft, left } from 'fp-ts/lib/Either.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WriteRequest } from '../write-plan.js'
import { nothingTaken } from './claims.js'
import { type BeforeWrite, leavesTooLarge, refuseChange } from './hooks.js'

/** A write of a batch by its place in the order of arrival, with what it would change. */
export interface Ready {
  readonly at: number
  readonly request: WriteRequest<unknown>
  readonly set: ChangeSet<unknown>
}

/** Writes planned on one snapshot, each in one of four places. */
export interface SortedBatch {
  /** To be committed together, in their order. */
  readonly ready: ReadonlyArray<Ready>
  /** Nothing to change: answered by the snapshot's commit (D32). */
  readonly same: ReadonlyArray<Ready>
  readonly refused: ReadonlyArray<{ readonly at: number; readonly refusal: Refusal }>
  /** Rules that threw, for the log; their writes are among the refused. */
  readonly faults: ReadonlyArray<{ readonly route: string; readonly error: unknown }>
  /** To be planned again on what the others leave. */
  readonly deferred: ReadonlyArray<number>
}

type Plan = ReturnType<WriteRequest<unknown>['plan']>

/** A rule that throws costs its own request, not those that share the batch. */
const planned = (
  request: WriteRequest<unknown>,
  snapshot: Snapshot,
  nowMs: number,
  fault: (error: unknown) => void,
): Plan => {
  try {
    return request.plan(snapshot, nowMs)
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
 * changes rights all wait: whether they may still be made is asked on what it leaves (S30, ADR 0211).
 */
export const sortedBatch = (
  snapshot: Snapshot,
  requests: ReadonlyArray<WriteRequest<unknown>>,
  nowMs: number,
  hooks: ReadonlyArray<BeforeWrite>,
): SortedBatch => {
  const ready: Array<Ready> = []
  const same: Array<Ready> = []
  const refused: Array<SortedBatch['refused'][number]> = []
  const deferred: Array<number> = []
  const faults: Array<SortedBatch['faults'][number]> = []
  let rightsChange = false
  const taken = nothingTaken(edit => leavesTooLarge(snapshot, edit))
  for (const [at, request] of requests.entries()) {
    if (rightsChange) {
      deferred.push(at)
      continue
    }
    const { route } = request
    const plan = planned(request, snapshot, nowMs, error => void faults.push({ route, error }))
    if (isLeft(plan)) {
      refused.push({ at, refusal: plan.left })
      continue
    }
    const set = plan.right
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
    if (set.edits.length === 0) same.push({ at, request, set })
    else {
      taken.take(set)
      ready.push({ at, request, set })
      rightsChange = changesRights(set)
    }
  }
  return { ready, same, refused, deferred, faults }
}
