import { isLeft, mapLeft } from 'fp-ts/lib/Either.js'
import { type Refusal } from '#protocol/refusal.js'
import type { Table } from '#protocol/route.js'
import type { routes } from '#protocol/routes.js'
import { hidePlanNames } from './answers/hide-names.js'
import { hideQuotes, showReferences } from './answers/quoted-lore.js'
import type { Admit, AnyPlanners, PlanCommand, Planners } from './command.js'
import { entityPlanners, namePlanners } from './entities/entity-writes.js'
import { governancePlanners } from './governance.js'
import { identityPlanners } from './identity/links.js'
import { mapPlanners } from './map-dimensions.js'
import { characterPlanners } from './people/characters.js'
import { ownLoreAt, seesNames, withinOwnBounds } from './people/own-lore.js'
import { placePlanners } from './places.js'
import { pointsPlanners } from './points.js'
import { closingPlanners } from './sessions/close.js'
import { finalizePlanners } from './sessions/finalize.js'
import { sessionPlanners } from './sessions/patch.js'

/**
 * Plans commands by the table of planners. Checks the right of the asker first, each time, because it may
 * have ended while the command waited (S30, ADR 1018). Applies the limits on what one player may have (D64),
 * removes from a refusal lore that the caller may not read, and suggested names for a caller who may read no
 * block. Throws for a row that has no planner.
 */
export const planCommandBy =
  ({
    table,
    planners,
    admit,
  }: {
    readonly table: Table
    readonly planners: AnyPlanners
    readonly admit: Admit
  }): PlanCommand =>
  (command, snapshot, nowMs) => {
    const { row: id, path, query, body, prepared, actor, dryRun } = command
    const [row, plan] = [table[id], planners[id]]
    if (row === undefined || plan === undefined) throw new Error(`the row ${id} plans no write`)
    const caller = admit(command, snapshot, nowMs)
    if (isLeft(caller)) return caller
    const asked = { path, query, body, prepared, actor, dryRun, caller: caller.right, nowMs }
    const planned = mapLeft((refusal: Refusal) => hideQuotes(refusal, snapshot, caller.right))(
      plan(snapshot, asked),
    )
    const named = seesNames(caller.right) ? planned : hidePlanNames(planned)
    const set = showReferences(named, snapshot, caller.right)
    const own = isLeft(set) ? null : ownLoreAt(snapshot, row, caller.right)
    return isLeft(set) || own === null ? set : withinOwnBounds(snapshot, own, set.right)
  }

/** One planner for every planned row; a missing or an extra one does not compile. */
export const planners: Planners<typeof routes> = {
  ...identityPlanners,
  ...governancePlanners,
  ...characterPlanners,
  ...placePlanners,
  ...mapPlanners,
  ...entityPlanners,
  ...namePlanners,
  ...sessionPlanners,
  ...closingPlanners,
  ...finalizePlanners,
  ...pointsPlanners,
}
