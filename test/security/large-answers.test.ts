import { deepEqual, equal, ok } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { ofHost, route } from '#protocol/route.js'
import { answerBytesMax } from '#src/http/answers/answer-bytes.js'
import { testFront } from '#test/support/front.js'
import type { Client } from '#test/support/http-client.js'
import { worldOf } from '#test/support/world.js'

const mib = 1024 * 1024

const post = async (client: Client, path: string, body: object) => {
  const reply = await client.ask(path, { method: 'POST', body: JSON.stringify(body) })
  const json: unknown = reply.json
  const of = (key: string): unknown =>
    typeof json === 'object' && json !== null ? Reflect.get(json, key) : undefined
  return { status: reply.status, error: of('error'), of, bytes: reply.bytes.length, text: reply.text }
}

const inWorld = async (files: Readonly<Record<string, string>>, look: (client: Client) => Promise<void>) => {
  const front = await testFront({ snapshot: worldOf({ '.svc/format.json': '{"format": 2}', ...files }) })
  try {
    await look(front.client)
  } finally {
    await front.close()
  }
}

const header = (at: number): string => `2026-01-${String(1 + (at % 28)).padStart(2, '0')}, Sesja ${at}, Narr`

const sessions = (count: number, prose: string): string =>
  Array.from({ length: count }, (_, at) => `### ${header(at)}\n\n${prose}\n`).join('\n')

describe('what a cheap request may answer', () => {
  it('/sessions/batch answers a header once, however often it is asked for', () =>
    inWorld({ 'sesje/2026.md': sessions(2, 'słowo '.repeat(30_000)) }, async client => {
      const headers = Array.from({ length: 1_000 }, () => header(0))
      const one = await post(client, '/sessions/batch', { headers: [header(0)] })
      const many = await post(client, '/sessions/batch', { headers })
      deepEqual([many.status, many.bytes, many.of('count')], [200, one.bytes, 1])
      const none = await post(client, '/sessions/batch', { headers: ['a', 'a', 'b'] })
      deepEqual(none.of('missing'), ['a', 'b'])
    }))

  it('/sessions/batch and /sessions/compare take 200 different headers and no more', () =>
    inWorld({ 'sesje/2026.md': sessions(201, 'Krótko.') }, async client => {
      const headers = Array.from({ length: 201 }, (_, at) => header(at))
      for (const path of ['/sessions/batch', '/sessions/compare']) {
        const { status, error, text } = await post(client, path, { headers })
        deepEqual([status, error], [400, 'BodyInvalid'], path)
        ok(text.includes('200') && text.includes('in parts'), text)
        equal((await post(client, path, { headers: headers.slice(1) })).status, 200)
      }
    }))

  it('/sessions/batch answers 8 MiB and no more, and says how to ask for less', () =>
    inWorld({ 'sesje/2026.md': sessions(100, 'słowo '.repeat(20_000)) }, async client => {
      const headers = Array.from({ length: 100 }, (_, at) => header(at))
      const { status, error, text } = await post(client, '/sessions/batch', { headers })
      deepEqual([status, error], [422, 'AnswerTooLarge'])
      ok(text.includes('fields') && text.includes(String(8 * mib)), text)
      const narrowed = await post(client, '/sessions/batch', { headers, fields: 'Date' })
      deepEqual([narrowed.status, narrowed.of('count')], [200, 100])
    }))

  it('names 20 of the blocks that a name may mean, and counts the others', () => {
    const index = Array.from(
      { length: 4_000 },
      (_, at) => `### Postać ${at}\n- @typ: Postać\n- @alias: Wspólna\n`,
    ).join('\n')
    return inWorld({ 'encje/indeks.md': index }, async client => {
      const participants = Array.from({ length: 200 }, () => 'Wspólna')
      const asked = { date: '2026-06-01', title: 'Bal', narrators: [], content: 'Było.' }
      const told = await post(client, '/sessions/report', { ...asked, metadata: { participants } })
      ok(told.bytes < mib, `${told.bytes} bytes`)
      const refused = await post(client, '/sessions/report', {
        ...asked,
        title: 'Drugi bal',
        metadata: { pu: [{ character: 'Wspólna', value: 1 }] },
      })
      equal(refused.status, 422, refused.text.slice(0, 300))
      ok(refused.text.includes('"more":3980'), refused.text.slice(0, 900))
      const body = JSON.stringify({ tag: 'info', value: 'x' })
      const patched = await client.ask('/entities/Wsp%C3%B3lna', { method: 'PATCH', body })
      deepEqual([patched.status, patched.bytes.length < 4_000], [409, true], patched.text.slice(0, 300))
      ok(patched.text.includes('3980 more'), patched.text.slice(0, 900))
    })
  })

  const told = t.type({ text: t.string })
  const base = {
    ...ofHost,
    method: 'GET',
    capability: null,
    query: {},
    refusals: [],
    source: 'A',
    summary: 'A text.',
    answers: { 200: told },
  } as const

  it('no row answers more than 16 MiB but those that answer with the whole corpus', async () => {
    const text = 'słowo '.repeat(answerBytesMax / 6)
    const table = {
      one: route({ ...base, path: '/one', body: null }),
      whole: route({ ...base, path: '/whole', body: null, wholeCorpus: true }),
    }
    const handler = () => right({ body: { text } })
    const front = await testFront({ table, handlers: { one: handler, whole: handler } })
    try {
      const one = await front.client.ask('/one')
      deepEqual([one.status, Reflect.get(Object(one.json), 'error')], [422, 'AnswerTooLarge'])
      for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
        const whole = await front.client.ask('/whole', { headers })
        deepEqual([whole.status, whole.text === JSON.stringify({ text })], [200, true])
      }
    } finally {
      await front.close()
    }
  }).timeout(60_000)
})
