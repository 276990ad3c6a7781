import type { PlanPorts } from '#actors/write-gate/plan-on.js'
import type { GatePorts } from '#actors/write-gate/ports.js'
import { routes } from '#protocol/routes.js'
import { credentialsOf } from '#src/http/credentials/authenticate.js'
import { admitBy } from '#src/http/listener/admission.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TouchedFile } from '#src/ports/git/landing.js'
import type { TreeSource } from '#src/ports/git/tree-source.js'
import { builtInHooks } from '#src/writing/batch/hooks.js'
import { planCommandBy } from '#src/writing/plan-command.js'
import { planners } from '#src/writing/planners.js'
import type { ContainsCommit } from '#src/writing/wanted-commit.js'
import type { NodeParts } from '../tree/node-parts.js'

/** The bytes of a committed file by its blob. */
export const readCommittedBytes =
  (source: TreeSource) =>
  ({ path, before }: TouchedFile): Promise<Buffer | null> =>
    before === null ? Promise.resolve(null) : source.read({ path, blob: before, bytes: 0 })

/** Whether the history of a snapshot contains a commit. */
export const containsCommitIn =
  (source: TreeSource): ContainsCommit =>
  async (commit, { commit: head }) =>
    head !== null && (await source.contains({ commit: head, id: head }, commit))

/** The ports of the plan, for dry runs and commits on this host. */
export const planPorts = (parts: NodeParts): PlanPorts & Pick<GatePorts, 'admit'> => {
  const { checkout, tokens } = parts
  const admit = admitBy(credentialsOf(tokens.machineHash, tokens.kinds), routes, parts.snapshot)
  return {
    admit,
    plan: planCommandBy({ table: routes, planners, admit }),
    containsCommit: containsCommitIn(checkout.source),
    hooks: builtInHooks,
    nowMs: realClock.nowMs,
    read: readCommittedBytes(checkout.source),
    warn: parts.log.warn,
  }
}
