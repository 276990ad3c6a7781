import { deepEqual, equal } from 'node:assert/strict'
import { testMachineToken } from '#test/support/front.js'
import { rawAsk } from '#test/support/http-client.js'
import { head, raw, type SecurityRow, securityTable } from './row.js'

const post = 'POST /v1/api/notes HTTP/1.1'
const get = 'GET /v1/api/entities HTTP/1.1'
const json = 'Content-Type: application/json'
const note = '{"text":"x"}'
const chunked = 'Transfer-Encoding: chunked'
const chunk = `${note.length.toString(16)}\r\n${note}\r\n0\r\n\r\n`
const authorization = `Authorization: Bearer ${testMachineToken}`

const rowOfMalformed = (id: string, input: string, bytes: string | Buffer): SecurityRow =>
  raw(id, input, bytes, 400, 'RequestMalformed')

const hostRow = (id: string, host: string, status: number, error: string | null): SecurityRow =>
  raw(
    id,
    `Host: ${host}`,
    `${get}\r\nHost: ${host}\r\nConnection: close\r\n${authorization}\r\n\r\n`,
    status,
    error,
  )

const targetRow = (id: string, target: string, status: number, error: string | null): SecurityRow =>
  raw(id, target, head(`GET ${target} HTTP/1.1`, 'Connection: close'), status, error)

const methodless = (id: string, method: string): SecurityRow => ({
  id,
  input: `${method} of a path that GET has`,
  answer: '404; 401 for who is nobody (D26)',
  see: async ({ front }) => {
    const line = `${method} /v1/api/entities HTTP/1.1`
    equal((await rawAsk(front.apiPort, head(line, 'Connection: close'))).statuses[0], 404)
    const anonymous = `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    equal((await rawAsk(front.apiPort, anonymous)).statuses[0], 401)
  },
})

const framing: ReadonlyArray<SecurityRow> = [
  rowOfMalformed(
    '4.7.1',
    'Content-Length, then Transfer-Encoding',
    head(post, json, 'Content-Length: 12', chunked) + chunk,
  ),
  rowOfMalformed(
    '4.7.2',
    'Transfer-Encoding, then Content-Length',
    head(post, json, chunked, 'Content-Length: 12') + chunk,
  ),
  rowOfMalformed(
    '4.7.3',
    'two Content-Length that differ',
    head(post, json, 'Content-Length: 12', 'Content-Length: 13') + note,
  ),
  rowOfMalformed(
    '4.7.4',
    'two Content-Length that are the same',
    head(post, json, 'Content-Length: 12', 'Content-Length: 12') + note,
  ),
  rowOfMalformed('4.7.5', 'Content-Length +2', head(post, json, 'Content-Length: +2') + note),
  rowOfMalformed('4.7.6', 'Content-Length -1', head(post, json, 'Content-Length: -1') + note),
  rowOfMalformed('4.7.7', 'Content-Length 0x2', head(post, json, 'Content-Length: 0x2') + note),
  rowOfMalformed('4.7.8', 'Content-Length 2, 2', head(post, json, 'Content-Length: 2, 2') + note),
  rowOfMalformed(
    '4.7.9',
    'Transfer-Encoding xchunked',
    head(post, json, 'Transfer-Encoding: xchunked') + chunk,
  ),
  rowOfMalformed(
    '4.7.10',
    'Transfer-Encoding chunked, identity',
    head(post, json, 'Transfer-Encoding: chunked, identity') + chunk,
  ),
  rowOfMalformed(
    '4.7.11',
    'Transfer-Encoding identity',
    head(post, json, 'Transfer-Encoding: identity') + chunk,
  ),
  rowOfMalformed(
    '4.7.12',
    'a blank before the colon',
    head(post, json, 'Transfer-Encoding : chunked') + chunk,
  ),
  rowOfMalformed('4.7.13', 'a folded header', head(post, json, 'Transfer-Encoding:\r\n chunked') + chunk),
  raw(
    '4.7.14',
    'a tab before chunked',
    head(post, json, 'Transfer-Encoding:\tchunked', 'Connection: close') + chunk,
    201,
    null,
  ),
  rowOfMalformed('4.7.15', 'line feeds without carriage returns', `${get}\nHost: localhost\n\n`),
  rowOfMalformed('4.7.16', 'a line feed in a header', head(get, 'X-A: a\nb')),
  rowOfMalformed('4.7.17', 'a bare carriage return', head(get, 'X-A: a\rb')),
  rowOfMalformed('4.7.18', 'NUL in a header', head(get, 'X-A: a\0b')),
  raw(
    '4.7.19',
    'a chunk extension',
    `${head(post, json, chunked, 'Connection: close')}c;x=y\r\n${note}\r\n0\r\n\r\n`,
    201,
    null,
  ),
  raw(
    '4.7.20',
    'chunk extensions of 20 KB',
    `${head(post, json, chunked)}c;x=${'y'.repeat(20_000)}\r\n${note}\r\n0\r\n\r\n`,
    413,
    'BodyTooLarge',
  ),
  rowOfMalformed('4.7.21', 'a chunk ended by a line feed', `${head(post, json, chunked)}c\n${note}\n0\n\n`),
  rowOfMalformed(
    '4.7.22',
    'a chunk size that overflows',
    `${head(post, json, chunked)}fffffffffffffffff\r\n`,
  ),
  rowOfMalformed('4.7.23', 'a chunk size 0x2', `${head(post, json, chunked)}0x2\r\n{}\r\n0\r\n\r\n`),
]

const heads: ReadonlyArray<SecurityRow> = [
  rowOfMalformed('4.7.24', 'no Host', `${get}\r\n${authorization}\r\nConnection: close\r\n\r\n`),
  rowOfMalformed(
    '4.7.25',
    'two Hosts',
    `${get}\r\nHost: localhost\r\nHost: localhost\r\n${authorization}\r\nConnection: close\r\n\r\n`,
  ),
  raw('4.7.26', 'HTTP/1.0', head('GET /v1/api/entities HTTP/1.0'), 200, null),
  rowOfMalformed('4.7.27', 'a line of HTTP/0.9', 'GET /v1/api/entities\r\n\r\n'),
  rowOfMalformed('4.7.28', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  targetRow('4.7.29a', 'http://localhost/v1/api/entities', 200, null),
  targetRow('4.7.29b', 'http://evil.example/v1/api/entities', 421, 'HostRefused'),
  targetRow('4.7.29c', 'http://[/q', 400, 'RequestMalformed'),
  targetRow('4.7.29d', 'http://localhost:99999/v1/api/entities', 400, 'RequestMalformed'),
  targetRow('4.7.29e', 'http://x@localhost/v1/api/entities', 400, 'RequestMalformed'),
  raw(
    '4.7.30',
    'GET with a body',
    head(get, json, 'Content-Length: 12', 'Connection: close') + note,
    200,
    null,
  ),
  methodless('4.7.31a', 'TRACE'),
  methodless('4.7.31b', 'HEAD'),
  methodless('4.7.31c', 'OPTIONS'),
  methodless('4.7.31d', 'PURGE'),
  {
    id: '4.7.32',
    input: 'CONNECT',
    answer: 'closed without an answer',
    see: async ({ front }) =>
      deepEqual((await rawAsk(front.apiPort, head('CONNECT localhost:80 HTTP/1.1'))).statuses, []),
  },
  raw(
    '4.7.33',
    'Upgrade: h2c is ignored, the request served',
    head(get, 'Connection: Upgrade, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    200,
    null,
  ),
  {
    id: '4.7.34',
    input: 'a method override header',
    answer: 'ignored: 404 for DELETE stays 200 for GET',
    see: async ({ client }) =>
      equal((await client.ask('/entities', { headers: { 'X-HTTP-Method-Override': 'DELETE' } })).status, 200),
  },
  raw('4.7.35', 'a header of 20 KB', head(get, `X-A: ${'a'.repeat(20_000)}`), 431, 'HeadersTooLarge'),
  raw(
    '4.7.36',
    '3,000 headers',
    head(get, ...Array.from({ length: 3000 }, (_, at) => `X-${at}: ${at}`)),
    431,
    'HeadersTooLarge',
  ),
  rowOfMalformed(
    '4.7.37',
    'a path in raw UTF-8',
    Buffer.from(head('GET /v1/api/entities/Żółw HTTP/1.1'), 'utf8'),
  ),
  raw('4.7.38', 'Expect: foo', head(get, 'Expect: foo', 'Connection: close'), 417, 'ExpectationFailed'),
  raw(
    '4.7.39',
    'Expect: 100-continue',
    head(post, json, 'Content-Length: 12', 'Expect: 100-continue', 'Connection: close') + note,
    100,
    null,
  ),
  {
    id: '4.7.40',
    input: 'three requests in one packet',
    answer: 'three answers in their order',
    see: async ({ front }) => {
      const path = (name: string): string => head(`GET /v1/api/entities/${name} HTTP/1.1`)
      const bytes =
        path('Kupiec%20Orrin') + path('nobody') + head('GET /v1/api/health HTTP/1.1', 'Connection: close')
      deepEqual((await rawAsk(front.apiPort, bytes)).statuses, [200, 404, 200])
    },
  },
]

const hosts: ReadonlyArray<SecurityRow> = [
  hostRow('4.7.41a', 'localhost:8080', 200, null),
  hostRow('4.7.41b', '[::1]:8080', 200, null),
  hostRow('4.7.41c', 'LOCALHOST', 200, null),
  hostRow('4.7.41d', 'evil.example', 421, 'HostRefused'),
  hostRow('4.7.41e', '127.0.0.1.evil.example', 421, 'HostRefused'),
  hostRow('4.7.41f', 'localhost.', 421, 'HostRefused'),
  hostRow('4.7.41g', '169.254.169.254', 421, 'HostRefused'),
  hostRow('4.7.41h', '[', 400, 'RequestMalformed'),
  hostRow('4.7.41i', 'a b', 400, 'RequestMalformed'),
  hostRow('4.7.41j', '%', 400, 'RequestMalformed'),
  hostRow('4.7.41k', 'x:99999', 400, 'RequestMalformed'),
  hostRow('4.7.41l', 'localhost/b', 400, 'RequestMalformed'),
  hostRow('4.7.41m', '', 400, 'RequestMalformed'),
  hostRow('4.7.41n', 'x@localhost', 400, 'RequestMalformed'),
]

securityTable('4.7 HTTP layer: framing, heads and hosts', [...framing, ...heads, ...hosts], [])
