import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import { Delivery, type deliveryRoutes } from '#protocol/chat/delivery.js'
import { dispatchKinds, type dispatchRoutes } from '#protocol/chat/dispatch.js'
import type { SendChatMessage } from '#protocol/chat/platform.js'
import type { sessionsByChatRoutes } from '#protocol/chat/workflows.js'
import type { reminderRoutes } from '#protocol/enactments/reminder.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { findMessageFault } from '#src/domain/chat/attempts.js'
import { answerQuery } from '#src/domain/dispatch/answer-query.js'
import type { DispatchRefusal, DispatchRules } from '#src/domain/dispatch/check-dispatch.js'
import { describeDispatchRefusal } from '#src/domain/dispatch/descriptions.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { accountRefused } from '#src/domain/identity/player-refusals.js'
import { valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import { channelNameCharsMax, chatReference } from '#src/domain/people/roster.js'
import { actorOf } from '#src/http/checks/arrival.js'
import type { Handlers, Rendered } from '#src/http/routing/handler.js'
import type { AddressedMessage } from '#src/ports/chat.js'
import type { Host } from '#src/ports/host.js'
import type { DeliveryRecord } from '#src/ports/records.js'
import { queryGroundAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { targetNamed } from '#src/writing/entities/entity-change.js'

/** Messages to the chat (A 4.9). */
export const deliveryHandlers: Handlers<typeof deliveryRoutes, Pick<Host, 'delivery'>> = {
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

/** Reminders of open sessions: a host that sends no messages makes none, so that none is on record and never sent. */
export const reminderHandlers: Handlers<typeof reminderRoutes, Pick<Host, 'delivery'>> = {
  'workflows.closeReminder': ({ node: { delivery }, dryRun }) => {
    const whyNot = dryRun ? null : delivery.whyNot()
    return whyNot === null ? right({ prepared: null }) : left(refuse('chat_disabled', whyNot))
  },
}

/** Interactions that the worker of the chat forwards (A 4.9). */
export const dispatchHandlers: Handlers<typeof dispatchRoutes, Pick<Host, 'interactions'>> = {
  'chat.dispatch.add': async ({ node: { interactions }, body: wanted, gate, snapshot, dryRun, nowMs }) => {
    const findClosedArm = (): string | null => (snapshot === null ? 'Starting' : (gate()?._tag ?? null))
    const decided = await interactions.receive({ wanted, nowMs, dryRun, findClosedArm })
    if (isLeft(decided)) {
      const refusal = decided.left
      if (refusal._tag === 'DiskRefused') return left(refusal)
      return left(refusalOf(refusal, interactions.rules, nowMs))
    }
    const { kind, duplicate } = decided.right
    const { interactionId } = wanted
    const daemonEpochMs = Math.trunc(nowMs)
    return right({ body: { accepted: true, kind, interactionId, duplicate, daemonEpochMs } })
  },
}

/** Queries of linked persons, which the dispatch answers too (A 4.9). */
export const byChatHandlers: Handlers<Pick<typeof sessionsByChatRoutes, 'workflows.queryByChat'>> = {
  'workflows.queryByChat': ({ body: { chatId, intent }, caller, snapshot }) => {
    const refused = accountRefused(snapshot, caller, chatId)
    if (refused !== null) return left(refused)
    return map((text: string) => ({ body: { chatId, intent, text } }))(
      answerQuery(queryGroundAt(snapshot), { chatId, intent }),
    )
  },
}

type Address = Omit<AddressedMessage, 'text'>
type Refused = RefusalOf<'BodyInvalid' | 'EntityNotFound' | 'AmbiguousName' | 'ChatAddressMissing'>

const invalid = (path: string, expected: string, detail: string): Either<Refused, never> =>
  left(bodyInvalid(detail, { path, expected }))

const refuseAddress = (entity: string, declined: boolean): Either<Refused, never> =>
  left(
    refuse(
      'ChatAddressMissing',
      declined
        ? `"${entity}" has declined messages: its @chat is BRAK. Send the message to another channel.`
        : `"${entity}" has no @chat of the form category/channel today. Add one, or name the channel.`,
      { entity, declined },
    ),
  )

/** The channel of an entity today. A channel in any row wins over a refusal in another (A 4.6.3). */
const channelOf = ({ name, rows }: Entity, { day }: Snapshot): Either<Refused, Address> => {
  const references = valuesOn(rows, 'chat', day).map(chatReference)
  const [first] = references.flatMap(one => (one._tag === 'Channel' ? [one] : []))
  return first === undefined
    ? refuseAddress(
        name,
        references.some(one => one._tag === 'Declined'),
      )
    : right({ category: first.category, channel: first.channel, entity: name })
}

const channelOfEntity = (snapshot: Snapshot, name: string): Either<Refused, Address> => {
  const found = targetNamed(snapshot.entities, name)
  return isLeft(found) ? found : channelOf(found.right, snapshot)
}

const addressOf = (
  snapshot: Snapshot,
  { category, channel, entity }: SendChatMessage,
): Either<Refused, Address> => {
  const isChannelNamed = category !== undefined || channel !== undefined
  if (isChannelNamed === (entity !== undefined))
    return invalid(
      '$',
      '`category` and `channel`, or `entity`',
      'The body has both a channel and an entity, or neither. Send `category` and `channel`, or `entity`.',
    )
  if (entity !== undefined) return channelOfEntity(snapshot, entity)
  const [named, of] = [channel?.trim() ?? '', category?.trim() ?? '']
  if (of === '')
    return invalid('$.category', 'the name of a category', 'Send the category of the channel as `category`.')
  if (named === '')
    return invalid('$.channel', 'the name of a channel', 'Send the name of the channel as `channel`.')
  if (Math.max(named.length, of.length) > channelNameCharsMax)
    return invalid(
      named.length > of.length ? '$.channel' : '$.category',
      `a name of at most ${channelNameCharsMax} characters`,
      `The name has more than ${channelNameCharsMax} characters, which no channel of the platform has. Correct it.`,
    )
  return right({ category: of, channel: named, entity: null })
}

const messageFaults = {
  missing: 'The message is missing or blank. Send its text as `message`.',
  too_long: 'The message has more than 2,000 characters, which the platform refuses. Send a shorter one.',
  lost: 'The message has U+FFFD in place of characters that were lost. Send its text in UTF-8.',
} as const

/** Finds the channel of a message, from the body of a request alone and the lore; refuses a text of no length. */
const addressMessage = (snapshot: Snapshot, body: SendChatMessage): Either<Refused, AddressedMessage> => {
  const { message: text = '' } = body
  const fault = findMessageFault(text)
  if (fault !== null)
    return invalid('$.message', 'a text of 1 to 2,000 characters, without U+FFFD', messageFaults[fault])
  const address = addressOf(snapshot, body)
  return isLeft(address) ? address : right({ ...address.right, text })
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

type DispatchRefused = RefusalOf<(typeof dispatchRoutes)['chat.dispatch.add']['refusals'][number]>

const refusalOf = (refusal: DispatchRefusal, rules: DispatchRules, nowMs: number): DispatchRefused => {
  const detail = describeDispatchRefusal(refusal, rules)
  const daemonEpochMs = Math.trunc(nowMs)
  const kinds = dispatchKinds
  switch (refusal._tag) {
    case 'Undispatchable': {
      const { reading } = refusal
      const missing = reading._tag === 'VarsMissing' ? reading.missing : []
      return refuse('not_dispatchable', detail, { kinds, missing })
    }
    case 'EnactorAbsent':
      return refuse('not_dispatchable', detail, { kinds, missing: [] })
    case 'Stale': {
      const { ageMs } = refusal
      return refuse('dispatch_stale', detail, { ageMs, windowMs: rules.windowMs, daemonEpochMs })
    }
    case 'Late': {
      const { ageMs } = refusal
      return refuse('too_late_for_report', detail, {
        ageMs,
        nearDeadlineMs: rules.nearDeadlineMs,
        daemonEpochMs,
      })
    }
    case 'Gated':
      return refuse('daemon_write_gated', detail, { arm: refusal.arm })
    case 'Full':
      return refuse('Overloaded', detail)
  }
}
