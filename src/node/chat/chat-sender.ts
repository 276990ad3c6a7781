import { isLeft } from 'fp-ts/lib/Either.js'
import type { ChatSenderMessage, ChatSenderPorts } from '#actors/chat-sender.js'
import type { DeliveryStatus } from '#protocol/chat/delivery.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import {
  type AttemptVerdict,
  judgeAttempt,
  type SendOutcome,
  whyNotAttempted,
} from '#src/domain/chat/attempts.js'
import type { ChatPort } from '#src/ports/chat.js'
import type { DeliveryRecord, DeliveryStore, Meter } from '#src/ports/records.js'
import type { Log } from '../records/log.js'
import type { GuildChannels } from './guild-channels.js'
import type { WakeBell } from './wake-bell.js'

export interface ChatSenderSetup {
  readonly store: DeliveryStore
  readonly chat: Pick<ChatPort, 'createMessage'>
  readonly channels: GuildChannels
  readonly meter: Pick<Meter, 'count'>
  readonly log: Pick<Log, 'warn'>
  /** Wall time. */
  readonly nowMs: () => number
  /** Silenced when the sender looks at the outbox. */
  readonly bell: Pick<WakeBell, 'silence'>
  /** Tells the sender the outcome of an attempt; false where it does not receive it any more. Never rejects. */
  readonly tell: (message: ChatSenderMessage) => Promise<boolean>
}

const statusOf = { Sent: 'sent', Refused: 'refused', Unknown: 'unknown' } as const

/** Where a message goes, as the log names it. */
const nameChannel = ({ category, channel }: DeliveryRecord): string => `${category}/${channel}`

/** Logs the first attempt of a channel that the platform does not answer; the next answer begins anew. */
const openSilenceLog = (log: ChatSenderSetup['log']) => {
  const silent = new Set<string>()
  return (record: DeliveryRecord, outcome: SendOutcome): void => {
    const channel = nameChannel(record)
    const failure = outcome._tag === 'Failed' ? outcome.failure : null
    if (failure?._tag !== 'NoAnswer' && failure?._tag !== 'BadAnswer') silent.delete(channel)
    else if (!silent.has(channel)) {
      silent.add(channel)
      log.warn('chat_unanswered', { channel, operation: record.operation, detail: failure.detail })
    }
  }
}

/** Sends a message once. Never rejects unless a port does. */
const sendOnce = async (
  { chat, channels }: ChatSenderSetup,
  { category, channel, text, nonce }: DeliveryRecord,
): Promise<SendOutcome> => {
  const looked = await channels.find({ category, channel })
  if (isLeft(looked)) return { _tag: 'Failed', failure: { ...looked.left, mayBeDone: false } }
  const found = looked.right
  if (found._tag !== 'Found') return { _tag: 'NoChannel', found }
  const sent = await chat.createMessage({ channelId: found.id, content: text, nonce })
  if (!isLeft(sent)) return { _tag: 'Sent', messageId: sent.right }
  if (sent.left.refusal?.status === 404) channels.forget()
  return { _tag: 'Failed', failure: sent.left }
}

/**
 * Records that a message waits, and the hold of its channel or of all messages. A message that a hold stops is due by
 * itself, so that it goes on when the hold ends.
 */
const recordWait = (
  { store, log, nowMs }: ChatSenderSetup,
  record: DeliveryRecord,
  { holds, untilMs, doubtSinceMs, code, detail }: Extract<AttemptVerdict, { readonly _tag: 'Wait' }>,
): DeliveryStatus => {
  const { id, category, channel, operation } = record
  const dueMs = holds === 'message' ? untilMs : nowMs()
  store.defer(id, { dueMs, doubtSinceMs, code, detail })
  if (holds === 'message') return 'queued'
  const held = holds === 'all' ? null : { category, channel }
  store.hold({ channel: held, untilMs, code, detail })
  log.warn('chat_held', { channel: held === null ? null : nameChannel(record), operation, code, detail })
  return 'queued'
}

const recordVerdict = (
  setup: ChatSenderSetup,
  record: DeliveryRecord,
  verdict: AttemptVerdict,
): DeliveryStatus => {
  if (verdict._tag === 'Wait') return recordWait(setup, record, verdict)
  const { store, meter, log, nowMs } = setup
  const { id, operation, category, channel } = record
  const status = statusOf[verdict._tag]
  if (!store.end(id, verdict, nowMs())) return store.find(id)?.status ?? status
  meter.count('svc_chat_deliveries_total', { operation, result: status })
  if (verdict._tag === 'Sent') {
    store.release({ category, channel })
    store.release(null)
  } else
    log.warn('chat_not_delivered', {
      id,
      operation,
      channel: nameChannel(record),
      status,
      detail: verdict.detail,
    })
  return status
}

/** The ports of the chat sender: the outbox, and the attempts through the courier. */
export const chatSenderPorts = (setup: ChatSenderSetup): ChatSenderPorts => {
  const { store, log, nowMs, bell, tell } = setup
  const underWay = new Set<Promise<void>>()
  const logSilence = openSilenceLog(log)
  const record: ChatSenderPorts['record'] = (id, beganMs, outcome) => {
    const delivery = store.find(id)
    if (delivery === null) return 'refused'
    return recordVerdict(setup, delivery, judgeAttempt(delivery, outcome, beganMs, nowMs()))
  }
  const attempt = async (delivery: DeliveryRecord, beganMs: number): Promise<void> => {
    const { id } = delivery
    const outcome = await sendOnce(setup, delivery)
    logSilence(delivery, outcome)
    if (await tell({ _tag: 'Attempted', id, beganMs, outcome })) return
    try {
      record(id, beganMs, outcome)
    } catch (error) {
      log.warn('chat_outcome_unrecorded', { id, reason: String(error) })
    }
  }
  return {
    open: store.releaseAll,
    heads: () => {
      bell.silence()
      return store.heads(nowMs())
    },
    endOf: id => {
      const status = store.find(id)?.status ?? 'refused'
      return status === 'queued' ? null : status
    },
    settle: async () => {
      await Promise.all(underWay)
    },
    attempt: id => {
      const delivery = store.find(id)
      if (delivery === null) return 'refused'
      if (delivery.status !== 'queued') return delivery.status
      const beganMs = nowMs()
      const why = whyNotAttempted(delivery, beganMs)
      if (why !== null) return recordVerdict(setup, delivery, why)
      store.begin(id, beganMs)
      const begun = attempt(delivery, beganMs).finally(() => underWay.delete(begun))
      underWay.add(begun)
      return null
    },
    record,
    diskCodeOf: sqliteCode,
    refused: code => log.warn('chat_disk_refused', { code }),
  }
}
