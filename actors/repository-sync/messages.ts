import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms.js'
import { PublishRequest, SyncAction } from '#protocol/sync.js'
import { replyTo } from '#src/kernel/actor/ref.js'

const text = t.string
const texts = t.readonlyArray(t.string)

/** Commits that came from the remote: those of `to` that `from` does not have. */
const Incoming = t.type({ from: CommitId, to: CommitId }, 'Incoming')
export type Incoming = t.TypeOf<typeof Incoming>

const ParkedNote = t.type({ ref: text, commit: CommitId, files: texts, reason: text })
export type ParkedNote = t.TypeOf<typeof ParkedNote>

/** What one attempt did before it ended, whatever the outcome. */
const Done = {
  received: t.number,
  incoming: t.union([Incoming, t.null]),
  merged: t.boolean,
  resolved: t.number,
  parked: t.union([ParkedNote, t.null]),
}

/** One attempt: fetch, integrate, publish. */
export const ConvergeOutcome = t.union([
  t.type({
    ...Done,
    _tag: t.literal('Reached'),
    head: CommitId,
    sent: t.number,
    unpublished: t.number,
    /** The request of mode `mr`, and what it waits for; null where nothing waits. */
    request: t.union([PublishRequest, t.null]),
    detail: t.union([text, t.null]),
  }),
  t.type({
    ...Done,
    _tag: t.literal('Beaten'),
    by: t.keyof({ gate: null, remote: null, silence: null }),
    detail: text,
  }),
  t.type({ ...Done, _tag: t.literal('Stopped'), action: SyncAction, detail: text }),
])
export type ConvergeOutcome = t.TypeOf<typeof ConvergeOutcome>
export type ReachedOutcome = Extract<ConvergeOutcome, { readonly _tag: 'Reached' }>

const instant = t.type({ nowMs: t.number, monotonicMs: t.number })

/**
 * Commits here that the remote is not known to have; null before its branch was ever fetched, or without a
 * branch here.
 */
const Unpublished = t.union([t.number, t.null])

/** What is known of the sync now: the one source of `GET /sync`, `/health` and the gate's SyncStale arm. */
export const SyncReport = t.type(
  {
    enabled: t.boolean,
    remote: t.union([text, t.null]),
    lastOk: t.union([instant, t.null]),
    lastAction: t.union([SyncAction, t.null]),
    lastDetail: t.union([text, t.null]),
    head: t.union([CommitId, t.null]),
    unpublished: Unpublished,
    request: t.union([PublishRequest, t.null]),
    parked: t.readonlyArray(t.type({ ref: text, commit: text })),
    /** A new history of the remote that the operator has not accepted here. */
    rewrite: t.union([t.type({ seen: CommitId, tip: t.union([CommitId, t.null]) }), t.null]),
    replaced: t.readonlyArray(t.type({ from: CommitId, to: CommitId })),
  },
  'SyncReport',
)
export type SyncReport = t.TypeOf<typeof SyncReport>

export type SyncAnswer =
  | { readonly _tag: 'Disabled' }
  | { readonly _tag: 'Converged'; readonly report: SyncReport }

/** Converges now; answered by a converge that begins after this message arrives. */
const Sync = t.type({ _tag: t.literal('Sync'), replyTo: replyTo<SyncAnswer>() })
/** As `Sync`, and takes a history that the remote was given since this host saw it last. */
const Accept = t.type({ _tag: t.literal('Accept'), replyTo: replyTo<SyncAnswer>() })
/** The branch of this host is at a commit; in mode push it is published soon. */
const Wrote = t.type({ _tag: t.literal('Wrote'), commit: CommitId })
/** Converges soon, because another host says that the remote has news; at most once in 5 s. */
const Announced = t.type({ _tag: t.literal('Announced') })
/** To self: the time of an announced converge has come. */
const AnnounceDue = t.type({ _tag: t.literal('AnnounceDue') })
const Tick = t.type({ _tag: t.literal('Tick') })
const Early = t.type({ _tag: t.literal('Early') })
const Retry = t.type({ _tag: t.literal('Retry') })
const Count = t.type({ _tag: t.literal('Count') })
const Counted = t.type({ _tag: t.literal('Counted'), unpublished: Unpublished })
/** What the refs of this host hold. */
const { parked, rewrite, replaced } = SyncReport.props
const held = { parked, rewrite, replaced, unpublished: Unpublished }
const Inspected = t.type({
  _tag: t.literal('Inspected'),
  exists: t.boolean,
  address: t.union([text, t.null]),
  ...held,
})
const AttemptEnded = t.type({ _tag: t.literal('AttemptEnded'), outcome: ConvergeOutcome, ...held })

export const RepositorySyncMessage = t.union(
  [Sync, Accept, Wrote, Announced, AnnounceDue, Tick, Early, Retry, Count, Counted, Inspected, AttemptEnded],
  'RepositorySyncMessage',
)
export type RepositorySyncMessage = t.TypeOf<typeof RepositorySyncMessage>
export type SyncRequest = t.TypeOf<typeof Sync> | t.TypeOf<typeof Accept>
export type WroteNote = t.TypeOf<typeof Wrote>
