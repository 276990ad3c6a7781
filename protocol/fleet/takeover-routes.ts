import { actsOnHost, route, type Table } from '#protocol/route.js'
import { AnnouncementRecorded, FlipAnnounced, TakeoverAccepted, TakeoverWanted } from './takeover.js'

export const takeoverRoutes = {
  'fleet.takeover.run': route({
    ...actsOnHost,
    method: 'POST',
    path: '/fleet/takeover',
    anyCommit: true,
    summary: 'Queues the takeover of the role of the apex by a town; this host then merges a request for it.',
    capability: 'fleet.takeover',
    early: true,
    query: {},
    body: TakeoverWanted,
    answers: { 202: TakeoverAccepted },
    refusals: [
      'actuation_unavailable',
      'bad_request',
      'takeover_cooldown',
      'target_ineligible',
      'no_candidate',
      'not_corroborated',
    ],
    source: 'A 4.10',
    example: { body: { reason: 'Erathia has been dark since noon.' } },
  }),
  'fleet.announce.add': route({
    ...actsOnHost,
    method: 'POST',
    path: '/fleet/announce',
    anyCommit: true,
    summary: 'Records that the apex has changed, as the caller says, and brings the next converge forward.',
    capability: 'fleet.announce',
    early: true,
    query: {},
    body: FlipAnnounced,
    unknownKeys: 'ignored',
    answers: { 200: AnnouncementRecorded },
    refusals: [],
    source: 'A 4.10, S11',
    example: { body: { event: 'role-flip', newPrimary: 'Deyja', mrIid: 7 } },
  }),
} as const satisfies Table
