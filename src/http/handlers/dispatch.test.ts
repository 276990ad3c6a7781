import { deepEqual } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import type { Interactions } from '#src/ports/chat.js'
import { acceptedInteractions } from '#test/support/chat/interactions.js'
import { nodeView, nowMs, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'

const body = JSON.stringify({
  interactionId: '900100200300400500',
  sentAtEpochMs: nowMs,
  vars: { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '5' },
})

type Receive = Interactions['receive']

const hosts: ReadonlyArray<readonly [what: string, receive: Receive, error: string]> = [
  ['whose queue is full', () => Promise.resolve(left({ _tag: 'Full', kind: 'query' })), 'Overloaded'],
  [
    'whose disk refuses',
    () => Promise.resolve(left(refuse('DiskRefused', 'The disk refused.'))),
    'DiskRefused',
  ],
]

describe('POST /chat/dispatch', () => {
  for (const [what, receive, error] of hosts)
    it(`is refused by a host ${what}: 503 ${error}`, async () => {
      const front = await testFront({
        node: nodeView({ interactions: { ...acceptedInteractions, receive } }),
      })
      try {
        const { status, json } = await front.client.ask('/chat/dispatch', { method: 'POST', body })
        deepEqual([status, jsonField(json, 'error')], [503, error])
      } finally {
        await front.close()
      }
    })
})
