import { deepEqual, equal, ok } from 'node:assert/strict'
import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { EventPage } from '#protocol/host/events.js'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 50}}\n',
  'encje/indeks.md': '### Kupiec Orrin\n- @typ: NPC\n',
}

describe('the journal of a daemon', () => {
  let repository: Repository
  let daemon: Daemon
  const start = async (): Promise<void> => {
    daemon = await startDaemon(['serve', '--repo', repository.path])
  }
  const journal = async (since: number): Promise<EventPage> => {
    const { status, body } = await getJson(daemon, `/events/journal?since=${since}`)
    equal(status, 200)
    if (!EventPage.is(body)) throw new Error('no page of events')
    return body
  }
  const headAtLeast = (head: number): Promise<EventPage> =>
    eventually(
      () => journal(0),
      page => page.head >= head,
    )
  beforeEach(async () => {
    repository = repositoryOf(files)
    await start()
  })
  afterEach(async () => {
    if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  it('tells each published snapshot, and goes on behind a kill -9 with a torn tail', async () => {
    await headAtLeast(1)
    repository.commit({ 'encje/indeks.md': `${files['encje/indeks.md']}\n### Nowa\n- @typ: NPC\n` })
    const before = await headAtLeast(2)
    await daemon.stop('SIGKILL')
    const folder = join(daemon.ready.state, 'events')
    appendFileSync(join(folder, readdirSync(folder)[0] ?? ''), '{"seq":3,"at":"2026-06-1')
    await start()
    const after = await headAtLeast(3)
    deepEqual(after.items.slice(0, before.count), before.items)
    deepEqual(
      after.items.map(({ seq }) => seq),
      after.items.map((_, at) => at + 1),
    )
    deepEqual(after.gaps, [])
    ok(daemon.stderr().includes('"journal_torn"'))
  })

  it('is given by the live stream as it is, from where the caller says', async () => {
    await headAtLeast(1)
    const leaving = new AbortController()
    const response = await fetch(`${daemon.ready.url}/events?since=0`, {
      headers: { authorization: `Bearer ${daemon.token}`, accept: 'text/event-stream' },
      signal: leaving.signal,
    })
    equal(response.status, 200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!/^data: .*\n\n/m.test(text)) text += String((await reader?.read())?.value)
    const { items } = await journal(0)
    deepEqual(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? ''), items[0])
    const rest = (async () => {
      while ((await reader?.read())?.done === false);
    })()
    equal(await daemon.stop(), 0)
    // One that had kept the daemon from ending would have been cut by it, and that is an error to who reads.
    await rest
    leaving.abort()
  })

  it('has a request stream with a line for each request, kept over a stop', async () => {
    await getJson(daemon, '/entities?type=NPC')
    equal((await getJson(daemon, '/logs/nothing')).status, 404)
    await daemon.stop()
    await start()
    const Lines = t.type({ items: t.array(t.type({ route: t.union([t.string, t.null]), status: t.number })) })
    const { body } = await getJson(daemon, '/logs/request')
    if (!Lines.is(body)) throw new Error('no page of records')
    const told = body.items.map(({ route, status }) => `${route ?? '-'} ${status}`)
    ok(told.includes('/entities 200') && told.includes('/logs/{stream} 404'), told.join(', '))
  })
})
