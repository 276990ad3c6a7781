import * as t from 'io-ts'
import { actsOnHost, pipelineRefusals, route, type Table, write } from '#protocol/route.js'
import { adoptionRefusals, gateAnswerWithinMs } from '../admin/adoption.js'
import { JobEnvelope } from '../jobs/job.js'
import { Flag } from '../query.js'
import { LinkAnswer, Reindex, TraversalLink } from './reindex.js'

/** Regenerating the index, and ways between places (A 4.8). */
export const reindexRoutes = {
  'locations.reindex': route({
    ...actsOnHost,
    method: 'POST',
    path: '/locations/reindex',
    summary: 'Runs the adoption again and lists speakers without an entity; `async=true` makes it a job.',
    capability: 'location.override',
    // No write flag, although it commits: the handler asks the gate itself (D28).
    query: { async: Flag },
    answerWithinMs: gateAnswerWithinMs,
    body: t.type({}, 'Nothing'),
    answers: { 200: Reindex, 202: JobEnvelope },
    refusals: [...pipelineRefusals.write, ...adoptionRefusals],
    source: 'A 4.8, D28, D33',
    example: { query: { async: 'false' }, body: {} },
  }),
  'maps.traversal.link': write({
    method: 'POST',
    path: '/maps/traversal',
    summary: 'Makes or ends a way from one place to another, kept as a `@drzwi` row.',
    capability: 'entity.write',
    own: false,
    query: {},
    body: TraversalLink,
    answers: { 200: LinkAnswer },
    refusals: ['LocationNotFound', 'AmbiguousName', 'ValueRefused'],
    source: 'A 4.8, docs/spec/places.md#ways',
    example: { body: { source: 'Zamorze', target: 'Port Zamorze' } },
  }),
} as const satisfies Table
