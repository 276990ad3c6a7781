import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import {
  type LoginRight,
  loginCaller,
  type NamedRight,
  namedCaller,
  type TokenRecord,
  tokenHash,
} from '#src/domain/identity/credentials/tokens.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { eventually } from '#test/support/daemon.js'
import {
  nodeView,
  nowMs,
  quietMeter,
  type TestFront,
  testFront,
  testMachineToken,
} from '#test/support/front.js'
import { makeKeptEvents } from '#test/support/kept-events.js'
import { worldOf } from '#test/support/world.js'
import type { StreamEnd } from '../records/meter.js'

const worldWith = (brzoza: string): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': `## Gracz\n### Brzoza\n- @gameid: 100${brzoza}\n- @rola: Narrator\n`,
  })

const named = 'named_of.the-tests'
const session = 'sess_of-the-tests'
const tokenEntry = <A>(token: string, right: A): [string, TokenRecord<A>] => [
  tokenHash(token).toString('hex'),
  { hash: tokenHash(token), right },
]

describe('a live stream and the right that opened it', () => {
  let front: TestFront
  let events: ReturnType<typeof makeKeptEvents>
  let ends: Array<StreamEnd>
  let lateMs: number
  let namedKept: Map<string, TokenRecord<NamedRight>>
  /** How often the token was looked up. */
  let lookups: number
  beforeEach(async () => {
    lookups = 0
    ends = []
    lateMs = 0
    events = makeKeptEvents()
    namedKept = new Map([
      tokenEntry(named, {
        id: '1',
        name: 'bot',
        capabilities: ['events.subscribe'],
        expiresMs: nowMs + 60_000,
      }),
    ])
    const sessions = new Map([
      tokenEntry<LoginRight>(session, { gameId: '100', chatId: null, expiresMs: nowMs + 60_000 }),
    ])
    front = await testFront({
      snapshot: worldWith(''),
      node: nodeView({ events: events.feed }),
      clock: { nowMs: () => nowMs + lateMs, monotonicMs: () => performance.now() },
      kinds: {
        named_: namedCaller(hash => {
          lookups += 1
          return namedKept.get(hash) ?? null
        }),
        sess_: loginCaller(hash => sessions.get(hash) ?? null),
      },
      meter: { ...quietMeter, streamEnded: reason => void ends.push(reason) },
    })
  })
  afterEach(() => front.close())

  interface Follower {
    /** Resolves to the complete text when the daemon has ended the stream. */
    readonly text: Promise<string>
    /** Waits until the stream contains this text. */
    readonly hears: (part: string) => Promise<unknown>
  }
  const follow = async (token: string): Promise<Follower> => {
    const response = await fetch(`http://127.0.0.1:${front.front.apiPort}/v1/api/events?since=0`, {
      headers: { authorization: `Bearer ${token}` },
    })
    equal(response.status, 200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const all = async (): Promise<string> => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        text += part.value
      return text
    }
    return {
      text: all(),
      hears: part =>
        eventually(
          () => Promise.resolve(text),
          told => told.includes(part),
        ),
    }
  }
  const again = async (token: string): Promise<number> =>
    (await front.client.ask('/events', { token })).status
  const ended = ': ended, the token no longer opens this stream\n\n'

  it('ends within two ticks of the revocation of its named token, told all that came before', async () => {
    await events.add(1)
    const { text } = await follow(named)
    const before = lookups
    namedKept.clear()
    const told = await text
    ok(told.endsWith(ended), told)
    ok(lookups - before <= 2, `looked for ${lookups - before} times, once each tick`)
    deepEqual(ends, ['revoked'])
    equal(await again(named), 401)
  })

  it('is not told an event that comes after the revocation, however soon', async () => {
    const { text } = await follow(named)
    namedKept.clear()
    await events.add(1)
    equal(await text, `retry: 3000\nid: 0\n\n${ended}`)
  })

  it('is not told the commit that closes the id of its login, nor what comes after', async () => {
    const { text, hears } = await follow(session)
    await events.add(1)
    await hears('id: 1\n')
    front.serve(worldWith(' (:2026-05)'))
    await events.add(2)
    const told = await text
    deepEqual(told.match(/^id: .*$/gm)?.at(-1), 'id: 1')
    ok(told.endsWith(ended), told)
    equal(await again(session), 401)
  })

  it('ends when its token expires, a login’s and a named one’s, and not before', async () => {
    const streams = [await follow(named), await follow(session)]
    lateMs = 59_999
    await events.add(1)
    for (const { hears } of streams) await hears('id: 1\n')
    await new Promise(resolve => setTimeout(resolve, 1_200))
    deepEqual(ends, [])
    lateMs = 60_000
    for (const { text } of streams) ok((await text).endsWith(`}\n\n${ended}`))
    deepEqual(ends, ['revoked', 'revoked'])
  })

  it('is one of 32 that a person or a token may have: the next is 503, and others have theirs', async () => {
    const mine = await Promise.all(Array.from({ length: 32 }, () => follow(session)))
    equal(await again(session), 503)
    const others = [await follow(named), await follow(testMachineToken)]
    namedKept.clear()
    ok((await others[0]?.text)?.endsWith(ended))
    front.serve(worldWith(' (:2026-05)'))
    for (const { text } of mine) ok((await text).endsWith(ended))
    front.serve(worldWith(''))
    await follow(session)
  })

  it('is 403 to who comes back without the right, and goes on for who keeps it', async () => {
    const { text, hears } = await follow(session)
    front.serve(worldWith(' (2020-01:)'))
    await events.add(1)
    await hears('id: 1\n')
    await new Promise(resolve => setTimeout(resolve, 1_200))
    deepEqual(ends, [])
    front.serve(
      worldOf({
        '.svc/format.json': '{"format": 2}',
        'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 100\n',
      }),
    )
    ok((await text).includes('id: 1\n'))
    equal(await again(session), 403)
  })
})
