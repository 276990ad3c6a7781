import { deliveryOperations, type NoticeLabel } from '#protocol/chat/platform.js'
import type { Config } from '#protocol/config.js'
import { nonceOf } from '#src/domain/chat/attempts.js'
import { chatReference } from '#src/domain/people/roster.js'
import type { Log } from '../records/log.js'
import type { NodeDelivery } from './node-delivery.js'

export interface NoticeSetup {
  readonly config: Config
  readonly delivery: Pick<NodeDelivery, 'outbox' | 'whyNot'>
  /** Whether this host does the work of the fleet now. */
  readonly hasDuty: () => boolean
  readonly log: Pick<Log, 'warn'>
}

/**
 * Posts a notice; `sameBy` is what makes it one with the notice of another host. A text that is null is not posted.
 */
export type PostNotice = (
  label: NoticeLabel,
  sameBy: ReadonlyArray<string>,
  text: () => string | Promise<string | null>,
) => Promise<void>

/**
 * Posts a notice to the channel of its key. Without a channel, without the duty, or where this host sends no messages,
 * nothing is made, sent or recorded. Never rejects: a notice that cannot be queued is logged.
 */
export const noticePost =
  ({ config, delivery, hasDuty, log }: NoticeSetup): PostNotice =>
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
