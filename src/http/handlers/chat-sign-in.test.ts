import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { challengesMax, LoginChallenge } from '#protocol/identity/sign-in.js'
import { refuse } from '#protocol/refusal.js'
import { skewSeconds } from '#src/domain/identity/credentials/id-token.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import { bundles } from '#src/domain/identity/roles.js'
import type { IdentityPorts, SignedIn } from '#src/ports/identity.js'
import { nodeView, nowMs, type TestFront, type TestFrontOptions, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { chatSignInWith, clientId, goodIdClaims, idToken, issuer } from '#test/support/identity/id-tokens.js'
import { worldOf } from '#test/support/world.js'

const makeBinding = (chatId: string, gameId: string) => ({
  chatId,
  gameId,
  since: '2026-01-01T00:00:00Z',
  by: 'x',
})
const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md':
    '## Gracz\n### Brzoza\n- @gameid: 41001\n- @rola: Narrator\n### Wit\n- @gameid: 41002 (:2025)\n',
  '.svc/bindings.json': JSON.stringify({
    bindings: [makeBinding('700', '41001'), makeBinding('701', '41002')],
  }),
})
const challengeOf = (reply: Reply): string => {
  const answer = LoginChallenge.decode(reply.json)
  if (isLeft(answer)) throw new Error(reply.text)
  return answer.right.challenge
}
const diskFull = left(refuse('DiskRefused', 'The disk is full.'))

describe('chat sign-in', () => {
  let front: TestFront
  let ends: ReadonlyArray<string>
  let minted: ReadonlyArray<SignedIn>
  const serve = async (
    overrides: Partial<IdentityPorts> = {},
    gate: TestFrontOptions['gate'] = () => null,
  ): Promise<void> => {
    const node = nodeView({
      attempted: (method, result, reason) => {
        ends = [...ends, reason === null ? `${method} ${result}` : `${method} ${result}: ${reason}`]
      },
      mintLogin: who => {
        minted = [...minted, who]
        return Promise.resolve(
          right({
            token: 'sess_made',
            expiresMs: nowMs + 60_000,
            fleet: { token: 'fsess_made', expiresMs: nowMs },
          }),
        )
      },
      ...overrides,
    })
    front = await testFront({ snapshot: world, node, gate })
  }
  beforeEach(() => {
    ends = []
    minted = []
  })
  afterEach(() => front.close())

  const signIn = (claims: object, header: object = {}): Promise<Reply> => {
    const body = JSON.stringify({ id_token: idToken(claims, header) })
    return front.client.ask('/auth/chat', { method: 'POST', body, token: null })
  }
  const good = goodIdClaims(nowMs, '700')
  const is = (reply: Reply, status: number, error: string): void => {
    deepEqual([reply.status, reply.text.includes(`"error":"${error}"`)], [status, true], reply.text)
    equal(minted.length, 0)
  }

  it('signs in the Gracz that the account is linked to', async () => {
    await serve()
    const reply = await signIn(good)
    equal(reply.status, 200, reply.text)
    deepEqual(reply.json, {
      token: 'sess_made',
      identity: { gameId: '41001', name: 'Brzoza', roles: ['Narrator'], chatId: '700' },
      capabilities: resolveCapabilities(new Set(bundles['narrator'])),
      expires: new Date(nowMs + 60_000).toISOString(),
      fleetToken: 'fsess_made',
      fleetTokenExpires: new Date(nowMs).toISOString(),
    })
    deepEqual(minted, [{ gameId: '41001', chatId: '700' }])
    deepEqual(ends, ['chat accepted'])
  })

  it('works while writes are refused: only private records are written (A 4.3)', async () => {
    await serve({}, () => refuse('ReadOnly', 'The gate is shut.'))
    equal((await signIn(good)).status, 200)
  })

  it('is 403 for an account that nobody linked, and for a link to nobody', async () => {
    await serve()
    is(await signIn({ ...good, sub: '702' }), 403, 'not_linked')
    is(await signIn({ ...good, sub: '701' }), 403, 'no_gracz_for_game_id')
    match(ends.join('\n'), /^chat not_linked: .*\nchat unknown_id: /)
  })

  it('burns the nonce once, and only where everything else is good', async () => {
    await serve()
    const made = await front.client.ask('/auth/chat/challenge', { method: 'POST', token: null })
    const nonce = challengeOf(made)
    is(await signIn({ ...good, nonce, exp: 1 }), 401, 'Unauthorized')
    const both = await Promise.all([signIn({ ...good, nonce }), signIn({ ...good, nonce })])
    deepEqual(both.map(one => one.status).toSorted(), [200, 401])
    minted = []
    is(await signIn({ ...good, nonce }), 401, 'Unauthorized')
    is(await signIn({ ...good, nonce: 'of-nobody' }), 401, 'Unauthorized')
  })

  it('takes a token without a nonce once, also by two at once, and says what to do', async () => {
    await serve()
    const both = await Promise.all([signIn(good), signIn(good)])
    deepEqual(both.map(one => one.status).toSorted(), [200, 401])
    equal(minted.length, 1)
    minted = []
    const again = await signIn(good)
    is(again, 401, 'Unauthorized')
    match(again.text, /was already used here. Ask the issuer for a new one/)
    match(ends.at(-1) ?? '', /^chat refused: /)
    equal((await signIn({ ...good, jti: 'another' })).status, 200)
  })

  it('remembers a token without a nonce for as long as the skew takes it beyond its end', async () => {
    let atMs = nowMs
    const clock = { nowMs: () => atMs, monotonicMs: () => atMs }
    front = await testFront({ snapshot: world, node: nodeView(), clock })
    const lastMs = (good.exp + skewSeconds) * 1000 - 1
    equal((await signIn(good)).status, 200)
    atMs = lastMs
    equal((await signIn({ ...good, exp: good.exp + 600 })).status, 200)
    const late = await signIn(good)
    is(late, 401, 'Unauthorized')
    match(late.text, /was already used here/)
    atMs += 1
    match((await signIn(good)).text, /it has expired/)
  })

  it('remembers no token that signed nobody in: who is linked now may show it again', async () => {
    await serve()
    const unlinked = { ...good, sub: '702' }
    is(await signIn(unlinked), 403, 'not_linked')
    front.serve(
      worldOf({
        '.svc/format.json': '{"format": 2}',
        'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 41001\n',
        '.svc/bindings.json': JSON.stringify({ bindings: [makeBinding('702', '41001')] }),
      }),
    )
    equal((await signIn(unlinked)).status, 200)
  })

  it('takes no challenge of the game for a nonce', async () => {
    const node = nodeView()
    await serve({ challenges: node.challenges })
    const made = await front.client.ask('/auth/game/challenge', { method: 'POST', token: null })
    is(await signIn({ ...good, nonce: challengeOf(made) }), 401, 'Unauthorized')
  })

  it('is 401 with the reason for a bad token, and tells it to who counts', async () => {
    await serve()
    const reply = await signIn({ ...good, aud: 'other' })
    is(reply, 401, 'Unauthorized')
    match(reply.text, /`aud` is not this client alone/)
    equal(reply.headers['www-authenticate'], 'Bearer')
    deepEqual(ends, [
      'chat refused: The id token is refused because `aud` is not this client alone. Sign in again.',
    ])
  })

  it('is off without a client, and verifies nothing then', async () => {
    const keysBy = () => Promise.reject(new Error('a key was asked for'))
    await serve({ chatSignIn: chatSignInWith({ rules: null, keysBy }) })
    is(await signIn(good), 503, 'chat_auth_disabled')
    const off = await front.client.ask('/auth/chat/config', { token: null })
    deepEqual(off.json, { enabled: false, clientId: null, issuer: null, scope: null })
  })

  it('tells a client what to ask the issuer with', async () => {
    await serve()
    const reply = await front.client.ask('/auth/chat/config', { token: null })
    deepEqual(reply.json, { enabled: true, clientId, issuer, scope: 'openid' })
  })

  it('is 503 with Retry-After while there is no key to verify with', async () => {
    await serve({
      chatSignIn: chatSignInWith({
        keysBy: () => Promise.resolve(left({ _tag: 'KeysAway', why: 'unreachable' })),
      }),
    })
    const reply = await signIn(good)
    is(reply, 503, 'SigningKeyAway')
    equal(reply.headers['retry-after'], '1')
    match(ends.join(), /^chat unavailable/)
  })

  it('is 401 where two keys of the issuer may have signed it', async () => {
    const chat = chatSignInWith()
    const keysBy: typeof chat.keysBy = async () => {
      const keys = await chat.keysBy('first')
      return keys._tag === 'Left' ? keys : right([...keys.right, ...keys.right])
    }
    await serve({ chatSignIn: { ...chat, keysBy } })
    is(await signIn(good, { kid: undefined }), 401, 'Unauthorized')
  })

  it('is 503 where the disk takes no login, no token, no challenge, or no burn of one', async () => {
    const { challenges } = nodeView()
    await serve({
      mintLogin: () => Promise.resolve(diskFull),
      challenges: { ...challenges, mint: () => diskFull, burn: () => diskFull },
    })
    is(await signIn(good), 503, 'DiskRefused')
    is(await signIn({ ...good, nonce: 'n' }), 503, 'DiskRefused')
    is(await front.client.ask('/auth/chat/challenge', { method: 'POST', token: null }), 503, 'DiskRefused')
    await front.close()
    await serve({ isFirstShowing: () => diskFull })
    is(await signIn(good), 503, 'DiskRefused')
  })

  it('shares the 512 challenges with the game', async () => {
    const { challenges } = nodeView()
    await serve({ challenges })
    for (let at = 0; at < challengesMax; at += 1) challenges.mint('game', '127.0.0.1', nowMs)
    is(
      await front.client.ask('/auth/chat/challenge', { method: 'POST', token: null }),
      429,
      'challenge_flood',
    )
  })

  it('is 503 before the first snapshot, where nobody is known yet', async () => {
    await serve()
    front.serve(null)
    is(await signIn(good), 503, 'Starting')
  })
})
