import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Adoption, AdoptRefusal } from '#protocol/admin.js'
import { type Reindexed, reindexRoutes } from '#protocol/places.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { readableFindings } from '#src/domain/identity/readable.js'
import { speakerProposals } from '#src/domain/places/projection.js'
import { originOf } from '#src/http/checks/origin.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { TaskOf } from '#src/writing/command.js'
import type { Adopting, AdoptionFollow } from '../admin.js'
import type { Jobs } from '../jobs.js'

export interface ReindexDeps {
  readonly jobs: Pick<Jobs, 'start'>
  /** Adoption for a row that commits: the gate checks its arms when the turn comes (D28, S18). */
  readonly reindex: Adopting<AdoptRefusal | GateRefusal>
}

const filesOf = ({ Files = [] }: Adoption): number => Files.length

const reindexAnswerOf = (
  adoption: Adoption,
  { files }: Pick<Snapshot, 'files'>,
  caller: Pick<Caller, 'holds'>,
) => {
  const { Findings, Entities, SessionsObserved, SessionRegistry } = adoption
  return {
    findingCount: Findings.length,
    findings: readableFindings(Findings, files, caller),
    stats: { Entities, SessionsObserved, SessionRegistry, Files: filesOf(adoption) },
  }
}

/** Who asks for a reindex, and how they follow it. */
interface ReindexAsker extends AdoptionFollow {
  readonly caller: Pick<Caller, 'holds'>
}

/**
 * Rebuilds the index, and lists the speakers that are no entity of the snapshot. Returns the answer of the
 * row, with the findings that the caller may read, or why nothing was written.
 */
export const rebuildIndex = async (
  reindex: ReindexDeps['reindex'],
  snapshot: Snapshot,
  { origin, claimed }: TaskOf<'Reindex'>,
  { caller, ...follow }: ReindexAsker,
): Promise<Either<AdoptRefusal | GateRefusal, Reindexed>> => {
  const adopted = await reindex(false, origin, claimed, follow)
  if (isLeft(adopted)) return adopted
  const proposals = await runDaemonWork(speakerProposals(snapshot))
  return right({
    reindexed: filesOf(adopted.right) > 0,
    ...reindexAnswerOf(adopted.right, snapshot, caller),
    speakerProposals: proposals,
  })
}

/** Rebuilds the index of places (A 4.8). */
export const reindexHandlers: Handlers<Pick<typeof reindexRoutes, 'locations.reindex'>, ReindexDeps> = {
  'locations.reindex': async ({ snapshot, node, query, dryRun, gate, caller, claimed, isCallerThere }) => {
    const closed = gate()
    if (closed !== null) return left(closed)
    const origin = originOf(reindexRoutes['locations.reindex'], caller)
    if (dryRun)
      return pipe(
        await node.reindex(true, origin, claimed(), { isCallerThere }),
        map(adoption => ({
          body: {
            wouldReindex: filesOf(adoption) > 0,
            ...reindexAnswerOf(adoption, snapshot, caller),
          },
        })),
      )
    const task: TaskOf<'Reindex'> = { _tag: 'Reindex', origin, claimed: claimed() }
    if (query.async === true) {
      const started = await node.jobs.start('locations.reindex', task)
      return isLeft(started) ? started : right({ body: started.right, status: 202 })
    }
    return pipe(
      await rebuildIndex(node.reindex, snapshot, task, { caller, isCallerThere }),
      map(body => ({ body })),
    )
  },
}
