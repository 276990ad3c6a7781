import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { LastingFailure } from '#protocol/fleet/takeover.js'
import type { takeoverRoutes } from '#protocol/fleet/takeover-routes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import {
  describeRefusal,
  type TakeoverRefusal,
  type TakeoverRequest,
} from '#src/domain/fleet/takeover-refusals.js'
import { actorOf } from '#src/http/checks/origin.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Announcement, TakeoverRecord } from '#src/ports/records.js'
import type { WriteActor } from '#src/writing/command.js'

/**
 * A takeover that was accepted. `known`: the job that the town has already. `earlierFailure`: how the last job for this
 * version of the topology failed, where the next one fails as well until a person acts.
 */
export interface AcceptedTakeover {
  readonly target: string
  readonly known: TakeoverRecord | null
  readonly earlierFailure: LastingFailure | null
}

export interface TakeoverDeps {
  readonly takeovers: {
    /** The setting without which this host cannot call the forge; null where nothing is missing. */
    readonly missingSetting: () => string | null
    /** Decides by what is known now, and queues the job unless it is a dry run. */
    readonly request: (
      request: TakeoverRequest,
      actor: WriteActor,
      dryRun: boolean,
    ) => Either<TakeoverRefusal, AcceptedTakeover>
    /** Records the announcement and brings the next converge forward. Returns whether sync is enabled. */
    readonly announce: (announcement: Announcement, actor: WriteActor, dryRun: boolean) => boolean
  }
}

type Refused = RefusalOf<(typeof takeoverRoutes)['fleet.takeover.run']['refusals'][number]>

const refusalOf = (refusal: TakeoverRefusal, setting: string): Refused => {
  const detail = describeRefusal(refusal, setting)
  switch (refusal._tag) {
    case 'actuation_unavailable':
      return refuse('actuation_unavailable', detail, { setting })
    case 'bad_request':
      return refuse('bad_request', detail, { fault: refusal.fault })
    case 'takeover_cooldown': {
      const { mrIid, mrUrl, endsAtMs } = refusal.cooldown
      return refuse('takeover_cooldown', detail, { mrIid, mrUrl, endsUtc: instantOf(endsAtMs) })
    }
    case 'target_ineligible': {
      const { target, reasons } = refusal
      return refuse('target_ineligible', detail, { target, reasons })
    }
    case 'no_candidate':
      return refuse('no_candidate', detail, { rejections: refusal.rejections })
    case 'not_corroborated': {
      const { apex, misses, needed } = refusal
      return refuse('not_corroborated', detail, { apex, misses, needed })
    }
  }
}

/** The takeover of the role of the apex, and the announcement of one (A 4.10). */
export const takeoverHandlers: Handlers<typeof takeoverRoutes, TakeoverDeps> = {
  'fleet.takeover.run': ({ node: { takeovers }, body, caller, dryRun }) => {
    const request = {
      reason: body.reason ?? null,
      target: body.target ?? null,
      isForced: body.force ?? false,
    }
    const decided = takeovers.request(request, actorOf(caller), dryRun)
    if (isLeft(decided)) return left(refusalOf(decided.left, takeovers.missingSetting() ?? 'token'))
    const { target, known, earlierFailure } = decided.right
    if (known === null) {
      const foreseen = earlierFailure === null ? {} : { earlierFailure }
      return right({ body: { accepted: true, target, queued: true, ...foreseen } })
    }
    const status = known.state === 'running' ? 'running' : 'queued'
    const requestedUtc = instantOf(known.requestedMs)
    return right({ body: { accepted: true, target, queued: false, status, requestedUtc } })
  },
  'fleet.announce.add': ({ node: { takeovers }, body, caller, dryRun }) => {
    const { newPrimary, mrIid = null, epochUtc } = body
    const epochMs = epochUtc === undefined ? null : Date.parse(epochUtc)
    const syncScheduled = takeovers.announce({ newPrimary, mrIid, epochMs }, actorOf(caller), dryRun)
    return right({ body: { recorded: !dryRun, syncScheduled } })
  },
}
