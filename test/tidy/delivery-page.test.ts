import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { type DeliveryKind, deliveryOperations } from '#protocol/chat/platform.js'

const senders = {
  caller: 'a caller',
  author: 'the host of the commit',
  duty: 'the host with the duty',
  acceptor: 'the host that accepted it',
} as const

const rowOf = ([label, kind]: readonly [string, DeliveryKind]): string => {
  const { about, channelKey, sender, sameBy } = kind
  const own = sender === 'acceptor' ? 'none' : 'that of the message'
  const channel = channelKey === null ? own : `\`${channelKey}\``
  return `| \`${label}\` | ${about} | ${channel} | ${senders[sender]} | ${sameBy} |`
}

describe('the page of messages to the chat', () => {
  it('has the table of operations', () => {
    const lines = readFileSync('docs/spec/delivery.md', 'utf8').split('\n')
    const rows = Object.entries<DeliveryKind>(deliveryOperations).map(rowOf)
    deepEqual(
      rows.filter(row => !lines.includes(row)),
      [],
    )
  })
})
