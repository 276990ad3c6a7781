import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import type { ForgeCall, ForgeOutcome, ForgeRequest } from '#protocol/forge.js'
import { mergeabilityOf } from '#src/domain/forge/mergeability.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { TakeoverAction, TakeoverOutcome } from './action.js'

const callWords: Partial<Record<ForgeCall['_tag'], string>> = {
  ListRequests: 'the list of the requests',
  OpenRequest: 'the opening of the request',
  ReadRequest: 'a look at the request',
  MergeRequest: 'the merge of the request',
  CloseRequest: 'the closing of the request',
}

/** A request that waits for people or pipelines; `checking` and its like pass without anyone. */
const describeWait = ({ iid, state, mergeStatus }: ForgeRequest): string | null => {
  const isPassing = mergeStatus === null || /^(unchecked|checking|preparing)$/.test(mergeStatus)
  if (state !== 'opened' || isPassing || mergeabilityOf(mergeStatus) !== 'pending') return null
  return `the forge does not merge the request !${iid} yet: ${mergeStatus}`
}

/** Null for an answer that the job uses, or that belongs to its ordinary course (405 and 409). */
const describeForge = (call: ForgeCall, outcome: ForgeOutcome): string | null => {
  const work = callWords[call._tag] ?? call._tag
  const said = (status: number): string => `the forge answered ${status} to ${work}`
  switch (outcome._tag) {
    case 'Request':
      return describeWait(outcome.request)
    case 'Limited':
      return `the forge has had too many requests (429) and did not take ${work}`
    case 'Missing':
      return said(404)
    case 'Faulty':
    case 'Denied':
    case 'Refused':
      return said(outcome.status)
    case 'Garbled':
      return outcome.isPage
        ? `a web page came in place of the answer of the forge to ${work}, as from a proxy or a sign-in page`
        : `the answer of the forge to ${work} cannot be read`
    case 'NoAnswer':
      return `the forge gave no usable answer to ${work}: ${outcome.failure}`
    case 'Conflict':
    case 'NotMergeable':
    case 'Requests':
    case 'Pipeline':
    case 'Jobs':
    case 'Job':
    case 'Trace':
      return null
  }
}

/** A dark apex is what a takeover expects; the town that the request names must answer. */
const describeProbe = (
  { apex }: TakeoverJob,
  action: TakeoverAction,
  { result }: Extract<TakeoverOutcome, { _tag: 'Probed' }>,
): string | null => {
  const town = action._tag === 'ProbeTown' ? action.town : apex
  if (result === 'not_sent') return `this host could not send a probe to ${town}`
  return result === 'silent' && town !== apex ? `${town}, which the request names, does not answer` : null
}

const describeOutcomeOf = (
  job: TakeoverJob,
  action: TakeoverAction,
  outcome: TakeoverOutcome,
): string | null => {
  switch (outcome._tag) {
    case 'FetchFailed':
      return `the fetch failed: ${outcome.detail}`
    case 'PushFailed':
    case 'PushUnknown':
      return `the push of the branch failed: ${outcome.detail}`
    case 'Beaten':
      return 'another host pushed the branch first'
    case 'Probed':
      return describeProbe(job, action, outcome)
    case 'Answered':
      return action._tag === 'CallForge' ? describeForge(action.call, outcome.outcome) : null
    case 'Fetched':
    case 'Pushed':
    case 'Converged':
      return null
  }
}

/** The error of an action of a takeover as a clause, without credentials; null where it brought what it was for. */
export const describeTakeoverError = (
  job: TakeoverJob,
  action: TakeoverAction,
  outcome: TakeoverOutcome,
): string | null => {
  const error = describeOutcomeOf(job, action, outcome)
  return error === null ? null : redactCredentials(error)
}
