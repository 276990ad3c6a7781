import { deepEqual, equal } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { acceptedInteractions } from '#test/support/chat/interactions.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import { isRefused } from './row.js'

const vars = { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '5' }
const good = { interactionId: '900100200300400500', sentAtEpochMs: nowMs, vars }

/** The dispatch inputs of SECURITY 4.6, each with the field that the refusal names. */
const badInputs: ReadonlyArray<readonly [what: string, body: object | string, fault: string]> = [
  ['an interactionId that is a number', { ...good, interactionId: 900 }, 'interactionId'],
  ['an empty interactionId', { ...good, interactionId: '' }, 'interactionId'],
  ['an interactionId of 21 digits', { ...good, interactionId: '1'.repeat(21) }, 'interactionId'],
  ['an interactionId of 0', { ...good, interactionId: '0' }, 'interactionId'],
  ['an interactionId with spaces', { ...good, interactionId: ' 900 ' }, 'interactionId'],
  ['an interactionId of Arabic digits', { ...good, interactionId: '٩٠٠' }, 'interactionId'],
  ['an interactionId of 2^64', { ...good, interactionId: '18446744073709551616' }, 'interactionId'],
  ['no interactionId', { ...good, interactionId: undefined }, 'interactionId'],
  ['a sentAtEpochMs that is a text', { ...good, sentAtEpochMs: '5' }, 'sentAtEpochMs'],
  ['a sentAtEpochMs with a fraction', { ...good, sentAtEpochMs: 0.5 }, 'sentAtEpochMs'],
  ['a negative sentAtEpochMs', { ...good, sentAtEpochMs: -1 }, 'sentAtEpochMs'],
  ['a sentAtEpochMs of 1e20', { ...good, sentAtEpochMs: 1e20 }, 'sentAtEpochMs'],
  ['vars that are a list', { ...good, vars: [] }, 'vars'],
  ['vars with a number', { ...good, vars: { ...vars, x: 1 } }, 'vars'],
  ['vars with a record', { ...good, vars: { ...vars, x: {} } }, 'vars'],
  ['vars of more than 64 KiB', { ...good, vars: { ...vars, x: 'x'.repeat(65_536) } }, 'vars'],
  ['no vars', { ...good, vars: undefined }, 'vars'],
  ['a kind that is a number', { ...good, kind: 5 }, 'kind'],
  ['cut JSON', '{"interactionId": "9', 'interactionId'],
  ['a list', '[]', 'body'],
  ['a key given twice', `{"interactionId":"1",${JSON.stringify(good).slice(1)}`, 'body'],
]

describe('SECURITY 4.6: inputs of a dispatch', () => {
  let front: TestFront
  const received: Array<object> = []
  before(async () => {
    const interactions = {
      ...acceptedInteractions,
      receive: ({ wanted }: { readonly wanted: object }) => {
        received.push(wanted)
        return Promise.resolve(right({ kind: 'query', duplicate: false } as const))
      },
    }
    front = await testFront({ node: nodeView({ interactions }) })
  })
  after(() => front.close())
  const post = (body: object | string) =>
    front.client.ask('/chat/dispatch', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  for (const [what, body, fault] of badInputs)
    it(`refuses ${what}`, async () => {
      const reply = await post(body)
      isRefused(reply, 400, 'bad_request')
      equal(Reflect.get(Object(reply.json), 'fault'), fault, reply.text)
      deepEqual(received, [])
    })

  it('takes a good one with keys that it does not know', async () => {
    const reply = await post({ ...good, guild: { id: 1 } })
    deepEqual(
      [reply.status, reply.json],
      [
        202,
        {
          accepted: true,
          kind: 'query',
          interactionId: good.interactionId,
          duplicate: false,
          daemonEpochMs: nowMs,
        },
      ],
    )
    received.length = 0
  })
})
