import { equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type ChatIssuer, chatIssuer, jwkOf } from '#test/support/chat/chat-issuer.js'
import type { Reply } from '#test/support/http-client.js'
import { clientId, goodIdClaims, idToken, issuer as issuerUrl } from '#test/support/identity/id-tokens.js'
import { linkedFiles } from '#test/support/identity/linked-world.js'
import { startNode, type TestNode } from '#test/support/node.js'

describe('an account of the chat, from a stranger to a stranger', () => {
  let issuer: ChatIssuer
  let node: TestNode
  beforeEach(async () => {
    issuer = await chatIssuer(jwkOf('first'))
    const chat = { guild_id: '900', client_id: clientId, issuer: issuerUrl, jwks_url: issuer.jwksUrl }
    const config = { server: { sign_in_per_minute: 0 }, integrations: { chat } }
    node = await startNode({ files: { ...linkedFiles, '.svc/config.json': JSON.stringify(config) } })
  })
  afterEach(async () => {
    await node.stop()
    await issuer.close()
  })

  const post = (path: string, body: object, token?: null): Promise<Reply> =>
    node.client.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const signIn = (chatId: string): Promise<Reply> =>
    post(
      '/auth/chat',
      { id_token: idToken({ ...goodIdClaims(Date.now(), chatId), jti: randomUUID() }) },
      null,
    )
  const register = (chatId: string): Promise<Reply> =>
    post('/workflows/register-by-chat', { chatId, gameId: '8', guildId: '900' })
  const tokenOf = (reply: Reply): string => String(Reflect.get(Object(reply.json), 'token'))
  const whoami = (token: string): Promise<Reply> => node.client.ask('/auth/whoami', { token })

  it('signs in once it is registered, and no request more once it is displaced', async () => {
    match((await signIn('222')).text, /"not_linked"/)
    equal((await register('222')).status, 200)
    const signed = await signIn('222')
    equal(signed.status, 200, signed.text)
    const mine = await whoami(tokenOf(signed))
    match(`${mine.status} ${mine.text}`, /^200 .*"Olcha".*"chatId":"222"/)

    match((await register('888')).text, /"displaces":"222"/)
    equal((await whoami(tokenOf(signed))).status, 401, 'the session of the displaced account is gone')
    match((await signIn('222')).text, /"not_linked"/)
    const theirs = await whoami(tokenOf(await signIn('888')))
    match(`${theirs.status} ${theirs.text}`, /^200 .*"Olcha".*"chatId":"888"/)
    const report = await post('/workflows/whoami-by-chat', { chatId: '222', guildId: '900' })
    match(report.text, /"linked":false.*"guildMatches":true.*"signInEnabled":true/)
  })
})
