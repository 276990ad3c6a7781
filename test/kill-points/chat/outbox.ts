import type { Client } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { askOrNull, converge, publishElsewhere, writeNext } from '../asks.js'
import { names, smallWorld } from '../lore.js'
import { type Deed, type Scenario, writing } from '../scenario.js'
import { awaitIdle } from './await-idle.js'
import { addMessage, type ChatLedger } from './chat-ledger.js'
import { platformChannel, platformOf } from './chat-place.js'
import { ageDeliveries, readDeliveryRows } from './chat-rows.js'
import { messageViolations } from './judge-messages.js'

/** One round in so many loses an answer of the platform. */
const losesEvery = 3
const perRound = 3

/** Asks for a message, and keeps whether the daemon took it. */
const send = async (client: Client, ledger: ChatLedger): Promise<void> => {
  const message = addMessage(ledger)
  const body = JSON.stringify({ ...platformChannel, message: message.text })
  const reply = await askOrNull(client, '/chat/send', { method: 'POST', body })
  if (reply === null) return
  message.isAccepted = reply.status === 200
  const result = jsonField(reply.json, 'Result')
  if (reply.status !== 200 || (result !== 'SENT' && result !== 'QUEUED'))
    ledger.faults.push(`"${message.text}" was answered ${reply.status}: ${reply.text}`)
}

const sendRound: Deed = async (client, { chat: ledger }, place) => {
  ledger.rounds += 1
  if (ledger.rounds % losesEvery === 0) platformOf(place).loseNext()
  await Promise.all(Array.from({ length: perRound }, () => send(client, ledger)))
}

const isOutboxIdle = (repo: string): boolean =>
  readDeliveryRows(repo).every(({ status }) => status !== 'queued')

/** Sends one message more, waits until each has ended, and judges them; `kills` fell since the last check. */
const checkMessages =
  (kills: number): Scenario['next'] =>
  async (client, ledger, place) => {
    const { repo } = place
    const { chat } = ledger
    await send(client, chat)
    if (!(await awaitIdle(() => isOutboxIdle(repo)))) return 'messages wait without an end'
    const platform = platformOf(place)
    const frame = { rows: readDeliveryRows(repo), platform, kills, lost: platform.takeLost() }
    const found = [...chat.faults, ...messageViolations(chat, frame)]
    return found.length > 0 ? found.join('; ') : writeNext(client, ledger)
  }

const age: Deed = (_client, { chat }, { repo }) => {
  const aged = ageDeliveries(repo)
  for (const one of chat.messages) one.isAged ||= aged.has(one.text)
  return Promise.resolve()
}

/** Callers send messages to one channel, and those of the last round are old enough to be removed. */
export const outbox: Scenario = {
  ...writing,
  name: 'outbox',
  hasChat: true,
  uncounted: /\/streams\/request-/u,
  prepare: age,
  act: sendRound,
  next: checkMessages(1),
}

/** The start that goes on where a daemon was killed is killed too. */
export const outboxRecovery: Scenario = {
  ...outbox,
  name: 'outbox recovery',
  prepare: null,
  act: null,
  wound: outbox,
  next: checkMessages(2),
}

/**
 * A converge brings what another host published, and the daemon announces it; a message is sent behind it. A kill may
 * lose the notice, but never doubles it: its nonce is made of the commit.
 */
export const outboxNotice: Scenario = {
  ...outbox,
  name: 'outbox notice',
  files: smallWorld({ sync_interval_min: 600, sync_max_age_min: 0, publish_mode: 'none' }),
  remote: 'bare',
  prepare: async (client, ledger, place) => {
    await converge(client)
    publishElsewhere(place, ledger, names[1] ?? '')
    await age(client, ledger, place)
  },
  act: async (client, { chat }) => {
    await converge(client)
    await send(client, chat)
  },
  next: async (client, ledger, place) =>
    (await converge(client)) ?? (await checkMessages(1)(client, ledger, place)) ?? (await converge(client)),
}
