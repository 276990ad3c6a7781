import { equal } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { testMachineToken } from '#test/support/front.js'
import { encodeSegment, signCompact, testHost } from '#test/support/identity/fleet.js'
import { arkadiaBeside } from '#test/support/identity/fleet-bearer.js'
import type { BearerRow } from './bearer-table.js'
import { isRefused } from './row.js'

const foreign = testHost('Arkadia')
const provider = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { host, keys, header, claims, signedHere } = arkadiaBeside([], 3)
const good = signedHere(header, claims)
/** The published keys of the fleet of these lines. */
export const fleetKeys = keys

const refuseBearer = (id: string, input: string, token: string): BearerRow => ({
  id,
  input,
  answer: '401 Unauthorized',
  see: async ({ client }) => {
    equal((await client.ask('/entities', { token: `fsess_${good}` })).status, 200, 'a good one is taken')
    isRefused(await client.ask('/entities', { token }), 401, 'Unauthorized')
  },
})

const idToken = signCompact(
  provider.privateKey,
  { alg: 'RS256', typ: 'JWT', kid: 'k1' },
  { iss: 'https://chat.example.org', aud: 'client', sub: '100', iat: claims.iat, exp: claims.exp },
  'sha256',
)

/** Fleet tokens that nobody takes. */
export const fleetRows: ReadonlyArray<BearerRow> = [
  refuseBearer(
    '4.3.16a',
    'alg none, with and without a dot',
    `fsess_${encodeSegment({ ...header, alg: 'none' })}.${encodeSegment(claims)}.`,
  ),
  refuseBearer(
    '4.3.16b',
    'the key of a host that is not in the tree',
    `fsess_${signCompact(foreign.privateKey, header, claims)}`,
  ),
  refuseBearer('4.3.16c', 'an old epoch', `fsess_${signedHere(header, { ...claims, epoch: 2 })}`),
  refuseBearer(
    '4.3.16d',
    'exp beyond the longest lifetime',
    `fsess_${signedHere(header, { ...claims, exp: claims.exp + 1 })}`,
  ),
  refuseBearer('4.3.16e', 'an id_token as fleet token', `fsess_${idToken}`),
  refuseBearer(
    '4.3.16f',
    'an id_token with the type of a fleet token',
    `fsess_${signCompact(provider.privateKey, { alg: 'RS256', typ: 'fsess+jwt', kid: host.kid }, claims, 'sha256')}`,
  ),
  refuseBearer('4.3.16g', 'the token without its prefix', good),
  refuseBearer('4.3.16h', 'another prefix', `sess_${good}`),
  refuseBearer('4.3.16i', 'the prefix twice', `fsess_fsess_${good}`),
  refuseBearer('4.3.16j', 'the prefix in capitals', `FSESS_${good}`),
  refuseBearer('4.3.16k', 'the machine token behind the prefix', `fsess_${testMachineToken}`),
  refuseBearer('4.3.16l', 'the hash of the token', `fsess_${tokenHash(`fsess_${good}`).toString('hex')}`),
  refuseBearer('4.3.16m', 'the prefix alone', 'fsess_'),
]
