import type { KeyObject } from 'node:crypto'
import { left, right } from 'fp-ts/lib/Either.js'
import type { GameEnvelope } from '#protocol/identity/sign-in.js'
import { loginCaller } from '#src/domain/identity/credentials/tokens.js'
import { hostLogins } from '#src/node/identity/tokens.js'
import type { AttemptResult, GameSignIn, GameSignInRules } from '#src/ports/identity.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import type { Client, Reply } from '#test/support/http-client.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { worldOf } from '#test/support/world.js'
import { gameSignInWith, signEnvelope, testGameKey } from './game-envelopes.js'

/** Only Brzoza has 7001; 7002 is in two blocks; 7003 was given up. */
export const signInFiles = {
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
}

const world = worldOf(signInFiles)

/**
 * What the key server has: a key; the tests' key after this many requests; no key; or it must not be asked.
 */
export type KeyWish = KeyObject | { readonly afterAsks: number } | 'away' | 'unasked'

export interface RigOptions {
  readonly rules?: Partial<GameSignInRules> | null
  readonly key?: KeyWish
}

export type Attempt = readonly [result: AttemptResult, reason: string | null]

/**
 * Game sign-in at a host with a real runtime database for challenges and logins, and a clock that the test
 * sets.
 */
export interface SignInRig {
  readonly client: Client
  readonly runtime: TestRuntime
  readonly nowS: () => number
  readonly setNowMs: (ms: number) => void
  readonly post: (body: unknown) => Promise<Reply>
  /** Signs in as Brzoza, with some parts replaced. */
  readonly signIn: (parts?: {
    readonly token?: string
    readonly ts?: number | string
    readonly userId?: string
  }) => Promise<Reply>
  readonly challenge: () => Promise<string>
  /** Returns the reply of a sign-in, and what the host counted and recorded about it. */
  readonly attempted: (signIn: () => Promise<Reply>) => Promise<readonly [Reply, ReadonlyArray<Attempt>]>
  readonly close: () => Promise<void>
}

export type StartRig = (options?: RigOptions) => Promise<SignInRig>

const keyFor = (wish: KeyWish): GameSignIn['key'] => {
  if (wish === 'away') return () => Promise.resolve(left('away'))
  if (wish === 'unasked') return () => Promise.reject(new Error('asked for a key'))
  if (!('afterAsks' in wish)) return () => Promise.resolve(right(wish))
  let asks = 0
  let open: () => void = () => undefined
  const all = new Promise<void>(resolve => {
    open = resolve
  })
  return async () => {
    asks += 1
    if (asks === wish.afterAsks) open()
    await all
    return right(testGameKey().publicKey)
  }
}

const fieldOf = (reply: Reply, name: string): string => {
  const value: unknown =
    typeof reply.json === 'object' && reply.json !== null ? Reflect.get(reply.json, name) : null
  if (typeof value !== 'string') throw new Error(`no ${name} in ${reply.text}`)
  return value
}

/** The rig's requests through a client, by the clock of the rig. */
export const signInAt = (client: Client, clockMs: () => number) => {
  const post = (body: unknown): Promise<Reply> =>
    client.ask('/auth/game', { method: 'POST', token: null, body: JSON.stringify(body) })
  const nowS = (): number => Math.floor(clockMs() / 1000)
  const signIn: SignInRig['signIn'] = ({ token = 'zeton', ts = nowS(), userId = '7001' } = {}) =>
    post(signEnvelope({ userId, token, ts }))
  const challenge = async (): Promise<string> =>
    fieldOf(await client.ask('/auth/game/challenge', { method: 'POST', token: null }), 'challenge')
  return { client, post, nowS, signIn, challenge }
}

/** The in-process rig, with its parts. */
export interface FrontRig extends SignInRig {
  readonly front: TestFront
  readonly attempts: ReadonlyArray<Attempt>
}

export const signInRig = async (options: RigOptions = {}): Promise<FrontRig> => {
  const runtime = runtimeOf()
  const { challenges, logins: store } = runtime.db()
  const logins = hostLogins({
    store,
    ttlMs: 14_400_000,
    mintFleet: () => Promise.resolve(null),
    bootMs: nowMs,
  })
  let atMs = nowMs
  const attempts: Array<Attempt> = []
  const { rules, key = testGameKey().publicKey } = options
  const front = await testFront({
    snapshot: world,
    kinds: { sess_: loginCaller(logins.find) },
    clock: { nowMs: () => atMs, monotonicMs: () => performance.now() },
    node: nodeView({
      challenges,
      mintLogin: logins.mint,
      gameSignIn: { rules: rules === null ? null : gameSignInWith(rules).rules, key: keyFor(key) },
      attempted: (_method, result, reason) => void attempts.push([result, reason]),
    }),
  })
  return {
    ...signInAt(front.client, () => atMs),
    front,
    runtime,
    attempts,
    setNowMs: ms => {
      atMs = ms
    },
    attempted: async signIn => {
      const before = attempts.length
      const reply = await signIn()
      return [reply, attempts.slice(before)]
    },
    close: async () => {
      await front.close()
      runtime.dispose()
    },
  }
}

/** The login token of a good sign-in. */
export const tokenOf = (reply: Reply): string => fieldOf(reply, 'token')

/** A complete envelope of Brzoza, signed now. */
export const goodEnvelope = (overrides: Partial<GameEnvelope> = {}): GameEnvelope => ({
  ...signEnvelope({ userId: '7001', token: 'zeton', ts: nowMs / 1000 }),
  ...overrides,
})
