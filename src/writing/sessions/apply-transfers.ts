import { createHash } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Day, dayOf, instantOf } from '#protocol/atoms.js'
import { type CloseBlock, CloseBlockKind } from '#protocol/enactments/close-block.js'
import type { moneyRoutes, TransfersApplied, TransfersBody } from '#protocol/enactments/closing.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { appendLines } from '#src/domain/lore/layout.js'
import { ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { type Judgement, judgeMove, judgeTransfersOf } from '#src/domain/sessions/effects/judgement.js'
import { isAmount, type Move, movesPath } from '#src/domain/sessions/effects/moves.js'
import { amountReason } from '#src/domain/sessions/effects/transfers.js'
import type { Session, SessionTransfer } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from '../command.js'
import { entityClaim } from '../entities/entity-change.js'
import { sessionNotFound } from './baselines.js'
import {
  alreadyClosed,
  blockedFor,
  blocksIn,
  type Closer,
  closerOf,
  describeBalances,
  describePayment,
  judgementFor,
  transferOfRow,
} from './close.js'
import { ledgerBlocks } from './closed-session-guard.js'
import { eachValue, nameLine, oneLine, rejectValue, type Valued } from './values.js'

/** A request to apply Transfers: those of a session, or a list. */
export interface TransfersRequest {
  readonly body: TransfersBody
  readonly closer: Closer
  /** A dry run lists what stops the Transfers; an apply is then refused. */
  readonly dryRun: boolean
  readonly nowMs: number
}

export type TransfersRefusal = RefusalOf<
  'BodyInvalid' | 'SessionNotFound' | 'SessionClosed' | 'BoundExceeded' | 'ValueRefused' | 'TransfersBlocked'
>

/**
 * Applies Transfers as one change, all of them or none (FORMATS 7). Those of a session get the row `transfer` of the
 * close ledger, so that its close repeats none. A list is one row of `.svc/money/moves.jsonl` under its id. What was
 * applied before is answered unchanged. A side without a purse on the day is pending. Whoever calls it has checked the
 * capability `currency.write`. Pure.
 */
export const planTransfers = (
  snapshot: Snapshot,
  request: TransfersRequest,
): Either<TransfersRefusal, ChangeSet<TransfersApplied>> => {
  const { header, ...list } = request.body
  if (header === undefined) return planMove(snapshot, list, request)
  return Object.keys(list).length > 0 ? left(oneOrOther) : planSessionTransfers(snapshot, header, request)
}

/** Planners of the enactments of money (B 4.2). */
export const moneyPlanners: Planners<typeof moneyRoutes> = {
  'workflows.applyTransfers': (snapshot, { body, caller, dryRun, nowMs }) =>
    planTransfers(snapshot, { body, closer: closerOf(caller), dryRun, nowMs }),
}

const oneOrOther = bodyInvalid(
  'Send `header` alone for the Transfers of a session, or `transfers` with `day` and `reason`.',
  { path: '$', expected: '`header`, or `transfers`, `day` and `reason`' },
)

const planSessionTransfers = (
  snapshot: Snapshot,
  header: string,
  { closer: { by, view }, dryRun, nowMs }: TransfersRequest,
): Either<TransfersRefusal, ChangeSet<TransfersApplied>> => {
  const session = snapshot.sessions.byKey.get(sessionKey(header))
  if (session === undefined) return left(sessionNotFound(snapshot, header))
  const closed = alreadyClosed(snapshot, session)
  if (closed !== null) return left(closed)
  const judgement = judgeTransfersOf(snapshot, session)
  const isDone = snapshot.closeLedger.rows.transfer.has(ledgerKeyOf(session))
  const blocked = isDone
    ? []
    : blockedFor(snapshot, view, session, transferBlocks(snapshot, session, judgement))
  if (session.transfers.length + blocked.length === 0)
    return rejectValue('header', `"${session.header}" has no Transfers.`)
  const row = JSON.stringify({
    ...{ header: session.header, op: 'transfer', at: instantOf(nowMs), by, source: 'close' },
    ...{ transfers: judgement.payments.map(transferOfRow), intel: [], meaning: judgement.meaning },
  })
  return changeOf(snapshot, {
    ...{ judgement, blocked, dryRun, isDone },
    shown: judgementFor(view, session, judgement, one => judgeTransfersOf(snapshot, one)),
    edit: appendLines(snapshot.files.get(closeLedgerPath) ?? null, closeLedgerPath, [row]),
    claims: [`session:${session.key}`, `session:${ledgerKeyOf(session)}`],
    subject: `money: Transfers of "${session.header}"`,
    said: { Id: null, Header: session.header, Day: session.date, Reason: null },
  })
}

const transferBlocks = (
  snapshot: Snapshot,
  session: Session,
  judgement: Judgement,
): ReadonlyArray<CloseBlock> =>
  blocksIn(snapshot, session, judgement, false).filter(
    ({ Kind }) => Kind.endsWith('Transfer') || Kind === 'AmbiguousHeader' || Kind === 'LedgerUnreadable',
  )

const planMove = (
  snapshot: Snapshot,
  list: Omit<TransfersBody, 'header'>,
  { closer: { by, view }, dryRun, nowMs }: TransfersRequest,
): Either<TransfersRefusal, ChangeSet<TransfersApplied>> => {
  const read = readMove(list, { by, at: instantOf(nowMs) })
  if (isLeft(read)) return read
  const move = read.right
  const known = snapshot.moves.byId.get(move.id)
  if (known !== undefined && !isSame(known, move))
    return rejectValue('id', `Other transfers have the id "${move.id}". Send another one.`)
  const judgement = judgeMove(snapshot, known ?? move)
  const malformed = move.transfers.flatMap(({ amount }, at) => amountBlock(amount, at) ?? [])
  const found = judgement.findings.flatMap(({ kind, line, reason }) =>
    CloseBlockKind.is(kind) && kind !== 'MalformedTransfer'
      ? [blockAt(kind, (line ?? 1) - 1, redactCredentials(reason))]
      : [],
  )
  const row = JSON.stringify({
    ...{ id: move.id, at: move.at, day: move.day, by, reason: move.reason },
    transfers: move.transfers.map(({ amount, denomination, source, destination }) => ({
      ...{ amount, denomination, source, destination },
    })),
    meaning: judgement.meaning,
  })
  return changeOf(snapshot, {
    ...{ judgement, shown: judgement, dryRun, isDone: known !== undefined },
    blocked:
      known === undefined
        ? blockedFor(snapshot, view, { copies: [] }, [
            ...ledgerBlocks(snapshot.moves),
            ...malformed,
            ...found,
          ])
        : [],
    edit: appendLines(snapshot.files.get(movesPath) ?? null, movesPath, [row]),
    claims: [`move:${move.id}`],
    subject: `money: ${move.reason}`,
    said: { Id: move.id, Header: null, Day: move.day, Reason: move.reason },
  })
}

const blockAt = (kind: CloseBlock['Kind'], at: number, detail: string): CloseBlock => ({
  ...{ Kind: kind, Subject: `transfers[${at}]`, File: null, Line: null, Detail: detail },
})

const amountBlock = (amount: number, at: number): CloseBlock | null =>
  isAmount(amount) ? null : blockAt('MalformedTransfer', at, amountReason)

const idPattern = /^[A-Za-z0-9-]{1,100}$/

/** The move that a list makes. Its lines count the Transfers, so that a finding names the place of its Transfer. */
const readMove = (
  { transfers = [], day = '', reason = '', id }: Omit<TransfersBody, 'header'>,
  { by, at }: Pick<Move, 'by' | 'at'>,
): Either<RefusalOf<'BodyInvalid' | 'BoundExceeded' | 'ValueRefused'>, Move> => {
  const on = dayOf(day)
  if (on === null || transfers.length === 0 || reason.trim() === '') return left(missingFields(transfers, on))
  const said = oneLine('reason', reason)
  if (isLeft(said)) return said
  const read = eachValue('transfers', [...transfers.entries()], (field, [index, one]) =>
    readTransfer(field, one, index),
  )
  if (isLeft(read)) return read
  if (id !== undefined && !idPattern.test(id))
    return rejectValue('id', 'Send an id of 1 to 100 letters, digits and hyphens, or leave it out.')
  const move = { at, day: on, by, reason: said.right, transfers: read.right, meaning: null, line: 1 }
  return right({ ...move, id: id ?? contentId(move) })
}

const missingFields = (transfers: ReadonlyArray<unknown>, day: Day | null): RefusalOf<'BodyInvalid'> => {
  const [path, expected] =
    transfers.length === 0
      ? ['$.transfers', 'at least one transfer']
      : day === null
        ? ['$.day', 'a day YYYY-MM-DD']
        : ['$.reason', 'the reason, one line']
  return bodyInvalid(oneOrOther.detail, { path, expected })
}

const readTransfer = (
  field: string,
  { amount, denomination, source, destination }: Omit<SessionTransfer, 'line'>,
  index: number,
): Valued<SessionTransfer> => {
  const money = nameLine(`${field}.denomination`, denomination)
  if (isLeft(money)) return money
  const [from, to] = [nameLine(`${field}.source`, source), nameLine(`${field}.destination`, destination)]
  if (isLeft(from)) return from
  if (isLeft(to)) return to
  return right({
    ...{ amount, denomination: money.right, source: from.right, destination: to.right, line: index + 1 },
  })
}

const contentOf = ({ day, reason, transfers }: Pick<Move, 'day' | 'reason' | 'transfers'>): string =>
  JSON.stringify([
    day,
    reason,
    transfers.map(({ amount, denomination, source, destination }) => [
      ...[amount, denominationOf(denomination)?.name ?? denomination, source, destination],
    ]),
  ])

const isSame = (one: Move, other: Move): boolean => contentOf(one) === contentOf(other)

/**
 * The id of a list that names none: it follows from what the list says, so that a request that is sent again pays
 * nothing twice.
 */
const contentId = (move: Pick<Move, 'day' | 'reason' | 'transfers'>): string =>
  `${move.day}-${createHash('sha256').update(contentOf(move), 'utf8').digest('hex').slice(0, 16)}`

interface Planned {
  readonly judgement: Pick<Judgement, 'purses'>
  /** What the caller may see of it. */
  readonly shown: Pick<Judgement, 'payments' | 'purses'>
  readonly blocked: ReadonlyArray<CloseBlock>
  readonly dryRun: boolean
  /** Whether the same Transfers were applied before. */
  readonly isDone: boolean
  readonly edit: FileEdit
  readonly claims: ReadonlyArray<string>
  readonly subject: string
  readonly said: Pick<TransfersApplied, 'Id' | 'Header' | 'Day' | 'Reason'>
}

const changeOf = (
  snapshot: Snapshot,
  { judgement, shown: seen, blocked, dryRun, isDone, edit, claims, subject, said }: Planned,
): Either<RefusalOf<'TransfersBlocked'>, ChangeSet<TransfersApplied>> => {
  if (blocked.length > 0 && !dryRun)
    return left(
      refuse(
        'TransfersBlocked',
        `${blocked.length} entries cannot be applied. Nothing was written. Mend what \`Blocked\` lists, then send ` +
          'it again.',
        { Blocked: blocked },
      ),
    )
  const shown = {
    ...said,
    Transfers: seen.payments.map(describePayment),
    Balances: describeBalances(snapshot, seen.purses, said.Day),
  }
  return right({
    edits: isDone || blocked.length > 0 ? [] : [edit],
    claims: [...claims, `slot:${edit.path}`, ...judgement.purses.map(({ item }) => entityClaim(item))],
    touches: [{ kind: 'ledger', name: edit.path }],
    subject,
    answer: { Applied: !isDone, ...shown },
    preview: { Applied: false, Blocked: blocked, ...shown },
  })
}
