import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { decodeTranscript, encodeTranscript } from '#src/domain/transcripts/sidecar.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { fetchingOf, type Served } from '#test/support/log-fetching.js'
import { archiveTexts, worldOf } from '#test/support/world.js'

const one = 'https://logi.example/wieczor/karczma'
const two = 'https://logi.example/most.txt'
const session = '2026-05-10, Most, Brzoza'
const evening = '[20:15] [Lokalny] Orrin: Dobry wieczór.\n[20:16] [Lokalny] Selma: Witaj.\n'
const shorter = '[20:15] [Lokalny] Orrin: Dobry wieczór.\n'

const config = {
  integrations: {
    logs: {
      hosts: ['logi.example', 'notatki.example'],
      failed_max_attempts: 2,
      page_hosts: ['notatki.example div.note'],
    },
  },
}
const lore = (addresses: ReadonlyArray<string>, archive: Readonly<Record<string, string>> = {}) => ({
  '.svc/format.json': '{"format": 2}',
  '.svc/config.json': JSON.stringify(config),
  'sesje/2026.md': `### ${session}\n\nOpis.\n\n- @Logi:\n${addresses.map(one => `    - ${one}\n`).join('')}`,
  ...archive,
})

describe('the rows that take transcripts', () => {
  let front: TestFront | null = null
  afterEach(() => front?.close())

  const open = async (
    served: Served,
    addresses = [one, two],
    archive: Readonly<Record<string, string>> = {},
  ) => {
    const fetching = fetchingOf(served, () => front?.world() ?? null, JSON.stringify(config))
    front = await testFront({
      snapshot: worldOf(lore(addresses, archive)),
      callers: {
        reader: callerWith(['log.read']),
        fetcher: callerWith(['log.read', 'log.fetch']),
        own: callerWith(['log.read', 'log.fetch', 'log.fetch.request']),
      },
      node: nodeView({ logFetching: fetching, logFailures: fetching.failures }),
    })
    const post = async (path: string, body: unknown, token = 'fetcher') => {
      const answer = await front?.client.ask(path, { method: 'POST', body: JSON.stringify(body), token })
      ok(answer !== undefined)
      return { status: answer.status, body: answer.json as Record<string, unknown>, text: answer.text }
    }
    const texts = () => {
      const world = front?.world()
      return Object.fromEntries([...archiveTexts(world!)].map(([path, { text }]) => [path, text]))
    }
    return { fetching, post, texts }
  }

  it('archive a transcript as taken, with a sidecar, under the name of its address', async () => {
    const { post, texts } = await open({ [one]: evening })
    const answer = await post('/logs/fetch', { url: one })
    deepEqual(
      [answer.status, answer.body],
      [200, { Total: 1, Fetched: 1, Unchanged: 0, Archived: 0, Failed: 0, Skipped: 0, FailedUrls: [] }],
    )
    deepEqual(Object.keys(texts()).sort(), ['logi/karczma.json', 'logi/karczma.txt'])
    equal(texts()['logi/karczma.txt'], evening)
    const sidecar = decodeTranscript(texts()['logi/karczma.json'] ?? '')
    ok(sidecar._tag === 'Right')
    deepEqual([sidecar.right.name, sidecar.right.address, sidecar.right.lines.length], ['karczma', one, 2])
  })

  it('answer `Unchanged` where the archive has the text, and keep a better one', async () => {
    const served: Record<string, string> = { [one]: evening }
    const { post, texts } = await open(served)
    await post('/logs/fetch', { url: one })
    equal((await post('/logs/fetch', { url: one })).body['Unchanged'], 1)
    served[one] = shorter
    const worse = await post(`/sessions/${encodeURIComponent(session)}/logs/refresh`, {})
    deepEqual((worse.body['logs'] as ReadonlyArray<object>)[0], {
      Url: one,
      State: 'Archived',
      Outcome: 'Failed',
      Reason: 'worse',
      UpstreamStatus: 200,
    })
    equal(texts()['logi/karczma.txt'], evening)
    served[one] = `${evening}[20:17] [Lokalny] Orrin: Siadaj.\n`
    equal((await post('/logs/fetch', { url: one })).body['Fetched'], 1)
    equal(texts()['logi/karczma.txt'], served[one])
  })

  it('refresh a session: all, or only what is missing, each with its state', async () => {
    const { post, fetching } = await open({ [one]: evening, [two]: { status: 503 } })
    const refresh = `/sessions/${encodeURIComponent(session)}/logs/refresh`
    const first = await post(refresh, {})
    deepEqual(first.body, {
      header: session,
      logs: [
        { Url: one, State: 'Archived', Outcome: 'Fetched', Reason: null, UpstreamStatus: null },
        { Url: two, State: 'Failed', Outcome: 'Failed', Reason: 'status', UpstreamStatus: 503 },
      ],
    })
    await post(refresh, { mode: 'missing' })
    deepEqual(
      fetching.asked.map(({ url }) => url),
      [one, two, two],
    )
    equal((await post('/sessions/nikt/logs/refresh', {})).status, 404)
    equal((await post(refresh, { mode: 'all' })).status, 400)
  })

  it('fetch all that lacks as a job, skip what failed too often, and take a target that is skipped', async () => {
    const { post, fetching, texts } = await open({ [one]: evening })
    await post('/logs/fetch', { url: two })
    await post('/logs/fetch', { header: session })
    const listed = await post('/logs/fetch?dryRun=true', {})
    deepEqual([listed.body['Archived'], listed.body['Skipped'], listed.body['Total']], [1, 1, 2])
    const before = fetching.asked.length
    const started = await post('/logs/fetch', {})
    deepEqual([started.status, started.body['kind'], started.body['status']], [202, 'logs.fetch', 'running'])
    const job = await jobOf(String(started.body['job']))
    deepEqual(job['result'], {
      Total: 2,
      Fetched: 0,
      Unchanged: 0,
      Archived: 1,
      Failed: 0,
      Skipped: 1,
      FailedUrls: [],
    })
    equal(fetching.asked.length, before)
    equal((await post('/logs/fetch', { url: two })).body['Failed'], 1)
    deepEqual(Object.keys(texts()).length, 2)
  })

  const jobOf = async (id: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const answer = await front?.client.ask(`/jobs/${id}`, {})
      const job = answer?.json as Record<string, unknown>
      if (job['status'] !== 'running') return job
    }
  }

  it('make a job of a session with more than twenty transcripts', async () => {
    const addresses = Array.from({ length: 21 }, (_, at) => `https://logi.example/n${at}`)
    const { post, texts } = await open(Object.fromEntries(addresses.map(one => [one, evening])), addresses)
    const started = await post(`/sessions/${encodeURIComponent(session)}/logs/refresh`, {})
    equal(started.status, 202)
    equal(((await jobOf(String(started.body['job'])))['result'] as Record<string, unknown>)['Fetched'], 21)
    equal(Object.keys(texts()).length, 42)
  })

  it('write nothing in a dry run, and send only what it has to judge', async () => {
    const { post, texts, fetching } = await open({ [one]: evening })
    const dry = await post('/logs/fetch?dryRun=true', { url: one })
    deepEqual([dry.status, dry.body['Fetched']], [200, 1])
    ok(String(dry.body['diff']).includes('Dobry wieczór'))
    await post('/logs/fetch?dryRun=true', { url: two })
    await post('/logs/fetch?dryRun=true', {})
    deepEqual([texts(), fetching.asked.length, fetching.failures.all(0).size], [{}, 2, 0])
  })

  const refusals: ReadonlyArray<
    readonly [path: string, body: unknown, status: number, error: string, token?: string]
  > = [
    ['/logs/fetch', { url: one, header: session }, 400, 'BodyInvalid'],
    ['/logs/fetch', { url: 7 }, 400, 'BodyInvalid'],
    ['/logs/fetch', { header: 'nikt' }, 404, 'SessionNotFound'],
    ['/logs/fetch', { url: 'https://other.example/1' }, 422, 'LogSourceRefused'],
    ['/logs/fetch', { url: 'file:///etc/passwd' }, 422, 'LogSourceRefused'],
    ['/logs/fetch', { url: one }, 403, 'Forbidden', 'reader'],
    ['/logs/fetch', { request: 'GET /a HTTP/1.1\nHost: logi.example' }, 403, 'CapabilityRequired'],
    ['/logs/fetch', { url: 'GET /a HTTP/1.1\nHost: logi.example' }, 403, 'CapabilityRequired'],
    ['/logs/fetch', { request: 'POST /a HTTP/1.1\nHost: logi.example\n\na=1' }, 400, 'BodyInvalid', 'own'],
    ['/logs/fetch', { request: 'GET /a HTTP/1.1' }, 400, 'BodyInvalid', 'own'],
    ['/logs/fetch', { request: 'GET /a HTTP/1.1\nHost: evil.example' }, 422, 'LogSourceRefused', 'own'],
    ['/logs/import', { url: one }, 400, 'BodyInvalid'],
    ['/logs/import', { url: 'file:///etc/passwd', content: evening }, 422, 'LogSourceRefused'],
    ['/logs/import', { url: one, content: '<!doctype html>' }, 422, 'LogContentRefused'],
    ['/logs/import', { url: one, content: '\u0001\u0002\u0005\u0006'.repeat(90) }, 422, 'LogContentRefused'],
    ['/logs/import', { url: one, content: ' ' }, 422, 'LogContentRefused'],
    ['/logs/parse', {}, 400, 'BodyInvalid', 'reader'],
    ['/logs/parse', { url: two }, 403, 'CapabilityRequired', 'reader'],
    ['/logs/parse', { url: 'GET /a HTTP/1.1\nHost: logi.example' }, 403, 'CapabilityRequired'],
    ['/logs/parse', { url: 'https://other.example/1' }, 422, 'LogSourceRefused'],
    ['/logs/parse', { url: two }, 502, 'LogNotFetched'],
    ['/logs/archive/reparse', null, 403, 'Forbidden'],
  ]
  for (const [path, body, status, error, token] of refusals)
    it(`refuse ${path} ${JSON.stringify(body).slice(0, 60)} with ${status} ${error}`, async () => {
      const { post, texts, fetching } = await open({})
      const answer = await post(path, body, token)
      deepEqual([answer.status, answer.body['error'], texts()], [status, error, {}])
      equal(fetching.asked.length, error === 'LogNotFetched' ? 1 : 0)
    })

  it('name the capability that a request lacks', async () => {
    const { post } = await open({})
    equal((await post('/logs/fetch', { request: 'GET / HTTP/1.1' })).body['required'], 'log.fetch.request')
    equal((await post('/logs/parse', { url: two }, 'reader')).body['required'], 'log.fetch')
  })

  it('send the headers of a raw request to its host, and show them nowhere', async () => {
    const canary = 'sid=canary-1f0c9a'
    const { post, fetching, texts } = await open({ 'https://logi.example/a': evening })
    const request = `GET /a HTTP/1.1\r\nHost: logi.example\r\nCookie: ${canary}\r\nAccept-Encoding: gzip\r\n\r\n`
    const taken = await post('/logs/fetch', { request }, 'own')
    equal(taken.body['Fetched'], 1)
    const failed = await post('/logs/fetch', { url: request.replace('/a', '/b') }, 'own')
    deepEqual(failed.body['FailedUrls'], ['https://logi.example/b'])
    const bad = await post('/logs/fetch', { request: `${request}x` }, 'own')
    equal(bad.status, 400)
    deepEqual(fetching.asked, [
      { url: 'https://logi.example/a', headers: { cookie: canary } },
      { url: 'https://logi.example/b', headers: { cookie: canary } },
    ])
    const said = [taken, failed, bad].map(({ text }) => text).join('')
    const kept = JSON.stringify([said, texts(), [...fetching.failures.all(0)], front?.log])
    equal(kept.includes('canary'), false)
  })

  it('import a copy once, replace it only with `force`, and say what stands', async () => {
    const { post, texts } = await open({})
    const statusOf = async (content: string, force?: boolean) =>
      (await post('/logs/import', { url: one, content, ...(force === undefined ? {} : { force }) })).body[
        'Status'
      ]
    equal((await post('/logs/import?dryRun=true', { url: one, content: evening })).body['Status'], 'DryRun')
    deepEqual(texts(), {})
    const imported = await post('/logs/import', { url: one, content: evening })
    deepEqual(imported.body, {
      Status: 'Imported',
      Name: 'karczma',
      Url: one,
      Format: 'chat',
      LineCount: 2,
      Segments: 0,
    })
    equal(await statusOf(shorter), 'Archived')
    equal(await statusOf(evening, true), 'Unchanged')
    equal(texts()['logi/karczma.txt'], evening)
    equal(await statusOf(shorter, true), 'Imported')
    equal(texts()['logi/karczma.txt'], shorter)
  })

  it('parse a text, an archived address without a request, and another for a caller who may fetch', async () => {
    const { post, fetching } = await open({ [two]: `=== Most ===\n${shorter}` })
    await post('/logs/import', { url: one, content: evening })
    const parsed = await post('/logs/parse', { content: evening }, 'reader')
    deepEqual([parsed.body['Format'], parsed.body['LineCount']], ['chat', 2])
    equal(Object.keys((parsed.body['Lines'] as ReadonlyArray<object>)[0] ?? {}).length, 13)
    equal((await post('/logs/parse', { url: one }, 'reader')).body['LineCount'], 2)
    equal(fetching.asked.length, 0)
    const fetched = await post('/logs/parse', { url: two })
    deepEqual(fetched.body['LocationSegments'], [{ Place: 'Most', First: 0, Last: 1 }])
  })

  it('rewrite the sidecars of an older parser, and those that lack', async () => {
    const { post, texts } = await open({})
    await post('/logs/import', { url: one, content: evening })
    await post('/logs/import', { url: two, content: evening })
    const whole = texts()
    const old = decodeTranscript(whole['logi/karczma.json'] ?? '')
    ok(old._tag === 'Right')
    await front?.close()
    const older = encodeTranscript({ ...old.right, parser: 0, lines: [] })
    const again = await open({}, [one, two], {
      'logi/karczma.txt': evening,
      'logi/karczma.json': older,
      'logi/most.txt': evening,
      'logi/inny.txt': shorter,
      'logi/inny.json': whole['logi/most.json'] ?? '',
    })
    const answer = await front?.client.ask('/logs/archive/reparse', { method: 'POST' })
    deepEqual(answer?.json, { Total: 3, Rewritten: 2, Current: 1 })
    equal(again.texts()['logi/karczma.json'], whole['logi/karczma.json'])
    equal(again.texts()['logi/most.json'], whole['logi/most.json'])
    equal(
      (
        (await front?.client.ask('/logs/archive/reparse', { method: 'POST' }))?.json as Record<
          string,
          unknown
        >
      )['Rewritten'],
      0,
    )
  })
})
