import { equal } from 'node:assert/strict'
import { chatCourier } from '#actors/chat-courier/chat-courier.js'
import type { Config } from '#protocol/config/keys.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { openKernel } from '#src/kernel/kernel.js'
import { chatCourierPorts, limitRules } from '#src/node/chat/chat-courier.js'
import { chatOf, guildRolesOf } from '#src/node/chat/chat-port.js'
import { supervisorOf } from '#src/node/tree/tree.js'
import type { ChatPort } from '#src/ports/chat.js'
import type { GuildRoles } from '#src/ports/identity/guild-roles.js'
import { secretOf } from '#src/ports/identity/secret.js'

/** The chat port over a real courier and real time, with its counts and log. */
export interface ChatRig {
  readonly chat: ChatPort
  readonly guildRoles: GuildRoles
  /** Counts by `name{label values}`. */
  readonly counts: ReadonlyMap<string, number>
  readonly log: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export const chatRig = async (settings: Partial<Config>, token: string | null): Promise<ChatRig> => {
  const config: Config = { ...readConfig(null).config, ...settings }
  const secrets = { chatBotToken: token === null ? null : secretOf(token), forgeToken: null }
  const counts = new Map<string, number>()
  const log: Array<string> = []
  const write = (event: string, fields: object = {}): void => {
    log.push(`${event} ${JSON.stringify(fields)}`)
  }
  const kernel = openKernel({ checkMessages: true })
  const place = kernel.place(chatCourier(limitRules(config)))
  const ports = chatCourierPorts({
    config,
    secrets,
    version: '0.0.0-test',
    meter: {
      count: (name, labels) => {
        const key = `${name}{${Object.values(labels).join()}}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      },
      gauge: () => undefined,
      observe: () => undefined,
    },
    log: { debug: write, info: write, warn: write, error: write, flush: () => undefined },
  })
  const tree = kernel.run(supervisorOf('delivery'), { 'chat-courier': place.with(ports) }, () => undefined)
  equal(await tree.ready, true)
  const chat = chatOf(config, secrets, place.ref)
  return {
    chat,
    guildRoles: guildRolesOf(config, chat, { warn: write }),
    counts,
    log,
    close: async () => {
      await tree.drain(5_000)
    },
  }
}
