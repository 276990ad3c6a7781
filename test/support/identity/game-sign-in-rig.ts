import type { KeyObject } from 'node:crypto'
import { right } from 'fp-ts/lib/Either.js'
import type { GameEnvelope } from '#protocol/identity/game-sign-in.js'
import { hostSessions } from '#src/boot/identity/sessions.js'
import type { GameSignIn, GameSignInRules } from '#src/http/credentials/game-sign-in.js'
import { sessionCaller } from '#src/identity/tokens/session-token.js'
import type { AttemptResult } from '#src/ports/sign-in-attempts.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { worldOf } from '#test/support/world.js'
import { gameSignInWith, signedEnvelope, testGameKey } from './game-envelopes.js'

/** Brzoza alone has 7001; 7002 stands in two blocks; 7003 was given up. */
const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': `## Gracz

### Brzoza
- @gameid: 7001
- @rola: Narrator

### Żaneta
- @gameid: 7002

### Świerk
- @gameid: 7002
- @gameid: 7003 (:2025-01)
- @gameid: 7004
`,
})

export interface RigOptions {
  readonly rules?: Partial<GameSignInRules> | null
  readonly key?: GameSignIn['key']
}

/** A front whose challenges and sessions lie in a real runtime database, and a clock that the test sets. */
export interface SignInRig {
  readonly front: TestFront
  readonly runtime: TestRuntime
  readonly attempts: ReadonlyArray<readonly [result: AttemptResult, reason: string | null]>
  readonly nowS: () => number
  readonly setNowMs: (ms: number) => void
  readonly post: (body: unknown) => Promise<Reply>
  /** Signs in as Brzoza, with the parts that the test names. */
  readonly signIn: (parts?: {
    readonly token?: string
    readonly ts?: number | string
    readonly userId?: string
  }) => Promise<Reply>
  readonly challenge: () => Promise<string>
  readonly close: () => Promise<void>
}

export const keyOf =
  (key: KeyObject): GameSignIn['key'] =>
  () =>
    Promise.resolve(right(key))

const fieldOf = (reply: Reply, name: string): string => {
  const value: unknown =
    typeof reply.json === 'object' && reply.json !== null ? Reflect.get(reply.json, name) : null
  if (typeof value !== 'string') throw new Error(`no ${name} in ${reply.text}`)
  return value
}

export const signInRig = async (options: RigOptions = {}): Promise<SignInRig> => {
  const runtime = runtimeOf()
  const { challenges, sessions: store } = runtime.db()
  const sessions = hostSessions({
    store,
    ttlMs: 14_400_000,
    mintFleet: () => Promise.resolve(null),
    bootMs: nowMs,
  })
  let atMs = nowMs
  const attempts: Array<readonly [AttemptResult, string | null]> = []
  const { rules, key = keyOf(testGameKey().publicKey) } = options
  const front = await testFront({
    snapshot: world,
    kinds: { sess_: sessionCaller(sessions.find) },
    clock: { nowMs: () => atMs, monotonicMs: () => performance.now() },
    node: nodeView({
      challenges,
      mintSession: sessions.mint,
      gameSignIn: { rules: rules === null ? null : gameSignInWith(rules).rules, key },
      attempted: (_method, result, reason) => void attempts.push([result, reason]),
    }),
  })
  const post = (body: unknown): Promise<Reply> =>
    front.client.ask('/auth/game', { method: 'POST', token: null, body: JSON.stringify(body) })
  const nowS = (): number => Math.floor(atMs / 1000)
  return {
    front,
    runtime,
    attempts,
    nowS,
    setNowMs: ms => {
      atMs = ms
    },
    post,
    signIn: ({ token = 'zeton', ts = nowS(), userId = '7001' } = {}) =>
      post(signedEnvelope({ userId, token, ts })),
    challenge: async () =>
      fieldOf(await front.client.ask('/auth/game/challenge', { method: 'POST', token: null }), 'challenge'),
    close: async () => {
      await front.close()
      runtime.dispose()
    },
  }
}

/** The session token of a good sign-in. */
export const tokenOf = (reply: Reply): string => fieldOf(reply, 'token')

/** A whole envelope of Brzoza, signed now. */
export const goodEnvelope = (overrides: Partial<GameEnvelope> = {}): GameEnvelope => ({
  ...signedEnvelope({ userId: '7001', token: 'zeton', ts: nowMs / 1000 }),
  ...overrides,
})
