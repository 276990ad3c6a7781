import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { routes } from '#protocol/routes.js'
import { makeScrubber } from '#src/domain/redaction/scrub.js'
import type { RequestRecord } from './meter.js'
import { requestLines } from './request-record.js'

const at = instantOf(Date.parse('2026-06-15T12:00:00Z'))
const record: RequestRecord = {
  requestId: 'abcdef01-1',
  method: 'GET',
  route: '/entities/{name}',
  path: '/v1/api/entities/Orrin',
  query: ['activeOn'],
  status: 200,
  ms: 1.3,
  kind: 'session',
  gracz: 'Żaneta',
  token: '0a1b2c3d',
  tokenName: 'bot kroniki',
}
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
const orNull = fc.option(text)

const formatLine = requestLines(same => same)

describe('the line of a request', () => {
  it('is what JSON.stringify makes of the record', () => {
    const records = fc.record({
      requestId: fc.constantFrom('abcdef01-1', 'abcdef01-zz'),
      method: fc.constantFrom('GET', 'other'),
      route: fc.constantFrom(null, ...Object.values(routes).map(row => row.path)),
      path: orNull,
      query: fc.array(text, { maxLength: 3 }),
      status: fc.nat(999),
      ms: fc.nat(100_000).map(tenths => tenths / 10),
      kind: fc.constantFrom(null, 'machine', 'session', 'anonymous'),
      gracz: orNull,
      token: fc.constantFrom(null, '0a1b2c3d'),
      tokenName: orNull,
    })
    fc.assert(
      fc.property(records, one => {
        equal(formatLine(at, one), JSON.stringify({ at, ...one }))
        equal(formatLine(at, { ...one, late: true }), JSON.stringify({ at, ...one, late: true }))
      }),
    )
    equal(formatLine(at, record), JSON.stringify({ at, ...record }))
  })

  it('has no credential in the path or in the names of the player and the token, and stays JSON', () => {
    const line = requestLines(makeScrubber(['token-of-this-host']))
    for (const [field, value, clean] of [
      ['path', '/v1/api/entities/token-of-this-host', '/v1/api/entities/[redacted]'],
      ['path', '/v1/api/entities/sess_abc.def', '/v1/api/entities/sess_[redacted]'],
      ['path', '/https://u:p@git.example/"x', '/https://[redacted]@git.example/"x'],
      ['gracz', 'Bearer abc"def', 'Bearer [redacted]"def'],
      ['gracz', 'apik_żółw', 'apik_żółw'],
      ['tokenName', 'bot sess_abc.def', 'bot sess_[redacted]'],
    ] as const)
      deepEqual(JSON.parse(line(at, { ...record, [field]: value })), {
        at,
        ...record,
        [field]: clean,
      })
  })
})
