import type { TakeoverAccepted } from '#protocol/fleet/takeover.js'

type EarlierFailure = NonNullable<TakeoverAccepted['earlierFailure']>

/** What a person can do about a failure that the next job meets again. */
const remedies: Readonly<Record<EarlierFailure, string>> = {
  vetoed: 'a person closed its request. Reopen the request',
  foreign_claim: 'its branch is not that of a takeover. Delete the branch at the remote',
  conflicting: 'its request conflicts with the branch. Converge, and ask again',
}

const describeEarlier = ({ earlierFailure: failure }: TakeoverAccepted): string =>
  failure === undefined
    ? ''
    : ` The last job for this version of .svc/fleet.json failed as ${failure}: ${remedies[failure]}, or change the ` +
      'file by hand; until then a job fails again.'

/** The answer to an accepted takeover as text: what was queued, and the failure that the job will meet. */
export const describeAccepted = (
  answer: TakeoverAccepted,
  { dryRun, wait }: { readonly dryRun: boolean; readonly wait: boolean },
): string => {
  const { target, queued, status, requestedUtc } = answer
  if (!queued)
    return (
      `${target} has a takeover already: ${status ?? 'queued'}, requested ${requestedUtc ?? 'before'}. ` +
      'Its reason and its force stay.'
    )
  const earlier = describeEarlier(answer)
  if (dryRun) return `${target} would become the apex. Nothing was queued.${earlier}`
  const hint = wait ? '' : ' kronika fleet status --watch shows how it ends.'
  return `The takeover by ${target} is queued.${hint}${earlier}`
}
