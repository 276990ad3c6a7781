import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { refusalFoldRule } from '#src/domain/limits/fold-refusals.js'
import {
  type ChatIssuer,
  chatIssuer,
  jwkOf,
  type Loopback,
  loopback,
} from '#test/support/chat/chat-issuer.js'

import { type ChatHost, chatHost } from '#test/support/chat/chat-node.js'
import { eventually } from '#test/support/daemon.js'
import type { StartHost } from '#test/support/host.js'
import type { Reply } from '#test/support/http-client.js'
import { ellipticKey, tokenWithHeader } from '#test/support/identity/forged-tokens.js'
import { leastSpentMs, processorMsOfHost } from '#test/support/least-time.js'
import { isRefused } from './row.js'

/** What a line of SECURITY 4.1 is tried on: one host, its issuer, and a host of the attacker. */
export interface ChatBench {
  readonly start: StartHost
  readonly host: ChatHost
  readonly issuer: ChatIssuer
  readonly attacker: Loopback
  /** Signs in, and remembers the token: no part of it may be told by anything. */
  readonly signIn: (token: string) => Promise<Reply>
}

export interface ChatRow {
  readonly id: string
  readonly input: string
  readonly answer: string
  readonly see: (bench: ChatBench) => Promise<void>
}

/** An answer takes less processor time (SECURITY). */
const answerMs = 1_000

/** Sees that each answer is the refusal, and that one costs little. */
const checkCheapAnswer = async (
  host: ChatHost,
  ask: () => Promise<Reply>,
  see: (reply: Reply) => void,
): Promise<void> => {
  const tookMs = await leastSpentMs({ barMs: answerMs, spent: processorMsOfHost(host) }, async () =>
    see(await ask()),
  )
  ok(tookMs < answerMs, 'each answer took a second')
}

/** A line whose token is refused as a bad credential, for this reason and no other. */
export const rowOfRefusedToken = (
  id: string,
  input: string,
  why: string,
  token: (bench: ChatBench) => string,
): ChatRow => ({
  id,
  input,
  answer: `401 Unauthorized: ${why}`,
  see: async bench => {
    const shown = token(bench)
    await checkCheapAnswer(
      bench.host,
      () => bench.signIn(shown),
      reply => {
        isRefused(reply, 401, 'Unauthorized')
        ok(reply.text.includes(` because ${why}. `), reply.text)
      },
    )
  },
})

/** A line whose body is refused before anything is verified. */
export const rowOfRefusedBody = (id: string, input: string, body: string | null): ChatRow => ({
  id,
  input,
  answer: '400 BodyInvalid',
  see: ({ host }) =>
    checkCheapAnswer(
      host,
      () => host.post(body),
      reply => isRefused(reply, 400, 'BodyInvalid'),
    ),
})

const linesOf = async (host: ChatHost, stream: 'audit' | 'request'): Promise<string> =>
  (await host.client.ask(`/logs/${stream}?limit=1000`)).text

/** Texts that are long enough to be nobody else's. */
const partsOf = (tokens: ReadonlyArray<string>): ReadonlyArray<string> =>
  tokens.flatMap(token => token.split('.')).filter(part => part.length > 16)

/** Lines of SECURITY 4.1 under one title. */
export interface ChatTable {
  readonly title: string
  readonly rows: ReadonlyArray<ChatRow>
}

/** Runs a table on one host; after each line it answers, has asked nobody else, and has told nothing of the token. */
export const seeChatTable = ({ title, rows }: ChatTable, start: StartHost): void => {
  describe(`SECURITY 4.1 ${title}`, () => {
    let bench: ChatBench
    let sent: ReadonlyArray<string> = []
    before(async () => {
      const issuer = await chatIssuer(jwkOf('first'), {
        ...jwkOf('ec', ellipticKey().publicKey),
        use: 'sig',
      })
      const attacker = await loopback((_, res) => res.end(JSON.stringify({ keys: [jwkOf('evil')] })))
      const host = await chatHost(start, issuer)
      const signIn = (token: string): Promise<Reply> => {
        sent = [...sent, token]
        return host.signIn(token)
      }
      bench = { issuer, attacker, start, host, signIn }
    })
    afterEach(async () => {
      equal((await bench.host.client.ask('/health', { token: null })).status, 200)
      equal(bench.attacker.connections(), 0, 'the host of the attacker was asked')
      ok(bench.issuer.fetches() <= 2, `${bench.issuer.fetches()} fetches of the key set`)
    })
    after(async () => {
      await bench.host.stop()
      await bench.issuer.close()
      await bench.attacker.close()
    })

    it('the good token of these lines signs in', async () => {
      const reply = await bench.signIn(tokenWithHeader({}))
      equal(reply.status, 200, reply.text)
    })

    for (const one of rows) it(`${one.id} | ${one.input} | ${one.answer}`, () => one.see(bench))

    it('leaves as many audit lines of refused credentials as one client gets, and no part of a token anywhere', async () => {
      const { host } = bench
      const refused = rows.filter(row => row.answer.startsWith('401')).length
      const counted = await host.metric('svc_auth_attempts_total', { method: 'chat', result: 'refused' })
      ok(counted >= refused, `${counted} counted`)
      const lines = Math.min(counted, refusalFoldRule.linesPerClient)
      const audit = await eventually(
        () => linesOf(host, 'audit'),
        text => text.split('"signIn":"chat"').length - 1 === lines,
      )
      const said = audit + (await linesOf(host, 'request')) + host.said()
      deepEqual(
        partsOf(sent).filter(part => said.includes(part)),
        [],
      )
      doesNotMatch(said, /attacker|canary|dev\/null/)
      equal(await host.metric('svc_auth_attempts_total', { method: 'chat', result: 'accepted' }), 1)
    })
  })
}
