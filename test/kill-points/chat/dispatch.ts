import type { Client } from '#test/support/http-client.js'
import { linkedFiles } from '#test/support/identity/linked-world.js'
import { jsonField } from '#test/support/json-field.js'
import { askOrNull, writeNext } from '../asks.js'
import { smallWorld } from '../lore.js'
import { type Deed, type Scenario, writing } from '../scenario.js'
import { awaitIdle } from './await-idle.js'
import { addInteraction, type ChatLedger, type KnownInteraction, tokenPrefix } from './chat-ledger.js'
import { askerId, platformOf } from './chat-place.js'
import type { KillChat } from './chat-platform.js'
import { ageDispatches, findInState, readDispatchRows } from './chat-rows.js'
import { countViolations, interactionViolations } from './judge-interactions.js'

/** One round in so many loses an answer of the platform. */
const losesEvery = 3
const perRound = 3
/** Answers of the daemon behind the last call of the platform, so that it has recorded what came of that call. */
const asksBehind = 3

/** Forwards an interaction as the worker does; returns the status, 0 without an answer. */
const forward = async (
  client: Client,
  { faults }: ChatLedger,
  interaction: KnownInteraction,
): Promise<number> => {
  const { id, token, sentAtEpochMs, isAccepted } = interaction
  const vars = { SVC_QUERY_INTENT: 'status', SVC_QUERY_CHAT_ID: askerId, SVC_INTERACTION_TOKEN: token }
  const body = JSON.stringify({ interactionId: id, kind: 'query', sentAtEpochMs, vars })
  const reply = await askOrNull(client, '/chat/dispatch', { method: 'POST', body })
  if (reply === null) return 0
  if (reply.status !== 202) faults.push(`${id} was answered ${reply.status}: ${reply.text}`)
  else if (isAccepted && jsonField(reply.json, 'duplicate') !== true)
    faults.push(`${id} was accepted, and its replay is new (S20)`)
  else interaction.isAccepted = true
  return reply.status
}

const isHealthy = async (client: Client): Promise<boolean> =>
  (await askOrNull(client, '/health', {}))?.status === 200

/** Waits until the platform has `count` answers, and the daemon has had time to record the last; or until it is gone. */
const awaitAnswers = async (
  client: Client,
  platform: KillChat,
  asked: ReadonlyArray<KnownInteraction>,
  count: number,
): Promise<void> => {
  const countAnswers = (): number =>
    asked.reduce((sum, { token }) => sum + platform.answersOf(token).length, 0)
  await awaitIdle(async () => countAnswers() >= count || !(await isHealthy(client)))
  for (let times = 0; times < asksBehind; times += 1) await isHealthy(client)
}

const forwardRound: Deed = async (client, { chat: ledger }, place) => {
  const platform = platformOf(place)
  ledger.rounds += 1
  const losesOne = ledger.rounds % losesEvery === 0
  if (losesOne) platform.loseNext()
  const asked = Array.from({ length: perRound }, () => addInteraction(ledger))
  const [first, ...others] = asked
  await Promise.all(others.map(one => forward(client, ledger, one)))
  if (first === undefined) return
  await forward(client, ledger, first)
  await forward(client, ledger, first)
  const accepted = asked.filter(({ isAccepted }) => isAccepted)
  await awaitAnswers(client, platform, asked, accepted.length + (losesOne ? 1 : 0))
  for (const one of asked) one.wasAnswered = platform.answersOf(one.token).length > 0
}

const isQueueIdle = (repo: string): boolean =>
  readDispatchRows(repo).every(
    ({ state, answer }) => state !== 'queued' && state !== 'running' && answer === null,
  )

/** Forwards again what is not checked yet, waits for its end, and judges it; `kills` fell since the last check. */
const checkInteractions =
  (kills: number): Scenario['next'] =>
  async (client, ledger, place) => {
    const { repo } = place
    const { chat } = ledger
    if (!(await awaitIdle(() => isQueueIdle(repo)))) return 'interactions wait without an end'
    for (const one of chat.interactions.filter(({ isChecked }) => !isChecked))
      await forward(client, chat, one)
    if (!(await awaitIdle(() => isQueueIdle(repo)))) return 'interactions wait without an end'
    const health = await askOrNull(client, '/health', {})
    const counts = jsonField(jsonField(health?.json, 'dispatch'), 'query')
    const platform = platformOf(place)
    const frame = { rows: readDispatchRows(repo), platform, kills, lost: platform.takeLost() }
    const found = [
      ...chat.faults,
      ...countViolations(chat, counts),
      ...interactionViolations(chat, frame),
      ...findInState(repo, tokenPrefix).map(path => `${path} has a token that is not encrypted`),
    ]
    for (const one of chat.interactions) one.isChecked = true
    return found.length > 0 ? found.join('; ') : writeNext(client, ledger)
  }

const age: Deed = (_client, { chat }, { repo }) => {
  const aged = ageDispatches(repo)
  for (const one of chat.interactions) one.isAged ||= aged.has(one.id)
  return Promise.resolve()
}

/**
 * Players ask through the chat, one of them twice, and the interactions of the last round are old enough to be pruned.
 * An answer of the platform is a PATCH of one message, so it may be sent again; an attempt may not, once its end is on
 * the disk.
 */
export const dispatch: Scenario = {
  ...writing,
  name: 'dispatch',
  files: { ...smallWorld(), ...linkedFiles, '.svc/config.json': smallWorld()['.svc/config.json'] ?? '' },
  hasChat: true,
  uncounted: /^answer 200$|\/streams\/request-/u,
  prepare: age,
  act: forwardRound,
  next: checkInteractions(1),
}

/** The start that goes on where a daemon was killed is killed too. */
export const dispatchRecovery: Scenario = {
  ...dispatch,
  name: 'dispatch recovery',
  prepare: null,
  act: null,
  wound: dispatch,
  next: checkInteractions(2),
}
