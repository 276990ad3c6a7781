/** A kind of message to the chat platform. */
export interface DeliveryKind {
  readonly about: string
  /** The key that names its channel; null where the message itself has one. */
  readonly channelKey: ChannelKey | null
  /**
   * Who sends it: a caller of `POST /chat/send`, the host that has the duty of the fleet, or the host that accepted
   * the interaction.
   */
  readonly sender: 'caller' | 'duty' | 'acceptor'
  /** What its nonce is made of, so that two messages with the same are one to the platform. */
  readonly sameBy: string
}

/** The keys of the configuration that name the channel of a notice. */
export type ChannelKey =
  | 'integrations.chat.peer_watch.channel'
  | 'integrations.chat.converge_announce.channel'

const ofPerson = { channelKey: null, sender: 'duty', sameBy: 'the row of the outbox' } as const

/** The kinds of messages to the chat platform by their labels: a closed table. */
export const deliveryOperations = {
  message: {
    about: 'A message that a caller sent with `POST /chat/send`.',
    channelKey: null,
    sender: 'caller',
    sameBy: 'the row of the outbox',
  },
  pu: { ...ofPerson, about: 'The monthly points of a person.' },
  Intel: { ...ofPerson, about: 'What a session reveals to a person.' },
  'close-reminder': { ...ofPerson, about: 'A session that its narrator has not closed.' },
  'peer-watch': {
    about: 'A change of a town of the fleet, or the end of a takeover.',
    channelKey: 'integrations.chat.peer_watch.channel',
    sender: 'duty',
    sameBy: 'the kind, the town and its boot, or the term of the takeover',
  },
  'converge-announce': {
    about: 'What a converge brought from others.',
    channelKey: 'integrations.chat.converge_announce.channel',
    sender: 'duty',
    sameBy: 'the commit that the converge reached',
  },
  'follow-up': {
    about: 'An answer to an interaction that was given up.',
    channelKey: null,
    sender: 'acceptor',
    sameBy: 'the token of the interaction',
  },
} as const satisfies Readonly<Record<string, DeliveryKind>>

/** The labels of the notices that have a channel of their own. */
export type NoticeLabel = 'peer-watch' | 'converge-announce'
