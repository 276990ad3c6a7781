import { right } from 'fp-ts/lib/Either.js'
import type { Interactions } from '#src/ports/chat.js'

const none = { accepted: 0, enacted: 0, failed: 0, refused: 0 } as const

/** Accepts every interaction as a new query, and records none. */
export const acceptedInteractions: Interactions = {
  rules: { windowMs: 5_000, nearDeadlineMs: 3_000 },
  receive: () => Promise.resolve(right({ kind: 'query', duplicate: false })),
  counts: () => ({ close: none, report: none, query: none }),
}

/** The variables that make an interaction one of each kind. */
export const varsOfKind = {
  close: { SVC_CLOSE_CHAT_ID: '5' },
  report: { SVC_REPORT_B64: 'eA==', SVC_REPORTER_CHAT_ID: '5' },
  query: { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '5' },
} as const
