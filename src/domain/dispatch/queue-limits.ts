/** The most interactions that wait. */
export const waitingDispatchesMax = 100_000

/** An accepted interaction ends within this time: its token in the chat lives 15 minutes (L4). */
export const dispatchLifeMs = 14 * 60_000

/** The longest attempt, with the fetch before it. */
export const dispatchAttemptMsMax = 60_000

/** How long what is recorded may take to be on the disk. */
const recordMs = 5_000

/**
 * How long after its acceptance an interaction may still begin an attempt. What waits then has failed by the end of its
 * life, also where an attempt of another one is under way.
 */
export const dispatchGiveUpMs = dispatchLifeMs - dispatchAttemptMsMax - recordMs

/** How long its answer may be sent after its acceptance. */
export const answerLifeMs = dispatchLifeMs + 30_000

/** How long an interaction is remembered behind its end (S20). */
export const dispatchRetentionMs = 24 * 3_600_000
