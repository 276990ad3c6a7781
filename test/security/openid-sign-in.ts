import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe, it, type Suite } from 'mocha'
import { LoginChallenge, SignInAnswer } from '#protocol/identity/sign-in.js'
import { type Loopback, loopback } from '#test/support/chat/chat-issuer.js'
import { type ChatHost, chatHost, linkedChat } from '#test/support/chat/chat-node.js'
import type { StartHost } from '#test/support/host.js'
import { type OpenIdProvider, openIdProvider } from '#test/support/identity/openid-provider.js'
import { isRefused } from './row.js'

const clientId = 'kronika'
const otherClientId = 'somebody-else'

/** Sign-in at a host with what a provider of another make gives. */
export const seeOpenIdProvider = (start: StartHost): Suite =>
  describe('chat sign-in with an OpenID provider of another make', () => {
    let provider: OpenIdProvider
    let host: ChatHost
    let relay: Loopback
    let isEmpty = false
    const agents: Array<string | undefined> = []
    before(async () => {
      provider = await openIdProvider([clientId, otherClientId], linkedChat)
      const { issuer, jwksUrl } = await provider.discover()
      const keys = await (await fetch(jwksUrl)).text()
      relay = await loopback((request, response) => {
        agents.push(request.headers['user-agent'])
        response.end(isEmpty ? '{"keys": []}' : keys)
      })
      host = await chatHost(start, { issuer, jwksUrl: relay.url, clientId })
    })
    after(async () => {
      await host.stop()
      await relay.close()
      await provider.close()
    })

    const challenge = async (): Promise<string> => {
      const reply = await host.client.ask('/auth/chat/challenge', { method: 'POST', token: null })
      const answer = LoginChallenge.decode(reply.json)
      if (isLeft(answer)) throw new Error(reply.text)
      return answer.right.challenge
    }

    it('tells a client what the provider is asked with', async () => {
      const reply = await host.client.ask('/auth/chat/config', { token: null })
      deepEqual(reply.json, { enabled: true, clientId, issuer: provider.issuer, scope: 'openid' })
    })

    it('signs in with the id token of a whole code flow; the session works, the same token never again', async () => {
      const token = await provider.idToken(clientId, await challenge())
      const reply = await host.signIn(token)
      equal(reply.status, 200, reply.text)
      const answer = SignInAnswer.decode(reply.json)
      if (isLeft(answer)) throw new Error(reply.text)
      deepEqual(answer.right.identity, { gameId: '41001', name: 'Brzoza', roles: [], chatId: linkedChat })
      match(answer.right.token, /^sess_/)
      const read = await host.client.ask('/entities/Orrin', { token: answer.right.token })
      equal(read.status, 200, read.text)
      isRefused(await host.signIn(token), 401, 'Unauthorized')
    })

    it('goes on with the keys that verified somebody while the provider answers with an empty set', async () => {
      isEmpty = true
      const token = await provider.idToken(clientId, await challenge())
      const [, ...rest] = token.split('.')
      const header = Buffer.from('{"alg":"RS256","kid":"unknown"}').toString('base64url')
      const asked = agents.length
      isRefused(await host.signIn([header, ...rest].join('.')), 401, 'Unauthorized')
      equal(agents.length, asked + 1, 'the set was fetched again')
      isRefused(await host.signIn([header, ...rest].join('.')), 401, 'Unauthorized')
      equal(agents.length, asked + 1, 'and not once more')
      equal((await host.signIn(token)).status, 200)
      isEmpty = false
      for (const agent of agents) match(agent ?? '', /^DiscordBot \(https:\/\//)
    })

    it('refuses a token that the same provider gave the same person for another client', async () => {
      const token = await provider.idToken(otherClientId, await challenge())
      const reply = await host.signIn(token)
      isRefused(reply, 401, 'Unauthorized')
      match(reply.text, /`aud` is not this client alone/)
    })

    it('refuses a token of a provider that calls itself the same and has other keys', async () => {
      const twin = await openIdProvider([clientId], linkedChat, provider.issuer)
      const token = await twin.idToken(clientId, await challenge())
      await twin.close()
      const reply = await host.signIn(token)
      isRefused(reply, 401, 'Unauthorized')
      match(reply.text, /the issuer did not sign it/)
    })
  })
