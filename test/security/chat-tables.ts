import { equal, ok } from 'node:assert/strict'
import { chatIssuer, jwkOf } from '#test/support/chat/chat-issuer.js'
import { chatHost } from '#test/support/chat/chat-node.js'
import {
  claims,
  costlyJwe,
  es256,
  evil,
  macWith,
  pss,
  texts,
  tokenWithHeader,
  tokenWithoutSignature,
} from '#test/support/identity/forged-tokens.js'
import { encodeJson, issuerKey } from '#test/support/identity/id-tokens.js'
import { leastSpentMs, processorMsOfHost } from '#test/support/least-time.js'
import { slowness } from '#test/support/processor-time.js'
import { chatClaims } from './chat-claims-table.js'
import { type ChatRow, type ChatTable, rowOfRefusedBody, rowOfRefusedToken } from './chat-row.js'
import { isRefused } from './row.js'

const form = 'it is not three parts of base64url'
const alg = '`alg` is not RS256'
const noKey = 'the issuer has no such key'
const forged = 'the issuer did not sign it'

const good = () => tokenWithHeader({})
const parts = (): ReadonlyArray<string> => good().split('.')

const disabled: ChatRow = {
  id: '4.1.6',
  input: 'a good token while client_id is empty',
  answer: '503 chat_auth_disabled, no outbound call',
  see: async ({ start }) => {
    const issuer = await chatIssuer(jwkOf('first'))
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
    const tookMs = await leastSpentMs({ barMs, spent: processorMsOfHost(host), asks: 10 }, async () =>
      isRefused(await signIn(costlyJwe()), 401, 'Unauthorized'),
    )
    ok(tookMs < barMs, `${tookMs} ms`)
  },
}

const structure: ChatTable = {
  title: 'structure of the id token',
  rows: [
    rowOfRefusedBody('4.1.1', 'no body', null),
    rowOfRefusedBody('4.1.2', 'no id_token', '{}'),
    rowOfRefusedBody('4.1.3', 'id_token null', '{"id_token": null}'),
    rowOfRefusedBody('4.1.4', 'id_token a number', '{"id_token": 7}'),
    rowOfRefusedBody('4.1.5', 'id_token an array', '{"id_token": ["a.b.c"]}'),
    disabled,
    rowOfRefusedToken('4.1.7', 'two parts', form, () => parts().slice(0, 2).join('.')),
    rowOfRefusedToken('4.1.8', 'four parts', form, () => `${good()}.${parts()[2] ?? ''}`),
    rowOfRefusedToken('4.1.9', 'the JSON serialization of a JWS', form, () => {
      const [header = '', payload = '', signature = ''] = parts()
      return JSON.stringify({ payload, protected: header, signature })
    }),
    costly,
  ],
}

const algorithm: ChatTable = {
  title: 'algorithm of the id token',
  rows: [
    rowOfRefusedToken('4.1.11a', 'alg none, no signature', form, () => tokenWithoutSignature('none')),
    rowOfRefusedToken('4.1.11b', 'alg none, good signature', alg, () => tokenWithHeader({ alg: 'none' })),
    rowOfRefusedToken('4.1.12', 'alg None, good signature', alg, () => tokenWithHeader({ alg: 'None' })),
    rowOfRefusedToken('4.1.13', 'alg nOnE, good signature', alg, () => tokenWithHeader({ alg: 'nOnE' })),
    rowOfRefusedToken('4.1.14', 'alg empty, good signature', alg, () => tokenWithHeader({ alg: '' })),
    rowOfRefusedToken('4.1.15', 'HS256 with the PEM of the key as secret', alg, () =>
      macWith(issuerKey().publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    ),
    rowOfRefusedToken('4.1.16', 'HS256 with the JWK text as secret', alg, () =>
      macWith(JSON.stringify(jwkOf('first'))),
    ),
    rowOfRefusedToken('4.1.17', 'RS384', alg, () =>
      tokenWithHeader({ alg: 'RS384' }, issuerKey().privateKey, 'sha384'),
    ),
    rowOfRefusedToken('4.1.18', 'PS256', alg, pss),
    rowOfRefusedToken('4.1.19', 'ES256 by a key of the set', alg, es256),
  ],
}

const spki = () => issuerKey('evil').publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const ownKeys: ChatTable = {
  title: 'headers of the id token that bring a key',
  rows: [
    rowOfRefusedToken('4.1.20', 'jwk', 'its header has `jwk`', () => evil({ jwk: jwkOf('evil') })),
    rowOfRefusedToken('4.1.21', 'jku of the attacker', 'its header has `jku`', ({ attacker }) =>
      evil({ kid: 'evil', jku: attacker.url }),
    ),
    rowOfRefusedToken('4.1.22', 'x5u of the attacker', 'its header has `x5u`', ({ attacker }) =>
      evil({ kid: 'evil', x5u: attacker.url }),
    ),
    rowOfRefusedToken('4.1.23', 'x5c', 'its header has `x5c`', () => evil({ x5c: [spki()] })),
    rowOfRefusedToken('4.1.24', 'kid with a path', noKey, () => evil({ kid: '../../../../dev/null' })),
    rowOfRefusedToken('4.1.25', 'kid with SQL', noKey, () =>
      evil({ kid: "first' UNION SELECT 'canary'; --" }),
    ),
    rowOfRefusedToken('4.1.26', 'crit of exp, good signature', 'its header has `crit`', () =>
      tokenWithHeader({ crit: ['exp'] }),
    ),
    rowOfRefusedToken('4.1.27', 'b64 false, good signature', 'its header has `b64`', () =>
      tokenWithHeader({ b64: false }),
    ),
  ],
}

const flipLastBit = (): string => {
  const [header = '', body = '', signature = ''] = parts()
  const bytes = Buffer.from(signature, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  return `${header}.${body}.${bytes.toString('base64url')}`
}

/** The same bytes in another spelling: 256 bytes leave 4 unused bits in the last letter. */
const setUnusedBits = (): string => {
  const token = good()
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(token.slice(-1)) + 1)
}

const swapClaims = (): string => {
  const [header = '', , signature = ''] = parts()
  return `${header}.${encodeJson({ ...claims(), sub: '700' })}.${signature}`
}

const doubleField = (json: string, name: string, value: string): string =>
  json.replace('{', `{${JSON.stringify(name)}:${JSON.stringify(value)},`)

const signature: ChatTable = {
  title: 'signature of the id token',
  rows: [
    rowOfRefusedToken('4.1.28', 'right claims signed by another key of the same kid', forged, () =>
      evil({ kid: 'first' }),
    ),
    rowOfRefusedToken('4.1.29', 'an empty signature', form, () => `${parts().slice(0, 2).join('.')}.`),
    rowOfRefusedToken('4.1.30', 'the last byte of the signature flipped', forged, flipLastBit),
    rowOfRefusedToken('4.1.31', 'other claims under the signature', forged, swapClaims),
    rowOfRefusedToken('4.1.32a', 'base64 with a space', form, () => good().replace('.', '. ')),
    rowOfRefusedToken('4.1.32b', 'base64 with padding', form, () => `${good()}==`),
    rowOfRefusedToken(
      '4.1.32c',
      'base64 with unused bits',
      'its signature is not canonical base64url',
      setUnusedBits,
    ),
    rowOfRefusedToken(
      '4.1.33a',
      'a doubled key in the header',
      'its header is not a JSON object with `alg`',
      () => texts(doubleField('{"alg":"RS256","kid":"first"}', 'alg', 'none'), null),
    ),
    rowOfRefusedToken('4.1.33b', 'a doubled key in the claims', 'its claims are not a JSON object', () =>
      texts(null, doubleField(JSON.stringify(claims()), 'sub', '700')),
    ),
  ],
}

/** SECURITY 4.1, save what is told of the issuer's keys. */
export const chatTables: ReadonlyArray<ChatTable> = [structure, algorithm, ownKeys, signature, chatClaims]
