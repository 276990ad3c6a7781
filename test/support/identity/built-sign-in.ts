import { ok } from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { startBuilt } from '#test/support/built-host.js'
import { eventually } from '#test/support/daemon.js'
import { nowMs } from '#test/support/front.js'
import type { Host } from '#test/support/host.js'
import type { Client } from '#test/support/http-client.js'
import { runtimeIn } from '#test/support/runtime.js'
import { testGameKey } from './game-envelopes.js'
import { type Attempt, type KeyWish, type StartRig, signInAt, signInFiles } from './game-sign-in-rig.js'
import { keyServer } from './key-server.js'

const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString()

/** What the key server answers first; requests that wait for the key wait for one fetch. */
const pemFor = (wish: KeyWish): string | null => {
  if (wish === 'away') return null
  return pemOf(wish === 'unasked' || 'afterAsks' in wish ? testGameKey().publicKey : wish)
}

const results = ['accepted', 'refused', 'unknown_id', 'unavailable'] as const
const RefusedLines = t.type({
  items: t.array(t.intersection([t.type({ action: t.string }), t.partial({ reason: t.string })])),
})

const countAttempts = (host: Host): Promise<ReadonlyArray<number>> =>
  Promise.all(results.map(result => host.metric('svc_auth_attempts_total', { method: 'game', result })))

/** The reasons of the refused credentials in the audit stream, latest first. */
const reasons = async (host: Host): Promise<ReadonlyArray<string>> => {
  const lines = RefusedLines.decode((await host.client.ask('/logs/audit?limit=1000')).json)
  if (isLeft(lines)) throw new Error('the audit stream has another shape')
  return lines.right.items.flatMap(({ action, reason }) =>
    action === 'credential.refused' ? [reason ?? ''] : [],
  )
}

/**
 * A client whose every request comes from another network, as through a proxy, so that no refusals are
 * grouped (ADR 1021).
 */
const fromManyNetworks = (client: Client): Client => {
  let asked = 0
  return {
    ...client,
    ask: (path, ask = {}) => {
      asked += 1
      return client.ask(path, {
        ...ask,
        headers: { ...ask.headers, 'X-Forwarded-For': `203.0.113.${asked % 256}` },
      })
    },
  }
}

/** Game sign-in at the built daemon, whose clock has the same time as the in-process rig. */
export const startBuiltSignIn: StartRig = async ({ rules = {}, key = testGameKey().publicKey } = {}) => {
  const keys = await keyServer(pemFor(key))
  const game = {
    signing_key_url: rules === null ? '' : keys.url,
    require_challenge: rules?.requireChallenge ?? false,
  }
  const host = await startBuilt({
    files: {
      ...signInFiles,
      '.svc/config.json': JSON.stringify({
        server: { sign_in_per_minute: 0, trusted_proxies: ['127.0.0.1'] },
        integrations: { game },
      }),
    },
    heldAtMs: nowMs,
  })
  let atMs = nowMs
  const runtime = runtimeIn(host.daemon.ready.state)
  return {
    ...signInAt(fromManyNetworks(host.client), () => atMs),
    runtime,
    setNowMs: ms => {
      atMs = ms
      host.setNowMs(ms)
    },
    attempted: async signIn => {
      const [before, told] = [await countAttempts(host), (await reasons(host)).length]
      const reply = await signIn()
      const after = await countAttempts(host)
      const made = results.flatMap((result, n) =>
        Array.from({ length: (after[n] ?? 0) - (before[n] ?? 0) }, () => result),
      )
      const refused = made.filter(result => result === 'refused').length
      const said = await eventually(
        () => reasons(host),
        all => all.length === told + refused,
      )
      return [reply, made.map((result): Attempt => [result, result === 'refused' ? (said[0] ?? '') : null])]
    },
    close: async () => {
      runtime.dispose()
      await host.stop()
      await keys.close()
      ok(key !== 'unasked' || keys.fetches() === 0, 'the key was asked for')
    },
  }
}
