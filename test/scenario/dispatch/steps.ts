import { deepEqual, equal } from 'node:assert/strict'
import type { DispatchKind } from '#protocol/chat/dispatch.js'
import type { DispatchCounts } from '#src/ports/records.js'
import type { ScenarioHost } from '#test/scenario/world/host.js'
import type { Interaction } from '#test/support/chat/worker-double.js'
import { eventually } from '#test/support/daemon.js'
import { jsonField } from '#test/support/json-field.js'
import { answersTo, type ChatSide } from './chat-side.js'

/** Reads the counts of a kind in `GET /health`. */
export const readCounts = async (
  host: ScenarioHost,
  kind: DispatchKind = 'query',
): Promise<DispatchCounts> => {
  const { json } = await host.ask('/health', { token: null })
  const counts = jsonField(jsonField(json, 'dispatch'), kind)
  const read = (name: keyof DispatchCounts): number => Number(jsonField(counts, name))
  return {
    accepted: read('accepted'),
    enacted: read('enacted'),
    failed: read('failed'),
    refused: read('refused'),
  }
}

/** Waits until the platform got so many answers to an interaction. */
export const awaitAnswers = (
  side: ChatSide,
  interaction: Interaction,
  count: number,
): Promise<ReadonlyArray<string>> =>
  eventually(
    () => Promise.resolve(answersTo(side, interaction)),
    answers => answers.length >= count,
  )

/** Claims that a host accepted so many queries in all, and enacted each once. */
export const claimEnacted = (side: ChatSide, host: ScenarioHost, count: number): Promise<void> =>
  side.story.claim(`${host.town}: queries accepted: ${count}, each enacted once`, async () => {
    const counts = await eventually(
      () => readCounts(host),
      ({ enacted }) => enacted >= count,
    )
    deepEqual(counts, { accepted: count, enacted: count, failed: 0, refused: 0 })
  })

/** Claims that the platform got one answer to an interaction, with the text that the player asked for. */
export const claimAnswered = (side: ChatSide, interaction: Interaction): Promise<void> =>
  side.story.claim(`the player reads the answer to ${interaction.id}, which was sent once`, async () => {
    const answers = await awaitAnswers(side, interaction, 1)
    equal(answers.length, 1)
    equal(answers[0]?.includes('Brzoza'), true, answers[0])
  })

/** Waits until the log of a host has an event so often. */
export const awaitEvent = (host: ScenarioHost, event: string, count = 1): Promise<string> =>
  eventually(
    () => Promise.resolve(host.log()),
    log => log.split(`"event":"${event}"`).length > count,
  )

/** Claims that every call of the platform was valid by its document, and says so where that cannot be checked. */
export const claimValid = async ({ story, chat, hasContract }: ChatSide): Promise<void> => {
  if (hasContract)
    await story.claim('each request is valid by the document of the platform', () =>
      deepEqual(chat.breaches, []),
    )
  else story.tell('chat', 'has no document beside the project; the requests are not checked against it')
}
