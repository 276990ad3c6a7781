import { randomUUID } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { ChatSenderMessage, ChatSenderPorts } from '#actors/chat/chat-sender.js'
import type { EndedConverge, Incoming } from '#actors/repository-sync/state.js'
import { nfc, Snowflake } from '#protocol/atoms.js'
import type { DeliveryStatus } from '#protocol/chat/delivery.js'
import { type ChatFailure, deliveryOperations, type NoticeLabel } from '#protocol/chat/platform.js'
import type { Config } from '#protocol/host/config.js'
import { isConverged } from '#protocol/host/sync.js'
import { refuse } from '#protocol/refusal.js'
import { keepFetched } from '#src/adapters/outbound/fetch-text.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import {
  type AttemptVerdict,
  describeConverge,
  type FoundChannel,
  findChannel,
  judgeAttempt,
  nonceOf,
  type SendOutcome,
  whyNotAttempted,
} from '#src/domain/chat/attempts.js'
import { noGuild } from '#src/domain/chat/failures.js'
import {
  describeTakeoverEnd,
  describeTownNotice,
  type EndedTakeover,
  seenTownOf,
  type TownWatch,
  watchTowns,
} from '#src/domain/fleet/monitor.js'
import { chatReference } from '#src/domain/people/roster.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import type { ChatPort, Deliveries } from '#src/ports/chat.js'
import type {
  Audit,
  ChannelName,
  DeliveryRecord,
  DeliveryStore,
  Meter,
  NewDelivery,
} from '#src/ports/records.js'
import type { PeerTable } from '../fleet/peers.js'
import type { Secrets } from '../identity/secrets.js'
import type { Log } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'
import { orDiskRefused } from '../start/environment.js'
import type { ActorRefs } from '../tree/refs.js'
import { chatOf, openWakeSignal, type WakeSignal, whyNoMessages } from './chat.js'

/** The ports of the chat sender: the outbox, and the attempts through the courier. */
export const chatSenderPorts = (setup: SenderSources): ChatSenderPorts => {
  const { store, log, nowMs, wakeSignal, tell } = setup
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
      wakeSignal.clear()
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

/** A message for the outbox; without a nonce that of its row. */
export type OutboxMessage = Omit<NewDelivery, 'id' | 'nonce'> & { readonly nonce?: string }

/** Puts messages into the outbox. A call throws where the disk refuses. */
export interface DeliveryOutbox {
  /** Queues a message; returns its id, or null where the outbox is full. */
  readonly post: (message: OutboxMessage) => string | null
  /** Returns the status of a message as soon as it has ended, or `queued` after `waitMs`. */
  readonly awaitEnd: (id: string, waitMs: number) => Promise<DeliveryStatus>
}

/** `wake` has the sender look at the outbox. */
export const openOutbox = (
  store: Pick<DeliveryStore, 'enqueue'>,
  sender: Ref<ChatSenderMessage>,
  nowMs: () => number,
  wake: () => void,
): DeliveryOutbox => ({
  post: ({ category, channel, nonce, ...message }) => {
    const id = randomUUID()
    const names = { category: nfc(category), channel: nfc(channel) }
    if (!store.enqueue({ ...message, ...names, id, nonce: nonce ?? nonceOf(id) }, nowMs())) return null
    wake()
    return id
  },
  awaitEnd: async (id, waitMs) => {
    const answer = await ask<ChatSenderMessage, DeliveryStatus>(
      sender,
      replyTo => ({ _tag: 'Await', id, replyTo }),
      waitMs,
    )
    return isLeft(answer) ? 'queued' : answer.right
  },
})

export interface DeliveriesSources extends Pick<NodeDelivery, 'whyNot' | 'channels' | 'outbox'> {
  readonly store: Pick<DeliveryStore, 'list'>
  readonly audit: Audit
  readonly clock: Pick<KernelClock, 'monotonicMs' | 'after'>
}

/**
 * Sends the messages of callers. The channel is found first, so that a wrong name is refused; where the platform
 * cannot be asked, the message is queued, and the sender finds the channel.
 */
export const openDeliveries = (setup: DeliveriesSources): Deliveries => {
  const { whyNot, channels, outbox, store, audit, clock } = setup
  return {
    whyNot: () => whyNot?.detail ?? null,
    send: async ({ category, channel, entity, text }, actor) => {
      const beganMs = clock.monotonicMs()
      const looked = await findInTime(channels, { category, channel }, clock)
      const found = looked === null || isLeft(looked) ? null : looked.right
      const name = `${category}/${channel}`
      if (found?._tag === 'Missing')
        return left(
          refuse(
            'ChannelNotFound',
            `The guild has no channel "${name}" that the bot sees. Correct the name.`,
            {
              category,
              channel,
            },
          ),
        )
      if (found?._tag === 'Several') {
        const { count } = found
        const detail = `The guild has ${count} channels "${name}". Rename all but one.`
        return left(refuse('ChannelAmbiguous', detail, { category, channel, count }))
      }
      const posted = orDiskRefused('The message', () =>
        outbox.post({ operation: 'message', category, channel, entity, text }),
      )
      if (isLeft(posted)) return posted
      const id = posted.right
      if (id === null)
        return left(refuse('Overloaded', '10,000 messages wait to be sent. Try again when some have ended.'))
      audit({ action: 'chat.send', actor: actor.name, id, channel: name })
      const leftMs = waitMs - (clock.monotonicMs() - beganMs)
      return right(await outbox.awaitEnd(id, Math.max(1, leftMs)))
    },
    list: store.list,
  }
}

/** The parts of delivery that the rows, the notices and the sender share. */
export interface NodeDelivery {
  readonly chat: ChatPort
  readonly channels: GuildChannels
  readonly outbox: DeliveryOutbox
  readonly wakeSignal: WakeSignal
  /** Has the sender look at the outbox. */
  readonly wake: () => void
  /** Why this host can send no messages; null where it can. */
  readonly whyNot: ChatFailure | null
}

/** Opens the parts of delivery; makes no call. */
export const nodeDelivery = ({ config, secrets, checkout, refs }: Sources): NodeDelivery => {
  const chat = chatOf(config, secrets, refs.chat)
  const wakeSignal = openWakeSignal()
  const wake = (): void =>
    wakeSignal.raise(() => {
      void tellWhenRoom(refs.outbox, { _tag: 'Wake' }, realClock)
      return true
    })
  return {
    chat,
    channels: guildChannelsOf(config, chat, realClock.monotonicMs),
    outbox: openOutbox(checkout.runtime.deliveries, refs.outbox, realClock.nowMs, wake),
    wakeSignal,
    wake,
    whyNot: whyNoMessages(config, secrets),
  }
}

export interface NodeNoticesSources extends NoticeSources {
  readonly peers: Pick<PeerTable, 'records' | 'isIsolated'>
  readonly monotonicMs: () => number
  /** The name of the author of each commit that came in, by the id of the commit. */
  readonly authorsOf: (range: Incoming, signal: AbortSignal) => Promise<ReadonlyMap<string, string>>
}

/** What this host tells the chat by itself. No function of it rejects or throws. */
export interface NodeNotices {
  /** Compares the other towns with what was reported. */
  readonly onProbed: () => Promise<void>
  readonly onTakeoverEnded: (ended: EndedTakeover) => Promise<void>
  readonly onConverged: (ended: EndedConverge, signal: AbortSignal) => Promise<void>
}

/** The notices of this host. The duty and the channels are looked up for each. */
export const nodeNotices = (setup: NodeNoticesSources): NodeNotices => {
  const { config, hasDuty, peers, monotonicMs, authorsOf } = setup
  const post = noticePost(setup)
  const afterSweeps = config['fleet.auto_failover.after_sweeps']
  let watch: TownWatch = null
  return {
    onProbed: async () => {
      const sweeps = peers.isIsolated() ? Number.POSITIVE_INFINITY : afterSweeps
      const seen = new Map([...peers.records()].map(([town, record]) => [town, seenTownOf(record, sweeps)]))
      const looked = watchTowns(watch, seen, hasDuty(), monotonicMs())
      watch = looked.watch
      for (const notice of looked.notices)
        await post('peer-watch', [notice.kind, notice.town, notice.bootId ?? ''], () =>
          describeTownNotice(notice),
        )
    },
    onTakeoverEnded: async ended => {
      const { town, term, failure } = ended
      await post('peer-watch', ['takeover', town, String(term), failure ?? ''], () =>
        describeTakeoverEnd(ended),
      )
    },
    onConverged: async ({ action, head, run }, signal) => {
      if (!config['integrations.chat.converge_announce.enabled']) return
      if (!isConverged(action) || run.incoming.length === 0) return
      await post('converge-announce', [head ?? ''], async () => {
        const brought = await Promise.all(run.incoming.map(range => authorsOf(range, signal)))
        const authors = [...new Map(brought.flatMap(one => [...one])).values()]
        if (authors.length === 0) return null
        const authorsMax = config['integrations.chat.converge_announce.max_authors']
        return describeConverge({ commits: authors.length, authors }, authorsMax)
      })
    },
  }
}

/** The channels of the guild, kept for `integrations.chat.channel_cache_ttl_min`. */
export const guildChannelsOf = (
  config: Config,
  chat: Pick<ChatPort, 'guildChannels'>,
  monotonicMs: () => number,
): GuildChannels => {
  const guildId = Snowflake.decode(config['integrations.chat.guild_id'])
  if (isLeft(guildId)) return { find: () => Promise.resolve(left(noGuild)), forget: () => undefined }
  const channels = keepFetched({
    fetch: () => chat.guildChannels(guildId.right),
    ttlMs: config['integrations.chat.channel_cache_ttl_min'] * 60_000,
    monotonicMs,
  })
  return {
    find: async name => {
      const read = await channels.read(known => findChannel(known, name)._tag !== 'Missing')
      return isLeft(read) ? read : right(findChannel(read.right, name))
    },
    forget: channels.forget,
  }
}

interface SenderSources {
  readonly store: DeliveryStore
  readonly chat: Pick<ChatPort, 'createMessage'>
  readonly channels: GuildChannels
  readonly meter: Pick<Meter, 'count'>
  readonly log: Pick<Log, 'warn'>
  /** Wall time. */
  readonly nowMs: () => number
  /** Silenced when the sender looks at the outbox. */
  readonly wakeSignal: Pick<WakeSignal, 'clear'>
  /** Tells the sender the outcome of an attempt; false where it does not receive it any more. Never rejects. */
  readonly tell: (message: ChatSenderMessage) => Promise<boolean>
}

const statusOf = { Sent: 'sent', Refused: 'refused', Unknown: 'unknown' } as const

/** Where a message goes, as the log names it. */
const nameChannel = ({ category, channel }: DeliveryRecord): string => `${category}/${channel}`

/** Logs the first attempt of a channel that the platform does not answer; the next answer begins anew. */
const openSilenceLog = (log: SenderSources['log']) => {
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
  { chat, channels }: SenderSources,
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
  { store, log, nowMs }: SenderSources,
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
  setup: SenderSources,
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

/** How long a caller waits for the end of a message, and of that for its channel to be found. */
const waitMs = 10_000
const channelWaitMs = 5_000

/** Finds a channel in time; null where the platform does not say, so that the sender finds it later. */
const findInTime = (
  channels: GuildChannels,
  name: Parameters<GuildChannels['find']>[0],
  clock: DeliveriesSources['clock'],
) =>
  new Promise<Awaited<ReturnType<GuildChannels['find']>> | null>(resolve => {
    const cancel = clock.after(channelWaitMs, () => resolve(null))
    void channels.find(name).then(found => {
      cancel()
      resolve(found)
    })
  })

interface NoticeSources {
  readonly config: Config
  readonly delivery: Pick<NodeDelivery, 'outbox' | 'whyNot'>
  /** Whether this host does the work of the fleet now. */
  readonly hasDuty: () => boolean
  readonly log: Pick<Log, 'warn'>
}

/**
 * Posts a notice; `sameBy` is what makes it one with the notice of another host. A text that is null is not posted.
 */
type PostNotice = (
  label: NoticeLabel,
  sameBy: ReadonlyArray<string>,
  text: () => string | Promise<string | null>,
) => Promise<void>

/**
 * Posts a notice to the channel of its key. Without a channel, without the duty, or where this host sends no messages,
 * nothing is made, sent or recorded. Never rejects: a notice that cannot be queued is logged.
 */
const noticePost =
  ({ config, delivery, hasDuty, log }: NoticeSources): PostNotice =>
  async (label, sameBy, text) => {
    const reference = chatReference(config[deliveryOperations[label].channelKey])
    if (reference._tag !== 'Channel' || delivery.whyNot !== null || !hasDuty()) return
    const { category, channel } = reference
    try {
      const nonce = nonceOf(label, ...sameBy)
      const made = await text()
      if (made === null) return
      const message = { operation: label, category, channel, entity: null, text: made, nonce }
      if (delivery.outbox.post(message) === null)
        log.warn('notice_dropped', { label, reason: 'the outbox is full' })
    } catch (error) {
      log.warn('notice_dropped', { label, reason: error instanceof Error ? error.message : String(error) })
    }
  }

interface Sources {
  readonly config: Config
  readonly secrets: Secrets
  readonly checkout: { readonly runtime: Pick<Checkout['runtime'], 'deliveries'> }
  readonly refs: Pick<ActorRefs, 'chat' | 'outbox'>
}

/** The channels of the configured guild by their names. */
interface GuildChannels {
  /** Finds a channel in what is kept; where it is missing, in channels that are fetched once more. */
  readonly find: (name: ChannelName) => Promise<Either<ChatFailure, FoundChannel>>
  /** The next search fetches: a channel that is kept is gone. */
  readonly forget: () => void
}
