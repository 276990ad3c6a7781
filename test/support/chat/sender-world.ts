import { type Either, right } from 'fp-ts/lib/Either.js'
import { type ChatSenderMessage, chatSender } from '#actors/chat/chat-sender.js'
import { Snowflake } from '#protocol/atoms.js'
import type { ChatFailure } from '#protocol/chat/platform.js'
import type { FoundChannel } from '#src/domain/chat/attempts.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { openWakeSignal } from '#src/node/chat/chat.js'
import { chatSenderPorts, type DeliveryOutbox, openOutbox } from '#src/node/chat/delivery.js'
import type { ChatMessage } from '#src/ports/chat.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import type { TestRuntime } from '#test/support/runtime.js'

const platformIdOf = (text: string): Snowflake => {
  if (!Snowflake.is(text)) throw new Error(`${text} is no id of the platform`)
  return text
}
export type SentMessage = Either<ChatFailure, Snowflake>
/** The outcome of a message that the platform took. */
export const sentMessage: SentMessage = right(platformIdOf('555'))

/** A sender on virtual time over a real database; each message waits until the test lets it end. */
export const openSender = async (runtime: TestRuntime) => {
  const world = kernelWorld()
  const made: Array<ChatMessage & { readonly end: (what: SentMessage) => void }> = []
  const told: Array<string> = []
  const ref: { current: Ref<ChatSenderMessage> | null } = { current: null }
  let found: Either<ChatFailure, FoundChannel> = right({ _tag: 'Found', id: platformIdOf('11') })
  let failure: Error | null = null
  const store = runtime.db().deliveries
  const wakeSignal = openWakeSignal()
  const failing =
    <A extends ReadonlyArray<unknown>, B>(call: (...args: A) => B) =>
    (...args: A): B => {
      if (failure !== null) throw failure
      return call(...args)
    }
  const ports = chatSenderPorts({
    store: {
      ...store,
      begin: failing(store.begin),
      end: failing(store.end),
      releaseAll: failing(store.releaseAll),
    },
    chat: { createMessage: message => new Promise(end => made.push({ ...message, end })) },
    channels: { find: () => Promise.resolve(found), forget: () => told.push('forget') },
    meter: { count: (name, labels) => told.push(`${name} ${Object.values(labels).join()}`) },
    log: { warn: event => told.push(event) },
    nowMs: world.clock.nowMs,
    wakeSignal,
    tell: async message => ref.current !== null && tellWhenRoom(ref.current, message, world.clock),
  })
  const { ref: sender, tree } = await world.alone(chatSender, ports, { drainMs: 4_000 })
  ref.current = sender
  const outbox: DeliveryOutbox = openOutbox(store, sender, world.clock.nowMs, () =>
    wakeSignal.raise(() => tell(sender, { _tag: 'Wake' }) === 'accepted'),
  )
  const post = (channel: string, text = 'x'): string => {
    const id = outbox.post({ operation: 'message', category: 'c', channel, entity: null, text })
    if (id === null) throw new Error('the outbox is full')
    return id
  }
  const statusOf = (id: string) => store.find(id)?.status ?? null
  return {
    ...{ world, made, told, tree, sender, outbox, store, post, statusOf },
    lookUp: (next: typeof found) => {
      found = next
    },
    fail: (error: Error | null) => {
      failure = error
    },
  }
}
