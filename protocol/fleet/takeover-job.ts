import * as t from 'io-ts'

/** What a takeover job was accepted with. None of it changes while the job is worked on. */
export const TakeoverJob = t.readonly(
  t.type({
    id: t.string,
    /** The town that is to become the apex. */
    town: t.string,
    reason: t.string,
    isForced: t.boolean,
    /** The apex and the term of the topology that the decision was made on. */
    apex: t.string,
    term: t.number,
    fence: t.readonly(t.type({ commit: t.string, blob: t.string })),
    /** What this host knew when it accepted the job, as lines of Markdown. */
    evidence: t.string,
  }),
  'TakeoverJob',
)
export type TakeoverJob = t.TypeOf<typeof TakeoverJob>

/** Failures that only a person can mend, or another version of the topology. */
export const LastingFailure = t.keyof(
  { vetoed: null, foreign_claim: null, conflicting: null },
  'LastingFailure',
)
export type LastingFailure = t.TypeOf<typeof LastingFailure>

/**
 * Why a job failed.
 *
 * - `superseded`: the topology changed after the job was accepted.
 * - `takeover_cooldown`: by the clock of the forge the cooldown runs; the host knew no better when it accepted.
 * - `apex_answers`: the apex answered the last probe.
 * - `vetoed`: a person closed the request. `withdrawn`: another host closed it.
 * - `foreign_claim`: the branch of the takeover changes more than the file of the fleet, or a branch is below its name.
 */
export const TakeoverFailure = t.keyof(
  {
    superseded: null,
    takeover_cooldown: null,
    apex_answers: null,
    probe_not_sent: null,
    foreign_claim: null,
    vetoed: null,
    withdrawn: null,
    conflicting: null,
    remote_failed: null,
    push_refused: null,
    forge_refused: null,
    timed_out: null,
  },
  'TakeoverFailure',
)
export type TakeoverFailure = t.TypeOf<typeof TakeoverFailure>
