import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import type { DeliveryDeps } from '#src/http/handlers/chat.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Audit, DeliveryStore } from '#src/ports/records.js'
import { orDiskRefused } from '../start/disk-refusal.js'
import type { GuildChannels } from './guild-channels.js'
import type { NodeDelivery } from './node-delivery.js'

export interface DeliveryDeskSetup extends Pick<NodeDelivery, 'whyNot' | 'channels' | 'outbox'> {
  readonly store: Pick<DeliveryStore, 'list'>
  readonly audit: Audit
  readonly clock: Pick<KernelClock, 'monotonicMs' | 'after'>
}

/** How long a caller waits for the end of a message, and of that for its channel to be found. */
const waitMs = 10_000
const channelWaitMs = 5_000

/** Finds a channel in time; null where the platform does not say, so that the sender finds it later. */
const findInTime = (
  channels: GuildChannels,
  name: Parameters<GuildChannels['find']>[0],
  clock: DeliveryDeskSetup['clock'],
) =>
  new Promise<Awaited<ReturnType<GuildChannels['find']>> | null>(resolve => {
    const cancel = clock.after(channelWaitMs, () => resolve(null))
    void channels.find(name).then(found => {
      cancel()
      resolve(found)
    })
  })

/**
 * Sends the messages of callers. The channel is found first, so that a wrong name is refused; where the platform
 * cannot be asked, the message is queued, and the sender finds the channel.
 */
export const deliveryDesk = (setup: DeliveryDeskSetup): DeliveryDeps['delivery'] => {
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
