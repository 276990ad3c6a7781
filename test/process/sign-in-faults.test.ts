import { equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { SignInAnswer } from '#protocol/identity/sign-in.js'
import { type ChatIssuer, chatIssuer, jwkOf } from '#test/support/chat/chat-issuer.js'
import { type ChatNode, chatNode } from '#test/support/chat/chat-node.js'
import { eventually } from '#test/support/daemon.js'
import { tokenWithHeader } from '#test/support/identity/forged-tokens.js'

const keeper = 'key-keeper'

describe('sign-in while the keeper of keys faults', () => {
  let issuer: ChatIssuer
  let node: ChatNode
  before(async () => {
    issuer = await chatIssuer(jwkOf('first'))
    node = await chatNode(issuer)
  })
  after(async () => {
    await node.stop()
    await issuer.close()
  })

  const signedIn = async (): Promise<string> => {
    const reply = await node.signIn(tokenWithHeader({}))
    const answer = SignInAnswer.decode(reply.json)
    if (isLeft(answer)) throw new Error(`${reply.status} ${reply.text}`)
    return answer.right.token
  }
  const readsWith = async (token: string): Promise<number> =>
    (await node.client.ask('/entities/Orrin', { token })).status
  const stateOf = (): string | undefined =>
    node.faults
      .kernel()
      .readings()
      .find(reading => reading.actor === keeper)?.state

  it('is 503 for the one whose ask met the fault, and goes on when the keeper is back', async () => {
    const token = await signedIn()
    node.faults.fail(keeper, 'receive')
    equal((await node.signIn(tokenWithHeader({}))).status, 503)
    equal(await readsWith(token), 200)
    await eventually(
      () => node.signIn(tokenWithHeader({})),
      reply => reply.status === 200,
    )
    // The keys were in memory: a keeper that is new has fetched them again.
    equal(issuer.fetches(), 2)
  })

  it('is 503 for good when the keeper is given up; sessions and the node go on (RELIABILITY 5)', async () => {
    const token = await signedIn()
    node.faults.fail(keeper, 'receive', 1_000)
    await eventually(
      async () => {
        await node.signIn(tokenWithHeader({}))
        return stateOf()
      },
      state => state === 'stopped',
    )
    const reply = await node.signIn(tokenWithHeader({}))
    equal(reply.status, 503)
    equal(reply.text.includes('"SigningKeyAway"'), true)
    equal(await readsWith(token), 200)
    equal((await node.client.ask('/health')).status, 200)
    equal(node.gaveUp(), 0)
  })
})
