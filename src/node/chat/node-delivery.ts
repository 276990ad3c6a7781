import type { ChatFailure } from '#protocol/chat/failure.js'
import type { Config } from '#protocol/config/keys.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { ChatPort } from '#src/ports/chat.js'
import type { Secrets } from '../identity/keys/secrets.js'
import type { Checkout } from '../start/checkout.js'
import type { Doors } from '../tree/doors.js'
import { whyNoMessages } from './chat-courier.js'
import { chatOf } from './chat-port.js'
import { type GuildChannels, guildChannelsOf } from './guild-channels.js'
import { type DeliveryOutbox, openOutbox } from './outbox.js'

/** The parts of delivery that the rows, the notices and the sender share. */
export interface NodeDelivery {
  readonly chat: ChatPort
  readonly channels: GuildChannels
  readonly outbox: DeliveryOutbox
  /** Why this host can send no messages; null where it can. */
  readonly whyNot: ChatFailure | null
}

interface Sources {
  readonly config: Config
  readonly secrets: Secrets
  readonly checkout: { readonly runtime: Pick<Checkout['runtime'], 'deliveries'> }
  readonly doors: Pick<Doors, 'chat' | 'outbox'>
}

/** Opens the parts of delivery; makes no call. */
export const nodeDelivery = ({ config, secrets, checkout, doors }: Sources): NodeDelivery => {
  const chat = chatOf(config, secrets, doors.chat)
  return {
    chat,
    channels: guildChannelsOf(config, chat, realClock.monotonicMs),
    outbox: openOutbox(checkout.runtime.deliveries, doors.outbox, realClock.nowMs),
    whyNot: whyNoMessages(config, secrets),
  }
}
