import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { addInteraction, addMessage, openChatLedger } from './chat-ledger.js'
import type { DeliveryColumns, DispatchColumns } from './chat-rows.js'
import { countViolations, interactionViolations } from './judge-interactions.js'
import { messageViolations } from './judge-messages.js'

const endRow = (id: string): DispatchColumns => ({
  ...{ id, state: 'enacted', attempts: 1 },
  ...{ vars: null, answer: null, sealed_reply: null },
})

/** The violations of an interaction that was accepted, where one thing is not as it must be. */
const judgeInteraction = (
  row: Partial<DispatchColumns> | null,
  { answers = ['a'], wasAnswered = false, isAged = false, kills = 1 } = {},
): number => {
  const ledger = openChatLedger()
  const interaction = addInteraction(ledger)
  Object.assign(interaction, { isAccepted: true, wasAnswered, isAged })
  const rows = row === null ? [] : [{ ...endRow(interaction.id), ...row }]
  const platform = { answersOf: () => answers }
  return interactionViolations(ledger, { rows, platform, kills, lost: 0 }).length
}

describe('the judge of interactions', () => {
  it('accepts what was enacted once, and again only where the kill was before its end', () => {
    equal(judgeInteraction({}), 0)
    equal(judgeInteraction({ attempts: 2 }), 0)
    equal(judgeInteraction({}, { answers: ['a', 'a'] }), 0)
    equal(judgeInteraction(null, { isAged: true }), 0)
  })

  it('finds what was lost, enacted or answered too often, or keeps its token', () => {
    equal(judgeInteraction(null), 1)
    equal(judgeInteraction({ state: 'failed' }), 1)
    equal(judgeInteraction({ attempts: 2 }, { wasAnswered: true }), 1)
    equal(judgeInteraction({ attempts: 3 }), 1)
    equal(judgeInteraction({ sealed_reply: 'x' }), 1)
    equal(judgeInteraction({}, { answers: [] }), 1)
    equal(judgeInteraction({}, { answers: ['a', 'a', 'a'] }), 1)
    equal(judgeInteraction({}, { answers: ['a', 'b'] }), 1)
    equal(judgeInteraction({}, { isAged: true }), 1)
  })

  it('finds counts that fell, that are not those of the worker, and a second enactment (S24)', () => {
    const ledger = openChatLedger()
    for (const one of [addInteraction(ledger), addInteraction(ledger)]) one.isAccepted = true
    const judge = (accepted: number, enacted: number): number =>
      countViolations(ledger, { accepted, enacted, failed: 0, refused: 0 }).length
    deepEqual([judge(2, 2), judge(2, 3), judge(3, 2)], [0, 1, 2])
    ledger.counts = { accepted: 3, enacted: 2, failed: 0, refused: 0 }
    equal(judge(2, 2), 1)
    equal(countViolations(ledger, null).length, 1)
  })
})

/** The violations of a message that was taken, where one thing is not as it must be. */
const judgeMessage = (
  row: Partial<DeliveryColumns> | null,
  { there = 1, nonce = 'n', posts = 1, lost = 0, isAged = false } = {},
): number => {
  const ledger = openChatLedger()
  const message = addMessage(ledger)
  Object.assign(message, { isAccepted: true, isAged })
  const { text } = message
  const sent = { text, status: 'sent', attempts: 1, nonce: 'n', message_id: '556' }
  const booked = { id: '556', path: '/channels/11/messages', content: text, nonce }
  const platform = { messages: Array.from({ length: there }, () => booked), countPosts: () => posts }
  const rows = row === null ? [] : [{ ...sent, ...row }]
  return messageViolations(ledger, { rows, platform, kills: 1, lost }).length
}

describe('the judge of messages', () => {
  it('accepts a message that is in the channel once, whatever its attempts', () => {
    equal(judgeMessage({}), 0)
    equal(judgeMessage({ attempts: 2 }, { posts: 2 }), 0)
    equal(judgeMessage({}, { posts: 2, lost: 1 }), 0)
    equal(judgeMessage(null, { isAged: true }), 0)
  })

  it('finds one that was lost, is there twice, or was posted without its nonce or its mark', () => {
    const findings = [
      judgeMessage(null),
      judgeMessage({ status: 'unknown' }),
      judgeMessage({}, { there: 2 }),
      judgeMessage({}, { there: 0 }),
      judgeMessage({}, { nonce: 'other' }),
      judgeMessage({}, { posts: 2 }),
      judgeMessage({ attempts: 3 }, { posts: 3 }),
      judgeMessage({}, { isAged: true }),
    ]
    equal(
      findings.every(count => count > 0),
      true,
      findings.join(),
    )
  })
})
