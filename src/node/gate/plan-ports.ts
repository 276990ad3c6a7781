import type { SyncReport } from '#actors/repository-sync/state.js'
import type { GatePorts } from '#actors/write-gate/mode.js'
import type { PlanPorts } from '#actors/write-gate/plan-on.js'
import type { CommitId } from '#protocol/atoms.js'
import { routes } from '#protocol/routes.js'
import { credentialsOf } from '#src/http/credentials/authenticate.js'
import { admitBy } from '#src/http/listener/admission.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TreeSource } from '#src/ports/git.js'
import type { TouchedFile } from '#src/ports/landing.js'
import { builtInHooks } from '#src/writing/batch/hooks.js'
import type { ContainsCommit } from '#src/writing/command.js'
import { planCommandBy, planners } from '#src/writing/places.js'
import type { HostSync } from '../sync/host-sync.js'
import type { NodeParts } from '../tree/node-parts.js'

/** The bytes of a committed file by its blob. */
export const readCommittedBytes =
  (source: TreeSource) =>
  ({ path, before }: TouchedFile): Promise<Buffer | null> =>
    before === null ? Promise.resolve(null) : source.read({ path, blob: before, bytes: 0 })

/**
 * Whether the history of a snapshot contains a commit, or one that took the place of a history with that commit when a
 * rewrite of the remote was accepted.
 */
export const containsCommitIn =
  (source: TreeSource, sync: Pick<HostSync, 'report'>): ContainsCommit =>
  async (commit, { commit: head }) => {
    const contains = (of: CommitId, one: CommitId) => source.contains({ commit: of, id: of }, one)
    const has = async (of: CommitId, one: CommitId, replaced: SyncReport['replaced']): Promise<boolean> => {
      if (await contains(of, one)) return true
      for (const { from, to } of replaced) {
        const later = replaced.filter(other => other.from !== from)
        if ((await contains(from, one)) && (await has(of, to, later))) return true
      }
      return false
    }
    return head !== null && has(head, commit, sync.report.get()?.replaced ?? [])
  }

/** The ports of the plan, for dry runs and commits on this host. */
export const planPorts = (parts: NodeParts): PlanPorts & Pick<GatePorts, 'admit'> => {
  const { checkout, tokens, sync } = parts
  const admit = admitBy(credentialsOf(tokens.machineHash, tokens.kinds), routes, parts.snapshot)
  return {
    admit,
    plan: planCommandBy({ table: routes, planners, admit }),
    containsCommit: containsCommitIn(checkout.source, sync),
    hooks: builtInHooks,
    nowMs: realClock.nowMs,
    read: readCommittedBytes(checkout.source),
    warn: parts.log.warn,
  }
}
