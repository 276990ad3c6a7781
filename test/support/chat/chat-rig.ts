import { equal } from 'node:assert/strict'
import { chatCourier } from '#actors/chat/chat-courier.js'
import { chatSender } from '#actors/chat/chat-sender.js'
import type { Config } from '#protocol/host/config.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { openKernel } from '#src/kernel/kernel.js'
import { realClock } from '#src/kernel/time/clock.js'
import { chatCourierPorts, guildRolesOf, limitRules } from '#src/node/chat/chat.js'
import { chatSenderPorts, type NodeDelivery, nodeDelivery } from '#src/node/chat/delivery.js'
import { supervisorOf } from '#src/node/tree/actors.js'
import type { ChatPort, GuildRoles } from '#src/ports/chat.js'
import { secretOf } from '#src/ports/identity.js'
import type { DeliveryStore, Meter } from '#src/ports/records.js'
import { noMeter } from '#test/support/no-meter.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

/** The chat port over a real courier and real time, with its counts and log. */
export interface ChatRig {
  readonly chat: ChatPort
  readonly delivery: NodeDelivery
  /** The outbox on record. */
  readonly store: DeliveryStore
  readonly guildRoles: GuildRoles
  /** Counts by `name{label values}`. */
  readonly counts: ReadonlyMap<string, number>
  readonly log: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** `runtime`: the runtime database of the outbox; without one it has its own. */
export const chatRig = async (
  settings: Partial<Config>,
  token: string | null,
  runtime: TestRuntime = runtimeOf(),
): Promise<ChatRig> => {
  const store = runtime.db().deliveries
  const config: Config = { ...readConfig(null).config, ...settings }
  const secrets = { chatBotToken: token === null ? null : secretOf(token), forgeToken: null }
  const counts = new Map<string, number>()
  const log: Array<string> = []
  const write = (event: string, fields: object = {}): void => {
    log.push(`${event} ${JSON.stringify(fields)}`)
  }
  const kernel = openKernel({ checkMessages: true })
  const place = kernel.place(chatCourier(limitRules(config)))
  const meter: Meter = {
    ...noMeter,
    count: (name, labels) => {
      const key = `${name}{${Object.values(labels).join()}}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
  }
  const records = { debug: write, info: write, warn: write, error: write, flush: () => undefined }
  const ports = chatCourierPorts({ config, secrets, version: '0.0.0', meter, log: records })
  const sender = kernel.place(chatSender)
  const refs = { chat: place.ref, outbox: sender.ref }
  const delivery = nodeDelivery({ config, secrets, checkout: { runtime: { deliveries: store } }, refs })
  const { children, ...policy } = supervisorOf('delivery')
  const tree = kernel.run(
    { ...policy, children: children.filter(({ id }) => id.startsWith('chat-')) },
    {
      'chat-courier': place.with(ports),
      'chat-sender': sender.with(
        chatSenderPorts({
          ...delivery,
          store,
          meter,
          log: records,
          nowMs: realClock.nowMs,
          tell: message => tellWhenRoom(sender.ref, message, realClock),
        }),
      ),
    },
    () => undefined,
  )
  equal(await tree.ready, true)
  const { chat } = delivery
  return {
    chat,
    delivery,
    store,
    guildRoles: guildRolesOf(config, chat, { warn: write }),
    counts,
    log,
    close: async () => {
      await tree.drain(5_000)
      runtime.dispose()
    },
  }
}
