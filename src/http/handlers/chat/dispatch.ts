import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import {
  type DispatchKind,
  type DispatchWanted,
  dispatchKinds,
  type dispatchRoutes,
} from '#protocol/chat/dispatch.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { DispatchRefusal, DispatchRules } from '#src/domain/dispatch/check-dispatch.js'
import { describeDispatchRefusal } from '#src/domain/dispatch/descriptions.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { AllDispatchCounts } from '#src/ports/records.js'

/** A dispatch at its receipt. */
export interface ReceivedDispatch {
  readonly wanted: DispatchWanted
  readonly nowMs: number
  readonly dryRun: boolean
  /** The arm that closes the write gate; null where it is open. Each call counts as a refusal where it is closed. */
  readonly findClosedArm: () => string | null
}

export interface InteractionDeps {
  readonly interactions: {
    readonly rules: DispatchRules
    /** Decides and, unless it is a dry run, records an accepted interaction before the promise resolves. */
    readonly receive: (
      received: ReceivedDispatch,
    ) => Promise<
      Either<
        DispatchRefusal | RefusalOf<'DiskRefused'>,
        { readonly kind: DispatchKind; readonly duplicate: boolean }
      >
    >
    readonly counts: () => AllDispatchCounts
  }
}

type DispatchRefused = RefusalOf<(typeof dispatchRoutes)['chat.dispatch.add']['refusals'][number]>

const refusalOf = (refusal: DispatchRefusal, rules: DispatchRules, nowMs: number): DispatchRefused => {
  const detail = describeDispatchRefusal(refusal, rules)
  const daemonEpochMs = Math.trunc(nowMs)
  const kinds = dispatchKinds
  switch (refusal._tag) {
    case 'Undispatchable': {
      const { reading } = refusal
      const missing = reading._tag === 'VarsMissing' ? reading.missing : []
      return refuse('not_dispatchable', detail, { kinds, missing })
    }
    case 'EnactorAbsent':
      return refuse('not_dispatchable', detail, { kinds, missing: [] })
    case 'Stale': {
      const { ageMs } = refusal
      return refuse('dispatch_stale', detail, { ageMs, windowMs: rules.windowMs, daemonEpochMs })
    }
    case 'Late': {
      const { ageMs } = refusal
      return refuse('too_late_for_report', detail, {
        ageMs,
        nearDeadlineMs: rules.nearDeadlineMs,
        daemonEpochMs,
      })
    }
    case 'Gated':
      return refuse('daemon_write_gated', detail, { arm: refusal.arm })
    case 'Full':
      return refuse('Overloaded', detail)
  }
}

/** Interactions that the worker of the chat forwards (A 4.9). */
export const dispatchHandlers: Handlers<typeof dispatchRoutes, InteractionDeps> = {
  'chat.dispatch.add': async ({ node: { interactions }, body: wanted, gate, snapshot, dryRun, nowMs }) => {
    const findClosedArm = (): string | null => (snapshot === null ? 'Starting' : (gate()?._tag ?? null))
    const decided = await interactions.receive({ wanted, nowMs, dryRun, findClosedArm })
    if (isLeft(decided)) {
      const refusal = decided.left
      if (refusal._tag === 'DiskRefused') return left(refusal)
      return left(refusalOf(refusal, interactions.rules, nowMs))
    }
    const { kind, duplicate } = decided.right
    const { interactionId } = wanted
    const daemonEpochMs = Math.trunc(nowMs)
    return right({ body: { accepted: true, kind, interactionId, duplicate, daemonEpochMs } })
  },
}
