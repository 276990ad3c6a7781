import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { archivedFiles } from '#test/support/transcripts.js'

const bridge = '2026-05-10, Most, Brzoza'
const session = (header: string, address: string): string =>
  `### ${header}\n\nProza.\n\n- @Logi:\n    - ${address}\n`

const files = {
  ...nodeFiles,
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 100, "search_index": "speech"}}\n',
  'sesje/2026.md': session(bridge, 'https://logi.example/most'),
  ...archivedFiles('most', 'https://logi.example/most', [
    '=== Zamorze ===',
    'Lokalny|Orrin|Czekam za mostem.',
    'Lokalny|Strażnik|Dokąd idziesz?',
  ]),
}

describe('the transcripts of a host', () => {
  let node: TestNode | null = null
  afterEach(async () => {
    await node?.stop()
    node = null
  })
  const ask = (at: TestNode, path: string, method = 'GET'): Promise<Reply> =>
    at.client.ask(path, { method, ...(method === 'POST' ? { body: '{}' } : {}) })
  const textsOf = (reply: Reply): ReadonlyArray<unknown> => {
    const items = jsonField(reply.json, 'items')
    return Array.isArray(items) ? items.map(one => jsonField(one, 'Text')) : []
  }
  const linesOnce = (at: TestNode, path: string, isMeant: (texts: ReadonlyArray<unknown>) => boolean) =>
    eventually(
      () => ask(at, path),
      reply => reply.status === 200 && isMeant(textsOf(reply)),
    )

  it('are indexed after the start, and a committed one is in every answer soon after', async () => {
    const at = await startNode({ files })
    node = at
    const first = await linesOnce(at, '/logs/lines?text=most', texts => texts.length > 0)
    deepEqual(textsOf(first), ['Czekam za mostem.'])
    at.repository.commit({
      'sesje/maj.md': session('2026-05-20, Brama, Brzoza', 'https://logi.example/brama'),
      ...archivedFiles('brama', 'https://logi.example/brama', ['Lokalny|Orrin|Za bramą jest most.']),
    })
    const second = await linesOnce(at, '/logs/lines?text=mostu', texts => texts.length > 1)
    deepEqual(textsOf(second), ['Czekam za mostem.', 'Za bramą jest most.'])
    const search = await eventually(
      () => ask(at, '/search?q=brama&scope=speech'),
      reply => reply.status === 200 && jsonField(reply.json, 'Total') === 1,
    )
    const [hit] = jsonField(search.json, 'Items') as ReadonlyArray<unknown>
    deepEqual(
      ['kind', 'source', 'header', 'date', 'authority', 'snippet'].map(name => jsonField(hit, name)),
      ['speech', 'brama', '2026-05-20, Brama, Brzoza', '2026-05-20', 'transcript', 'Za bramą jest most.'],
    )
    const index = await ask(at, '/search/index')
    ok(index.text.includes('"tier":"speech","state":"live"'), index.text)
  })

  it('are dropped with their files, and dated anew with their sessions', async () => {
    const at = await startNode({ files })
    node = at
    await linesOnce(at, '/logs/lines?from=2026-05-10&to=2026-05-10', texts => texts.length === 3)
    at.repository.commit({
      'sesje/2026.md': session('2026-06-01, Most, Brzoza', 'https://logi.example/most'),
    })
    await linesOnce(at, '/logs/lines?from=2026-06-01', texts => texts.length === 3)
    equal((await ask(at, '/logs/archive/most')).status, 200)
    at.repository.git('rm', '-q', '-r', 'logi')
    at.repository.git('commit', '-q', '-m', 'bez archiwum')
    await linesOnce(at, '/logs/lines', texts => texts.length === 0)
    equal((await ask(at, '/logs/archive/most')).status, 404)
  })

  it('have an index of mentions, made once and kept as an artifact', async () => {
    const at = await startNode({ files })
    node = at
    const mentions = await eventually(
      () => ask(at, '/entities/Orrin/mentions'),
      reply => reply.status === 200,
    )
    equal(jsonField(mentions.json, 'total'), 0)
    const strangers = await eventually(
      () => ask(at, '/health'),
      reply => jsonField(reply.json, 'mentionIndex') === 'fresh',
    )
    equal(strangers.status, 200)
    const artifact = await ask(at, '/derived/mentions')
    deepEqual([artifact.status, jsonField(artifact.json, 'logs')], [200, ['most']])
    at.repository.commit(
      archivedFiles('brama', 'https://logi.example/brama', ['Lokalny|Strażnik|Widzę Orrina.']),
    )
    await linesOnce(at, '/logs/lines', texts => texts.length === 4)
    const health = await eventually(
      () => ask(at, '/health'),
      reply => jsonField(reply.json, 'mentionIndex') === 'stale',
    )
    equal(health.status, 200)
    equal(jsonField((await ask(at, '/entities/Orrin/mentions')).json, 'total'), 0)
    equal(jsonField((await ask(at, '/entities/Orrin/hits')).json, 'total'), 1)
  })

  it('are indexed from nothing where the saved index is damaged, and on request', async () => {
    const at = await startNode({ files })
    node = at
    await linesOnce(at, '/logs/lines', texts => texts.length === 3)
    const path = join(at.host.checkout.state, 'transcripts', 'index.db')
    ok(existsSync(path))
    const rebuilt = await ask(at, '/logs/index/rebuild', 'POST')
    deepEqual([rebuilt.status, jsonField(rebuilt.json, 'rebuilt')], [200, true])
    truncateSync(path, 100)
    writeFileSync(`${path}-wal`, '')
    at.host.transcripts.ports.reset()
    at.host.transcripts.ports.start(1)
    await linesOnce(at, '/logs/lines', texts => texts.length === 3)
    ok(at.records.some(({ event }) => event === 'transcript_index_trouble'))
  })
})
