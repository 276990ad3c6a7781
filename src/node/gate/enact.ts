import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { notPublished } from '#actors/write-gate/refusals.js'
import type { CommitId } from '#protocol/atoms.js'
import { isConverged, type SyncAction } from '#protocol/host/sync.js'
import type { Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { RemoteSync } from '#src/ports/git.js'
import type { Command, ContainsCommit, WritePort } from '#src/writing/command.js'
import { convergeThrough } from '../sync/sync.js'
import type { HostNode } from '../tree/node.js'

/** How a converge ended. `Off`: this host has no remote. `reason` is a sentence without its stop. */
export type ReachedRemote =
  | { readonly _tag: 'Off' }
  | { readonly _tag: 'Reached' }
  | { readonly _tag: 'Beaten' }
  | { readonly _tag: 'Away'; readonly reason: string }

export interface EnactPorts {
  /** Makes a write as every other one. */
  readonly write: WritePort
  /** Makes a write whose commit the remote gets before the branch here. */
  readonly publish: WritePort
  /** Whether the command is an enactment that this host publishes before it answers. */
  readonly isEnactment: (command: Command) => boolean
  /** Fetches, merges and pushes what this host has. */
  readonly converge: () => Promise<ReachedRemote>
  /** Whether the branch here has a commit. */
  readonly hasCommit: (commit: CommitId) => Promise<boolean>
}

/** How often an enactment is planned: each time another host was faster. */
export const enactTriesMax = 6

/**
 * Makes writes. An enactment in mode `push` is planned on a tip that was fetched for it, and pushed as a plain
 * fast-forward; only when the remote has it does the branch here move and the answer leave (D51). Who loses the race
 * plans again on the new tip. Nothing is written where the remote is away or others are faster six times. A push whose
 * answer was lost is looked for by its commit.
 */
export const enactBy =
  ({ write, publish, isEnactment, converge, hasCommit }: EnactPorts): WritePort =>
  async (command, isCallerThere) => {
    if (command.dryRun || !isEnactment(command)) return write(command, isCallerThere)
    for (let tries = 0; tries < enactTriesMax; tries += 1) {
      const reached = await converge()
      if (reached._tag === 'Off') return write(command, isCallerThere)
      if (reached._tag === 'Away')
        return left(notPublished('unreachable', `${reached.reason}. ${nothingWritten}`))
      if (reached._tag === 'Beaten') continue
      const outcome = await publish(command, isCallerThere)
      if (isLeft(outcome)) {
        const { left: refusal } = outcome
        if (refusal._tag === 'NotPublished' && refusal.reason === 'behind') continue
        return outcome
      }
      const { unsure, ...written } = outcome.right
      if (unsure === undefined) return outcome
      const again = await converge()
      if (await hasCommit(unsure.commit)) {
        await unsure.follow()
        return right({ ...written, commit: unsure.commit })
      }
      if (again._tag === 'Away') return left(notPublished('unknown', unanswered))
    }
    return left(notPublished('behind', `Other hosts were faster ${enactTriesMax} times. ${nothingWritten}`))
  }

/** The enactments of this host. `write` and `publish` go through its gate. */
export const enactPorts = (
  { config, refs, snapshot, sync }: HostNode,
  write: WritePort,
  publish: WritePort,
  containsCommit: ContainsCommit,
): EnactPorts => {
  const rows: Table = routes
  const converge = convergeThrough(refs.sync, sync.whyOff, 'Sync', sync.running)
  return {
    write,
    publish,
    isEnactment: ({ row }) => config['server.publish_mode'] === 'push' && rows[row]?.enacts === true,
    converge: async () => reachedIn(await converge()),
    hasCommit: async commit => {
      const now = snapshot()
      return now !== null && (await containsCommit(commit, now))
    },
  }
}

/** What the answer to a converge means for an enactment. */
export const reachedIn = (ended: Awaited<ReturnType<RemoteSync['converge']>>): ReachedRemote => {
  if (!isLeft(ended)) return reachedBy(ended.right.lastAction, ended.right.lastDetail)
  return ended.left._tag === 'SyncDisabled' ? { _tag: 'Off' } : { _tag: 'Away', reason: ended.left.detail }
}

/** What a converge means for an enactment. */
export const reachedBy = (action: SyncAction | null, detail: string | null): ReachedRemote => {
  if (action !== null && isConverged(action)) return { _tag: 'Reached' }
  if (action === 'push_race' || action === 'gate_busy') return { _tag: 'Beaten' }
  return {
    _tag: 'Away',
    reason: `The remote was not reached (${detail ?? action ?? 'no converge has ended'})`,
  }
}

const nothingWritten = 'Nothing was written. Send it again.'
const unanswered =
  'The push to the remote was not answered, and the remote cannot be asked. It may have it: send it again, ' +
  'it happens once.'
