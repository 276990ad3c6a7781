import { deepEqual, equal } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { ofHost, read, route } from '#protocol/route.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import type { Resolve } from '../credentials/authenticate.js'
import type { AnyHandlers, AnyInput } from './handler.js'

const row = { summary: '', answers: { 200: t.unknown }, refusals: [], source: '' } as const
const table = {
  own: { ...read({ ...row, path: '/own', capability: 'pu.read', query: {} }), own: true },
  plain: read({ ...row, path: '/plain', capability: 'pu.read', query: {} }),
  open: read({ ...row, path: '/open', capability: null, query: {} }),
  early: { ...read({ ...row, path: '/early', capability: 'log.read', query: {} }), early: true },
  write: route({
    ...ofHost,
    ...row,
    method: 'POST',
    path: '/write',
    capability: 'entity.write',
    query: {},
    body: null,
  }),
} as const

const world = (said: string): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': `### A\n- @typ: NPC\n- @info: ${said}\n`,
  })

/**
 * The capabilities of the caller, which are a row of the lore, so that they change with the snapshot; `gone`:
 * the token is unknown.
 */
const capabilitiesText = (snapshot: Snapshot | null): string =>
  snapshot?.entities.byType.get('NPC')?.[0]?.rows.find(one => one.tag === 'info')?.value ?? 'gone'

const resolve: Resolve = (_token, snapshot) => {
  const held = capabilitiesText(snapshot)
  return held === 'gone' ? null : callerWith(held.split(' '), 'Anna')
}

describe('rights on a snapshot that comes between authentication and answer', () => {
  let front: TestFront
  let calls: Array<AnyInput>
  let next: Snapshot | null

  beforeEach(async () => {
    calls = []
    next = null
    const answer = (input: AnyInput) => {
      calls.push(input)
      return right({ body: {} })
    }
    const handlers: AnyHandlers = { own: answer, plain: answer, open: answer, early: answer, write: answer }
    front = await testFront({
      table,
      handlers,
      snapshot: world('pu.read entity.write'),
      kinds: { sess_: resolve },
      freshen: () => {
        if (next !== null) front.serve(next)
        return Promise.resolve()
      },
    })
  })
  afterEach(() => front.close())

  const ask = (path: string, method = 'GET') => front.client.ask(path, { method, token: 'sess_anna' })
  const meanwhile = (said: string): void => {
    next = world(said)
  }

  it('are those of the snapshot that answers: a right that it takes away is gone', async () => {
    equal((await ask('/plain')).status, 200)
    for (const [path, method, required] of [
      ['/plain', 'GET', 'pu.read'],
      ['/own', 'GET', 'pu.read'],
      ['/write', 'POST', 'entity.write'],
    ] as const) {
      front.serve(world('pu.read entity.write'))
      meanwhile('entity.read')
      const reply = await ask(path, method)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'required')], [403, required], path)
    }
    equal(calls.length, 1)
  })

  it('are 401 where the token is nobody’s any more, and a public row answers on', async () => {
    meanwhile('gone')
    equal((await ask('/plain')).status, 401)
    front.serve(world('pu.read'))
    equal((await ask('/open')).status, 200)
    deepEqual(
      calls.map(call => Reflect.get(call.caller, 'grade')),
      ['full'],
    )
  })

  it('fall from full to own before the handler is asked', async () => {
    meanwhile('pu.read.own')
    equal((await ask('/own')).status, 200)
    deepEqual(
      calls.map(call => [call.caller.grade, call.caller.gracz]),
      [['own', 'Anna']],
    )
    equal((await ask('/plain')).status, 403)
  })

  it('are given by a commit that nobody looked at yet: who would be refused is looked at again', async () => {
    for (const before of ['entity.read', 'gone']) {
      front.serve(world(before))
      meanwhile('pu.read')
      equal((await ask('/plain')).status, 200, before)
    }
    deepEqual(front.log, [], 'nothing was refused in the end')
  })

  it('are looked for before a guarded row that needs no snapshot too', async () => {
    front.serve(world('log.read'))
    equal((await ask('/early')).status, 200)
    meanwhile('entity.read')
    equal((await ask('/early')).status, 403)
    meanwhile('log.read')
    equal((await ask('/early')).status, 200)
  })

  it('are refused once, and recorded once, where the look brings nothing', async () => {
    front.serve(world('gone'))
    equal((await ask('/plain')).status, 401)
    front.serve(world('entity.read'))
    equal((await ask('/plain')).status, 403)
    deepEqual(
      front.log.map(({ event }) => event),
      ['http.credential_refused'],
    )
  })

  it('narrow what an answer shows together with its key', async () => {
    front.serve(world('pu.read lore.edit'))
    const wide = await ask('/plain')
    meanwhile('pu.read')
    const narrow = await ask('/plain')
    equal(wide.headers.etag === narrow.headers.etag, false)
    deepEqual(
      calls.map(call => call.caller.view.mayReadRestricted),
      [true, false],
    )
  })

  it('come with the next request where they were given meanwhile', async () => {
    front.serve(world('entity.read'))
    equal((await ask('/plain')).status, 403)
    front.serve(world('pu.read'))
    equal((await ask('/plain')).status, 200)
  })
})
