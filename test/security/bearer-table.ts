import { equal } from 'node:assert/strict'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { type Client, type Reply, rawAsk } from '#test/support/http-client.js'
import { isRawRefused, isRefused } from './row.js'

/** Where bearers are shown: a host that reads `/entities`, with its machine token and one that only reads. */
export interface Door {
  readonly client: Client
  readonly apiPort: number
  readonly machineToken: string
  readonly reader: string
  /** A row that the reader may not POST to. */
  readonly written: string
}

/** A line of SECURITY 4.3. */
export interface BearerRow {
  readonly id: string
  readonly input: string
  readonly answer: string
  readonly see: (door: Door) => Promise<void>
}

type Header = (machineToken: string) => string | ReadonlyArray<string>

const withHeader = (id: string, input: string, authorization: Header, status: 200 | 401): BearerRow => ({
  id,
  input,
  answer: status === 200 ? '200' : '401 Unauthorized',
  see: async ({ client, machineToken }) => {
    const headers = { Authorization: authorization(machineToken) }
    const reply = await client.ask('/entities', { token: null, headers })
    if (status === 200) equal(reply.status, 200)
    else isRefused(reply, 401, 'Unauthorized')
  },
})

/** Bytes that the listener refuses before any row is looked for. */
const withBytes = (
  id: string,
  input: string,
  value: string,
  [status, error]: readonly [number, string] = [400, 'RequestMalformed'],
): BearerRow => ({
  id,
  input,
  answer: `${status} ${error}`,
  see: async ({ apiPort }) => {
    const head = `GET /v1/api/entities HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${value}\r\n\r\n`
    isRawRefused(await rawAsk(apiPort, head), status, error)
  },
})

const doorRow = (
  id: string,
  input: string,
  status: number,
  error: string,
  see: (door: Door) => Promise<Reply>,
): BearerRow => ({
  id,
  input,
  answer: `${status} ${error}`,
  see: async door => isRefused(await see(door), status, error),
})

/** What every host answers to bearers of no kind. */
export const bearerRows: ReadonlyArray<BearerRow> = [
  doorRow('4.3.1', 'no Authorization header', 401, 'Unauthorized', ({ client }) =>
    client.ask('/entities', { token: null }),
  ),
  withHeader(
    '4.3.2',
    'Basic',
    machineToken => `Basic ${Buffer.from(`x:${machineToken}`).toString('base64')}`,
    401,
  ),
  withHeader('4.3.3', 'bearer in lower case', machineToken => `bearer ${machineToken}`, 200),
  withHeader(
    '4.3.4',
    'two Authorization headers',
    machineToken => [`Bearer ${machineToken}`, `Bearer ${machineToken}`],
    401,
  ),
  withHeader('4.3.5', 'an empty token', () => 'Bearer ', 401),
  withBytes('4.3.6', 'a token of 20 KB', `Bearer ${'a'.repeat(20_000)}`, [431, 'HeadersTooLarge']),
  doorRow('4.3.7', 'the token in the query', 401, 'Unauthorized', ({ client, machineToken }) =>
    client.ask(`/entities?token=${machineToken}&access_token=${machineToken}`, { token: null }),
  ),
  withBytes('4.3.8a', 'CR in the value', `Bearer a\rb`),
  withBytes('4.3.8b', 'LF in the value', `Bearer a\nb`),
  withBytes('4.3.8c', 'NUL in the value', `Bearer a\0b`),
  withHeader('4.3.9', 'a prefix that looks like Bearer', machineToken => `B\u00e9arer ${machineToken}`, 401),
  doorRow('4.3.10', 'the hash of the token as token', 401, 'Unauthorized', ({ client, machineToken }) =>
    client.ask('/entities', { token: tokenHash(machineToken).toString('hex') }),
  ),
  doorRow('4.3.11', 'an unknown path, anonymous', 401, 'Unauthorized', ({ client }) =>
    client.ask('/nowhere', { token: null }),
  ),
  doorRow('4.3.12', 'a known path, wrong method, authenticated', 404, 'RouteNotFound', ({ client }) =>
    client.ask('/entities', { method: 'DELETE' }),
  ),
  {
    id: '4.3.13',
    input: 'a bad token on a public route',
    answer: '200 (D23)',
    see: async ({ client }) => equal((await client.ask('/health', { token: 'nobody' })).status, 200),
  },
  doorRow('4.3.14', 'a good token without the capability', 403, 'Forbidden', ({ client, written, reader }) =>
    client.ask(written, { method: 'POST', body: '{}', token: reader }),
  ),
]
