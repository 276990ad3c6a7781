import type { ChatFailure } from '#protocol/chat/platform.js'
import type { Config } from '#protocol/config.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { ChatPort } from '#src/ports/chat.js'
import type { Secrets } from '../identity/keys/secrets.js'
import type { Checkout } from '../start/checkout.js'
import type { Doors } from '../tree/doors.js'
import { whyNoMessages } from './chat-courier.js'
import { chatOf } from './chat-port.js'
import { type GuildChannels, guildChannelsOf } from './guild-channels.js'
import { type DeliveryOutbox, openOutbox } from './outbox.js'
import { openWakeBell, type WakeBell } from './wake-bell.js'

/** The parts of delivery that the rows, the notices and the sender share. */
export interface NodeDelivery {
  readonly chat: ChatPort
  readonly channels: GuildChannels
  readonly outbox: DeliveryOutbox
  readonly bell: WakeBell
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
  const bell = openWakeBell()
  const wake = (): void =>
    bell.ring(() => {
      void tellWhenRoom(doors.outbox, { _tag: 'Wake' }, realClock)
      return true
    })
  return {
    chat,
    channels: guildChannelsOf(config, chat, realClock.monotonicMs),
    outbox: openOutbox(checkout.runtime.deliveries, doors.outbox, realClock.nowMs, wake),
    bell,
    whyNot: whyNoMessages(config, secrets),
  }
}
