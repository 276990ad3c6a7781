import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { Text, windowQuery } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { read, route } from '#protocol/route.js'
import { workLimits } from '#src/kernel/work-scheduler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import {
  callerWith,
  nodeView,
  quietMeter,
  type TestFront,
  type TestFrontOptions,
  testFront,
} from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import type { AnyHandlers, AnyInput } from './handler.js'

const row = { summary: '', answers: { 200: t.unknown }, refusals: [], source: '' } as const
const table = {
  item: read({ ...row, path: '/items/{name}', capability: 'pu.read', query: { ...windowQuery, q: Text } }),
  spoken: { ...read({ ...row, path: '/spoken', capability: 'pu.read', query: {} }), reads: ['logi'] },
  own: { ...read({ ...row, path: '/own', capability: 'pu.read', query: {} }), own: true },
  early: { ...read({ ...row, path: '/early', capability: null, query: {} }), early: true },
  host: { ...read({ ...row, path: '/host', capability: 'pu.read', query: {} }), replica: false, etag: false },
  write: route({
    ...row,
    method: 'POST',
    path: '/write',
    capability: 'entity.write',
    own: false,
    write: true,
    replica: false,
    pool: false,
    poolReason: 'mutates',
    etag: false,
    early: false,
    query: {},
    body: t.type({ text: t.string }),
    answers: { 201: t.unknown },
  }),
} as const

const commit = (letter: string): CommitId => {
  const id = CommitId.decode(letter.repeat(40))
  if (id._tag === 'Left') throw new Error('not a commit')
  return id.right
}

const world = (text: string, head: CommitId | null = commit('a')): Snapshot => ({
  ...worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': text }),
  commit: head,
})

describe('the pipeline', () => {
  let calls: Array<AnyInput> = []
  let front: TestFront | null = null

  const start = async (options: TestFrontOptions = {}): Promise<TestFront> => {
    calls = []
    const answer = (input: AnyInput) => {
      calls.push(input)
      return right({
        body: { calls: calls.length, fill: 'ż'.repeat(input.path['name'] === 'big' ? 900 : 1) },
      })
    }
    const handlers: AnyHandlers = {
      item: answer,
      spoken: answer,
      own: answer,
      early: answer,
      host: answer,
      write: answer,
    }
    const callers = {
      sess_anna: callerWith(['pu.read.own'], 'Anna'),
      sess_jan: callerWith(['pu.read.own'], 'Jan'),
      sess_editor: callerWith(['pu.read', 'lore.edit']),
    }
    front = await testFront({ table, handlers, snapshot: world('### A\n- @typ: NPC\n'), callers, ...options })
    return front
  }

  afterEach(async () => {
    await front?.close()
    front = null
  })

  it('renders an answer once for one key, and sends 304 without the handler', async () => {
    const { client } = await start()
    const first = await client.ask('/items/Orrin?limit=2&unknown=1')
    const second = await client.ask('/items/%4Frrin?other=2&limit=2')
    equal(second.text, first.text)
    equal(calls.length, 1)
    const etag = String(first.headers.etag)
    const third = await client.ask('/items/Orrin?limit=2', { headers: { 'If-None-Match': `"x", ${etag}` } })
    deepEqual([third.status, third.bytes.length, third.headers.etag], [304, 0, etag])
    equal((await client.ask('/items/Orrin?limit=2', { headers: { 'If-None-Match': '*' } })).status, 304)
  })

  it('sends 304 for a validator of the same inputs that a former process gave', async () => {
    const before = (await (await start()).client.ask('/items/Orrin')).headers.etag
    await front?.close()
    const { client } = await start()
    equal((await client.ask('/items/Orrin', { headers: { 'If-None-Match': String(before) } })).status, 304)
    equal(calls.length, 0)
  })

  it('takes no validator of another build of the same version', async () => {
    const before = (await (await start()).client.ask('/items/Orrin')).headers.etag
    await front?.close()
    const { client } = await start({ node: nodeView({ build: 'upgraded' }) })
    const reply = await client.ask('/items/Orrin', { headers: { 'If-None-Match': String(before) } })
    equal(reply.status, 200)
    notEqual(reply.headers.etag, before)
  })

  it('has another validator for other inputs, another day, query or view', async () => {
    const { client, serve } = await start()
    const etag = async (path: string, token?: string): Promise<string> =>
      String((await client.ask(path, token === undefined ? {} : { token })).headers.etag)
    const seen = [await etag('/items/Orrin'), await etag('/items/Orrin?q=1'), await etag('/items/Adela')]
    seen.push(await etag('/items/Orrin', 'sess_editor'))
    serve(world('### B\n- @typ: NPC\n'))
    seen.push(await etag('/items/Orrin'))
    serve({ ...world('### B\n- @typ: NPC\n'), day: worldOf({}, { day: '2026-06-16' }).day })
    seen.push(await etag('/items/Orrin'))
    equal(new Set(seen).size, seen.length)
  })

  it('has another validator for another head of a tree where the row reads that tree, and nowhere else', async () => {
    const { client, serve } = await start()
    const at = (logi: string, adnotacje: string): Snapshot => ({
      ...world('### A\n- @typ: NPC\n'),
      treeHeads: new Map([
        ['logi', { commit: commit(logi), id: logi }],
        ['adnotacje', { commit: commit(adnotacje), id: adnotacje }],
      ]),
    })
    const etags = async (): Promise<ReadonlyArray<string>> =>
      Promise.all(
        ['/spoken', '/items/Orrin'].map(async path => String((await client.ask(path)).headers.etag)),
      )
    serve(at('c', 'c'))
    const [spoken = '', item = ''] = await etags()
    serve(at('c', 'd'))
    deepEqual(await etags(), [spoken, item])
    serve(at('d', 'd'))
    const [next, same] = await etags()
    deepEqual([next === spoken, same], [false, item])
    const asked = { headers: { 'If-None-Match': spoken } }
    equal((await client.ask('/spoken', asked)).status, 200)
    equal((await client.ask('/items/Orrin', { headers: { 'If-None-Match': item } })).status, 304)
  })

  it('keeps what one caller owns from another', async () => {
    const { client } = await start()
    const anna = await client.ask('/own', { token: 'sess_anna' })
    const jan = await client.ask('/own', { token: 'sess_jan' })
    notEqual(anna.headers.etag, jan.headers.etag)
    deepEqual(
      calls.map(call => [call.caller.grade, call.caller.gracz]),
      [
        ['own', 'Anna'],
        ['own', 'Jan'],
      ],
    )
    equal((await client.ask('/items/Orrin', { token: 'sess_anna' })).status, 403)
  })

  it('compresses from 1024 bytes for those who take it', async () => {
    const { client } = await start()
    const gzip = { headers: { 'Accept-Encoding': 'gzip' } }
    const big = await client.ask('/items/big', gzip)
    const again = await client.ask('/items/big', gzip)
    equal(big.headers['content-encoding'], 'gzip')
    deepEqual(again.bytes, big.bytes)
    equal((await client.ask('/items/big')).text, big.text)
    equal((await client.ask('/items/small', gzip)).headers['content-encoding'], undefined)
    equal(big.headers.vary, 'Accept-Encoding')
    equal((await client.ask('/host', gzip)).headers.etag, undefined)
  })

  it('answers only early rows before the first snapshot', async () => {
    const { client, serve, front: running } = await start({ snapshot: null })
    const starting = await client.ask('/items/Orrin')
    deepEqual([starting.status, starting.headers['retry-after']], [503, '1'])
    const early = await client.ask('/early', { token: null })
    deepEqual([early.status, early.headers.etag], [200, undefined])
    equal(running.apiPort > 0, true)
    serve(world(''))
    equal((await client.ask('/items/Orrin')).status, 200)
  })

  it('names the commit that an answer was made of, and waits for none that is not here', async () => {
    const { client } = await start({ containsCommit: id => Promise.resolve(id === commit('b')) })
    const wanting = (id: string) => client.ask('/items/Orrin', { headers: { 'X-Svc-Min-Commit': id } })
    equal((await client.ask('/items/Orrin')).headers['x-svc-commit'], commit('a'))
    equal((await client.ask('/host')).headers['x-svc-commit'], commit('a'))
    equal((await client.ask('/early', { token: null })).headers['x-svc-commit'], commit('a'))
    equal((await wanting(commit('a'))).status, 200)
    equal((await wanting(commit('b'))).status, 200)
    const missing = await wanting(commit('c'))
    deepEqual([missing.status, missing.headers['retry-after']], [409, '1'])
    equal((await wanting('HEAD')).status, 409)
  })

  it('asks whether a commit is here after gate, body and query, and of early rows not at all', async () => {
    const { client } = await start({
      gate: (_row, dryRun) => (dryRun ? null : refuse('ReadOnly', 'The daemon is read-only.')),
    })
    const strange = { 'X-Svc-Min-Commit': commit('c') }
    const post = (query: string, body: string) =>
      client.ask(`/write${query}`, { method: 'POST', body, headers: strange })
    const refusals = [
      await post('', '{'),
      await post('?dryRun=true', '{'),
      await post('?dryRun=true&dryRun=true', '{"text":"x"}'),
      await post('?dryRun=true', '{"text":"x"}'),
      await client.ask('/host', { headers: strange }),
    ]
    deepEqual(
      refusals.map(({ status }) => status),
      [403, 400, 400, 409, 409],
    )
    equal(calls.length, 0)
    equal((await client.ask('/early', { token: null, headers: strange })).status, 200)
  })

  it('asks git of the snapshot of the request, and takes its failure for a commit that is not here', async () => {
    const asked: Array<string | null> = []
    const { client } = await start({
      containsCommit: (_id, of) => {
        asked.push(of.commit)
        return Promise.reject(new Error('git is away'))
      },
    })
    const reply = await client.ask('/host', { headers: { 'X-Svc-Min-Commit': commit('c') } })
    deepEqual([reply.status, asked], [409, [commit('a')]])
  })

  it('asks the gate before it looks at content type, body and query', async () => {
    const asked: Array<boolean> = []
    const { client } = await start({
      gate: (_row, dryRun) => {
        asked.push(dryRun)
        return dryRun ? null : refuse('ReadOnly', 'The daemon is read-only.')
      },
    })
    const bad = { method: 'POST', body: 'no json', headers: { 'Content-Type': 'text/plain' } } as const
    equal((await client.ask('/write?dryRun=%zz', bad)).status, 403)
    equal((await client.ask('/write?dryRun=true', bad)).status, 415)
    equal((await client.ask('/write?dryRun=true&dryRun=x', { method: 'POST', body: '{' })).status, 400)
    equal((await client.ask('/write', { ...bad, token: 'sess_anna' })).status, 403)
    const dry = await client.ask('/write?dryRun=true', { method: 'POST', body: '{"text":"x"}' })
    equal(dry.status, 201)
    deepEqual(
      calls.map(call => call.dryRun),
      [true],
    )
    deepEqual(asked, [false, true, true, true])
  })

  it('looks at HEAD before each request where it is told to, and serves on when the look fails', async () => {
    let looks = 0
    const { client, log } = await start({
      freshen: () => {
        looks += 1
        return looks === 2 ? Promise.reject(new Error('git is away')) : Promise.resolve()
      },
    })
    await client.ask('/early', { token: null })
    equal((await client.ask('/items/Orrin')).status, 200)
    equal((await client.ask('/items/Orrin')).status, 200)
    equal(looks, 2)
    deepEqual(
      log.map(record => record.event),
      ['http.look_failed'],
    )
  })

  it('goes on in different turns of the loop where many requests waited for one look', async () => {
    let [turn, isOver] = [0, false]
    const count = (): void => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    let endLook = (): void => undefined
    const look = new Promise<void>(resolve => {
      endLook = resolve
    })
    const turns: Array<number> = []
    let asked = 0
    const work = () => {
      turns.push(turn)
      // More than all work together may take of one turn.
      for (const endMs = performance.now() + 2 * workLimits.turnMs; performance.now() < endMs; );
      return right({ body: 'seen' })
    }
    const { client } = await start({
      freshen: () => {
        asked += 1
        if (asked === 10) setTimeout(endLook)
        return look
      },
      handlers: { item: work, own: work, early: work, host: work, write: work },
    })
    count()
    await Promise.all(Array.from({ length: 10 }, (_, at) => client.ask(`/items/Orrin?q=${at}`))).finally(
      () => {
        isOver = true
      },
    )
    equal(turns.length, 10)
    ok(new Set(turns).size >= 5, `the handlers ran in turns ${turns.join(', ')}`)
  })

  it('tells when to come again where the actor behind a row is full', async () => {
    const shed: Array<string> = []
    const full = () => left(refuse('Overloaded', 'The mailbox is full.'))
    const { client } = await start({
      handlers: { item: full, own: full, early: full, host: full, write: full },
      meter: { ...quietMeter, rejected: reason => void shed.push(reason) },
    })
    const reply = await client.ask('/host')
    deepEqual([reply.status, reply.headers['retry-after'], shed], [503, '1', ['shed']])
  })

  it('answers under published names', async () => {
    const { client } = await start({ published: () => new Set(['lore.example']) })
    equal((await client.ask('/items/Orrin', { headers: { Host: 'lore.example' } })).status, 200)
    equal((await client.ask('/items/Orrin', { headers: { Host: 'other.example' } })).status, 421)
  })

  it('tells the meter of every request by its template', async () => {
    const seen: Array<string> = []
    const { client } = await start({
      meter: {
        ...quietMeter,
        ended: (method, template, code) => void seen.push(`${method} ${template} ${code}`),
        rejected: reason => void seen.push(reason),
        body: (template, bytes) => void seen.push(`${template} ${bytes}`),
      },
    })
    await client.ask('/items/Orrin')
    await client.ask('/items/Orrin', { token: null })
    await client.ask('/nowhere', { method: 'PURGE' })
    await client.ask('/write', { method: 'POST', body: '{"text":"x"}' })
    await front?.close()
    deepEqual(seen, [
      'GET /items/{name} 200',
      'auth',
      'GET /items/{name} 401',
      'route',
      'other none 404',
      '/write 12',
      'POST /write 201',
    ])
  })
})
