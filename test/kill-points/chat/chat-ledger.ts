import type { DispatchCounts } from '#src/ports/records.js'

/** An interaction that was forwarded to the daemon. */
export interface KnownInteraction {
  readonly id: string
  readonly token: string
  readonly sentAtEpochMs: number
  /** Status 202 was seen. */
  isAccepted: boolean
  /** The platform had an answer before the daemon was killed. */
  wasAnswered: boolean
  isChecked: boolean
  /** Its row is older than the daemon keeps one. */
  isAged: boolean
}

/** A message that the daemon was asked to send. */
export interface KnownMessage {
  readonly text: string
  /** Status 200 was seen. */
  isAccepted: boolean
  isAged: boolean
}

/** What the worker and the callers know of interactions and messages. */
export interface ChatLedger {
  readonly interactions: Array<KnownInteraction>
  readonly messages: Array<KnownMessage>
  /** The counts of queries that were seen last. */
  counts: DispatchCounts
  /** Answers of the daemon that cannot be. */
  readonly faults: Array<string>
  rounds: number
}

export const openChatLedger = (): ChatLedger => ({
  interactions: [],
  messages: [],
  counts: { accepted: 0, enacted: 0, failed: 0, refused: 0 },
  faults: [],
  rounds: 0,
})

/** Every token begins so. */
export const tokenPrefix = 'planted-token-'

const firstId = 900_100_200_300_000

/** Adds an interaction that no daemon knows. */
export const addInteraction = ({ interactions }: ChatLedger): KnownInteraction => {
  const id = String(firstId + interactions.length)
  const interaction = {
    ...{ id, token: `${tokenPrefix}${id}`, sentAtEpochMs: Date.now() },
    ...{ isAccepted: false, wasAnswered: false, isChecked: false, isAged: false },
  }
  interactions.push(interaction)
  return interaction
}

/** Adds a message whose text no other has. */
export const addMessage = ({ messages }: ChatLedger): KnownMessage => {
  const message = { text: `wiadomość ${messages.length + 1}`, isAccepted: false, isAged: false }
  messages.push(message)
  return message
}
