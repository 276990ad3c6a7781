import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'mocha'
import { contractWorld, tower } from '#test/support/contract-world.js'
import { eventually } from '#test/support/daemon.js'
import { isFields } from '#test/support/matching.js'
import { restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { temporaryFolder } from '#test/support/repository.js'
import { textsOf } from '#test/support/writing-world.js'

const file = 'sesje/2026.md'
const titles = Array.from({ length: 16 }, (_, at) => `Wyprawa ${String.fromCharCode(65 + at)}`)
/** Days in no order, two sessions on each. */
const dayOf = (at: number): string => `2026-05-${String(11 + ((at * 5) % 8)).padStart(2, '0')}`

describe('writes of sessions through the whole node', () => {
  let node: TestNode
  let first: string
  const ask = async (method: string, path: string, body: object) => {
    const reply = await node.client.ask(path, { method, body: JSON.stringify(body) })
    ok(isFields(reply.json), reply.text)
    return { ...reply, json: reply.json }
  }
  const inTree = (path: string): string => readFileSync(join(node.repository.path, path), 'utf8')
  const commits = (): number => Number(node.repository.git('rev-list', '--count', 'HEAD'))
  const sound = (): void => {
    equal(node.repository.git('status', '--porcelain'), '')
    node.repository.git('fsck', '--strict')
  }
  const session = (at: number) => ({
    ...{ file, date: dayOf(at), title: titles[at], narrators: ['Brzoza'], content: `Opis ${at}.` },
    metadata: { pu: [{ character: 'Wit Kłos', value: 0.5 }] },
  })

  before(async () => {
    // No batch: a session whose PU are settled takes no change of its effects.
    node = await startNode({ files: { ...textsOf(contractWorld()), '.svc/pu/batches.jsonl': '' } })
    first = node.repository.head()
  })
  afterEach(async () => {
    await ask('POST', '/admin/mode', { mode: 'read-write' })
    await restoreCommit(node, first)
  })
  after(() => node.stop())

  it('puts 16 sent at once into one file, in order of their days, a commit each', async () => {
    const before = inTree(file)
    await ask('POST', '/sessions/hash', {})
    const replies = await Promise.all(titles.map((_, at) => ask('POST', '/sessions', session(at))))
    deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
    equal(new Set(replies.map(({ headers }) => headers['x-svc-commit'])).size, 16)
    equal(commits(), 18)
    const after = inTree(file)
    const headers = after.match(/^### .*$/gmu) ?? []
    equal(headers.length, 18)
    deepEqual(
      headers.map(one => one.slice(4, 14)),
      headers.map(one => one.slice(4, 14)).sort(),
    )
    for (const line of before.split('\n')) ok(after.split('\n').includes(line), line)
    equal(after.match(/^- @PU:$/gmu)?.length, 18)
    equal(inTree('.svc/sessions/hashes.jsonl').trim().split('\n').length, 19)
    equal((await node.client.ask('/sessions/integrity')).text.includes('SessionDrift'), false)
    sound()
  })

  it('gives one header once, however many ask for it at once', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => ask('POST', '/sessions', session(0))))
    deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    equal(commits(), 2)
    sound()
  })

  it('keeps every change of one session made at once', async () => {
    const path = `/sessions/${encodeURIComponent(tower)}`
    const changes = [
      { content: 'Wit spadł z wieży.' },
      { metadata: { logs: ['https://logi.example/7'] } },
      { metadata: { participants: ['Iskra'] } },
      { metadata: { intel: [{ target: 'Iskra', message: 'Wieża stoi.' }] } },
    ]
    const replies = await Promise.all(changes.map(change => ask('PATCH', path, change)))
    deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    const { text } = await node.client.ask(path)
    for (const word of ['Wit spadł z wieży.', 'logi.example/7', 'Iskra', 'Wieża stoi.'])
      ok(text.includes(word), word)
    equal(commits(), 5)
    sound()
  })

  it('makes the index anew by the route and the person that asked, once, also as a job', async () => {
    const first = await ask('POST', '/locations/reindex', {})
    deepEqual([first.status, first.json['reindexed']], [200, true], first.text)
    match(
      node.repository.git('log', '-1', '--format=%(trailers:only)'),
      /Svc-Route: POST \/locations\/reindex/,
    )
    match(inTree('Lokacje/Zamorze/Sesje.md'), /^<!-- generated/)
    const stands = commits()
    equal((await ask('POST', '/locations/reindex', {})).json['reindexed'], false)
    await ask('POST', '/sessions', session(0))
    const started = await ask('POST', '/session-registry/regenerate?async=true', {})
    equal(started.status, 202)
    const job = () => node.client.ask(`/jobs/${String(started.json['jobId'])}`)
    const ended = await eventually(job, ({ text }) => !text.includes('"running"'))
    match(ended.text, /"status":"completed".*"Applied":true/)
    equal(commits(), stands + 2)
    const plan = await ask('POST', '/session-registry/regenerate?dryRun=true', {})
    match(plan.text, /"Writes":\{"Populated":0,"Empty":0,/)
    sound()
  })

  it('refuses all but a dry run while nothing may be written, reindex too', async () => {
    await ask('POST', '/admin/mode', { mode: 'read-only' })
    for (const [path, body] of [
      ['/sessions', session(0)],
      ['/locations/reindex', {}],
      ['/maps/traversal', { source: 'Zamorze', target: 'Port Zamorze' }],
      ['/session-registry/regenerate', {}],
    ] as const) {
      const { status, json } = await ask('POST', path, body)
      deepEqual([status, json['error']], [403, 'ReadOnly'])
      equal((await ask('POST', `${path}?dryRun=true`, body)).status, 200)
    }
    equal(commits(), 1)
  })

  for (const kept of ['committed', 'left beside the commits'])
    it(`follows no link out of the repository, ${kept}`, async () => {
      const outside = temporaryFolder()
      const inside = (path: string): string => join(node.repository.path, path)
      try {
        writeFileSync(join(outside.path, 'obcy.md'), 'Obcy.\n')
        symlinkSync(outside.path, inside('wyjście'))
        symlinkSync(join(outside.path, 'obcy.md'), inside('sesje/obcy.md'))
        if (kept === 'committed') {
          node.repository.git('add', '.')
          node.repository.git('commit', '-qm', 'links')
        }
        const stands = commits()
        for (const file of ['wyjście/nowy.md', 'wyjście/obcy.md', 'sesje/obcy.md']) {
          const { status, text } = await ask('POST', '/sessions', { ...session(0), file })
          ok(status === 409 || status === 422, `${file}: ${status} ${text}`)
          ok(!text.includes(outside.path), text)
        }
        deepEqual(readdirSync(outside.path), ['obcy.md'])
        equal(readFileSync(join(outside.path, 'obcy.md'), 'utf8'), 'Obcy.\n')
        equal(commits(), stands)
      } finally {
        outside.dispose()
      }
    })
})
