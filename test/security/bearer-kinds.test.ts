import { equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe } from 'mocha'
import { hostNamedTokens } from '#src/boot/identity/named-tokens.js'
import { hostSessions } from '#src/boot/identity/sessions.js'
import { callerByApiKey } from '#src/identity/tokens/api-keys.js'
import { tokenHash } from '#src/identity/tokens/machine-token.js'
import { namedCaller } from '#src/identity/tokens/named-token.js'
import { sessionCaller } from '#src/identity/tokens/session-token.js'
import { nowMs, type TestFront } from '#test/support/front.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { worldOf } from '#test/support/world.js'
import { isRefused, type SecurityRow, securityTable } from './row.js'

const key = (): string => `apik_${randomBytes(32).toString('base64url')}`
const keys = {
  good: key(),
  retired: key(),
  twice: key(),
  cased: key(),
  raw: key(),
  ended: key(),
  shared: key(),
}
const hex = (token: string): string => tokenHash(token).toString('hex')
const held = (token: string): string => `- @klucz_api: sha256:${hex(token)}`

/** The people whose tokens are shown: one whose id is closed, one whose id is another's too. */
const snapshot = worldOf(
  {
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': [
      '## Gracz',
      `### Brzoza\n- @gameid: 100\n${held(keys.good)}\n${held(keys.twice)}\n- @klucz_api: ${keys.raw}`,
      `${held(keys.ended)} (:2026-06-14)`,
      `### Cis\n- @gameid: 200 (:2025-12)\n${held(keys.retired)}`,
      `### Dąb\n- @gameid: 300\n${held(keys.twice).toUpperCase().replace('@KLUCZ_API: SHA256', '@klucz_api: sha256')}`,
      `### Grab\n- @gameid: 300\n${held(keys.shared)}`,
      '',
    ].join('\n'),
  },
  { day: '2026-06-15' },
)

/** Two hosts over one repository; what the one mints, the other does not know. */
let runtimes: ReadonlyArray<TestRuntime> = []
const ttlMs = 60_000
const sessionsOf = (runtime: TestRuntime) =>
  hostSessions({
    store: runtime.db().sessions,
    ttlMs,
    mintFleet: () => Promise.resolve(null),
    bootMs: 0,
  })
const hosts = (): { readonly here: TestRuntime; readonly there: TestRuntime } => {
  const [here, there] = runtimes
  if (here === undefined || there === undefined) throw new Error('no host')
  return { here, there }
}
let sessions: ReturnType<typeof sessionsOf>
let elsewhere: ReturnType<typeof sessionsOf>
let named: ReturnType<typeof hostNamedTokens>

const minted = async (at: typeof sessions, gameId: string, atMs = nowMs): Promise<string> => {
  const made = await at.mint({ gameId, chatId: null }, atMs)
  if (isLeft(made)) throw new Error('no session was minted')
  return made.right.token
}

const namedToken = (expiresMs: number | null): { readonly token: string; readonly id: string } => {
  const made = named.mint({ name: 'bot', capabilities: ['entity.read'], expiresMs, by: 'test' }, nowMs)
  if (isLeft(made)) throw new Error('no token was minted')
  return { token: made.right.token, id: made.right.kept.id }
}

const status = async ({ client }: TestFront, token: string): Promise<number> =>
  (await client.ask('/entities', { token })).status

/** A line whose token is refused, beside one of the same kind that is taken. */
const refused = (
  id: string,
  input: string,
  good: () => string | Promise<string>,
  bad: (good: string) => string | Promise<string>,
): SecurityRow => ({
  id,
  input,
  answer: '401 Unauthorized',
  see: async front => {
    const taken = await good()
    equal(await status(front, taken), 200, 'a good one is taken')
    isRefused(await front.client.ask('/entities', { token: await bad(taken) }), 401, 'Unauthorized')
  },
})

const session = (): Promise<string> => minted(sessions, '100')
const body = (token: string): string => token.slice(token.indexOf('_') + 1)

describe('tokens of two hosts', () => {
  before(() => {
    runtimes = [runtimeOf(), runtimeOf()]
    const { here, there } = hosts()
    sessions = sessionsOf(here)
    elsewhere = sessionsOf(there)
    named = hostNamedTokens(here.db().namedTokens, () => undefined, 0)
  })
  after(() => {
    for (const runtime of runtimes) runtime.dispose()
  })

  securityTable(
    '4.3 sessions, named tokens and keys',
    [
      refused('4.3.15a', 'sess_ of another host', session, () => minted(elsewhere, '100')),
      refused('4.3.15b', 'sess_ that expired by a second', session, () =>
        minted(sessions, '100', nowMs - ttlMs - 1000),
      ),
      refused('4.3.15c', 'sess_ at the moment of its end', session, () =>
        minted(sessions, '100', nowMs - ttlMs),
      ),
      refused('4.3.15d', 'sess_ after its person is gone', session, () => minted(sessions, '200')),
      refused('4.3.15e', 'sess_ of an id of two people', session, () => minted(sessions, '300')),
      refused('4.3.15f', 'the hash of a sess_ as token', session, hex),
      refused('4.3.15g', 'the hash of a sess_ behind its prefix', session, good => `sess_${hex(good)}`),
      refused('4.3.15h', 'the body of a sess_ behind fsess_', session, good => `fsess_${body(good)}`),
      refused('4.3.15i', 'the body of a sess_ behind apik_', session, good => `apik_${body(good)}`),
      refused('4.3.15q', 'the body of a sess_ behind named_', session, good => `named_${body(good)}`),
      refused('4.3.15j', 'sess_ without its prefix', session, body),
      refused('4.3.15k', 'sess_ in capitals', session, good => good.toUpperCase()),
      refused('4.3.15l', 'sess_ with one character more', session, good => `${good}A`),
      refused('4.3.15m', 'sess_ with another last character', session, good =>
        good.endsWith('A') ? `${good.slice(0, -1)}E` : `${good.slice(0, -1)}A`,
      ),
      refused('4.3.15n', 'named_ after it was revoked', session, () => {
        const { token, id } = namedToken(null)
        named.revoke(id, 'test')
        return token
      }),
      refused('4.3.15o', 'named_ that expired', session, () => namedToken(nowMs).token),
      refused(
        '4.3.15p',
        'the id of a named_ without its secret',
        () => namedToken(null).token,
        good => good.slice(0, good.indexOf('.')),
      ),
      refused(
        '4.3.17a',
        'apik_ of a retired owner',
        () => keys.good,
        () => keys.retired,
      ),
      refused(
        '4.3.17b',
        'apik_ whose hash stands twice, once in capitals',
        () => keys.good,
        () => keys.twice,
      ),
      refused(
        '4.3.17c',
        'apik_ that stands raw in the store',
        () => keys.good,
        () => keys.raw,
      ),
      refused(
        '4.3.17d',
        'apik_ in another case',
        () => keys.good,
        good => good.toLowerCase(),
      ),
      refused(
        '4.3.17e',
        'its prefix in another case',
        () => keys.good,
        good => `APIK_${body(good)}`,
      ),
      refused(
        '4.3.17f',
        'apik_ whose days are over',
        () => keys.good,
        () => keys.ended,
      ),
      refused(
        '4.3.17g',
        'apik_ of an id of two people',
        () => keys.good,
        () => keys.shared,
      ),
      refused(
        '4.3.17h',
        'what the store says of it',
        () => keys.good,
        good => `sha256:${hex(good)}`,
      ),
      refused(
        '4.3.17i',
        'its hash behind the prefix',
        () => keys.good,
        good => `apik_${hex(good)}`,
      ),
    ],
    [],
    {
      snapshot,
      kinds: {
        sess_: (token, at, now) => sessionCaller(hash => sessions.find(hash))(token, at, now),
        named_: (token, at, now) => namedCaller(hash => named.find(hash))(token, at, now),
        apik_: (token, at) => (at === null ? null : callerByApiKey(token, at)),
      },
    },
  )
})
