import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { Deliveries } from '#protocol/chat/delivery.js'
import { chatContract } from '#test/support/chat/chat-contract.js'
import { type ChatDouble, chatDouble, errorBody, wildReply } from '#test/support/chat/chat-double.js'
import { dripReply, floodReply, gzipReply } from '#test/support/chat/hostile-replies.js'
import { eventually } from '#test/support/daemon.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

describe('answers to interactions at a whole node', () => {
  let double: ChatDouble
  let node: TestNode
  let id = 100
  before(async () => {
    double = await chatDouble({ contract: await chatContract() })
    const chat = { api_url: double.url, client_id: '42' }
    const config = { server: { selfheal_interval_ms: 100 }, integrations: { chat } }
    node = await startNode({ files: { ...nodeFiles, '.svc/config.json': JSON.stringify(config) } })
  })
  after(async () => {
    await node.stop()
    await double.close()
  })
  afterEach(() => deepEqual(double.breaches, []))

  const dispatch = (token: string, more: Readonly<Record<string, string>> = {}) => {
    id += 1
    const vars = {
      SVC_QUERY_INTENT: 'status',
      SVC_QUERY_CHAT_ID: '5',
      SVC_INTERACTION_TOKEN: token,
      ...more,
    }
    const body = JSON.stringify({ interactionId: String(id), sentAtEpochMs: Date.now(), vars })
    return node.client.ask('/chat/dispatch', { method: 'POST', body })
  }
  const seen = (token: string) => double.requests.filter(({ path }) => path.includes(token))
  const answers = (result: string): Promise<number> =>
    node.metric('svc_dispatch_answers_total', { kind: 'query', result })

  it('replace the first answer, without a bot token, for the application of the interaction', async () => {
    equal((await dispatch('token-one', { SVC_APPLICATION_ID: '77' })).status, 202)
    await eventually(
      () => answers('sent'),
      count => count === 1,
    )
    const [request] = seen('token-one')
    equal(request?.path, '/webhooks/77/token-one/messages/@original')
    equal(request.headers['authorization'], undefined)
    match(request.body, /nie jest powiązane z żadnym Graczem.*"allowed_mentions":\{"parse":\[\]\}/)
  })

  it('end with their token, and leave the bot alone', async () => {
    double.script({ status: 401, body: errorBody('Invalid Webhook Token', 50_027) })
    await dispatch('token-dead')
    await eventually(
      () => answers('token_dead'),
      count => count === 1,
    )
    await dispatch('token-next')
    await eventually(
      () => Promise.resolve(seen('token-next').length),
      count => count === 1,
    )
    equal(seen('token-dead').length, 1)
    ok(node.records.every(({ event }) => event !== 'chat_token_refused'))
  })

  it('are tried again while the worker has not answered the chat yet', async () => {
    const missing = { status: 404, body: errorBody('Unknown Message', 10_008) }
    double.script(missing, missing)
    await dispatch('token-early')
    await eventually(
      () => Promise.resolve(seen('token-early').length),
      count => count === 3,
    )
  })

  it('end in time whatever the platform answers, and hold no other answer for good', async () => {
    const page = wildReply(200, { 'content-type': 'text/html' }, '<html>Attention required</html>')
    const elsewhere = wildReply(302, { location: 'http://127.0.0.1:1/' }, '')
    double.script(dripReply, floodReply, gzipReply, page, elsewhere)
    const [sent, refused] = [await answers('sent'), await answers('refused')]
    for (const what of ['a', 'b', 'c', 'd', 'e', 'f']) await dispatch(`token-hostile-${what}`)
    await eventually(
      () => answers('sent'),
      count => count === sent + 5,
    )
    equal(await answers('refused'), refused + 1)
  })

  it('that are given up are deliveries without their token (S34)', async () => {
    double.script({ status: 400, body: errorBody('Invalid Form Body', 50_035) })
    await dispatch('token-refused')
    const given = String(id)
    const list = await eventually(
      () => node.client.ask('/chat/deliveries?operation=follow-up'),
      ({ text }) => text.includes(`"${given}"`),
    )
    const [newest] = Deliveries.is(list.json) ? list.json.items : []
    const { id: listed, status, attempts, code, channel, detail = '' } = newest ?? {}
    deepEqual([listed, status, attempts, code, channel], [given, 'refused', 1, 50_035, ''])
    match(detail ?? '', /refused the answer.*status 400/)
    equal(list.text.includes('token-'), false)
  })
})
