import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { instantOf } from '#protocol/atoms.js'
import { type Adoption, type AdoptRefusal, gateAnswerWithinMs } from '#protocol/host/admin.js'
import { applyWindow } from '#protocol/list.js'
import { type DimensionRun, mapNamesMax, type mapsRoutes } from '#protocol/lore/maps.js'
import { type placesRoutes, type Reindexed, reindexRoutes } from '#protocol/lore/places.js'
import { windowOf } from '#protocol/query.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { entityNamed } from '#src/domain/entities/entities.js'
import { locationMeant, placesOn } from '#src/domain/entities/places.js'
import { readableFindings } from '#src/domain/identity/readable.js'
import { freshLintAnswer, lintAnswerOfRecord } from '#src/domain/lint/claim-lint.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { locationOf, locationsMatching, speakerProposals } from '#src/domain/places/projection.js'
import { graphOf, traversalOf } from '#src/domain/places/traversal.js'
import { originOf } from '#src/http/checks/arrival.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { Host } from '#src/ports/host.js'
import type { AdoptionFollow } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { TaskOf } from '#src/writing/command.js'
import { chooseMaps, type MapSelection, measuredMaps, refuseSlice } from '#src/writing/map-dimensions.js'

/** Places, the claim lint and the traversal graph (A 4.8). */
export const placesHandlers: Handlers<typeof placesRoutes, Pick<Host, 'recordedLint'>> = {
  'locations.list': ({ snapshot, query }) => {
    const { parent = null, region = null, outerior = null } = query
    const rows = locationsMatching(placesOf(snapshot), { parent, region, outerior })
    return right({ body: applyWindow(rows, windowOf(query)) })
  },
  'locations.graph.get': ({ snapshot }) => right({ body: graph(snapshot) }),
  'locations.get': ({ snapshot, path }) => {
    const { entities, day } = snapshot
    const named = entityNamed(entities, path.name, day, 'Lokacja')
    const place = named?.entity ?? locationMeant(entities, path.name, day)
    return place === null
      ? left(
          refuse(
            'LocationNotFound',
            `The name "${path.name}" does not mean exactly one Lokacja. GET /locations lists them.`,
            {
              nearest: nearestBlocks(entities, path.name, 'Lokacja'),
            },
          ),
        )
      : right({ body: locationOf(placesOf(snapshot), place) })
  },
  'claims.lint.get': ({ snapshot, query, nowMs, node, caller: { view } }) =>
    right({
      body:
        query.fresh === true
          ? freshLintAnswer(snapshot, instantOf(nowMs))
          : lintAnswerOfRecord(snapshot.entities, node?.recordedLint() ?? null, view),
    }),
  'maps.traversal.get': ({ snapshot }) => right({ body: traversal(snapshot).graph }),
}

/**
 * Rebuilds the index, and lists the speakers that are no entity of the snapshot. Returns the answer of the
 * row, with the findings that the caller may read, or why nothing was written.
 */
export const rebuildIndex = async (
  reindex: Host['reindex'],
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
export const reindexHandlers: Handlers<
  Pick<typeof reindexRoutes, 'locations.reindex'>,
  Pick<Host, 'jobs' | 'reindex'>
> = {
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

/** Sizes of maps (A 4.8). The pictures are measured here; the write is planned from what was found. */
export const mapsHandlers: Handlers<typeof mapsRoutes, Pick<Host, 'measureMaps' | 'mapsPerBatch'>> = {
  'maps.dimensions.set': async ({ snapshot, body, caller, node, gate, isCallerThere }) => {
    const closed = gate()
    if (closed !== null) return left(closed)
    const selection = selectionOf(body, node.mapsPerBatch)
    if (isLeft(selection)) return selection
    const lacking = selection.right._tag === 'Slice' ? refuseSlice(caller) : null
    if (lacking !== null) return left(lacking)
    const chosen = chooseMaps(snapshot, selection.right)
    const { maxMillis = 0 } = body
    const ran = await node.measureMaps(chosen.targets, {
      maxMs: maxMillis === 0 ? measureMaxMs : Math.min(maxMillis, measureMaxMs),
      failures: 0,
      signal: new AbortController().signal,
      isWanted: isCallerThere,
    })
    return isLeft(ran) ? ran : right({ prepared: measuredMaps(chosen, ran.right) })
  },
}

/** No map is begun later in a call, so that it is answered before the front refuses it as late. */
const measureMaxMs = gateAnswerWithinMs - 50_000

const selectionOf = (
  { names, maxMaps, cursor }: DimensionRun,
  mapsPerBatch: number,
): Either<
  RefusalOf<'BodyInvalid' | 'MapDimensionsSelectionConflict' | 'MapDimensionsTooManyNames'>,
  MapSelection
> => {
  const isSlice = maxMaps !== undefined || cursor !== undefined
  if (names !== undefined && isSlice)
    return left(
      refuse('MapDimensionsSelectionConflict', 'Send `names`, or `maxMaps` and `cursor`, but not both.'),
    )
  if (names === undefined && !isSlice)
    return left(bodyInvalid('Say which maps.', { path: '$', expected: '`names`, or `maxMaps` and `cursor`' }))
  if (names === undefined)
    return maxMaps === 0
      ? left(
          bodyInvalid('`maxMaps` must be 1 or more.', {
            path: '$.maxMaps',
            expected: 'a whole number from 1',
          }),
        )
      : right({ _tag: 'Slice', cursor: cursor ?? 0, mapsMax: maxMaps ?? mapsPerBatch })
  if (names.length === 0)
    return left(bodyInvalid('`names` is empty.', { path: '$.names', expected: 'at least one name' }))
  return names.length > mapNamesMax
    ? left(
        refuse('MapDimensionsTooManyNames', `A call measures at most ${mapNamesMax} named maps.`, {
          namesMax: mapNamesMax,
        }),
      )
    : right({ _tag: 'Named', names })
}

const placesOf = perValue((snapshot: Snapshot) => placesOn(snapshot.entities, snapshot.day))
const graph = perValue((snapshot: Snapshot) => graphOf(placesOf(snapshot)))
const traversal = perValue((snapshot: Snapshot) => traversalOf(placesOf(snapshot), snapshot.sessions))

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
