import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, describe, it } from 'mocha'
import { realClock } from '#src/kernel/time/clock.js'
import type { Enactor } from '#src/ports/chat.js'
import { eventually } from '#test/support/daemon.js'
import { linkedFiles } from '#test/support/identity/linked-world.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { cloneOf, gitIn, headIn, temporaryFolder } from '#test/support/repository.js'

const hourMs = 3_600_000

const dispatchCounts = async (node: TestNode, kind: string): Promise<unknown> => {
  const { json } = await node.client.ask('/health')
  return Reflect.get(Object(Reflect.get(Object(json), 'dispatch')), kind)
}

/** An enactor that carries out nothing and records what it was asked. */
const recordEnactor = (): { readonly enactor: Enactor; readonly asked: ReadonlyArray<string> } => {
  const asked: Array<string> = []
  const enactor: Enactor = {
    kinds: new Set(['close', 'report']),
    enact: ({ id }) => {
      asked.push(id)
      return Promise.resolve({ _tag: 'Enacted', answer: 'Zamknięto.' })
    },
  }
  return { enactor, asked }
}

describe('POST /chat/dispatch at a whole node', () => {
  let node: TestNode | null = null
  afterEach(async () => {
    await node?.stop()
    node = null
  })

  const vars = { SVC_QUERY_INTENT: 'status', SVC_QUERY_CHAT_ID: '5' }
  const post = (started: TestNode, body: object, query = '') =>
    started.client.ask(`/chat/dispatch${query}`, { method: 'POST', body: JSON.stringify(body) })

  it('counts a report that it enacts in the limit that the front has', async () => {
    const config = { server: { own_writes_per_minute: 1, own_writes_burst: 1, selfheal_interval_ms: 100 } }
    node = await startNode({
      files: { ...nodeFiles, ...linkedFiles, '.svc/config.json': JSON.stringify(config) },
    })
    const { dispatch, writeLimit } = node.host
    const text = '### 2026-06-05, Brama, Brzoza\n\nByło cicho.\n'
    const vars = { SVC_REPORTER_CHAT_ID: '111', SVC_REPORT_B64: Buffer.from(text).toString('base64') }
    const attempt = { id: '9', run: 1, kind: 'report', vars, attempt: 1, deadlineMs: Date.now() } as const
    const enact = () => dispatch.enactor?.enact(attempt, 60_000, new AbortController().signal)
    const people = ['gracz Brzoza']
    // The limiter goes by the time that it is given: an earlier one gives no write back.
    const nowMs = realClock.monotonicMs()
    equal(writeLimit.take(people, nowMs + hourMs), null)
    deepEqual(await enact(), {
      _tag: 'Failed',
      reason: 'the person has written too often; server.own_writes_per_minute',
    })
    writeLimit.giveBack(people, nowMs + hourMs)
    equal((await enact())?._tag, 'Enacted')
    ok(writeLimit.take(people, nowMs) !== null)
  })

  it('enacts an accepted query once, and counts it', async () => {
    node = await startNode({ files: nodeFiles })
    const started = node
    const body = { interactionId: '7', sentAtEpochMs: Date.now(), vars }
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(started, body)))
    equal(replies.filter(({ text }) => text.includes('"duplicate":false')).length, 1)
    equal(replies.filter(({ status }) => status === 202).length, 20)
    const counts = await eventually(
      () => dispatchCounts(started, 'query'),
      seen => Reflect.get(Object(seen), 'refused') === 1,
    )
    deepEqual(counts, { accepted: 1, enacted: 0, failed: 0, refused: 1 })
    const told = await eventually(
      () => Promise.resolve(started.records.filter(({ event }) => event === 'dispatch_refused')),
      found => found.length > 0,
    )
    deepEqual(
      told.map(({ fields }) => fields),
      [{ id: '7', kind: 'query', reason: 'not_linked' }],
    )
    equal((await post(started, { ...body, sentAtEpochMs: 0 })).status, 202)
    for (const bad of [{ ...body, interactionId: 7 }, [], { ...body, sentAtEpochMs: -1 }])
      equal((await post(started, bad)).status, 400)
    equal(await started.metric('svc_dispatch_requests_total', { kind: 'none', result: 'bad' }), 3)
    equal(await started.metric('svc_dispatch_requests_total', { kind: 'query', result: 'accepted' }), 1)
  })

  it('enacts no close that the pipeline has pushed, and every other one by the enactor (S23)', async () => {
    const { enactor, asked } = recordEnactor()
    node = await startNode({ files: nodeFiles, enactor })
    const started = node
    const folder = temporaryFolder()
    try {
      const [bare, pipeline] = [join(folder.path, 'bare.git'), join(folder.path, 'pipeline')]
      gitIn(folder.path, 'clone', '-q', '--bare', started.repository.path, bare)
      cloneOf(bare, pipeline)
      started.repository.git('remote', 'add', 'origin', bare)
      gitIn(pipeline, 'commit', '-q', '--allow-empty', '-m', 'zamknięcie\n\nSvc-Interaction: 901')
      gitIn(pipeline, 'push', '-q')
      const sentAtEpochMs = Date.now()
      for (const interactionId of ['901', '902']) {
        const close = { interactionId, sentAtEpochMs, vars: { SVC_CLOSE_CHAT_ID: '5' } }
        equal((await post(started, close)).status, 202)
      }
      const counts = await eventually(
        () => dispatchCounts(started, 'close'),
        seen => Reflect.get(Object(seen), 'enacted') === 2,
      )
      deepEqual(counts, { accepted: 2, enacted: 2, failed: 0, refused: 0 })
      deepEqual(asked, ['902'])
      const found = started.records.filter(({ event }) => event === 'dispatch_effect_found')
      deepEqual(
        found.map(({ fields }) => fields),
        [{ id: '901', commit: headIn(pipeline) }],
      )
    } finally {
      folder.dispose()
    }
  })

  it('files a dispatched report once, as one of the linked person and by the row (S23)', async () => {
    node = await startNode({ files: { ...nodeFiles, ...linkedFiles } })
    const started = node
    const reportB64 = Buffer.from('### 2026-05-15, Brama, Olcha\n\nBrzoza przy bramie.\n').toString('base64')
    const send = (interactionId: string, chatId: string) =>
      post(started, {
        interactionId,
        sentAtEpochMs: Date.now(),
        vars: { SVC_REPORTER_CHAT_ID: chatId, SVC_REPORT_B64: reportB64 },
      })
    for (const [id, chatId] of [
      ['901', '111'],
      ['902', '555'],
      ['903', '111'],
    ] as const)
      equal((await send(id, chatId)).status, 202)
    const counts = await eventually(
      () => dispatchCounts(started, 'report'),
      seen => Reflect.get(Object(seen), 'enacted') === 2 && Reflect.get(Object(seen), 'refused') === 1,
    )
    deepEqual(counts, { accepted: 3, enacted: 2, failed: 0, refused: 1 })
    const message = started.repository.git('log', '--format=%an%n%B', '-1')
    match(message, /^Brzoza\nsessions: report of "2026-05-15, Brama, Olcha"\n/)
    for (const line of [
      'Svc-Actor: Brzoza',
      'Svc-Route: POST /workflows/report-session-by-chat',
      'Svc-Interaction: 901',
    ])
      ok(message.includes(line), message)
    equal(started.repository.git('log', '--format=%H', '--', 'zgłoszenia').trim().split('\n').length, 1)
  })

  it('accepts a query in read-only mode, and refuses a close by the gate and without an enactor', async () => {
    node = await startNode({ files: nodeFiles, enactor: null })
    const now = Date.now()
    const close = { interactionId: '8', sentAtEpochMs: now, vars: { SVC_CLOSE_CHAT_ID: '5' } }
    const plain = await post(node, close)
    deepEqual([plain.status, /enactor absent on this host/.test(plain.text)], [422, true])
    await node.client.ask('/admin/mode', { method: 'POST', body: '{"mode":"read-only"}' })
    const gated = await post(node, close)
    deepEqual([gated.status, Reflect.get(Object(gated.json), 'arm')], [503, 'ReadOnly'])
    equal((await post(node, close, '?dryRun=true')).status, 422)
    equal((await post(node, { ...close, sentAtEpochMs: now - 60_000 })).status, 410)
    equal((await post(node, { interactionId: '9', sentAtEpochMs: now, vars })).status, 202)
  })
})
