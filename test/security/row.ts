import { doesNotMatch, equal, fail } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { after, afterEach, before, describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { windowQuery } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { ofHost, read, route } from '#protocol/route.js'
import type { AnyHandlers } from '#src/http/routing/handler.js'
import {
  answerWith,
  callerWith,
  type TestFront,
  type TestFrontOptions,
  testFront,
  testMachineToken,
} from '#test/support/front.js'
import { type RawReply, type Reply, rawAsk } from '#test/support/http-client.js'
import { worldOf } from '#test/support/world.js'

/** One line of a security table: what is sent, what must come back, and the test that sees it. */
export interface SecurityRow {
  readonly id: string
  readonly input: string
  readonly answer: string
  readonly see: (front: TestFront) => Promise<void>
}

/** A line whose route or part does not stand yet. */
export interface PendingRow {
  readonly id: string
  readonly input: string
  readonly reason: string
}

const row = { summary: '', refusals: [], source: '' } as const

/** A body with what the real ones have: a text, a snowflake that must be a text, nested values. */
const Note = t.intersection([
  t.type({ text: t.string }),
  t.partial({ chatId: t.string, tags: t.record(t.string, t.unknown) }),
])

/** A table of one row of each kind, so that a line can be tested before the route that it names stands. */
const table = {
  health: route({
    ...ofHost,
    ...row,
    method: 'GET',
    path: '/health',
    capability: null,
    early: true,
    query: {},
    body: null,
    answers: { 200: t.unknown },
  }),
  list: read({
    ...row,
    path: '/entities',
    capability: 'entity.read',
    query: windowQuery,
    answers: { 200: t.unknown },
  }),
  entity: read({
    ...row,
    path: '/entities/{name}',
    capability: 'entity.read',
    query: {},
    answers: { 200: t.unknown },
    refusals: ['EntityNotFound'],
  }),
  note: route({
    ...row,
    method: 'POST',
    path: '/notes',
    capability: 'entity.write',
    own: false,
    write: true,
    replica: false,
    pool: false,
    poolReason: 'mutates',
    etag: false,
    early: false,
    query: {},
    body: Note,
    answers: { 201: t.unknown },
  }),
  boom: route({
    ...ofHost,
    ...row,
    method: 'GET',
    path: '/boom',
    capability: 'entity.read',
    query: {},
    body: null,
    answers: { 200: t.unknown },
  }),
} as const

const handlers: AnyHandlers = {
  health: answerWith({ status: 'ok' }),
  list: ({ query }) => right({ body: { limit: query['limit'] ?? null, offset: query['offset'] ?? null } }),
  entity: ({ path, snapshot }) => {
    const found = snapshot?.entities.byHeading.get(nameKey(path['name'] ?? ''))?.[0]
    return found === undefined
      ? left(refuse('EntityNotFound', 'No entity answers to the name.', { nearest: [] }))
      : right({ body: { Name: found.name } })
  },
  note: ({ body, dryRun }) => right({ body: { body, dryRun } }),
  boom: () => {
    throw new Error('secret of /src/boom.ts')
  },
}

/** As long as a session header gets, with all that one may hold. */
export const longHeading = `2024-06-15, ${'Żółć, gęś / jaźń '.repeat(17)}`.slice(0, 299).concat('x')

export const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md':
    '### Żółw Błotny\n- @typ: NPC\n\n### Kupiec Orrin\n- @typ: NPC\n\n### A, B & C/D\n- @typ: NPC\n\n' +
    `### ${longHeading}\n- @typ: NPC\n`,
})

const tail = '\r\n\r\n'

/** The head of a request that only its own line and headers make odd. */
export const head = (line: string, ...headers: ReadonlyArray<string>): string =>
  [line, 'Host: 127.0.0.1', `Authorization: Bearer ${testMachineToken}`, ...headers].join('\r\n') + tail

const isClosed = (status: number, json: unknown, error: string): void => {
  const body = t.type({ error: t.string, detail: t.string }).decode(json)
  if (isLeft(body)) fail(`no closed body in a ${status}`)
  equal(body.right.error, error)
  doesNotMatch(body.right.detail, /\/src\/|node:|\n\s+at /)
}

/** The reply has this status and the closed body of this error. */
export const isRefused = (reply: Reply, status: number, error: string): void => {
  equal(reply.status, status, reply.text)
  isClosed(status, reply.json, error)
}

/** What came over a socket is one answer of this status, with the closed body of this error. */
export const isRawRefused = (reply: RawReply, status: number, error: string): void => {
  equal(reply.statuses.at(-1), status, reply.text.slice(0, 200))
  isClosed(status, reply.json, error)
}

/** A line that writes bytes to the socket and wants one status back. */
export const raw = (
  id: string,
  input: string,
  bytes: string | Buffer,
  status: number,
  error: string | null,
): SecurityRow => ({
  id,
  input,
  answer: error === null ? String(status) : `${status} ${error}`,
  see: async ({ front }) => {
    const reply = await rawAsk(front.apiPort, bytes)
    if (error === null) equal(reply.statuses[0], status, reply.text.slice(0, 200))
    else isRawRefused(reply, status, error)
  },
})

/** Lists lines that wait for a route or a part, each with its reason. */
const declarePendingRows = (pending: ReadonlyArray<PendingRow>): void => {
  for (const one of pending)
    it(`${one.id} | ${one.input} | pending`, function () {
      console.log(`      pending: ${one.reason}`)
      this.skip()
    })
}

/** Runs a table; after each line the same process must still answer. */
export const securityTable = (
  title: string,
  rows: ReadonlyArray<SecurityRow>,
  pending: ReadonlyArray<PendingRow>,
  options: TestFrontOptions = {},
): void => {
  describe(`SECURITY ${title}`, () => {
    let front: TestFront
    before(async () => {
      front = await testFront({
        table,
        handlers,
        snapshot: world,
        callers: { sess_reader: callerWith(['entity.read']) },
        ...options,
      })
    })
    afterEach(async () => {
      equal((await front.client.ask('/health', { token: null })).status, 200, 'the process does not answer')
    })
    after(() => front.close())

    for (const one of rows) it(`${one.id} | ${one.input} | ${one.answer}`, () => one.see(front))
    declarePendingRows(pending)
  })
}
