import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import {
  Delivery,
  type DeliveryOperation,
  type DeliveryStatus,
  type deliveryRoutes,
} from '#protocol/chat/delivery.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { actorOf } from '#src/http/checks/origin.js'
import type { Handlers, Rendered } from '#src/http/routing/handler.js'
import type { DeliveryRecord } from '#src/ports/records.js'
import type { WriteActor } from '#src/writing/command.js'
import { type AddressedMessage, addressMessage } from './address.js'

export type SendRefusal = RefusalOf<'ChannelNotFound' | 'ChannelAmbiguous' | 'Overloaded' | 'DiskRefused'>

export interface DeliveryDeps {
  readonly delivery: {
    /** Why this host sends no messages, and what to do; null where it does. */
    readonly whyNot: () => string | null
    /** Puts a message into the outbox, and waits at most 10 s for its end. */
    readonly send: (
      message: AddressedMessage,
      actor: WriteActor,
    ) => Promise<Either<SendRefusal, DeliveryStatus>>
    /** The newest messages first, of one operation or of all. */
    readonly list: (
      operation: DeliveryOperation | null,
      limit: number,
      nowMs: number,
    ) => ReadonlyArray<DeliveryRecord>
  }
}

const listedMax = 500

const results = { queued: 'QUEUED', sent: 'SENT', refused: 'REFUSED', unknown: 'UNKNOWN' } as const

/** Written out, because spreads of so many fields take longer than everything else. */
const deliveryOf = (record: DeliveryRecord, nowMs: number): Delivery => {
  const { status, queuedMs, endedMs } = record
  return {
    id: record.id,
    operation: record.operation,
    status,
    category: record.category,
    channel: record.channel,
    entity: record.entity,
    attempts: record.attempts,
    queuedUtc: instantOf(queuedMs),
    nextUtc: status === 'queued' ? instantOf(record.dueMs) : null,
    endedUtc: endedMs === null ? null : instantOf(endedMs),
    waitSeconds: Math.max(0, Math.round(((endedMs ?? nowMs) - queuedMs) / 1_000)),
    code: record.code,
    detail: record.detail,
    messageId: record.messageId,
  }
}

const itemText = (record: DeliveryRecord, nowMs: number): string =>
  JSON.stringify(Delivery.encode(deliveryOf(record, nowMs)))

/** The item of a message that has ended, which no later time changes. */
const endedText = perValue((record: DeliveryRecord) => itemText(record, record.endedMs ?? 0))

const pageOf = (items: ReadonlyArray<string>): Rendered<never> => ({
  _tag: 'Rendered',
  bytes: Buffer.from(`{"count":${items.length},"items":[${items.join(',')}]}`, 'utf8'),
})

/** A page of messages that have ended is the same at any time. */
const endedPage = perValue((records: ReadonlyArray<DeliveryRecord>) => pageOf(records.map(endedText)))

/** Renders a page by itself, because most of its items are those of the last page. */
const renderPage = (records: ReadonlyArray<DeliveryRecord>, nowMs: number): Rendered<never> =>
  records.every(({ endedMs }) => endedMs !== null)
    ? endedPage(records)
    : pageOf(records.map(record => (record.endedMs === null ? itemText(record, nowMs) : endedText(record))))

/** Messages to the chat (A 4.9). */
export const deliveryHandlers: Handlers<typeof deliveryRoutes, DeliveryDeps> = {
  'chat.send': async ({ node: { delivery }, body, caller, dryRun, snapshot }) => {
    const addressed = addressMessage(snapshot, body)
    if (isLeft(addressed)) return addressed
    const { entity: Entity, text: Message } = addressed.right
    if (dryRun) return right({ body: { Delivered: false, Result: 'WHATIF', Entity, Message } })
    const whyNot = delivery.whyNot()
    if (whyNot !== null) return left(refuse('chat_disabled', whyNot))
    const sent = await delivery.send(addressed.right, actorOf(caller))
    if (isLeft(sent)) return sent
    return right({
      body: { Delivered: sent.right === 'sent', Result: results[sent.right], Entity, Message },
    })
  },
  'chat.deliveries.list': ({ node: { delivery }, query, nowMs }) => {
    const records = delivery.list(query.operation ?? null, listedMax, nowMs)
    return right({ body: renderPage(records, nowMs) })
  },
}
