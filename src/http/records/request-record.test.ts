import { equal } from 'node:assert/strict'
import * as t from 'io-ts'
import { after, before, describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { read } from '#protocol/route.js'
import { makeScrubber } from '#src/domain/redaction/scrub.js'
import { answerWith, type TestFront, testFront, testMachineToken } from '#test/support/front.js'
import { requestLines } from './request-record.js'

const at = instantOf(Date.parse('2026-06-15T12:00:00Z'))
const row = { summary: '', capability: 'entity.read', query: {}, refusals: [], source: '' } as const
const table = { one: read({ ...row, path: '/entities/{name}', answers: { 200: t.UnknownRecord } }) }

describe('the path that the request stream keeps', () => {
  const lines: Array<string> = []
  let served: TestFront
  before(async () => {
    const line = requestLines(makeScrubber([testMachineToken]))
    served = await testFront({
      table,
      handlers: { one: answerWith({}) },
      recordRequest: record => lines.push(line(at, record)),
    })
  })
  after(() => served.close())

  const kept = async (name: string): Promise<unknown> => {
    await fetch(`http://127.0.0.1:${served.front.apiPort}/v1/api/entities/${name}`, {
      headers: { authorization: `Bearer ${testMachineToken}` },
    })
    const line: unknown = JSON.parse(lines.at(-1) ?? '{}')
    return Reflect.get(Object(line), 'path')
  }

  for (const [name, path] of [
    ['%C5%BBaneta%20z%20lasu', 'Żaneta z lasu'],
    ['x%20apik_SECRET1', 'x apik_[redacted]'],
    ['x%2520apik%255FSECRET1', 'x apik_[redacted]'],
    ['apik%5FSECRET2', 'apik_[redacted]'],
    ['Bearer%20SECRET3', 'Bearer [redacted]'],
    ['x%20named_SECRET4', 'x named_[redacted]'],
    ['x%3Fkey%3DSECRET7', 'x?key=[redacted]'],
    ['https%3A%2F%2Fuser:SECRET8@host', 'https://[redacted]@host'],
    ['x%2Fwebhooks%2F123%2FSECRET9', 'x/webhooks/[redacted]'],
    [`x%20${testMachineToken}`, 'x [redacted]'],
    [`x%20%${testMachineToken.charCodeAt(0).toString(16)}${testMachineToken.slice(1)}`, 'x [redacted]'],
  ] as const)
    it(`has no credential: "${path}"`, async () => equal(await kept(name), `/v1/api/entities/${path}`))

  it('is cut behind the scrubber, so that no beginning of a token stays', async () => {
    const before = `/v1/api/entities/${'y'.repeat(290 - '/v1/api/entities/'.length)}`
    equal(await kept(`${before.slice('/v1/api/entities/'.length)}${testMachineToken}`), `${before}[redacted]`)
    equal(await kept('y'.repeat(400)), `/v1/api/entities/${'y'.repeat(300)}`.slice(0, 300))
  })
})
