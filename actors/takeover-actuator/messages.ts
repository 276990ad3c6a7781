import * as t from 'io-ts'
import { TakeoverJob } from '#protocol/fleet/takeover.js'
import type { TakeoverOutcome } from '#src/domain/fleet/takeover-run.js'

const outcomeTags: Readonly<Record<TakeoverOutcome['_tag'], true>> = {
  Fetched: true,
  FetchFailed: true,
  Probed: true,
  Pushed: true,
  Beaten: true,
  PushUnknown: true,
  PushFailed: true,
  Answered: true,
  Converged: true,
}

const isOutcome = (u: unknown): u is TakeoverOutcome =>
  typeof u === 'object' &&
  u !== null &&
  '_tag' in u &&
  typeof u._tag === 'string' &&
  Object.hasOwn(outcomeTags, u._tag)

/** Passed by reference: it comes from the effect that this actor began. */
const Outcome = new t.Type<TakeoverOutcome, TakeoverOutcome, unknown>(
  'TakeoverOutcome',
  isOutcome,
  (u, context) => (isOutcome(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

const iid = t.union([t.number, t.null])

/** What is to be done next: a job, the closing of a failed job's request, or nothing. */
export const TakeoverWork = t.union([
  t.type({ _tag: t.literal('Job'), job: TakeoverJob, isResumed: t.boolean, iid }),
  t.type({ _tag: t.literal('Closing'), job: TakeoverJob, iid, reason: t.string }),
  t.type({ _tag: t.literal('Nothing') }),
])
export type TakeoverWork = t.TypeOf<typeof TakeoverWork>

/** Looks for a queued job now. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: what is to be done. */
const Found = t.type({ _tag: t.literal('Found'), work: TakeoverWork })
/** To self: the wait before an action is over. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: an action of this job has ended. */
const Acted = t.type({ _tag: t.literal('Acted'), jobId: t.string, outcome: Outcome })

export const TakeoverActuatorMessage = t.union([Wake, Found, Due, Acted], 'TakeoverActuatorMessage')
export type TakeoverActuatorMessage = t.TypeOf<typeof TakeoverActuatorMessage>
