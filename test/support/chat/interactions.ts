import { right } from 'fp-ts/lib/Either.js'
import type { InteractionDeps } from '#src/http/handlers/chat/dispatch.js'

const none = { accepted: 0, enacted: 0, failed: 0, refused: 0 } as const

/** Accepts every interaction as a new query, and records none. */
export const acceptedInteractions: InteractionDeps['interactions'] = {
  rules: { windowMs: 5_000, nearDeadlineMs: 3_000 },
  receive: () => right({ kind: 'query', duplicate: false }),
  counts: () => ({ close: none, report: none, query: none }),
}
