import { actsOnHost, route, type Table } from '#protocol/route.js'
import { DispatchAccepted, DispatchWanted } from './dispatch.js'

export const dispatchRoutes = {
  'chat.dispatch.add': route({
    ...actsOnHost,
    method: 'POST',
    path: '/chat/dispatch',
    anyCommit: true,
    summary: 'Records an interaction of the chat, which this host then enacts once and answers in the chat.',
    capability: 'chat.dispatch',
    early: true,
    query: {},
    body: DispatchWanted,
    unknownKeys: 'ignored',
    bodyFault: 'bad_request',
    answers: { 202: DispatchAccepted },
    refusals: [
      'bad_request',
      'not_dispatchable',
      'dispatch_stale',
      'too_late_for_report',
      'daemon_write_gated',
      'Overloaded',
      'DiskRefused',
    ],
    source: 'A 4.9',
    example: {
      body: {
        interactionId: '900100200300400500',
        kind: 'query',
        sentAtEpochMs: 4_102_444_800_000,
        vars: { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '700100200300400500' },
      },
    },
  }),
} as const satisfies Table
