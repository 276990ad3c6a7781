import type { RegistryAnswer } from '#protocol/lore/sessions.js'
import { planRegistry } from '#src/domain/adoption/registry.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** Claims the whole registry, so that the gate never plans two regenerations on one snapshot. */
const claim = 'registry:Lokacje'

/**
 * Regenerates the whole tree `Lokacje/`: one generated file for each existing place and nothing else (B 4.2).
 */
export const regenerateRegistry = ({
  entities,
  sessions,
  day,
  files,
}: Snapshot): ChangeSet<RegistryAnswer> => {
  const plan = planRegistry(entities, sessions, day, files, 'WithEmpty')
  const { placed, placeless, total } = plan
  const shown = {
    Roots: plan.roots,
    Writes: { Populated: plan.written - plan.empty, Empty: plan.empty, Unchanged: plan.unchanged },
    Deletes: plan.gone,
    Holdouts: plan.foreign,
    Placement: {
      Placed: placed,
      RegisteredUnplaced: total - placed - placeless,
      NoLocation: placeless,
      Total: total,
    },
  }
  return {
    edits: plan.changes.map(change => ({ _tag: 'Whole', ...change })),
    claims: [claim],
    touches: [{ kind: 'registry', name: 'Lokacje' }],
    subject: `registry: ${plan.written} files written, ${plan.gone.length} removed`,
    answer: { Applied: true, ...shown },
    preview: { Applied: false, ...shown },
  }
}
