/** The most interactions that wait. */
export const waitingDispatchesMax = 100_000

/** An accepted interaction ends within this time: its token in the chat lives 15 minutes (L4). */
export const dispatchLifeMs = 14 * 60_000

/** How long its answer may be sent after its acceptance. */
export const answerLifeMs = dispatchLifeMs + 30_000

/** How long an interaction is remembered behind its end (S20). */
export const dispatchRetentionMs = 24 * 3_600_000
