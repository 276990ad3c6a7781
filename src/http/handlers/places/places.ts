import { left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import { applyWindow } from '#protocol/list.js'
import type { ConvergeLint, placesRoutes } from '#protocol/places.js'
import { windowOf } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { entityNamed } from '#src/domain/entities/entities.js'
import { locationMeant, placesOn } from '#src/domain/entities/places.js'
import { freshLintAnswer, lintAnswerOfRecord } from '#src/domain/lint/claim-lint.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { locationOf, locationsMatching } from '#src/domain/places/projection.js'
import { graphOf, traversalOf } from '#src/domain/places/traversal.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

export interface LintDeps {
  /** The lint of the last converge; null before the first (D35). */
  readonly recordedLint: () => ConvergeLint | null
}

const placesOf = perValue((snapshot: Snapshot) => placesOn(snapshot.entities, snapshot.day))
const graph = perValue((snapshot: Snapshot) => graphOf(placesOf(snapshot)))
const traversal = perValue((snapshot: Snapshot) => traversalOf(placesOf(snapshot), snapshot.sessions))

/** Places, the claim lint and the traversal graph (A 4.8). */
export const placesHandlers: Handlers<typeof placesRoutes, LintDeps> = {
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
