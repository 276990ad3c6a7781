import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, before, describe, it } from 'mocha'
import { type ChatContract, chatContract } from '#test/support/chat/chat-contract.js'
import {
  type ChatDouble,
  channelBodies,
  chatDouble,
  type DoubleReply,
  errorBody,
  rateLimitReply,
} from '#test/support/chat/chat-double.js'
import { type ChatRig, chatRig } from '#test/support/chat/chat-rig.js'

const token = 'planted-token-of-the-outbox'
const [category, channel] = channelBodies
const guild: DoubleReply = {
  status: 200,
  body: [category, channel, { ...channel, id: '12', name: 'drugi' }],
}

describe('the outbox against the contract of the platform', () => {
  let contract: ChatContract | null = null
  let double: ChatDouble
  let rig: ChatRig
  before(async () => {
    contract = await chatContract()
  })
  afterEach(async () => {
    await rig.close()
    await double.close()
    deepEqual(double.breaches, [])
    ok(!rig.log.join().includes(token), 'the token is in the log')
  })

  const start = async (...replies: ReadonlyArray<DoubleReply>): Promise<void> => {
    double = await chatDouble({ contract })
    double.script(...replies)
    rig = await chatRig(
      { 'integrations.chat.api_url': double.url, 'integrations.chat.guild_id': '100' },
      token,
    )
  }
  const post = (of: string, text = 'x'): string => {
    const { outbox } = rig.delivery
    const message = { operation: 'message', category: 'sesje', channel: of, entity: null, text } as const
    const id = outbox.post(message)
    if (id === null) throw new Error('the outbox is full')
    return id
  }
  const endOf = (id: string) => rig.delivery.outbox.awaitEnd(id, 30_000)
  const asked = (): ReadonlyArray<string> => double.requests.map(({ path }) => path)

  it('sends to a channel while another is held for its 403, with its reason on record', async () => {
    await start(guild, { status: 403, body: errorBody('Missing Access', 50_001) })
    const held = post('solmyr-kanał')
    const sent = post('drugi')
    equal(await endOf(sent), 'sent')
    deepEqual(asked(), ['/guilds/100/channels', '/channels/11/messages', '/channels/12/messages'])
    const { status, code, detail } =
      rig.store.list('message', 500, Date.now()).find(({ id }) => id === held) ?? {}
    deepEqual([status, code, detail?.includes('403')], ['queued', 50_001, true])
  })

  it('lets all messages wait for a refused token, and asks once', async () => {
    await start(guild, { status: 401, body: errorBody('401: Unauthorized') })
    const ids = [post('solmyr-kanał'), post('drugi')]
    for (const id of ids) equal(await rig.delivery.outbox.awaitEnd(id, 300), 'queued')
    deepEqual(asked(), ['/guilds/100/channels', '/channels/11/messages'])
    deepEqual(
      rig.store.list(null, 500, Date.now()).map(({ status, detail }) => [status, detail?.includes('401')]),
      [
        ['queued', true],
        ['queued', true],
      ],
    )
  })

  it('ends a message that the platform refuses, and waits out a 429 without a second message', async () => {
    await start(
      guild,
      { status: 400, body: errorBody('Cannot send an empty message', 50_006) },
      rateLimitReply(0.3, 'user'),
    )
    const [refused, limited] = [post('solmyr-kanał'), post('solmyr-kanał')]
    equal(await endOf(refused), 'refused')
    equal(rig.store.find(refused)?.code, 50_006)
    equal(await endOf(limited), 'sent')
    const nonces = double.requests.slice(2).map(({ body }) => body)
    deepEqual([nonces.length, new Set(nonces).size], [2, 1])
  })
})
