import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, describe, it } from 'mocha'
import type { DeliveryStatus } from '#protocol/chat/delivery.js'
import { noAnswerInTime, noBotToken } from '#src/domain/chat/failures.js'
import type { DeliveriesSources } from '#src/node/chat/delivery.js'
import type { AddressedMessage, Deliveries } from '#src/ports/chat.js'
import { deliveriesFinding } from '#test/support/chat/deliveries.js'
import { sendsAtOnce, sentRecord } from '#test/support/chat/sent-messages.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': [
    '### Cech\n- @typ: Grupa\n- @chat: frakcje/cech\n',
    '### Straż\n- @typ: Grupa\n',
    '### Mgła\n- @typ: NPC\n- @chat: bez-ukośnika\n',
    `### Latarnia\n- @typ: Grupa\n- @chat: sesje/${'x'.repeat(401)}\n`,
    '### Port\n- @typ: NPC\n',
    '### Port\n- @typ: Grupa\n',
  ].join('\n'),
  'kontrybutorzy.md': [
    '## Gracz',
    '### Solmyr\n- @gameid: 1\n- @chat: BRAK\n- @chat: sesje/solmyr-kanał',
    '### Crag Hack\n- @gameid: 2\n- @chat: BRAK\n',
  ].join('\n'),
}
/** A guild that the platform does not show. */
const unreadable: DeliveriesSources['channels'] = {
  find: () => Promise.resolve(left(noAnswerInTime)),
  forget: () => undefined,
}
const brokenOutbox: DeliveriesSources['outbox'] = {
  post: () => {
    throw Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' })
  },
  awaitEnd: () => Promise.resolve('queued'),
}
const channel = { category: 'sesje', channel: 'a' }

describe('POST /chat/send', () => {
  let front: TestFront | null = null
  let sent: Array<AddressedMessage> = []
  afterEach(async () => {
    await front?.close()
    front = null
    sent = []
  })

  const serve = async (delivery: Deliveries, status: DeliveryStatus = 'sent') => {
    front = await testFront({
      snapshot: worldOf(files),
      callers: { sender: callerWith(['chat.send']), reader: callerWith(['entity.read']) },
      gate: () => ({ _tag: 'ReadOnly', detail: 'closed' }),
      node: nodeView({
        delivery:
          delivery === sendsAtOnce
            ? {
                ...delivery,
                send: message => {
                  sent.push(message)
                  return Promise.resolve(right(status))
                },
              }
            : delivery,
      }),
    })
    return front
  }
  const post = async (body: object, query = '', delivery = sendsAtOnce, token = 'sender'): Promise<Reply> => {
    const { client } = front ?? (await serve(delivery))
    return client.ask(`/chat/send${query}`, { method: 'POST', token, body: JSON.stringify(body) })
  }

  it('sends to a channel and to that of an entity, with every arm of the gate closed (S19)', async () => {
    const named = await post({ ...channel, message: 'Cześć' })
    deepEqual(
      [named.status, named.json],
      [200, { Delivered: true, Result: 'SENT', Entity: null, Message: 'Cześć' }],
    )
    const group = await post({ entity: 'cech', message: 'x' })
    deepEqual(group.json, { Delivered: true, Result: 'SENT', Entity: 'Cech', Message: 'x' })
    equal((await post({ entity: 'Solmyr', message: 'x' })).status, 200)
    deepEqual(
      sent.map(one => `${one.entity ?? '-'} ${one.category}/${one.channel}`),
      ['- sesje/a', 'Cech frakcje/cech', 'Solmyr sesje/solmyr-kanał'],
    )
  })

  for (const [status, result] of [
    ['queued', 'QUEUED'],
    ['refused', 'REFUSED'],
    ['unknown', 'UNKNOWN'],
  ] as const)
    it(`answers 200 for a message that is ${status}`, async () => {
      await serve(sendsAtOnce, status)
      const { status: code, json } = await post({ ...channel, message: 'x' })
      deepEqual([code, json], [200, { Delivered: false, Result: result, Entity: null, Message: 'x' }])
    })

  it('sends nothing for a dry run, also without a token, and refuses what the body and the lore refuse', async () => {
    await serve({
      ...sendsAtOnce,
      whyNot: () => noBotToken.detail,
      send: () => Promise.reject(new Error('sent')),
    })
    const { status, json } = await post({ entity: 'Cech', message: 'x' }, '?dryRun=true')
    deepEqual([status, json], [200, { Delivered: false, Result: 'WHATIF', Entity: 'Cech', Message: 'x' }])
    equal((await post({ entity: 'Nikt', message: 'x' }, '?dryRun=true')).status, 404)
    equal((await post({ ...channel, message: '' }, '?dryRun=true')).status, 400)
  })

  const long = 'ą'.repeat(2_000)
  const faults: ReadonlyArray<
    readonly [what: string, body: object, status: number, error: string, extra?: object]
  > = [
    ['both a channel and an entity', { ...channel, entity: 'Cech', message: 'x' }, 400, 'BodyInvalid'],
    ['a category and an entity', { category: 'a', entity: 'Cech', message: 'x' }, 400, 'BodyInvalid'],
    ['neither', { message: 'x' }, 400, 'BodyInvalid'],
    ['a channel without a category', { channel: 'a', message: 'x' }, 400, 'BodyInvalid'],
    ['a category without a channel', { category: 'a', message: 'x' }, 400, 'BodyInvalid'],
    ['a blank channel', { ...channel, channel: ' ', message: 'x' }, 400, 'BodyInvalid'],
    [
      'a channel of 401 characters',
      { ...channel, channel: 'a'.repeat(401), message: 'x' },
      400,
      'BodyInvalid',
    ],
    ['a long category', { ...channel, category: 'a'.repeat(900_000), message: 'x' }, 400, 'BodyInvalid'],
    ['no message', channel, 400, 'BodyInvalid'],
    ['a blank message', { ...channel, message: ' \n' }, 400, 'BodyInvalid'],
    ['a message of U+200B', { ...channel, message: '\u200b\u200b' }, 400, 'BodyInvalid'],
    ['a message of U+2800', { ...channel, message: ' \u2800\n' }, 400, 'BodyInvalid'],
    ['a message of fillers', { ...channel, message: '\u3164\u115f\u00ad\ufe0f' }, 400, 'BodyInvalid'],
    ['2,001 characters', { ...channel, message: `${long}x` }, 400, 'BodyInvalid'],
    ['an unknown field', { ...channel, message: 'x', tts: 'x' }, 400, 'BodyInvalid'],
    ['an unknown entity', { entity: 'Nikt', message: 'x' }, 404, 'EntityNotFound'],
    ['a name of two types', { entity: 'Port', message: 'x' }, 409, 'AmbiguousName'],
    [
      'an entity without @chat',
      { entity: 'Straż', message: 'x' },
      422,
      'ChatAddressMissing',
      { declined: false },
    ],
    [
      'an @chat that cannot be read',
      { entity: 'Mgła', message: 'x' },
      422,
      'ChatAddressMissing',
      { declined: false },
    ],
    [
      'an @chat with a name of 401 characters',
      { entity: 'Latarnia', message: 'x' },
      422,
      'ChatAddressMissing',
      { declined: false },
    ],
    ['BRAK', { entity: 'Crag Hack', message: 'x' }, 422, 'ChatAddressMissing', { declined: true }],
  ]
  for (const [what, body, status, error, extra = {}] of faults)
    it(`refuses ${what}: ${status} ${error}`, async () => {
      const reply = await post(body)
      deepEqual([reply.status, jsonField(reply.json, 'error')], [status, error], reply.text)
      for (const [name, value] of Object.entries(extra)) equal(jsonField(reply.json, name), value)
      deepEqual(sent, [])
    })

  it('takes 2,000 characters, of which some have two units', async () => {
    for (const message of [long, '🐉'.repeat(2_000)]) equal((await post({ ...channel, message })).status, 200)
  })

  const hosts: ReadonlyArray<readonly [what: string, delivery: Deliveries, status: number, error: string]> = [
    ['without a token', { ...sendsAtOnce, whyNot: () => noBotToken.detail }, 503, 'chat_disabled'],
    ['whose guild has no such channel', deliveriesFinding({ _tag: 'Missing' }), 404, 'ChannelNotFound'],
    ['whose guild has two', deliveriesFinding({ _tag: 'Several', count: 2 }), 409, 'ChannelAmbiguous'],
    [
      'whose outbox is full',
      deliveriesFinding({ _tag: 'Missing' }, { channels: unreadable }),
      503,
      'Overloaded',
    ],
    [
      'whose disk refuses',
      deliveriesFinding({ _tag: 'Missing' }, { channels: unreadable, outbox: brokenOutbox }),
      503,
      'DiskRefused',
    ],
  ]
  for (const [what, delivery, status, error] of hosts)
    it(`is refused by a host ${what}: ${status} ${error}`, async () => {
      const reply = await post({ ...channel, message: 'x' }, '', delivery)
      deepEqual([reply.status, jsonField(reply.json, 'error')], [status, error], reply.text)
    })

  it('is only for who may send', async () => {
    const { status, json } = await post({ ...channel, message: 'x' }, '', sendsAtOnce, 'reader')
    deepEqual([status, jsonField(json, 'required')], [403, 'chat.send'])
  })
})

describe('POST /workflows/close-reminder', () => {
  it('sends no reminder without a token, and says so', async () => {
    const front = await testFront({
      snapshot: worldOf(files),
      callers: { sender: callerWith(['chat.send']) },
      node: nodeView({ delivery: { ...sendsAtOnce, whyNot: () => noBotToken.detail } }),
    })
    const { status, json } = await front.client.ask('/workflows/close-reminder', {
      method: 'POST',
      body: '{}',
      token: 'sender',
    })
    deepEqual([status, jsonField(json, 'error')], [503, 'chat_disabled'])
    await front.close()
  })
})

describe('GET /chat/deliveries', () => {
  it('shows the newest messages of an operation, with why they wait, and not their texts', async () => {
    const asked: Array<string> = []
    const waits = {
      ...sentRecord,
      status: 'queued',
      text: 'secret',
      endedMs: null,
      dueMs: Date.UTC(2026, 5, 15, 12, 10),
      messageId: null,
      code: 50_001,
      detail: 'No rights.',
    } as const
    const front = await testFront({
      snapshot: null,
      callers: { reader: callerWith(['log.read']), other: callerWith(['chat.send']) },
      node: nodeView({
        delivery: {
          ...sendsAtOnce,
          list: (operation, limit) => {
            asked.push(`${operation ?? '-'} ${limit}`)
            return [waits, sentRecord]
          },
        },
      }),
    })
    const ask = (query: string, token = 'reader') => front.client.ask(`/chat/deliveries${query}`, { token })
    const { status, text, json } = await ask('?operation=peer-watch')
    equal(status, 200, text)
    equal(text.includes('secret') || text.includes('nonce'), false)
    const items = jsonField(json, 'items')
    const [first, second]: ReadonlyArray<unknown> = t.array(t.unknown).is(items) ? items : []
    const fieldsOf = (item: unknown) =>
      ['status', 'nextUtc', 'endedUtc', 'waitSeconds', 'code', 'detail', 'messageId'].map(name =>
        jsonField(item, name),
      )
    deepEqual(fieldsOf(first), [
      'queued',
      '2026-06-15T12:10:00.000Z',
      null,
      7_200,
      50_001,
      'No rights.',
      null,
    ])
    deepEqual(fieldsOf(second), ['sent', null, '2026-06-15T10:00:01.000Z', 1, null, null, '555'])
    equal((await ask('')).status, 200)
    deepEqual(asked, ['peer-watch 500', '- 500'])
    equal(jsonField((await ask('?operation=none')).json, 'error'), 'ParameterInvalid')
    equal((await ask('', 'other')).status, 403)
    await front.close()
  })
})
