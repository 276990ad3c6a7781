import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  type Actor,
  after,
  end,
  type KernelEffect,
  type Perform,
  ready,
  reply,
  type Step,
} from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import { backoffMs } from '#src/kernel/supervision/restart-policy.js'

/** What the index has after a change. */
export const IndexReading = t.type({ stamp: t.string, logs: t.number, lines: t.number }, 'IndexReading')
export type IndexReading = t.TypeOf<typeof IndexReading>

/** How a rebuild ended: what the new index has, or why there is none. */
export type RebuildOutcome =
  | { readonly _tag: 'Rebuilt'; readonly reading: IndexReading }
  | { readonly _tag: 'NotRebuilt'; readonly reason: string }

/** The snapshot has another archive, other sessions or other lemmas. */
const Changed = t.type({ _tag: t.literal('Changed') })
/** The thread has opened the saved index; `reading` is null where it begins with none. */
const Opened = t.type({
  _tag: t.literal('Opened'),
  thread: t.number,
  reading: t.union([IndexReading, t.null]),
  trouble: t.union([t.string, t.null]),
  hasContent: t.boolean,
})
/** The index of the thread has what the snapshot had when it was fed. */
const Fed = t.type({ _tag: t.literal('Fed'), thread: t.number, reading: IndexReading, isWorn: t.boolean })
/** The transcripts could not be read. */
const FeedFailed = t.type({ _tag: t.literal('FeedFailed'), thread: t.number, reason: t.string })
/** The thread ended that was not stopped. */
const Ended = t.type({ _tag: t.literal('Ended'), thread: t.number, reason: t.string })
/** Asks for an index from nothing; answered once it has replaced the old one. */
const Rebuild = t.type({ _tag: t.literal('Rebuild'), replyTo: replyTo<RebuildOutcome>() })
/** To self: it is time to start a thread, or to feed it again. */
const StartDue = t.type({ _tag: t.literal('StartDue') })
const FeedDue = t.type({ _tag: t.literal('FeedDue') })
const Drain = t.type({ _tag: t.literal('Drain') })
const Closed = t.type({ _tag: t.literal('Closed') })

export const TranscriptIndexMessage = t.union(
  [Changed, Opened, Fed, FeedFailed, Ended, Rebuild, StartDue, FeedDue, Drain, Closed],
  'TranscriptIndexMessage',
)
export type TranscriptIndexMessage = t.TypeOf<typeof TranscriptIndexMessage>

export interface TranscriptIndexPorts {
  /** Ends the thread of the previous incarnation. */
  readonly reset: () => void
  /** Starts a thread that opens the saved index; `Opened` or `Ended` follows. */
  readonly start: (thread: number) => void
  /** Sends the thread what changed, or all for an index from nothing; `Fed`, `FeedFailed` or `Ended` follows. */
  readonly feed: (thread: number, isFresh: boolean) => void
  /** Shows what answers; null: nothing does. */
  readonly publish: (reading: IndexReading | null) => void
  readonly note: (during: 'opening' | 'reading' | 'serving', reason: string) => void
  readonly close: () => void
}

/**
 * The transcript index owns the thread that has the index of transcripts, and feeds it after each publication. What
 * answers is always an index that was complete once; while another one is built from nothing, the old one answers. It
 * recovers from the saved index, and where that is damaged from the committed archive.
 */
export const transcriptIndex: Actor<State, Message, Effect, TranscriptIndexPorts> = {
  name: 'transcript-index',
  codec: TranscriptIndexMessage,
  mailboxMax: 256,
  initial: () => [
    { ...openState, thread: 1 },
    [{ _tag: 'Reset' }, { _tag: 'Publish', reading: null }, { _tag: 'Start', thread: 1 }, ready],
  ],
  receive: (state, message, { chance }) => receive(state, message, chance),
  perform: ports => perform(ports),
  drain: { _tag: 'Drain' },
}

type Message = TranscriptIndexMessage

interface OpenState {
  readonly _tag: 'Open'
  /** The number of the running thread, or of the last one. */
  readonly thread: number
  readonly isRunning: boolean
  readonly isOpened: boolean
  readonly hasContent: boolean
  readonly feeding: null | 'changes' | 'fresh'
  /** What has to be fed after the current feed. */
  readonly wants: null | 'changes' | 'fresh'
  /** Whether an index answers. */
  readonly isLive: boolean
  /** Threads or feeds in a row that failed. */
  readonly streak: number
  readonly asked: ReadonlyArray<ReplyTo<RebuildOutcome>>
  /** Those whose rebuild is under way. */
  readonly served: ReadonlyArray<ReplyTo<RebuildOutcome>>
}

type State = OpenState | { readonly _tag: 'Closing' }

type Effect =
  | { readonly _tag: 'Reset' | 'Close' }
  | { readonly _tag: 'Start'; readonly thread: number }
  | { readonly _tag: 'Feed'; readonly thread: number; readonly isFresh: boolean }
  | { readonly _tag: 'Publish'; readonly reading: IndexReading | null }
  | { readonly _tag: 'Note'; readonly during: 'opening' | 'reading' | 'serving'; readonly reason: string }

type Effects = ReadonlyArray<Effect | KernelEffect<Message>>
type Move = readonly [OpenState, Effects]
type Of<Tag extends Message['_tag']> = Extract<Message, { readonly _tag: Tag }>

const openState: OpenState = {
  _tag: 'Open',
  thread: 0,
  isRunning: true,
  isOpened: false,
  hasContent: false,
  feeding: null,
  wants: null,
  isLive: false,
  streak: 0,
  asked: [],
  served: [],
}

/** Feeds the thread where it is open, idle, and something is wanted. */
const feedIfWanted = (state: OpenState): Move => {
  const { isOpened, feeding, hasContent, wants, thread } = state
  if (!isOpened || feeding !== null || !hasContent || wants === null) return [state, []]
  const isFresh = wants === 'fresh' || !state.isLive
  return [
    {
      ...state,
      feeding: isFresh ? 'fresh' : 'changes',
      wants: null,
      asked: isFresh ? [] : state.asked,
      served: isFresh ? [...state.served, ...state.asked] : state.served,
    },
    [{ _tag: 'Feed', thread, isFresh }],
  ]
}

const then = ([state, effects]: Move, step: (state: OpenState) => Move): Move => {
  const [next, more] = step(state)
  return [next, [...effects, ...more]]
}

const onOpened = (state: OpenState, { thread, reading, trouble, hasContent }: Of<'Opened'>): Move => {
  if (thread !== state.thread) return [state, []]
  const opened: OpenState = {
    ...state,
    isOpened: true,
    hasContent: state.hasContent || hasContent,
    isLive: reading !== null,
    wants: state.wants ?? 'changes',
  }
  const effects: Effects = [
    ...(trouble === null ? [] : [{ _tag: 'Note', during: 'opening', reason: trouble } as const]),
    { _tag: 'Publish', reading },
  ]
  return then([opened, effects], feedIfWanted)
}

const onFed = (state: OpenState, { thread, reading, isWorn }: Of<'Fed'>): Move => {
  if (thread !== state.thread) return [state, []]
  const replies = state.served.map(asker => reply(asker, { _tag: 'Rebuilt', reading }))
  const wants = isWorn ? 'fresh' : state.wants
  const fed: OpenState = { ...state, feeding: null, wants, isLive: true, streak: 0, served: [] }
  return then([fed, [{ _tag: 'Publish', reading }, ...replies]], feedIfWanted)
}

const giveUp = (state: OpenState, reason: string): Move => [
  { ...state, served: [] },
  state.served.map(asker => reply(asker, { _tag: 'NotRebuilt', reason })),
]

/** The feed is tried again after a pause; one from nothing begins anew. */
const onFeedFailed = (state: OpenState, { thread, reason }: Of<'FeedFailed'>, chance: number): Move => {
  if (thread !== state.thread || state.feeding === null) return [state, []]
  const wants = state.feeding === 'fresh' ? 'fresh' : (state.wants ?? 'changes')
  const waiting: OpenState = { ...state, feeding: null, wants, streak: state.streak + 1 }
  return then(
    [
      waiting,
      [
        { _tag: 'Note', during: 'reading', reason },
        after('feed', backoffMs(state.streak, chance), { _tag: 'FeedDue' }),
      ],
    ],
    held => giveUp(held, reason),
  )
}

const onEnded = (state: OpenState, { thread, reason }: Of<'Ended'>, chance: number): Move => {
  if (thread !== state.thread) return [state, []]
  const wants = state.feeding ?? state.wants
  const lost: OpenState = {
    ...state,
    isRunning: false,
    isOpened: false,
    isLive: false,
    feeding: null,
    wants,
    streak: state.streak + 1,
  }
  return then(
    [
      lost,
      [
        { _tag: 'Note', during: 'serving', reason },
        { _tag: 'Publish', reading: null },
        after('start', backoffMs(state.streak, chance), { _tag: 'StartDue' }),
      ],
    ],
    held => giveUp(held, reason),
  )
}

const onStartDue = (state: OpenState): Move => {
  if (state.isRunning) return [state, []]
  const thread = state.thread + 1
  return [{ ...state, thread, isRunning: true }, [{ _tag: 'Start', thread }]]
}

const onOpen = (
  state: OpenState,
  message: Exclude<Message, { readonly _tag: 'Drain' | 'Closed' }>,
  chance: number,
): Move => {
  switch (message._tag) {
    case 'Changed':
      return feedIfWanted({ ...state, hasContent: true, wants: state.wants ?? 'changes' })
    case 'Opened':
      return onOpened(state, message)
    case 'Fed':
      return onFed(state, message)
    case 'FeedFailed':
      return onFeedFailed(state, message, chance)
    case 'Ended':
      return onEnded(state, message, chance)
    case 'Rebuild':
      return feedIfWanted({ ...state, wants: 'fresh', asked: [...state.asked, message.replyTo] })
    case 'FeedDue':
      return feedIfWanted(state)
    case 'StartDue':
      return onStartDue(state)
    default:
      return absurd(message)
  }
}

const receive = (state: State, message: Message, chance: number): Step<State, Effect, Message> => {
  if (state._tag === 'Closing') return [state, message._tag === 'Closed' ? [end] : []]
  if (message._tag === 'Closed') return [state, []]
  if (message._tag !== 'Drain') return onOpen(state, message, chance)
  const stopped: RebuildOutcome = { _tag: 'NotRebuilt', reason: 'the host is stopping' }
  const replies = [...state.asked, ...state.served].map(asker => reply(asker, stopped))
  return [{ _tag: 'Closing' }, [...replies, { _tag: 'Close' }]]
}

const perform =
  (ports: TranscriptIndexPorts): Perform<Effect, Message> =>
  (effect, signal) => {
    if (!signal.aborted) carryOut(ports, effect)
    return Promise.resolve(effect._tag === 'Close' && !signal.aborted ? [{ _tag: 'Closed' }] : [])
  }

const carryOut = (ports: TranscriptIndexPorts, effect: Effect): void => {
  switch (effect._tag) {
    case 'Reset':
      return ports.reset()
    case 'Start':
      return ports.start(effect.thread)
    case 'Feed':
      return ports.feed(effect.thread, effect.isFresh)
    case 'Publish':
      return ports.publish(effect.reading)
    case 'Note':
      return ports.note(effect.during, effect.reason)
    case 'Close':
      return ports.close()
    default:
      return absurd(effect)
  }
}
