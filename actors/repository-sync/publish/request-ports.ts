import type { ForgeCall, ForgeRequest } from '#protocol/forge.js'
import type { SyncAction } from '#protocol/sync.js'
import { describeOutcome, reactTo } from '#src/domain/forge/merge-request.js'
import type { ForgePort } from '#src/ports/forge.js'
import type { PublishGit } from '#src/ports/git.js'

/** What publishing by merge requests works with. */
export interface RequestPorts {
  readonly git: PublishGit
  readonly forge: ForgePort
  readonly town: string
}

/** The parts that publish by merge requests, or the setting without which this host has no forge. */
export type HostRequests = RequestPorts | { readonly missing: string }

export const hasForge = (requests: HostRequests): requests is RequestPorts => 'forge' in requests

/** Why a converge stops at the forge. */
export interface ForgeStop {
  readonly action: Extract<SyncAction, 'forge_unanswered' | 'forge_refused'>
  readonly detail: string
}

export const forgeCallMs = 20_000

/** Says why a call brought nothing. */
export const stopAtForge = (isRefused: boolean, reason: string): ForgeStop =>
  isRefused
    ? { action: 'forge_refused', detail: `The forge refused a call: ${reason}.` }
    : { action: 'forge_unanswered', detail: `A call of the forge brought nothing: ${reason}.` }

/** Lists the requests of the branch that this host publishes, the newest first. */
export const listRequests = async (
  { git, forge }: RequestPorts,
  signal: AbortSignal,
): Promise<ReadonlyArray<ForgeRequest> | ForgeStop> => {
  const call: ForgeCall = { _tag: 'ListRequests', sourceBranch: git.branch }
  const { outcome } = await forge(call, forgeCallMs, signal)
  if (outcome._tag === 'Requests') return outcome.requests
  return stopAtForge(reactTo(call, outcome, 0)._tag === 'Stop', describeOutcome(outcome))
}

export const isForgeStop = <A extends object>(found: A | ForgeStop): found is ForgeStop => 'action' in found
