import * as t from 'io-ts'
import { actsOnHost, route, type Table } from '#protocol/route.js'
import { ChatId, type CommitId, Snowflake } from '../atoms.js'
import type { Descriptions } from '../description.js'

export const dispatchKinds = ['close', 'report', 'query'] as const
export type DispatchKind = (typeof dispatchKinds)[number]
export const DispatchKind = t.keyof({ close: null, report: null, query: null }, 'DispatchKind')

export const queryIntents = ['status', 'open', 'pu'] as const
export type QueryIntent = (typeof queryIntents)[number]

/** A query of a chat account about its person. */
export const ChatQuery = t.type(
  { chatId: ChatId, intent: t.keyof({ status: null, open: null, pu: null }) },
  'ChatQuery',
)
export type ChatQuery = t.TypeOf<typeof ChatQuery>

/** An id of the platform as one text: no leading zero, so that an id has one spelling. */
export const InteractionId = t.refinement(t.string, (text): boolean => Snowflake.is(text), 'InteractionId')

/** The most bytes of the names and values of `vars` in UTF-8. */
export const dispatchVarsBytesMax = 65_536

const isEpochMs = (u: unknown): u is number =>
  typeof u === 'number' && Number.isInteger(u) && u >= 0 && u <= 2 ** 53

/** Milliseconds since 1970 as a whole number from 0 to 2^53. */
const EpochMs = new t.Type<number, number, unknown>(
  'EpochMs',
  isEpochMs,
  (u, context) => (isEpochMs(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

export type DispatchVars = Readonly<Record<string, string>>

const isVars = (u: unknown): u is DispatchVars => {
  if (!t.UnknownRecord.is(u)) return false
  let bytes = 0
  for (const [name, value] of Object.entries(u)) {
    if (typeof value !== 'string') return false
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  }
  return bytes <= dispatchVarsBytesMax
}

/** A flat record of texts of at most `dispatchVarsBytesMax` bytes. */
export const DispatchVars = new t.Type<DispatchVars, DispatchVars, unknown>(
  'DispatchVars',
  isVars,
  (u, context) => (isVars(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** An interaction as the worker forwards it; without `kind`, `vars` determine it (A 4.9). */
export const DispatchWanted = t.intersection(
  [
    t.type({ interactionId: InteractionId, sentAtEpochMs: EpochMs, vars: DispatchVars }),
    t.partial({ kind: t.string }),
  ],
  'DispatchWanted',
)
export type DispatchWanted = t.TypeOf<typeof DispatchWanted>

const DispatchAccepted = t.type(
  {
    accepted: t.literal(true),
    kind: DispatchKind,
    interactionId: InteractionId,
    duplicate: t.boolean,
    daemonEpochMs: t.number,
  },
  'DispatchAccepted',
)

/** A run of an interaction: only the run that began it can end it. */
export interface DispatchRun {
  readonly id: string
  readonly run: number
}

/** An interaction that runs; `attempt` counts from 1. */
export interface DispatchAttempt extends DispatchRun {
  readonly kind: DispatchKind
  readonly vars: DispatchVars
  readonly attempt: number
  readonly deadlineMs: number
}

/** The end of an interaction: what its sender is told, and for the log why it did not succeed. */
export interface DispatchEnd {
  readonly state: 'enacted' | 'failed' | 'refused'
  readonly reason: string | null
  readonly answer: string | null
}

/** How an attempt ended. A held one did not begin, because the gate is closed or the lore is not read yet. */
export type DispatchOutcome =
  | { readonly _tag: 'Enacted'; readonly answer: string }
  | { readonly _tag: 'Refused'; readonly reason: string; readonly answer: string }
  | { readonly _tag: 'Failed'; readonly reason: string }
  | { readonly _tag: 'Held'; readonly reason: string }

/** The trailer of the commit that is the effect of a close or a report; its value is the interaction id. */
export const interactionTrailer = 'Svc-Interaction'

/** A commit with the values of its trailers `interactionTrailer`, unchecked. */
export interface KeyedCommit {
  readonly commit: CommitId
  readonly keys: ReadonlyArray<string>
}

export const dispatchRoutes = {
  'chat.dispatch.add': route({
    ...actsOnHost,
    method: 'POST',
    path: '/chat/dispatch',
    anyCommit: true,
    summary: 'Records an interaction of the chat, which this host then enacts once and answers in the chat.',
    capability: 'chat.dispatch',
    early: true,
    query: {},
    body: DispatchWanted,
    unknownKeys: 'ignored',
    bodyFault: 'bad_request',
    answers: { 202: DispatchAccepted },
    refusals: [
      'bad_request',
      'not_dispatchable',
      'dispatch_stale',
      'too_late_for_report',
      'daemon_write_gated',
      'Overloaded',
      'DiskRefused',
    ],
    source: 'A 4.9',
    example: {
      body: {
        interactionId: '900100200300400500',
        kind: 'query',
        sentAtEpochMs: 4_102_444_800_000,
        vars: { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '700100200300400500' },
      },
    },
  }),
} as const satisfies Table

/** The metrics of interactions that the worker of the chat forwards. */
export const dispatchMetrics = {
  svc_dispatch_requests_total: {
    kind: 'counter',
    labels: ['kind', 'result'],
    help: 'Interactions received: accepted, duplicate, bad (unreadable), or why not. Kind `none`: it is unknown.',
  },
  svc_dispatch_enactments_total: {
    kind: 'counter',
    labels: ['kind', 'result'],
    help: 'Interactions that ended: enacted, failed or refused.',
  },
  svc_dispatch_queue_items: {
    kind: 'gauge',
    labels: ['kind', 'state'],
    help: 'Interactions that wait, queued or running.',
  },
  svc_dispatch_oldest_item_timestamp_seconds: {
    kind: 'gauge',
    labels: ['kind'],
    help: 'When the oldest interaction that waits was accepted; 0 where none waits.',
  },
  svc_dispatch_receipt_lag_seconds: {
    kind: 'histogram',
    labels: ['kind'],
    help: 'Time from the sending to the receipt; 0 where the clock of the sender is ahead.',
    buckets: [0.1, 0.5, 1, 2, 3, 5, 15, 60],
  },
  svc_dispatch_clock_skew_alerts_total: {
    kind: 'counter',
    labels: [],
    help: 'Interactions from further in the future than `integrations.chat.dispatch.skew_alert_ms`.',
  },
  svc_dispatch_answers_total: {
    kind: 'counter',
    labels: ['kind', 'result'],
    help: 'Answers to interactions: sent, or why they were given up.',
  },
  svc_dispatch_attempts: {
    kind: 'histogram',
    labels: ['kind'],
    help: 'Attempts of an interaction until it ended.',
    buckets: [1, 2, 3],
  },
} as const

const times = {
  ageMs: 'Milliseconds from the sending to the receipt.',
  daemonEpochMs: 'Clock of this host at the receipt, in milliseconds since 1970.',
} as const

export const dispatchDescriptions: Descriptions = {
  ChatQuery: {
    chatId: 'Id of the chat account of the verified interaction.',
    intent: 'What it asks for: its `status`, its `open` sessions as narrator, or its `pu`.',
  },
  DispatchWanted: {
    interactionId: 'Id of the interaction; a host enacts each id once.',
    kind: '`close`, `report` or `query`; without it the variables decide.',
    sentAtEpochMs: 'When the worker sent it, in milliseconds since 1970.',
    vars: 'Variables of the kind, and where the answer goes.',
  },
  DispatchAccepted: {
    accepted: 'Always true.',
    kind: 'Kind of the interaction.',
    interactionId: 'Id of the interaction.',
    duplicate: 'True where the id was accepted before; nothing more is enacted.',
    daemonEpochMs: times.daemonEpochMs,
  },
  'Refusal.not_dispatchable': {
    kinds: 'The three kinds.',
    missing: 'Variables that are missing or unusable; empty where the kind is the reason.',
  },
  'Refusal.dispatch_stale': { ...times, windowMs: 'The most milliseconds that may pass.' },
  'Refusal.too_late_for_report': { ...times, nearDeadlineMs: 'The most milliseconds that may pass.' },
  'Refusal.daemon_write_gated': { arm: 'Arm that closes the write gate.' },
}
