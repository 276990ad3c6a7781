import { equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { RuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { type HostNamedTokens, hostLogins, hostNamedTokens, type Logins } from '#src/node/identity/tokens.js'
import { nowMs } from '#test/support/front.js'
import type { BearerRow } from './bearer-table.js'
import { isRefused } from './row.js'

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
const apiKeyRow = (token: string): string => `- @klucz_api: sha256:${hex(token)}`

/** The people whose tokens are shown: one whose id is closed, one whose id is another's too. */
const storeWith = (rows: string): string =>
  [
    '## Gracz',
    `### Brzoza\n- @gameid: 100\n${apiKeyRow(keys.good)}\n${apiKeyRow(keys.twice)}${rows}`,
    `${apiKeyRow(keys.ended)} (:2026-06-14)`,
    `### Cis\n- @gameid: 200 (:2025-12)\n${apiKeyRow(keys.retired)}`,
    `### Dąb\n- @gameid: 300\n${apiKeyRow(keys.twice).toUpperCase().replace('@KLUCZ_API: SHA256', '@klucz_api: sha256')}`,
    `### Grab\n- @gameid: 300\n${apiKeyRow(keys.shared)}`,
    '',
  ].join('\n')

export const shownStore = storeWith(`\n- @klucz_api: ${keys.raw}`)

/** The same without the key that stands raw: what a test commits holds no secret. */
export const committedStore = storeWith('')

const ttlMs = 60_000

/** The tokens of a host, over what it remembers. */
export interface KeptTokens {
  readonly logins: Logins
  readonly named: HostNamedTokens
}

export const openKeptTokens = ({ logins: store, namedTokens }: RuntimeDb): KeptTokens => ({
  logins: hostLogins({ store, ttlMs, mintFleet: () => Promise.resolve(null), bootMs: 0 }),
  named: hostNamedTokens(namedTokens, () => undefined, 0),
})

const mintLogin = async ({ logins }: KeptTokens, gameId: string, atMs = nowMs): Promise<string> => {
  const made = await logins.mint({ gameId, chatId: null }, atMs)
  if (isLeft(made)) throw new Error('no login was minted')
  return made.right.token
}

const mintNamedToken = ({ named }: KeptTokens, expiresMs: number | null) => {
  const made = named.mint({ name: 'bot', capabilities: ['entity.read'], expiresMs, by: 'test' }, nowMs)
  if (isLeft(made)) throw new Error('no token was minted')
  return { token: made.right.token, id: made.right.kept.id }
}

/** The tokens that the lines show, minted at a host and at another that it knows nothing of. */
export const collectShownTokens = async (here: KeptTokens, there: KeptTokens) => {
  const revoked = mintNamedToken(here, null)
  here.named.revoke(revoked.id, { name: 'test' }, 0)
  return {
    good: await mintLogin(here, '100'),
    elsewhere: await mintLogin(there, '100'),
    expired: await mintLogin(here, '100', nowMs - ttlMs - 1000),
    atItsEnd: await mintLogin(here, '100', nowMs - ttlMs),
    gone: await mintLogin(here, '200'),
    shared: await mintLogin(here, '300'),
    named: mintNamedToken(here, null).token,
    namedExpired: mintNamedToken(here, nowMs).token,
    revoked: revoked.token,
  }
}

export type ShownTokens = Awaited<ReturnType<typeof collectShownTokens>>

/** A line whose token is refused, beside one of the same kind that is taken. */
const refuseBadToken = (
  id: string,
  input: string,
  good: () => string,
  bad: (good: string) => string,
): BearerRow => ({
  id,
  input,
  answer: '401 Unauthorized',
  see: async ({ client }) => {
    const taken = good()
    equal((await client.ask('/entities', { token: taken })).status, 200, 'a good one is taken')
    isRefused(await client.ask('/entities', { token: bad(taken) }), 401, 'Unauthorized')
  },
})

const body = (token: string): string => token.slice(token.indexOf('_') + 1)

/** Tokens of each kind that nobody takes, beside one of the kind that is taken. */
export const kindRows = (shown: () => ShownTokens): ReadonlyArray<BearerRow> => {
  const login = (): string => shown().good
  return [
    refuseBadToken('4.3.15a', 'sess_ of another host', login, () => shown().elsewhere),
    refuseBadToken('4.3.15b', 'sess_ that expired by a second', login, () => shown().expired),
    refuseBadToken('4.3.15c', 'sess_ at the moment of its end', login, () => shown().atItsEnd),
    refuseBadToken('4.3.15d', 'sess_ after its person is gone', login, () => shown().gone),
    refuseBadToken('4.3.15e', 'sess_ of an id of two people', login, () => shown().shared),
    refuseBadToken('4.3.15f', 'the hash of a sess_ as token', login, hex),
    refuseBadToken('4.3.15g', 'the hash of a sess_ behind its prefix', login, good => `sess_${hex(good)}`),
    refuseBadToken('4.3.15h', 'the body of a sess_ behind fsess_', login, good => `fsess_${body(good)}`),
    refuseBadToken('4.3.15i', 'the body of a sess_ behind apik_', login, good => `apik_${body(good)}`),
    refuseBadToken('4.3.15q', 'the body of a sess_ behind named_', login, good => `named_${body(good)}`),
    refuseBadToken('4.3.15j', 'sess_ without its prefix', login, body),
    refuseBadToken('4.3.15k', 'sess_ in capitals', login, good => good.toUpperCase()),
    refuseBadToken('4.3.15l', 'sess_ with one character more', login, good => `${good}A`),
    refuseBadToken('4.3.15m', 'sess_ with another last character', login, good =>
      good.endsWith('A') ? `${good.slice(0, -1)}E` : `${good.slice(0, -1)}A`,
    ),
    refuseBadToken('4.3.15n', 'named_ after it was revoked', login, () => shown().revoked),
    refuseBadToken('4.3.15o', 'named_ that expired', login, () => shown().namedExpired),
    refuseBadToken(
      '4.3.15p',
      'the id of a named_ without its secret',
      () => shown().named,
      good => good.slice(0, good.indexOf('.')),
    ),
    refuseBadToken(
      '4.3.17a',
      'apik_ of a retired owner',
      () => keys.good,
      () => keys.retired,
    ),
    refuseBadToken(
      '4.3.17b',
      'apik_ whose hash stands twice, once in capitals',
      () => keys.good,
      () => keys.twice,
    ),
    refuseBadToken(
      '4.3.17c',
      'apik_ that stands raw in the store',
      () => keys.good,
      () => keys.raw,
    ),
    refuseBadToken(
      '4.3.17d',
      'apik_ in another case',
      () => keys.good,
      good => good.toLowerCase(),
    ),
    refuseBadToken(
      '4.3.17e',
      'its prefix in another case',
      () => keys.good,
      good => `APIK_${body(good)}`,
    ),
    refuseBadToken(
      '4.3.17f',
      'apik_ whose days are over',
      () => keys.good,
      () => keys.ended,
    ),
    refuseBadToken(
      '4.3.17g',
      'apik_ of an id of two people',
      () => keys.good,
      () => keys.shared,
    ),
    refuseBadToken(
      '4.3.17h',
      'what the store says of it',
      () => keys.good,
      good => `sha256:${hex(good)}`,
    ),
    refuseBadToken(
      '4.3.17i',
      'its hash behind the prefix',
      () => keys.good,
      good => `apik_${hex(good)}`,
    ),
  ]
}
