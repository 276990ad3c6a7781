import { equal, ok } from 'node:assert/strict'
import { chatIssuer, published } from '#test/support/chat/chat-issuer.js'
import { chatHost } from '#test/support/chat/chat-node.js'
import {
  claims,
  costlyJwe,
  es256,
  evil,
  headed,
  macWith,
  pss,
  texts,
  unsigned,
} from '#test/support/identity/forged-tokens.js'
import { encoded, issuerKey } from '#test/support/identity/id-tokens.js'
import { leastSpentMs, ofHost } from '#test/support/least-time.js'
import { slowness } from '#test/support/processor-time.js'
import { chatClaims } from './chat-claims-table.js'
import { type ChatRow, type ChatTable, refusedBody, refusedToken } from './chat-row.js'
import { isRefused } from './row.js'

const form = 'it is not three parts of base64url'
const alg = '`alg` is not RS256'
const noKey = 'the issuer has no such key'
const forged = 'the issuer did not sign it'

const good = () => headed({})
const parts = (): ReadonlyArray<string> => good().split('.')

const disabled: ChatRow = {
  id: '4.1.6',
  input: 'a good token while client_id is empty',
  answer: '503 chat_auth_disabled, no outbound call',
  see: async ({ start }) => {
    const issuer = await chatIssuer(published('first'))
    const host = await chatHost(start, { ...issuer, clientId: '' })
    try {
      isRefused(await host.signIn(good()), 503, 'chat_auth_disabled')
      equal(issuer.connections(), 0)
    } finally {
      await host.stop()
      await issuer.close()
    }
  },
}

/** The bar is 10 ms of processor time; the machine is shared, so the least of some tries is looked at. */
const costly: ChatRow = {
  id: '4.1.10',
  input: 'a JWE of five parts with p2c 2e9',
  answer: '401 Unauthorized within 10 ms',
  see: async ({ host, signIn }) => {
    const barMs = 10 * slowness()
    const tookMs = await leastSpentMs({ barMs, spent: ofHost(host), asks: 10 }, async () =>
      isRefused(await signIn(costlyJwe()), 401, 'Unauthorized'),
    )
    ok(tookMs < barMs, `${tookMs} ms`)
  },
}

const structure: ChatTable = {
  title: 'structure of the id token',
  rows: [
    refusedBody('4.1.1', 'no body', null),
    refusedBody('4.1.2', 'no id_token', '{}'),
    refusedBody('4.1.3', 'id_token null', '{"id_token": null}'),
    refusedBody('4.1.4', 'id_token a number', '{"id_token": 7}'),
    refusedBody('4.1.5', 'id_token an array', '{"id_token": ["a.b.c"]}'),
    disabled,
    refusedToken('4.1.7', 'two parts', form, () => parts().slice(0, 2).join('.')),
    refusedToken('4.1.8', 'four parts', form, () => `${good()}.${parts()[2] ?? ''}`),
    refusedToken('4.1.9', 'the JSON serialization of a JWS', form, () => {
      const [header = '', payload = '', signature = ''] = parts()
      return JSON.stringify({ payload, protected: header, signature })
    }),
    costly,
  ],
}

const algorithm: ChatTable = {
  title: 'algorithm of the id token',
  rows: [
    refusedToken('4.1.11a', 'alg none, no signature', form, () => unsigned('none')),
    refusedToken('4.1.11b', 'alg none, good signature', alg, () => headed({ alg: 'none' })),
    refusedToken('4.1.12', 'alg None, good signature', alg, () => headed({ alg: 'None' })),
    refusedToken('4.1.13', 'alg nOnE, good signature', alg, () => headed({ alg: 'nOnE' })),
    refusedToken('4.1.14', 'alg empty, good signature', alg, () => headed({ alg: '' })),
    refusedToken('4.1.15', 'HS256 with the PEM of the key as secret', alg, () =>
      macWith(issuerKey().publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    ),
    refusedToken('4.1.16', 'HS256 with the JWK text as secret', alg, () =>
      macWith(JSON.stringify(published('first'))),
    ),
    refusedToken('4.1.17', 'RS384', alg, () => headed({ alg: 'RS384' }, issuerKey().privateKey, 'sha384')),
    refusedToken('4.1.18', 'PS256', alg, pss),
    refusedToken('4.1.19', 'ES256 by a key of the set', alg, es256),
  ],
}

const spki = () => issuerKey('evil').publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const ownKeys: ChatTable = {
  title: 'headers of the id token that bring a key',
  rows: [
    refusedToken('4.1.20', 'jwk', 'its header has `jwk`', () => evil({ jwk: published('evil') })),
    refusedToken('4.1.21', 'jku of the attacker', 'its header has `jku`', ({ attacker }) =>
      evil({ kid: 'evil', jku: attacker.url }),
    ),
    refusedToken('4.1.22', 'x5u of the attacker', 'its header has `x5u`', ({ attacker }) =>
      evil({ kid: 'evil', x5u: attacker.url }),
    ),
    refusedToken('4.1.23', 'x5c', 'its header has `x5c`', () => evil({ x5c: [spki()] })),
    refusedToken('4.1.24', 'kid with a path', noKey, () => evil({ kid: '../../../../dev/null' })),
    refusedToken('4.1.25', 'kid with SQL', noKey, () => evil({ kid: "first' UNION SELECT 'canary'; --" })),
    refusedToken('4.1.26', 'crit of exp, good signature', 'its header has `crit`', () =>
      headed({ crit: ['exp'] }),
    ),
    refusedToken('4.1.27', 'b64 false, good signature', 'its header has `b64`', () => headed({ b64: false })),
  ],
}

const flippedLast = (): string => {
  const [header = '', body = '', signature = ''] = parts()
  const bytes = Buffer.from(signature, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  return `${header}.${body}.${bytes.toString('base64url')}`
}

/** The same bytes in another spelling: 256 bytes leave 4 unused bits in the last letter. */
const unusedBits = (): string => {
  const token = good()
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(token.slice(-1)) + 1)
}

const swapped = (): string => {
  const [header = '', , signature = ''] = parts()
  return `${header}.${encoded({ ...claims(), sub: '700' })}.${signature}`
}

const doubled = (json: string, name: string, value: string): string =>
  json.replace('{', `{${JSON.stringify(name)}:${JSON.stringify(value)},`)

const signature: ChatTable = {
  title: 'signature of the id token',
  rows: [
    refusedToken('4.1.28', 'right claims signed by another key of the same kid', forged, () =>
      evil({ kid: 'first' }),
    ),
    refusedToken('4.1.29', 'an empty signature', form, () => `${parts().slice(0, 2).join('.')}.`),
    refusedToken('4.1.30', 'the last byte of the signature flipped', forged, flippedLast),
    refusedToken('4.1.31', 'other claims under the signature', forged, swapped),
    refusedToken('4.1.32a', 'base64 with a space', form, () => good().replace('.', '. ')),
    refusedToken('4.1.32b', 'base64 with padding', form, () => `${good()}==`),
    refusedToken(
      '4.1.32c',
      'base64 with unused bits',
      'its signature is not canonical base64url',
      unusedBits,
    ),
    refusedToken('4.1.33a', 'a doubled key in the header', 'its header is not a JSON object with `alg`', () =>
      texts(doubled('{"alg":"RS256","kid":"first"}', 'alg', 'none'), null),
    ),
    refusedToken('4.1.33b', 'a doubled key in the claims', 'its claims are not a JSON object', () =>
      texts(null, doubled(JSON.stringify(claims()), 'sub', '700')),
    ),
  ],
}

/** SECURITY 4.1, save what is told of the issuer's keys. */
export const chatTables: ReadonlyArray<ChatTable> = [structure, algorithm, ownKeys, signature, chatClaims]
