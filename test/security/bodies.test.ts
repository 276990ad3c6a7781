import { deepEqual, equal } from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { bodyBytesMax } from '#src/http/checks/body.js'
import type { Ask } from '#test/support/http-client.js'
import { isRefused, type SecurityRow, securityTable } from './row.js'

const postRow = (id: string, input: string, ask: Ask, status: number, error: string | null): SecurityRow => ({
  id,
  input,
  answer: error === null ? String(status) : `${status} ${error}`,
  see: async ({ client }) => {
    const reply = await client.ask('/notes', { method: 'POST', ...ask })
    if (error === null) equal(reply.status, status, reply.text)
    else isRefused(reply, status, error)
    equal(Reflect.get({}, 'polluted'), undefined)
  },
})

const contentTypeRow = (id: string, type: string, body = '{"text":"x"}'): SecurityRow =>
  postRow(
    id,
    `Content-Type ${type}`,
    { body, headers: { 'Content-Type': type } },
    415,
    'UnsupportedMediaType',
  )

const contentEncodingRow = (
  id: string,
  input: string,
  encoding: string,
  body: string | Buffer,
): SecurityRow =>
  postRow(id, input, { body, headers: { 'Content-Encoding': encoding } }, 415, 'UnsupportedMediaType')

const invalid = (id: string, input: string, body: string | Buffer): SecurityRow =>
  postRow(id, input, { body }, 400, 'BodyInvalid')

const queryRow = (id: string, query: string, status: number, wanted: unknown): SecurityRow => ({
  id,
  input: `?${query.slice(0, 30)}`,
  answer: `${status} ${JSON.stringify(wanted)}`,
  see: async ({ client }) => {
    const reply = await client.ask(`/entities?${query}`)
    if (typeof wanted === 'string') isRefused(reply, status, wanted)
    else deepEqual([reply.status, reply.json], [status, wanted])
  },
})

const whole = { limit: null, offset: null }
const good = '{"text":"x"}'
const nestTags = (depth: number): string =>
  `{"text":"x","tags":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`

securityTable(
  '4.6 bodies and query',
  [
    postRow(
      '4.6.1',
      'no Content-Type',
      { body: good, headers: { 'Content-Type': [] } },
      415,
      'UnsupportedMediaType',
    ),
    contentTypeRow('4.6.2', 'text/plain'),
    contentTypeRow('4.6.3', 'application/x-www-form-urlencoded', 'text=x'),
    contentTypeRow('4.6.4', 'multipart/form-data; boundary=x', '--x--'),
    contentTypeRow('4.6.5', 'application/json; charset=utf-16'),
    contentTypeRow('4.6.6', 'application/jsonp'),
    postRow(
      '4.6.7',
      'Content-Type in capitals with its charset',
      { body: good, headers: { 'Content-Type': 'Application/JSON; Charset="UTF-8"' } },
      201,
      null,
    ),
    ...['charset=utf8', 'charset="UTF8"', 'charset=utf-8; profile="a;b"', 'v=1 ; charset = utf8', ''].map(
      (more, at) =>
        postRow(
          `4.6.7${'abcde'.charAt(at)}`,
          `Content-Type with ${more === '' ? 'an empty parameter' : more}`,
          { body: good, headers: { 'Content-Type': `application/json; ${more}` } },
          201,
          null,
        ),
    ),
    contentTypeRow('4.6.7f', 'application/json; charset=iso-8859-2; v=1'),
    contentTypeRow('4.6.7g', 'application/json; v="1'),
    contentTypeRow('4.6.7h', 'application/json v=1'),
    postRow('4.6.8', 'no body and no Content-Type', {}, 400, 'BodyInvalid'),
    contentEncodingRow('4.6.9', 'valid gzip', 'gzip', gzipSync(good)),
    contentEncodingRow('4.6.10', 'corrupt gzip', 'gzip', gzipSync(good).subarray(0, 12)),
    contentEncodingRow('4.6.11', 'br', 'br', 'x'),
    contentEncodingRow('4.6.12', 'gzip twice', 'gzip, gzip', gzipSync(gzipSync(good))),
    invalid('4.6.13', 'bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    invalid('4.6.14', 'a byte order mark', `\u{feff}${good}`),
    invalid('4.6.15', 'a duplicate key', '{"text":"x","text":"y"}'),
    invalid('4.6.16', '__proto__', '{"text":"x","__proto__":{"polluted":true}}'),
    invalid(
      '4.6.17',
      'constructor.prototype, an unknown key',
      '{"text":"x","constructor":{"prototype":{"polluted":true}}}',
    ),
    invalid('4.6.18', 'depth 65', nestTags(63)),
    postRow('4.6.19', 'depth 64', { body: nestTags(62) }, 201, null),
    invalid('4.6.20', '1e400', '{"text":"x","tags":{"a":1e400}}'),
    {
      id: '4.6.21',
      input: 'minus zero',
      answer: '201, read as 0 (D24)',
      see: async ({ client }) => {
        const reply = await client.ask('/notes', { method: 'POST', body: '{"text":"x","tags":{"a":-0}}' })
        equal(reply.text, '{"body":{"text":"x","tags":{"a":0}},"dryRun":false}')
      },
    },
    invalid('4.6.22', '2^53+1 as a number', '{"text":"x","chatId":9007199254740993}'),
    invalid('4.6.23', 'half a surrogate pair', '{"text":"\\ud83d"}'),
    invalid('4.6.24', 'NUL in a text', '{"text":"a\\u0000b"}'),
    invalid('4.6.25', 'an array at the top', '[]'),
    invalid('4.6.26', 'null at the top', 'null'),
    invalid('4.6.27', 'a number at the top', '1'),
    invalid('4.6.28', 'trailing bytes', `${good}x`),
    postRow('4.6.29', '1 MiB and a byte', { body: ' '.repeat(bodyBytesMax + 1) }, 413, 'BodyTooLarge'),
    postRow(
      '4.6.30',
      '1 MiB and a byte, chunked',
      {
        body: ' '.repeat(bodyBytesMax + 1),
        headers: { 'Transfer-Encoding': 'chunked', 'Content-Length': [] },
      },
      413,
      'BodyTooLarge',
    ),
    postRow('4.6.31', '1 MiB', { body: good.padEnd(bodyBytesMax, ' ') }, 201, null),
    {
      id: '4.6.32',
      input: 'a value that its codec refuses',
      answer: '400 BodyInvalid with path, without the value',
      see: async ({ client }) => {
        const reply = await client.ask('/notes', { method: 'POST', body: '{"text":{"secret":"hunter2"}}' })
        isRefused(reply, 400, 'BodyInvalid')
        deepEqual(reply.json, {
          error: 'BodyInvalid',
          detail: '`text` must be a text.',
          path: '$.text',
          problems: [{ path: '$.text', expected: 'a text' }],
        })
      },
    },
    queryRow('4.6.33', 'limit=-1', 200, whole),
    queryRow('4.6.34', 'limit=1e9', 200, whole),
    queryRow('4.6.35', 'limit=abc', 200, whole),
    queryRow('4.6.36', 'offset=-5', 200, { limit: null, offset: 0 }),
    queryRow('4.6.37', 'limit=1&limit=2', 400, 'ParameterInvalid'),
    queryRow('4.6.38', 'limit[a]=1&a[b]=1', 200, whole),
    queryRow('4.6.39', 'limit=%zz', 400, 'RequestMalformed'),
    queryRow('4.6.40', Array.from({ length: 5000 }, () => 'a').join('&'), 400, 'RequestMalformed'),
    {
      id: '4.6.41',
      input: 'dryRun that is no flag',
      answer: '400 ParameterInvalid',
      see: async ({ client }) =>
        isRefused(
          await client.ask('/notes?dryRun=1', { method: 'POST', body: good }),
          400,
          'ParameterInvalid',
        ),
    },
  ],
  [],
)
