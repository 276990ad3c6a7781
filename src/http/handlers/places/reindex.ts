import { isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Adoption, AdoptRefusal } from '#protocol/admin/adoption.js'
import { Reindexed } from '#protocol/places/reindex.js'
import { reindexRoutes } from '#protocol/places/reindex-routes.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import { speakerProposals } from '#src/domain/places/speaker-proposals.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { originOf } from '#src/http/checks/origin.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { breather } from '#src/kernel/time/breathe.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Jobs, TellProgress } from '#src/ports/records/jobs.js'
import type { Adopting } from '../admin.js'

export interface ReindexDeps {
  readonly jobs: Pick<Jobs, 'start'>
  /** Adoption for a row that commits: the gate checks its arms when the turn comes (D28, S18). */
  readonly reindex: Adopting<AdoptRefusal | GateRefusal>
}

const filesOf = ({ Files = [] }: Adoption): number => Files.length

const reindexAnswerOf = (adoption: Adoption) => {
  const { Findings, Entities, SessionsObserved, SessionRegistry } = adoption
  return {
    findingCount: Findings.length,
    findings: Findings,
    stats: { Entities, SessionsObserved, SessionRegistry, Files: filesOf(adoption) },
  }
}

/** Rebuilds the index of places (A 4.8). */
export const reindexHandlers: Handlers<Pick<typeof reindexRoutes, 'locations.reindex'>, ReindexDeps> = {
  'locations.reindex': async ({ snapshot, node, query, dryRun, gate, caller, claimed }) => {
    const closed = gate()
    if (closed !== null) return left(closed)
    const origin = originOf(reindexRoutes['locations.reindex'], caller)
    const run = async (progress?: TellProgress) => {
      const adopted = await node.reindex(false, origin, claimed(), progress)
      if (isLeft(adopted)) return adopted
      const proposals = await runWithPauses(speakerProposals(snapshot), breather(realClock.monotonicMs))
      return right<never, Reindexed>({
        reindexed: filesOf(adopted.right) > 0,
        ...reindexAnswerOf(adopted.right),
        speakerProposals: proposals,
      })
    }
    if (dryRun)
      return pipe(
        await node.reindex(true, origin, claimed()),
        map(adoption => ({ body: { wouldReindex: filesOf(adoption) > 0, ...reindexAnswerOf(adoption) } })),
      )
    if (query.async === true) {
      const started = await node.jobs.start('locations.reindex', async progress =>
        map(Reindexed.encode)(await run(progress)),
      )
      return isLeft(started) ? started : right({ body: started.right, status: 202 })
    }
    return pipe(
      await run(),
      map(body => ({ body })),
    )
  },
}
