import type { ForgeRequest } from '#protocol/forge.js'
import { hasClosingLine } from './closing-line.js'
import { isOfOtherVersion } from './version-line.js'

export interface WantedRequest {
  /** Null: any. */
  readonly targetBranch: string | null
  /** What the request changes: ended requests whose description names another version are ignored. */
  readonly version: string
}

const isOver = ({ state }: ForgeRequest): boolean => state === 'merged' || state === 'closed'

/**
 * Picks the request of a branch that counts: one that is merged, else one that is open, else one that a person
 * closed. Those that a daemon closed are over. Null: there is none.
 */
export const pickRequest = (
  { targetBranch, version }: WantedRequest,
  requests: ReadonlyArray<ForgeRequest>,
): ForgeRequest | null => {
  const ours = requests.filter(
    one =>
      (targetBranch === null || one.targetBranch === targetBranch) &&
      !(isOver(one) && isOfOtherVersion(one.description, version)),
  )
  return (
    ours.find(({ state }) => state === 'merged') ??
    ours.find(({ state }) => state !== 'closed') ??
    ours.find(({ description }) => !hasClosingLine(description)) ??
    null
  )
}
