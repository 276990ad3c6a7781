import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type {
  CloseFinalized,
  CloseWouldFinalize,
  finalizeRoutes,
  PendingClose,
} from '#protocol/enactments/closing.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { ChangeSet, Notice } from '#src/domain/lore/changes.js'
import { appendLines } from '#src/domain/lore/layout.js'
import { ledgerKey, ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Session } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from './command.js'
import { intelMessages } from './notices.js'
import { sessionNotFound } from './sessions/baselines.js'
import { type Closer, closeBlocked, closerOf, mayClose, notYours, pendingClose } from './sessions/close.js'
import { ledgerBlocks } from './sessions/closed-session-guard.js'

/** A request to finish a deferred close: what the close answered, or the header alone. */
export interface FinalizeRequest {
  readonly pending?: PendingClose | undefined
  readonly header?: string | undefined
  readonly closer: Closer
  readonly dryRun: boolean
  readonly nowMs: number
}

/** Everything that `planFinalize` refuses with, in the order of its checks. */
type FinalizeRefusal = RefusalOf<
  'ValueRefused' | 'SessionNotFound' | 'NotYourSession' | 'CloseNotMerged' | 'PendingAltered' | 'CloseBlocked'
>

/**
 * Finishes a close whose row came by a merge request: the messages of its Intel go out, and with `pending` its entry of
 * Transfers is recorded. The row of the close is found by its header, so a squash changes nothing. Once it is finished,
 * and for a close that was not deferred, nothing changes.
 */
export const planFinalize = (
  snapshot: Snapshot,
  { pending, header: named, closer, nowMs }: FinalizeRequest,
): Either<FinalizeRefusal, ChangeSet<CloseFinalized>> => {
  const header = pending?.Header ?? named
  if (header === undefined || (pending !== undefined && named !== undefined)) return left(eitherOne())
  const session = snapshot.sessions.byKey.get(sessionKey(header))
  if (session === undefined) return left(sessionNotFound(snapshot, header))
  if (!mayClose(snapshot, session, closer)) return left(notYours(session))
  const key = ledgerKeyOf(session)
  const closing = snapshot.closeLedger.rows.close.get(key)
  if (closing === undefined) return left(notMerged(session.header, 'none'))
  if (pending !== undefined && !isSame(pending, pendingClose(closing)))
    return left(pendingAltered(session.header))
  const before = closing.deferred === undefined ? closing : snapshot.closeLedger.rows.finalize.get(key)
  const unread = before === undefined ? ledgerBlocks(snapshot.closeLedger) : []
  if (unread.length > 0) return left(closeBlocked(session, unread))
  const [at, by] = [before?.at ?? instantOf(nowMs), before?.by ?? closer.by]
  const isWithEntry = before === undefined && pending !== undefined
  const row = finalizeRow(session, { at, by, pending })
  const answer = { Finalized: session.header, At: at, By: by, Entry: isWithEntry }
  const preview: Omit<CloseWouldFinalize, 'diff'> = {
    ...{ Applied: false, WouldFinalize: session.header, By: by, Entry: isWithEntry },
  }
  return right({
    edits:
      before === undefined
        ? [appendLines(snapshot.files.get(closeLedgerPath) ?? null, closeLedgerPath, [row])]
        : [],
    claims: [`session:${session.key}`, `session:${ledgerKey(header)}`, `slot:${closeLedgerPath}`],
    touches: [
      { kind: 'session', name: session.header },
      { kind: 'ledger', name: closeLedgerPath },
    ],
    notices: before === undefined ? noticesOf(snapshot, session) : [],
    subject: `sessions: finished the close of "${session.header}"`,
    answer: { Applied: before === undefined, ...answer },
    preview,
  })
}

export const finalizePlanners: Planners<typeof finalizeRoutes> = {
  'workflows.finalizeClose': (snapshot, { body, caller, dryRun, nowMs }) =>
    planFinalize(snapshot, { ...body, closer: closerOf(caller), dryRun, nowMs }),
}

const isSame = (one: PendingClose, other: PendingClose): boolean => textOf(one) === textOf(other)

/** A pending close as one text, whatever the order of its keys. */
const textOf = ({ Header, Actor, TransferLedgerEntry: { At, Transfers } }: PendingClose): string =>
  JSON.stringify([
    ...[Header, Actor, At],
    ...Transfers.map(one => [one.Amount, one.Denomination, one.Source, one.Destination, one.State]),
  ])

const stateWords = {
  none: 'No merge request of its close was merged. Close it first.',
  opened: 'The merge request of its close is open. Send it again when it is merged.',
  closed: 'The merge request of its close was closed unmerged, so the session is open. Close it again.',
  unknown: 'The forge does not say what its merge request waits for. Try again later.',
} as const

/** The refusal of a session whose close is not in the followed branch; `state` is that of its merge request. */
export const notMerged = (header: string, state: keyof typeof stateWords): RefusalOf<'CloseNotMerged'> =>
  refuse('CloseNotMerged', `"${header}" is open. ${stateWords[state]}`, { header, state })

const eitherOne = (): RefusalOf<'ValueRefused'> =>
  refuse('ValueRefused', 'Send either `pending`, as the close answered it, or `header`.', {
    field: 'pending',
    candidates: [],
  })

const pendingAltered = (header: string): RefusalOf<'PendingAltered'> =>
  refuse(
    'PendingAltered',
    `\`pending\` is not what the close of "${header}" answered. Send it unchanged, or send \`{header}\` alone.`,
    { header },
  )

/** The messages of the Intel, to the recipients on record; none where `distribute-session` sent them before. */
const noticesOf = (snapshot: Snapshot, session: Session): ReadonlyArray<Notice> => {
  const { distributed, meanings } = snapshot.closeLedger
  const key = ledgerKeyOf(session)
  return distributed.has(key)
    ? []
    : intelMessages(snapshot, session, meanings.get(key)?.recipients ?? []).notices
}

/** The row that finishes a close, with the withheld entry where the caller sent it. */
const finalizeRow = (
  { header, intel }: Session,
  {
    at,
    by,
    pending,
  }: { readonly at: string; readonly by: string; readonly pending: PendingClose | undefined },
): string =>
  JSON.stringify({
    header,
    op: 'finalize',
    at,
    by,
    source: 'close',
    intel: intel.map(({ target }) => ({ target })),
    ...(pending === undefined ? {} : { entry: pending.TransferLedgerEntry }),
  })
