import type { HostAddress } from '#test/scenario/world/host.js'
import type { Story } from '#test/scenario/world/story.js'
import { chatContract, type WireRequest } from '#test/support/chat/chat-contract.js'
import { type ChatDouble, chatDouble } from '#test/support/chat/chat-double.js'
import {
  type Interaction,
  isDuplicate,
  type WorkerAnswer,
  type WorkerDouble,
  workerDouble,
} from '#test/support/chat/worker-double.js'
import { jsonField } from '#test/support/json-field.js'
import { player } from './chat-settings.js'

/** The platform and the worker, which tell the story what they see. */
export interface ChatSide {
  readonly story: Story
  readonly chat: ChatDouble
  readonly worker: WorkerDouble
  /** Whether the document of the platform is beside the project, so that requests are checked against it. */
  readonly hasContract: boolean
}

const describeRequest = ({ method, path }: WireRequest): string =>
  path.startsWith('/webhooks/') ? `gets the answer for ${path.split('/')[3] ?? ''}` : `gets ${method} ${path}`

const describeAnswer = (answer: WorkerAnswer): string => {
  if (answer === null) return 'gets no answer'
  const error = jsonField(answer.body, 'error')
  const what = typeof error === 'string' ? error : isDuplicate(answer) ? 'a duplicate' : 'accepted'
  return `gets ${answer.status}, ${what}`
}

export const openChatSide = async (story: Story, host: () => HostAddress): Promise<ChatSide> => {
  const contract = await chatContract()
  const chat = await chatDouble({
    contract,
    onRequest: request => story.tell('chat', describeRequest(request)),
  })
  const worker = workerDouble({
    host,
    onAttempt: ({ id }, attempt, answer) =>
      story.tell('worker', `${describeAnswer(answer)} for ${id}, attempt ${attempt}`),
  })
  return { story, chat, worker, hasContract: contract !== null }
}

/** A query of the player, which was sent at this moment. Its token names it in the calls of the platform. */
export const playerQuery = (id: string, sentAtEpochMs = Date.now()): Interaction => ({
  id,
  kind: 'query',
  sentAtEpochMs,
  vars: {
    SVC_QUERY_INTENT: 'status',
    SVC_QUERY_CHAT_ID: player,
    SVC_INTERACTION_TOKEN: `token-${id}`,
  },
})

/** The texts that the platform got as answers to an interaction, in order. */
export const answersTo = ({ chat }: ChatSide, { id }: Interaction): ReadonlyArray<string> =>
  chat.requests
    .filter(({ method, path }) => method === 'PATCH' && path.split('/')[3] === `token-${id}`)
    .map(({ body }) => String(jsonField(JSON.parse(body), 'content')))
