import { equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, type Suite } from 'mocha'
import { type ChatIssuer, chatIssuer, jwkOf } from '#test/support/chat/chat-issuer.js'
import { type ChatHost, chatHost } from '#test/support/chat/chat-node.js'
import type { StartHost } from '#test/support/host.js'
import { tokenWithClaims, tokenWithHeader } from '#test/support/identity/forged-tokens.js'
import { clientId, issuerKey } from '#test/support/identity/id-tokens.js'
import { isRefused } from './row.js'

/** What a host does with the keys of the issuer. */
export const seeChatKeys = (start: StartHost): Suite =>
  describe('SECURITY 4.1 keys of the id token', () => {
    let issuer: ChatIssuer
    let host: ChatHost
    beforeEach(async () => {
      issuer = await chatIssuer(jwkOf('first'))
      host = await chatHost(start, issuer)
    })
    afterEach(async () => {
      await host.stop()
      await issuer.close()
    })

    const signsIn = async (token: string): Promise<void> => {
      const reply = await host.signIn(token)
      equal(reply.status, 200, reply.text)
    }
    const unknown = (n: number): string => tokenWithHeader({ kid: `unknown-${n}` })

    it('4.1.47 | aud a list of ours alone | 200, and one fetch for a hundred sign-ins', async () => {
      await Promise.all(Array.from({ length: 100 }, () => signsIn(tokenWithClaims({ aud: [clientId] }))))
      equal(issuer.fetches(), 1)
      equal(await host.metric('svc_auth_key_fetches_total', { source: 'jwks', result: 'ok' }), 1)
    })

    it('4.1.48 | a key that was rotated in | 200 after one forced fetch; one that verified nobody is 401', async () => {
      await signsIn(tokenWithHeader({}))
      issuer.publish(jwkOf('second'))
      await signsIn(tokenWithHeader({ kid: 'second' }, issuerKey('second').privateKey))
      equal(issuer.fetches(), 2)
      // The old one verified somebody, so it goes on for the time of the cache (docs/spec/sign-in.md#shrunken).
      await signsIn(tokenWithHeader({}))
      isRefused(await host.signIn(unknown(0)), 401, 'Unauthorized')
      equal(issuer.fetches(), 2)
    })

    it('4.1.49 | 1,000 unknown kids, then a good token | 401 each, one fetch in all, then 200', async () => {
      for (let from = 0; from < 1_000; from += 50) {
        const batch = Array.from({ length: 50 }, (_, n) => host.signIn(unknown(from + n)))
        for (const reply of await Promise.all(batch)) isRefused(reply, 401, 'Unauthorized')
      }
      equal(issuer.fetches(), 1)
      await signsIn(tokenWithHeader({}))
      equal(issuer.fetches(), 1)
    })

    it('4.1.50 | the issuer is away, before and after its keys were had | 503, and 200 by the kept key', async () => {
      // One host at a time: the end of a host checks that the process has no more timers than at its start.
      await host.stop()
      const away = await chatHost(start, { jwksUrl: 'http://127.0.0.1:9/jwks' })
      isRefused(await away.signIn(tokenWithHeader({})), 503, 'SigningKeyAway')
      equal(await away.metric('svc_auth_key_fetches_total', { source: 'jwks', result: 'refused' }), 1)
      await away.stop()
      host = await chatHost(start, issuer)
      await signsIn(tokenWithHeader({}))
      await issuer.close()
      await signsIn(tokenWithHeader({}))
      isRefused(await host.signIn(unknown(0)), 401, 'Unauthorized')
      await signsIn(tokenWithHeader({}))
    })

    it('4.1.51 | one token without a nonce, twenty sign-ins at once, then again | one 200, the others 401', async () => {
      const token = tokenWithHeader({})
      const replies = await Promise.all(Array.from({ length: 20 }, () => host.signIn(token)))
      equal(replies.filter(reply => reply.status === 200).length, 1)
      for (const reply of replies.filter(one => one.status !== 200)) isRefused(reply, 401, 'Unauthorized')
      isRefused(await host.signIn(token), 401, 'Unauthorized')
      await signsIn(tokenWithHeader({}))
    })
  })
