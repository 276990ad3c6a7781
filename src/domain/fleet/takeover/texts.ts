import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import { escapeMarkdown } from '#src/domain/forge/escape-markdown.js'
import { versionLineOf } from '#src/domain/forge/version-line.js'
import { takeoverBranch } from '../fence.js'

/** The branch of a job, which is the same on every host that accepts one for this version of the file. */
export const branchOfJob = ({ term, fence }: TakeoverJob): string => takeoverBranch(term, fence)

export const takeoverTrailer = 'Svc-Takeover'

/**
 * The message of a commit that makes a town the apex. It has nothing of the host that makes it, so that all hosts
 * make the same commit.
 */
export const claimMessage = (job: TakeoverJob): string =>
  [
    `fleet: ${job.town} takes over from ${job.apex}`,
    '',
    `${takeoverTrailer}: ${branchOfJob(job)}`,
    'Svc-Actor: machine',
    'Svc-Route: POST /fleet/takeover',
    '',
  ].join('\n')

export const requestTitle = ({ town, apex }: TakeoverJob): string => `Fleet: ${town} takes over from ${apex}`

/** The description of the request: the reason, the evidence, and the version of the topology. */
export const requestDescription = ({ reason, evidence, fence }: TakeoverJob): string =>
  [`Reason: ${escapeMarkdown(reason)}`, evidence, versionLineOf(fence.commit)]
    .filter(part => part !== '')
    .join('\n\n')
