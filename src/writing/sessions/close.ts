import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Day, instantOf, nameKey } from '#protocol/atoms.js'
import { type CloseBlock, CloseBlockKind } from '#protocol/enactments/close-block.js'
import type {
  CloseImpact,
  ClosePayment,
  ClosePlan,
  closingRoutes,
  PendingClose,
  SessionClosing,
  SessionDeferred,
  SessionDistribution,
  SessionWouldClose,
} from '#protocol/enactments/closing.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { type ListedPlace, listedFilesOf, listSession } from '#src/domain/adoption/registry.js'
import { type Caller, callerName, type View } from '#src/domain/callers/caller.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import { findRecorded } from '#src/domain/entities/reading.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import type { ChangeSet, Notice, Touched } from '#src/domain/lore/changes.js'
import { numberOrNull, readDecimal } from '#src/domain/lore/figures.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { appendLines } from '#src/domain/lore/layout.js'
import { ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { namesTopics, withheldEntry } from '#src/domain/lore/topic-text.js'
import { channelOn, ownerNameOn, personNamed, rosterOf } from '#src/domain/people/roster.js'
import { restrictedLinesOf } from '#src/domain/people/visible-document.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'

import {
  closeLedgerPath,
  isSettled,
  sessionsByLedgerKey,
  sessionTwins,
  twinFinding,
} from '#src/domain/sessions/effects/closed-sessions.js'

import { type Judgement, judgeSession } from '#src/domain/sessions/effects/judgement.js'
import type { Payment, PaymentSide } from '#src/domain/sessions/effects/overlay-state.js'
import { blocksText } from '#src/domain/sessions/effects/overlay-state.js'
import { intelNames, intelTargetKey, intelTargetOf } from '#src/domain/sessions/intel-recipients.js'
import { foldNarrator } from '#src/domain/sessions/reading/narrators.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import {
  type CloseEntry,
  restrictedEntriesOf,
  type Session,
  sessionFor,
} from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from '../command.js'
import { entityClaim } from '../entities/entity-change.js'
import { intelMessages } from '../notices.js'
import { pointsBlocksOf } from '../points.js'
import { sessionNotFound } from './baselines.js'
import { ledgerBlocks } from './closed-session-guard.js'
import { placeDraft } from './create.js'
import { type StagedSession, stagedSessions } from './section-lines.js'
import { oneLine } from './values.js'

/** What the host makes ready where the row of a close goes to a merge request of its own. No caller can send it. */
export const DeferredPrepared = t.type({ _tag: t.literal('Deferred') }, 'DeferredPrepared')

/** What a deferred close withholds, by its row of the ledger: the same on every host, and after a squash. */
export const pendingClose = ({
  header,
  at,
  by,
  deferred = [],
}: Pick<CloseEntry, 'header' | 'at' | 'by' | 'deferred'>): PendingClose => ({
  Header: header,
  Actor: by,
  TransferLedgerEntry: {
    At: at,
    Transfers: deferred.map(({ amount, denomination, source, destination, state }) => ({
      Amount: amount,
      Denomination: denomination,
      Source: source,
      Destination: destination,
      State: state,
    })),
  },
})

/** The answer to a deferred close; the host names the request. */
export const deferredClose = (
  row: Pick<CloseEntry, 'header' | 'at' | 'by' | 'deferred'>,
): SessionDeferred => ({
  Applied: false,
  Deferred: row.header,
  Request: null,
  pending: pendingClose(row),
})

/** Who closes a session: as the caller of a request, or as the person that an account of the chat is linked to. */
export interface Closer extends Pick<Caller, 'gracz' | 'view'> {
  /** The name in the ledger. */
  readonly by: string
  /** Whether they hold `admin.all`. */
  readonly isAdmin: boolean
}

/** A request to close a session. */
export interface CloseRequest {
  readonly header: string
  readonly closer: Closer
  readonly note: string | null
  /** Whether the row goes to a merge request of its own: then its messages wait for `planFinalize`. */
  readonly isDeferred?: boolean
  /** A dry run lists what stops the close; an apply is then refused. */
  readonly dryRun: boolean
  readonly nowMs: number
}

/** Everything that `planClose` refuses with, in the order of its checks. */
export type CloseRefusal = RefusalOf<
  'SessionNotFound' | 'NotYourSession' | 'SessionClosed' | 'ValueRefused' | 'BoundExceeded' | 'CloseBlocked'
>

export const closerOf = (caller: Pick<Caller, 'gracz' | 'kind' | 'holds' | 'view'>): Closer => ({
  gracz: caller.gracz,
  view: caller.view,
  by: callerName(caller),
  isAdmin: gradeOf(caller.holds, 'admin.all') === 'full',
})

/**
 * Closes a session or a staged draft as one change: the row of the close ledger, which alone makes its Zmiany and
 * Transfers count, its line in the registry of its places, and the draft at its place in its file (B 3, FORMATS 4.5).
 * Whoever calls it has checked the capability `session.close`. A transfer of which a side has no purse on the day of
 * the session is pending: a close makes no purse. All that cannot take effect is in one refusal. Pure.
 */
export const planClose = (
  snapshot: Snapshot,
  { header, closer, note: noted, isDeferred = false, dryRun, nowMs }: CloseRequest,
): Either<CloseRefusal, ChangeSet<SessionClosing | SessionDeferred>> => {
  const subject = subjectOf(snapshot, header)
  if (subject === null) return left(sessionNotFound(snapshot, header))
  const { session } = subject
  if (!mayClose(snapshot, session, closer)) return left(notYours(session))
  const closed = alreadyClosed(snapshot, session)
  if (closed !== null) return left(closed)
  const note = noted === null || noted.trim() === '' ? right(null) : oneLine('note', noted)
  if (isLeft(note)) return note
  const { by } = closer
  const drawn = draw(snapshot, subject, { by, nowMs })
  const { judgement, blocked } = drawn
  if (blocked.length > 0 && !dryRun)
    return left(closeBlocked(session, blockedFor(snapshot, closer.view, session, blocked)))
  const at = instantOf(nowMs)
  const shown = planFor(snapshot, drawn, closer.view)
  const row = JSON.stringify({
    header: session.header,
    op: 'close',
    at,
    by,
    source: 'close',
    ...(isDeferred ? { deferred: true } : {}),
    transfers: judgement.payments.map(transferOfRow),
    intel: isDeferred ? [] : intelOfRow(snapshot, drawn),
    ...(note.right === null ? {} : { note: note.right }),
    meaning: judgement.meaning,
  })
  const edits = editsOf(snapshot, drawn, row)
  const preview: Omit<SessionWouldClose, 'diff'> = {
    ...{ Applied: false, WouldClose: session.header, By: by, Note: note.right },
    Blocked: blockedFor(snapshot, closer.view, session, blocked),
    ...shown,
  }
  return right({
    edits: blocked.length > 0 ? [] : edits,
    claims: claimsOf(snapshot, drawn, edits),
    touches: touchesOf(drawn),
    notices: isDeferred ? [] : noticesOf(snapshot, drawn),
    subject: `sessions: closed "${session.header}"`,
    answer: isDeferred
      ? deferredClose({ header: session.header, at, by, deferred: judgement.payments.map(transferOfRow) })
      : { Applied: true, Closed: session.header, At: at, By: by, Note: note.right, ...shown },
    preview,
  })
}

/** What `GET /sessions/{header}/close-impact` answers; null for a header that no session has. */
export const closeImpactOf = (snapshot: Snapshot, header: string, view: View): CloseImpact | null => {
  const subject = subjectOf(snapshot, header)
  if (subject === null) return null
  const { session } = subject
  const closing = snapshot.closeLedger.rows.close.get(ledgerKeyOf(session))
  const drawn = closing === undefined ? draw(snapshot, subject, { by: '', nowMs: 0 }) : null
  return {
    Header: session.header,
    Date: session.date,
    Closed: closing !== undefined,
    ClosedAt: closing?.at ?? null,
    ClosedBy: closing?.by ?? null,
    Distributed: isDistributed(snapshot, session),
    Blocked: drawn === null ? [] : blockedFor(snapshot, view, session, drawn.blocked),
    ...(drawn === null ? nothingPlanned : planFor(snapshot, drawn, view)),
  }
}

/** A request to distribute a session without closing it. */
export type DistributeRequest = Omit<CloseRequest, 'note'>

/**
 * Lists a session in the registry and sends its Intel, as its close would, without closing it: the row `distribute` of
 * the ledger. The close then repeats none of it. Whoever calls it has checked the capability `session.distribute`. What
 * was distributed before is answered unchanged. Pure.
 */
export const planDistribution = (
  snapshot: Snapshot,
  { header, closer: { by, view }, dryRun, nowMs }: DistributeRequest,
): Either<
  RefusalOf<'SessionNotFound' | 'SessionClosed' | 'CloseBlocked'>,
  ChangeSet<SessionDistribution>
> => {
  const subject = subjectOf(snapshot, header)
  if (subject === null) return left(sessionNotFound(snapshot, header))
  const { session } = subject
  const closed = alreadyClosed(snapshot, session)
  if (closed !== null) return left(closed)
  const drawn = draw(snapshot, subject, { by, nowMs })
  const blocked = blockedFor(
    snapshot,
    view,
    session,
    drawn.blocked.filter(({ Kind }) => distributionKinds.has(Kind)),
  )
  if (blocked.length > 0 && !dryRun) return left(closeBlocked(session, blocked))
  const { Intel, Places, StagedTo } = planFor(snapshot, drawn, view)
  const before = snapshot.closeLedger.rows.distribute.get(ledgerKeyOf(session))
  const at = before?.at ?? instantOf(nowMs)
  const row = JSON.stringify({
    ...{ header: session.header, op: 'distribute', at, by, source: 'close', transfers: [] },
    ...{ intel: intelOfRow(snapshot, drawn), listed: listedFilesOf(drawn.places) },
    meaning: drawn.judgement.meaning,
  })
  const edits = before === undefined && blocked.length === 0 ? editsOf(snapshot, drawn, row) : []
  const shown = { Intel, Places, StagedTo }
  return right({
    edits,
    claims: claimsOf(snapshot, drawn, edits),
    touches: touchesOf(drawn),
    notices: noticesOf(snapshot, drawn),
    subject: `sessions: distributed "${session.header}"`,
    answer: {
      ...{ Applied: before === undefined, Distributed: session.header, At: at, By: before?.by ?? by },
      ...shown,
    },
    preview: { Applied: false, WouldDistribute: session.header, Blocked: blocked, ...shown },
  })
}

/** What stops a distribution: the ledger, a header, its Intel, and a draft that cannot be put into its file. */
const distributionKinds: ReadonlySet<CloseBlock['Kind']> = new Set<CloseBlock['Kind']>([
  'AmbiguousHeader',
  'AmbiguousIntel',
  'DraftNotPlaced',
  'LedgerUnreadable',
  'MalformedIntel',
  'UnresolvedIntel',
])

/** Planners of the enactments of one session (B 3). */
export const closingPlanners: Planners<typeof closingRoutes> = {
  'workflows.distributeSession': (snapshot, { body: { header }, caller, dryRun, nowMs }) =>
    planDistribution(snapshot, { header, closer: closerOf(caller), dryRun, nowMs }),
  'workflows.closeSession': (
    snapshot,
    { body: { header, note = null }, prepared, caller, dryRun, nowMs },
  ) => {
    const isDeferred = DeferredPrepared.is(prepared)
    return planClose(snapshot, { header, note, closer: closerOf(caller), isDeferred, dryRun, nowMs })
  },
}

/** A session, and the draft that it still is. */
interface Subject {
  readonly session: Session
  readonly staged: StagedSession | null
}

const subjectOf = (snapshot: Snapshot, header: string): Subject | null => {
  const key = sessionKey(header)
  const session = snapshot.sessions.byKey.get(key)
  if (session !== undefined) return { session, staged: null }
  const staged = stagedSessions(snapshot).find(one => one.session.key === key)
  return staged === undefined ? null : { session: staged.session, staged }
}

/**
 * Whether a person may close the session: one of its narrators by a written name, a Radny today, or a holder of
 * `admin.all`. Rights fail closed: a near or an inflected name of a narrator gives none (D50).
 */
export const mayClose = (
  snapshot: Snapshot,
  { narrators, date }: Session,
  { gracz, isAdmin }: Closer,
): boolean => {
  if (isAdmin) return true
  const person = gracz === null ? null : personNamed(snapshot.people, gracz)
  if (person === null) return false
  const roles = rosterOf(snapshot.people, snapshot.day).of.get(person)?.roles ?? []
  if (roles.some(({ name }) => nameKey(name) === councillor)) return true
  return narrators.some(name => {
    const folded = foldNarrator(snapshot, name, date)
    return folded._tag === 'Person' && folded.sure && nameKey(folded.name) === person.key
  })
}

/** The role whose holders close every session. */
const councillor = nameKey('Radny')

export const notYours = ({ header, narrators }: Session): RefusalOf<'NotYourSession'> =>
  refuse(
    'NotYourSession',
    `"${header}" is not yours to close. Ask one of its narrators or a Radny to close it.`,
    { header, narrators },
  )

/** The refusal of a session that the close ledger has; null while it is open. */
export const alreadyClosed = (
  { closeLedger }: Snapshot,
  session: Session,
): RefusalOf<'SessionClosed'> | null => {
  const closing = closeLedger.rows.close.get(ledgerKeyOf(session))
  if (closing === undefined) return null
  const { at, by } = closing
  const detail = `"${session.header}" was closed on ${at} by ${by}. Correct it by a new session.`
  return refuse('SessionClosed', detail, { header: session.header, at, by })
}

export const closeBlocked = (
  { header }: Session,
  blocked: ReadonlyArray<CloseBlock>,
): RefusalOf<'CloseBlocked'> =>
  refuse(
    'CloseBlocked',
    `${blocked.length === 1 ? '1 entry' : `${blocked.length} entries`} of "${header}" cannot take effect. ` +
      'Nothing was written. Mend what `Blocked` lists, then send it again.',
    { header, Blocked: blocked },
  )

/** The plan of a close before it is shown to anybody. */
interface Drawn {
  readonly session: Session
  readonly judgement: Judgement
  readonly places: ReadonlyArray<ListedPlace>
  readonly blocked: ReadonlyArray<CloseBlock>
  /** The edits that move a draft to its file. */
  readonly edits: ReadonlyArray<FileEdit>
  readonly stagedTo: string | null
}

const draw = (
  snapshot: Snapshot,
  { session: found, staged }: Subject,
  acceptance: { readonly by: string; readonly nowMs: number },
): Drawn => {
  const placed = staged === null ? null : placeDraft(snapshot, staged, acceptance)
  const moved = placed === null || isLeft(placed) ? null : placed.right
  const session = moved === null ? found : { ...found, path: moved.path }
  const judgement = judgeSession(snapshot, found)
  const unplaced = placed !== null && isLeft(placed) ? placed.left.detail : null
  return {
    session,
    judgement,
    places: listSession(snapshot, session),
    blocked: [
      ...(unplaced === null ? [] : [draftBlock(found, unplaced)]),
      ...blocksIn(snapshot, found, judgement, staged !== null),
    ],
    edits: moved?.edits ?? [],
    stagedTo: moved?.path ?? null,
  }
}

/** Everything in a session that cannot take effect, by its judgement. */
export const blocksIn = (
  snapshot: Snapshot,
  session: Session,
  { findings }: Pick<Judgement, 'findings'>,
  isStaged: boolean,
): ReadonlyArray<CloseBlock> => [
  ...ledgerBlocks(snapshot.closeLedger),
  ...twinBlocks(snapshot, session),
  ...malformedIn(snapshot, session, isStaged),
  ...findings.flatMap(finding => blockOf(session, finding) ?? []),
  ...pointsBlocksOf(snapshot, session),
  ...intelBlocks(snapshot, session),
]

/** Another session whose header differs in case alone: the row of the ledger would enact it too. */
const twinBlocks = ({ sessions }: Snapshot, session: Session): ReadonlyArray<CloseBlock> => {
  const key = ledgerKeyOf(session)
  const known = sessionTwins(sessions).get(key) ?? [sessionsByLedgerKey(sessions).get(key) ?? session]
  return known
    .filter(one => one.key !== session.key)
    .flatMap(twin => blockOf(session, twinFinding(session, twin)) ?? [])
}

const draftBlock = ({ header, path }: Session, detail: string): CloseBlock => ({
  ...{ Kind: 'DraftNotPlaced', Subject: header, File: path, Line: 1, Detail: detail },
})

const blockOf = ({ header }: Session, finding: Finding): CloseBlock | null => {
  const { kind, file, line, reason, suggestion } = finding
  const detail = suggestion === null ? reason : `${reason} ${suggestion}`
  return CloseBlockKind.is(kind)
    ? { Kind: kind, Subject: header, File: file, Line: line, Detail: redactCredentials(detail) }
    : null
}

/**
 * The lines of effects in the session that no reader understands, so that the close would lose them. PU that a batch
 * settled are final already.
 */
const malformedIn = (snapshot: Snapshot, session: Session, isStaged: boolean): ReadonlyArray<CloseBlock> => {
  const { sessions, files } = snapshot
  const isFinal = (kind: string): boolean => kind === 'MalformedPoints' && isSettled(snapshot, session.header)
  const file = files.get(session.path)
  const findings = !isStaged ? sessions.findings : file === undefined ? [] : parseSessionFile(file).findings
  const isIn = ({ file: path, line }: Finding): boolean =>
    session.copies.some(
      copy => copy.path === path && line !== null && copy.line <= line && line <= copy.endLine,
    )
  return findings
    .filter(finding => finding.kind.startsWith('Malformed') && !isFinal(finding.kind) && isIn(finding))
    .flatMap(finding => blockOf(session, finding) ?? [])
}

/**
 * The names of Intel targets that mean no block, or several. They stop the close: afterwards nothing could correct
 * them, and the message would reach no recipient.
 */
const intelBlocks = ({ names }: Snapshot, session: Session): ReadonlyArray<CloseBlock> =>
  session.intel.flatMap(({ target, line }) =>
    intelNames(names, intelTargetOf(target)).flatMap(({ name, found }) => {
      if (found.entity !== null) return []
      const copy = session.copies.find(one => one.intel.some(entry => entry.line === line))
      const detail = found.ambiguous
        ? `Nazwa „${name}” pasuje do więcej niż jednej encji (${blocksText(found.candidates)}).`
        : `Żadna encja nie nosi nazwy „${name}”.`
      return [
        {
          Kind: found.ambiguous ? ('AmbiguousIntel' as const) : ('UnresolvedIntel' as const),
          Subject: session.header,
          File: copy?.path ?? session.path,
          Line: line,
          Detail: `${redactCredentials(detail)} Wpisz nagłówek jednej encji albo dopisz @alias.`,
        },
      ]
    }),
  )

/** The blocks of a session as a caller may see them: none repeats a line that reads withhold. */
export const blockedFor = (
  { files }: Pick<Snapshot, 'files'>,
  view: View,
  { copies }: Pick<Session, 'copies'>,
  blocked: ReadonlyArray<CloseBlock>,
): ReadonlyArray<CloseBlock> => {
  if (view.mayReadRestricted || blocked.length === 0) return blocked
  const entries = new Set(
    copies.flatMap(copy => restrictedEntriesOf(copy).map(line => `${copy.path}:${line}`)),
  )
  const isRestricted = ({ File: path, Line, Detail }: CloseBlock): boolean => {
    if (namesTopics(Detail)) return true
    if (path === null || Line === null) return false
    const file = files.get(path)
    return entries.has(`${path}:${Line}`) || (file !== undefined && restrictedLinesOf(file).has(Line))
  }
  return blocked.map(one => (isRestricted(one) ? { ...one, Detail: withheldEntry } : one))
}

const isDistributed = ({ closeLedger }: Snapshot, session: Session): boolean =>
  closeLedger.distributed.has(ledgerKeyOf(session))

const nothingPlanned: ClosePlan = {
  ...{ Transfers: [], Balances: [], Intel: [], Places: [], Points: [], StagedTo: null },
}

/** How many recipients of one entry an answer names; `Count` covers all. */
const recipientsMax = 200

/** The plan as a caller may see it. */
const planFor = (snapshot: Snapshot, drawn: Drawn, view: View): ClosePlan => {
  const { session, judgement, stagedTo } = drawn
  const shown = sessionFor(view, session)
  const { payments, purses } = judgementFor(view, session, judgement, one => judgeSession(snapshot, one))
  const places = shown === session ? drawn.places : listSession(snapshot, shown)
  return {
    // Those that `apply-transfers` applied before are no part of the close.
    Transfers: snapshot.closeLedger.transferred.has(ledgerKeyOf(session))
      ? []
      : payments.map(describePayment),
    Balances: describeBalances(snapshot, purses, session.date),
    Intel: isDistributed(snapshot, session) ? [] : intelFor(snapshot, drawn, view),
    Places: places.map(({ place, path, listed }) => ({ Place: place.name, File: path, Listed: listed })),
    Points: shown.points.map(({ character, value }) => ({
      Character: character,
      Value: value === null ? null : numberOrNull(readDecimal(value, 'none')),
    })),
    StagedTo: stagedTo,
  }
}

/**
 * The payments of a session that a caller may see, and the purses that its visible part changes; `judge` is how the
 * judgement was made.
 */
export const judgementFor = (
  view: View,
  session: Session,
  { payments, purses }: Judgement,
  judge: (visible: Session) => Judgement,
): Pick<Judgement, 'payments' | 'purses'> => {
  const visible = sessionFor(view, session)
  if (visible === session) return { payments, purses }
  const isShown = new Set(visible.transfers)
  const changed = new Set(judge(visible).purses.map(({ item }) => item))
  return {
    payments: payments.filter(({ transfer }) => isShown.has(transfer)),
    purses: purses.filter(({ item }) => changed.has(item)),
  }
}

const nameOfSide = ({ owner }: PaymentSide, written: string): string =>
  owner?.heading ?? redactCredentials(written)

/** Purses that change on a day, as an answer shows them. */
export const describeBalances = (
  snapshot: Snapshot,
  purses: Judgement['purses'],
  day: Day,
): ClosePlan['Balances'] => {
  const ownerName = ownerNameOn(snapshot)
  return purses.map(({ item, denomination, before, after }) => ({
    Purse: item.name,
    Owner: ownerName(item, day),
    Denomination: denomination,
    Before: before,
    After: after,
  }))
}

/** A Transfer as an answer shows it. */
export const describePayment = ({ transfer, state, reason, source, destination }: Payment): ClosePayment => ({
  Amount: transfer.amount,
  Denomination: denominationOf(transfer.denomination)?.name ?? redactCredentials(transfer.denomination),
  Source: nameOfSide(source, transfer.source),
  Destination: nameOfSide(destination, transfer.destination),
  State: state,
  Why: reason === null ? null : redactCredentials(reason),
})

const intelFor = (
  { entities, people, day }: Snapshot,
  { session, judgement: { meaning } }: Drawn,
  view: View,
): ClosePlan['Intel'] => {
  const byTarget = new Map(meaning.recipients.map(({ target, blocks }) => [intelTargetKey(target), blocks]))
  return sessionFor(view, session).intel.map(({ target, message }) => {
    const blocks = byTarget.get(intelTargetKey(target)) ?? []
    const without: Array<string> = []
    for (const block of blocks) {
      if (without.length === recipientsMax) break
      const entity = findRecorded(entities, block)
      if (entity === null || channelOn(people, entity, day) === null) without.push(block.heading)
    }
    return {
      Target: target,
      Message: redactCredentials(message),
      Count: blocks.length,
      Recipients: blocks.slice(0, recipientsMax).map(({ heading, type }) => ({ Name: heading, Type: type })),
      WithoutAddress: without,
    }
  })
}

/** A Transfer in the row of the ledger, with its state when the session was closed. */
export const transferOfRow = ({ transfer, state }: Payment) => ({
  amount: transfer.amount,
  denomination: transfer.denomination,
  source: transfer.source,
  destination: transfer.destination,
  state,
})

/** The entries of Intel that the row sends: none where `distribute-session` sent them before. */
const intelOfRow = (snapshot: Snapshot, { session, judgement: { meaning } }: Drawn) => {
  if (isDistributed(snapshot, session)) return []
  const byTarget = new Map(meaning.recipients.map(({ target, blocks }) => [intelTargetKey(target), blocks]))
  return session.intel.map(({ target }) => ({
    target,
    recipients: byTarget.get(intelTargetKey(target))?.length ?? 0,
  }))
}

/** The messages of the Intel: none where `distribute-session` sent them before. */
const noticesOf = (snapshot: Snapshot, { session, judgement: { meaning } }: Drawn): ReadonlyArray<Notice> =>
  isDistributed(snapshot, session) ? [] : intelMessages(snapshot, session, meaning.recipients).notices

const editsOf = (snapshot: Snapshot, { edits, places }: Drawn, row: string): ReadonlyArray<FileEdit> => [
  ...edits,
  ...places.flatMap(({ edit }) => edit ?? []),
  appendLines(snapshot.files.get(closeLedgerPath) ?? null, closeLedgerPath, [row]),
]

const touchesOf = ({ session, places }: Drawn): ReadonlyArray<Touched> => [
  { kind: 'session', name: session.header },
  { kind: 'ledger', name: closeLedgerPath },
  ...(places.some(({ edit }) => edit !== null) ? [{ kind: 'registry', name: 'Lokacje' } as const] : []),
]

const claimsOf = (
  { entities }: Snapshot,
  { session, judgement: { meaning, purses } }: Drawn,
  edits: ReadonlyArray<FileEdit>,
): ReadonlyArray<string> => [
  ...new Set([
    `session:${session.key}`,
    `session:${ledgerKeyOf(session)}`,
    ...edits.map(({ path }) => `slot:${path}`),
    ...meaning.blocks.flatMap(block => findRecorded(entities, block) ?? []).map(entityClaim),
    ...purses.map(({ item }) => entityClaim(item)),
  ]),
]
