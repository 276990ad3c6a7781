import * as t from 'io-ts'
import { Day, dayOf, EntityType } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { gateAnswerWithinMs } from '../host/admin.js'
import { read, type Table, write } from '../route.js'
import { CloseBlock } from './close-block.js'

const TextOrNull = t.union([t.string, t.null])
const Texts = t.readonlyArray(t.string)

const ClosePayment = t.type(
  {
    Amount: t.number,
    Denomination: t.string,
    Source: t.string,
    Destination: t.string,
    State: t.keyof({ applied: null, pending: null, refused: null }),
    Why: TextOrNull,
  },
  'ClosePayment',
)
export type ClosePayment = t.TypeOf<typeof ClosePayment>

const CloseBalance = t.type(
  { Purse: t.string, Owner: TextOrNull, Denomination: t.string, Before: t.number, After: t.number },
  'CloseBalance',
)

const CloseIntel = t.type(
  {
    Target: t.string,
    Message: t.string,
    Count: t.number,
    Recipients: t.readonlyArray(t.type({ Name: t.string, Type: EntityType })),
    WithoutAddress: Texts,
  },
  'CloseIntel',
)

const ClosePlace = t.type({ Place: t.string, File: TextOrNull, Listed: t.boolean }, 'ClosePlace')

/** What a close does, and what `distribute-session` does of it. */
const plan = {
  Transfers: t.readonlyArray(ClosePayment),
  Balances: t.readonlyArray(CloseBalance),
  Intel: t.readonlyArray(CloseIntel),
  Places: t.readonlyArray(ClosePlace),
  Points: t.readonlyArray(t.type({ Character: t.string, Value: t.union([t.number, t.null]) }, 'ClosePoints')),
  StagedTo: TextOrNull,
} as const

export type ClosePlan = t.TypeOfProps<typeof plan>

/** What closing an open session would do now; for a closed one, who closed it and no effects. */
export const CloseImpact = t.type(
  {
    Header: t.string,
    Date: Day,
    Closed: t.boolean,
    ClosedAt: TextOrNull,
    ClosedBy: TextOrNull,
    Distributed: t.boolean,
    Blocked: t.readonlyArray(CloseBlock),
    ...plan,
  },
  'CloseImpact',
)
export type CloseImpact = t.TypeOf<typeof CloseImpact>

/** A closed session, with what its close did. */
export const SessionClosing = t.type(
  { Applied: t.literal(true), Closed: t.string, At: t.string, By: t.string, Note: TextOrNull, ...plan },
  'SessionClosing',
)
export type SessionClosing = t.TypeOf<typeof SessionClosing>

/** What a deferred close withholds until its merge request is merged, as `finalize-close` takes it back unchanged. */
export const PendingClose = t.type(
  {
    Header: t.string,
    Actor: t.string,
    TransferLedgerEntry: t.type({
      At: t.string,
      Transfers: t.readonlyArray(
        t.type({
          Amount: t.number,
          Denomination: t.string,
          Source: t.string,
          Destination: t.string,
          State: t.keyof({ applied: null, pending: null, refused: null }),
        }),
      ),
    }),
  },
  'PendingClose',
)
export type PendingClose = t.TypeOf<typeof PendingClose>

/** A close that waits for its merge request, in mode `mr`: the session stays open here until that is merged. */
export const SessionDeferred = t.type(
  {
    Applied: t.literal(false),
    Deferred: t.string,
    Request: t.union([t.type({ Iid: t.number, Url: t.string }), t.null]),
    pending: PendingClose,
  },
  'SessionDeferred',
)
export type SessionDeferred = t.TypeOf<typeof SessionDeferred>

const finalized = { Finalized: t.string, At: t.string, By: t.string, Entry: t.boolean } as const

/** A deferred close that is finished: its messages go out. `Applied` is false where it was finished before. */
export const CloseFinalized = t.type({ Applied: t.boolean, ...finalized }, 'CloseFinalized')
export type CloseFinalized = t.TypeOf<typeof CloseFinalized>

const CloseWouldFinalize = previewOf(
  { Applied: t.literal(false), WouldFinalize: t.string, By: t.string, Entry: t.boolean },
  'CloseWouldFinalize',
)
export type CloseWouldFinalize = t.TypeOf<typeof CloseWouldFinalize>

export const SessionWouldClose = previewOf(
  {
    Applied: t.literal(false),
    WouldClose: t.string,
    By: t.string,
    Note: TextOrNull,
    Blocked: t.readonlyArray(CloseBlock),
    ...plan,
  },
  'SessionWouldClose',
)
export type SessionWouldClose = t.TypeOf<typeof SessionWouldClose>

const CloseBody = t.intersection(
  [t.type({ header: t.string }), t.partial({ note: t.union([t.string, t.null]) })],
  'SessionCloseBody',
)

/** A session whose registry and Intel are done, without closing it; `Applied` is false where they were before. */
export const SessionDistribution = t.type(
  {
    Applied: t.boolean,
    Distributed: t.string,
    At: t.string,
    By: t.string,
    ...{ Intel: plan.Intel, Places: plan.Places, StagedTo: plan.StagedTo },
  },
  'SessionDistribution',
)
export type SessionDistribution = t.TypeOf<typeof SessionDistribution>

const SessionWouldDistribute = previewOf(
  {
    Applied: t.literal(false),
    WouldDistribute: t.string,
    Blocked: t.readonlyArray(CloseBlock),
    ...{ Intel: plan.Intel, Places: plan.Places, StagedTo: plan.StagedTo },
  },
  'SessionWouldDistribute',
)

const moved = {
  Id: TextOrNull,
  Header: TextOrNull,
  Day,
  Reason: TextOrNull,
  ...{ Transfers: plan.Transfers, Balances: plan.Balances },
} as const

/** Transfers that were applied; `Applied` is false where the same ones were before. */
export const TransfersApplied = t.type({ Applied: t.boolean, ...moved }, 'TransfersApplied')
export type TransfersApplied = t.TypeOf<typeof TransfersApplied>

const TransfersWouldApply = previewOf(
  { Applied: t.literal(false), Blocked: t.readonlyArray(CloseBlock), ...moved },
  'TransfersWouldApply',
)

const DayField = t.refinement(t.string, (text): boolean => dayOf(text) !== null, 'Day')

/** Either `header`, or `transfers` with `day` and `reason`. */
const TransfersBody = t.partial(
  {
    header: t.string,
    transfers: t.readonlyArray(
      t.type({ amount: t.number, denomination: t.string, source: t.string, destination: t.string }),
    ),
    day: DayField,
    reason: t.string,
    id: t.string,
  },
  'TransfersBody',
)
export type TransfersBody = t.TypeOf<typeof TransfersBody>

/** What closing a session would do (B 4.2). */
export const closeImpactRoutes = {
  'sessions.closeImpact.get': read({
    path: '/sessions/{header}/close-impact',
    summary: 'What closing a session or a staged draft would do now, and what stops it.',
    capability: 'session.read',
    query: {},
    answers: { 200: CloseImpact },
    refusals: ['SessionNotFound'],
    source: 'B 4.2',
    example: { path: { header: '2026-05-10, Most na Zamorzu, Brzoza' } },
  }),
} as const satisfies Table

const enactment = {
  enacts: true,
  method: 'POST',
  own: false,
  query: {},
  answerWithinMs: gateAnswerWithinMs,
  source: 'B 4.2',
} as const

/** Enactments of one session (B 3, B 4.2). */
export const closingRoutes = {
  'workflows.closeSession': write({
    ...enactment,
    path: '/workflows/close-session',
    summary: 'Closes a session or a staged draft: its Zmiany, Transfers and Intel take effect, once.',
    capability: 'session.close',
    body: CloseBody,
    answers: { 200: t.union([SessionWouldClose, SessionClosing, SessionDeferred], 'SessionClose') },
    refusals: [
      'SessionNotFound',
      'NotYourSession',
      'SessionClosed',
      'BoundExceeded',
      'ValueRefused',
      'CloseBlocked',
    ],
    example: { body: { header: '2026-05-20, Wieża/Latarnia, Brzoza', note: 'Koniec przygody.' } },
  }),
  'workflows.distributeSession': write({
    ...enactment,
    path: '/workflows/distribute-session',
    summary: 'Lists a session in the registry and sends its Intel, once, without closing it.',
    capability: 'session.distribute',
    body: t.type({ header: t.string }, 'SessionDistributeBody'),
    answers: { 200: t.union([SessionWouldDistribute, SessionDistribution], 'SessionDistribute') },
    refusals: ['SessionNotFound', 'SessionClosed', 'CloseBlocked'],
    example: { body: { header: '2026-05-10, Most na Zamorzu, Brzoza' } },
  }),
} as const satisfies Table

/** Enactments of money (B 4.2). */
export const moneyRoutes = {
  'workflows.applyTransfers': write({
    ...enactment,
    path: '/workflows/apply-transfers',
    summary: 'Applies the Transfers of a session without closing it, or a list of a day, once.',
    capability: 'currency.write',
    body: TransfersBody,
    answers: { 200: t.union([TransfersWouldApply, TransfersApplied], 'TransfersApply') },
    refusals: [
      'BodyInvalid',
      'SessionNotFound',
      'SessionClosed',
      'BoundExceeded',
      'ValueRefused',
      'TransfersBlocked',
    ],
    example: {
      body: {
        transfers: [{ amount: 2, denomination: 'talary', source: 'Cech Kupców', destination: 'Wit Kłos' }],
        day: '2026-06-10',
        reason: 'Żołd',
        id: 'zold-2026-06',
      },
    },
  }),
} as const satisfies Table

/** The second part of a close that waited for its merge request (B 4.2). */
export const finalizeRoutes = {
  'workflows.finalizeClose': write({
    ...enactment,
    path: '/workflows/finalize-close',
    summary: 'Finishes a deferred close whose merge request is merged: its messages go out, once.',
    capability: 'session.close',
    body: t.partial({ pending: PendingClose, header: t.string }, 'FinalizeCloseBody'),
    answers: { 200: t.union([CloseWouldFinalize, CloseFinalized], 'CloseFinalization') },
    refusals: [
      'SessionNotFound',
      'NotYourSession',
      'ValueRefused',
      'CloseNotMerged',
      'PendingAltered',
      'CloseBlocked',
    ],
    example: { body: { header: '2024-03-02, Brama, Brzoza' } },
  }),
} as const satisfies Table

const planText = {
  Transfers: 'Transfers of money of the session, in order, each with its state.',
  Balances: 'Purses that the session changes, with what they hold on its day.',
  Intel: 'Messages that go out, one record an entry; empty where they went out before.',
  Places: 'Places of the session, with the file of the registry that lists it.',
  Points: 'PU that the session gives; the batch of its month grants them, not the close.',
  StagedTo: 'File that a staged draft moves to; null for a session that stands in a file.',
} as const

const distributedText = {
  Intel: planText.Intel,
  Places: planText.Places,
  StagedTo: planText.StagedTo,
} as const

const movedText = {
  Id: 'Key of the list; null for the Transfers of a session.',
  Header: 'Heading of the session; null for a list.',
  Day: 'Day on which they count, `YYYY-MM-DD`.',
  Reason: 'Why the money moves; null for a session.',
  Transfers: 'The Transfers in order, each with its state.',
  Balances: 'Purses that they change, with what they hold on that day.',
} as const

const blockedText = 'Entries that stop the close, all of them.'

export const closingDescriptions: Descriptions = {
  ClosePayment: {
    Amount: 'Pieces of the denomination.',
    Denomination: 'Name of the denomination; the text as written where it is none.',
    Source: 'Heading of who pays; the name as written where no block has it.',
    Destination: 'Heading of who receives; the name as written where no block has it.',
    State:
      '`pending`: it applies as soon as both sides have a purse on that day. `refused`: it never applies.',
    Why: 'Why it does not apply, in Polish; null where it does.',
  },
  CloseBalance: {
    Purse: 'Heading of the purse.',
    Owner: 'Name of its owner on the day of the session; null where it has none.',
    Denomination: 'Name of the denomination.',
    Before: 'Pieces on the day of the session before it.',
    After: 'Pieces on that day after it.',
  },
  CloseIntel: {
    Target: 'Addressee, as written.',
    Message: 'Text of the message.',
    Count: 'Number of recipients.',
    Recipients: 'The first 200 recipients.',
    WithoutAddress: 'Headings of the first 200 recipients without a channel: nothing is sent to them.',
  },
  'CloseIntel.Recipients': { Name: 'Heading of the recipient.', Type: 'Type of its block.' },
  ClosePlace: {
    Place: 'Heading of the place.',
    File: 'Path of its file of the registry; null where no checkout can hold the path.',
    Listed: 'Whether the close lists the session there; false where a person wrote the file.',
  },
  ClosePoints: {
    Character: 'Name of the character, as written.',
    Value: 'PU, in points with decimals; null where the line has no number.',
  },
  CloseImpact: {
    Date: 'Day of the session in the fiction, `YYYY-MM-DD`.',
    Closed: 'Whether the session is closed already; all lists are then empty.',
    ClosedAt: 'When it was closed, ISO 8601; null while it is open.',
    ClosedBy: 'Who closed it; null while it is open.',
    Distributed: 'Whether its messages went out before.',
    Blocked: blockedText,
    ...planText,
  },
  SessionClosing: {
    Applied: 'Always true: the session is closed.',
    Closed: 'Heading of the session.',
    At: 'When it was closed, ISO 8601 in UTC.',
    By: 'Who closed it.',
    Note: 'Note of the request; null without one.',
    ...planText,
  },
  SessionWouldClose: {
    Applied: 'Always false: nothing was written.',
    WouldClose: 'Heading of the session.',
    By: 'Who would close it.',
    Note: 'Note of the request; null without one.',
    Blocked: blockedText,
    ...planText,
  },
  PendingClose: {
    Header: 'Heading of the session.',
    Actor: 'Who closes it.',
    TransferLedgerEntry: 'What the host records of the Transfers once the close is merged.',
  },
  'PendingClose.TransferLedgerEntry': {
    At: 'When it was closed, ISO 8601 in UTC.',
    Transfers: 'Transfers of the session, in order.',
  },
  'PendingClose.TransferLedgerEntry.Transfers': {
    Amount: 'Pieces of the denomination.',
    Denomination: 'Denomination as written.',
    Source: 'Who pays, as written.',
    Destination: 'Who receives, as written.',
    State: 'State when the session was closed.',
  },
  SessionDeferred: {
    Applied: 'Always false: nothing changes here until the request is merged.',
    Deferred: 'Heading of the session, which stays open.',
    Request: 'Merge request that carries the close; null where the forge did not name it.',
    pending: 'What `finalize-close` takes, unchanged, once the request is merged.',
  },
  'SessionDeferred.Request': { Iid: 'Number of the request in its project.', Url: 'Page of the request.' },
  CloseFinalized: {
    Applied: 'Whether this call finished the close; false where it was finished before.',
    Finalized: 'Heading of the session.',
    At: 'When it was finished, ISO 8601 in UTC.',
    By: 'Who finished it.',
    Entry: 'Whether the withheld entry is recorded: the body had `pending`.',
  },
  CloseWouldFinalize: {
    Applied: 'Always false: nothing was written.',
    WouldFinalize: 'Heading of the session.',
    By: 'Who would finish it.',
    Entry: 'Whether the withheld entry would be recorded.',
  },
  FinalizeCloseBody: {
    pending: 'The `pending` of the close, unchanged; then its entry is recorded too.',
    header: 'Heading of the session, in place of `pending`.',
  },
  SessionDistribution: {
    Applied: 'Whether anything was done; false where it was before.',
    Distributed: 'Heading of the session.',
    At: 'When it was distributed first, ISO 8601 in UTC.',
    By: 'Who distributed it first.',
    ...distributedText,
  },
  SessionWouldDistribute: {
    Applied: 'Always false: nothing was written.',
    WouldDistribute: 'Heading of the session.',
    Blocked: 'Entries of Intel that stop it, all of them.',
    ...distributedText,
  },
  SessionDistributeBody: { header: 'Heading of the session.' },
  TransfersApplied: { Applied: 'Whether anything was done; false where it was before.', ...movedText },
  TransfersWouldApply: {
    Applied: 'Always false: nothing was written.',
    Blocked: 'Transfers that stop all of them.',
    ...movedText,
  },
  TransfersBody: {
    header: 'Heading of the session whose Transfers to apply; sent without other fields.',
    transfers: 'Transfers of money that no session states.',
    day: 'Day on which they count, `YYYY-MM-DD`.',
    reason: 'Why the money moves, one line.',
    id: 'Key of the list, at most 100 letters, digits and hyphens; without it made of what the list says.',
  },
  'TransfersBody.transfers': {
    amount: 'Pieces of the denomination, a whole number.',
    denomination: 'Name of the denomination, in any form.',
    source: 'Name of who pays.',
    destination: 'Name of who receives.',
  },
  SessionCloseBody: {
    header: 'Heading of the session.',
    note: 'Remark for the row of the close ledger; null or absent for none.',
  },
}
