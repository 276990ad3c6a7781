import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { openModels } from '#src/node/models/models.js'
import type { Models } from '#src/ports/models.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { jsonField, jsonFields } from '#test/support/json-field.js'
import { contractStore, modelSources, type StoreText, unkeptModels } from '#test/support/models.js'
import { inputsOf, sourceFile } from '#test/support/world.js'

/** A row of the sample store; `authentication` null: it was written into the file. */
const sampleRow = (at: number, authentication: 'token' | null): string =>
  JSON.stringify({
    id: `p/claims/${at}`,
    class: 'claims',
    grade: 'confirmed',
    label: 'yes',
    fields: {},
    provenance: { project: 'p' },
    accepted_by: { by: 'Solmyr', ...(authentication === null ? {} : { authentication }) },
  })

/** A world whose annotation tree has these rows. */
const worldWith = (rows: ReadonlyArray<string>, head = 'first') =>
  buildSnapshot(
    {
      ...inputsOf({ '.svc/format.json': '{"format": 2}' }),
      samples: [sourceFile('samples/p/claims.jsonl', `${rows.join('\n')}\n`)],
      treeHeads: new Map([['adnotacje', { commit: null, id: head }]]),
    },
    null,
  ).snapshot

describe('the rows of models', () => {
  let front: TestFront | null = null
  afterEach(async () => {
    await front?.close()
    front = null
  })

  const open = async (models: Models, options: Parameters<typeof testFront>[0] = {}): Promise<TestFront> => {
    front = await testFront({ node: nodeView({ models }), ...options })
    return front
  }
  /** Models that keep what is written, with the keeper to turn. */
  const kept = async (files: StoreText = contractStore()) => {
    const models = openModels(modelSources(files))
    await models.ports.turn(new AbortController().signal)
    return models
  }
  const post = (at: TestFront, path: string, body: object) =>
    at.client.ask(path, { method: 'POST', body: JSON.stringify(body) })
  const etagOf = async (at: TestFront, path: string): Promise<string> =>
    String((await at.client.ask(path)).headers.etag)
  const statusWith = async (at: TestFront, path: string, etag: string): Promise<number> =>
    (await at.client.ask(path, { headers: { 'If-None-Match': etag } })).status

  it('refuse a surface that there is not, by its own error and in every row', async () => {
    const at = await open(unkeptModels())
    for (const surface of ['', 'weather', 'Claims', '__proto__', 'constructor', '../claims', 'claims ']) {
      const query = `surface=${encodeURIComponent(surface)}`
      const replies = [
        await at.client.ask(`/model/state?${query}`),
        await at.client.ask(`/model/evaluation?artifact=claims-2&${query}`),
        await at.client.ask(`/model/ledger?${query}`),
        await at.client.ask(`/model/runs?${query}`),
        await post(at, '/model/promote', { artifact: 'claims-2', surface }),
        await post(at, '/model/rollback', { surface }),
        await post(at, '/model/runs', { surface }),
      ]
      for (const reply of replies)
        deepEqual([reply.status, jsonField(reply.json, 'error')], [400, 'UnknownSurface'], surface)
    }
  })

  it('refuse a body that names an author, or is not of its kind', async () => {
    const at = await open(unkeptModels())
    const good = { artifact: 'claims-2', surface: 'claims' }
    for (const body of [
      { ...good, author: 'Xeron' },
      { ...good, by: 'Xeron' },
      { ...good, acceptRegression: 'yes' },
      { surface: 'claims' },
    ]) {
      const reply = await post(at, '/model/promote', body)
      deepEqual([reply.status, jsonField(reply.json, 'error')], [400, 'BodyInvalid'])
    }
  })

  it('record the caller as the author', async () => {
    const models = await kept()
    const callers = { radny: callerWith(['admin.index'], 'Xeron') }
    const at = await open(models.view, { callers })
    const body = JSON.stringify({ artifact: 'claims-2', surface: 'claims' })
    const reply = await at.client.ask('/model/promote', { method: 'POST', body, token: 'radny' })
    deepEqual([reply.status, jsonField(reply.json, 'by')], [200, 'Xeron'])
    equal(models.view.store().ledger.rows.at(-1)?.by, 'Xeron')
  })

  it('have a validator that a promotion changes, also where another program made the change', async () => {
    const files = contractStore()
    const models = await kept(files)
    const at = await open(models.view)
    const paths = ['/model/state?surface=claims', '/model/ledger', '/model/runs']
    for (const path of paths) {
      const etag = await etagOf(at, path)
      equal(await statusWith(at, path, etag), 304)
    }
    const before = await etagOf(at, paths[0] ?? '')
    equal(
      (await post(at, '/model/promote?dryRun=true', { artifact: 'claims-2', surface: 'claims' })).status,
      200,
    )
    equal(await statusWith(at, paths[0] ?? '', before), 304, 'a dry run changes nothing')
    equal((await post(at, '/model/promote', { artifact: 'claims-2', surface: 'claims' })).status, 200)
    const after = await at.client.ask(paths[0] ?? '', { headers: { 'If-None-Match': before } })
    deepEqual([after.status, jsonField(jsonField(after.json, 'live'), 'id')], [200, 'claims-2'])
    files.set('claims-2/model.json', '{"other": true}')
    await models.ports.turn(new AbortController().signal)
    const damaged = await at.client.ask(paths[0] ?? '', {
      headers: { 'If-None-Match': String(after.headers.etag) },
    })
    deepEqual([damaged.status, jsonField(damaged.json, 'reason')], [200, 'LiveArtifactUnusable'])
  })

  it('tell what the sample store has at the time of the request, and a ruling changes their validator', async () => {
    const world = worldWith([sampleRow(1, 'token'), sampleRow(2, null)])
    const at = await open(unkeptModels(), { snapshot: world })
    const path = '/model/evaluation?artifact=claims-2&surface=claims'
    const first = await at.client.ask(path)
    const floors = jsonField(first.json, 'floors')
    deepEqual(
      [
        jsonField(floors, 'confirmed'),
        jsonField(floors, 'authentication'),
        jsonField(first.json, 'promotable'),
      ],
      [2, { transcribed: 1, tokenAuthenticated: 1 }, true],
    )
    const codes = jsonFields(jsonField(first.json, 'disclosures'), 'code')
    deepEqual(codes, ['HarvestDrift', 'TranscribedConfirmations'])
    const etag = String(first.headers.etag)
    equal(await statusWith(at, path, etag), 304)
    const [state, ofState] = ['/model/state', await etagOf(at, '/model/state')]
    at.serve(worldWith([sampleRow(1, 'token')], 'second'))
    const second = await at.client.ask(path, { headers: { 'If-None-Match': etag } })
    equal(second.status, 200)
    equal(jsonField(jsonField(second.json, 'floors'), 'confirmed'), 1)
    equal(await statusWith(at, state, ofState), 304, 'the state does not depend on samples')
  })

  it('score nothing for what this host does not hold, whatever the id looks like', async () => {
    const at = await open(unkeptModels())
    for (const id of ['claims-9', '../claims-1', '__proto__', 'claims-1/', '%00', 'live.json']) {
      const reply = await at.client.ask(`/model/evaluation?surface=claims&artifact=${encodeURIComponent(id)}`)
      deepEqual([reply.status, jsonField(reply.json, 'error')], [404, 'ModelArtifactNotFound'], id)
    }
    const missing = await at.client.ask('/model/evaluation')
    deepEqual([missing.status, jsonField(missing.json, 'parameter')], [400, 'artifact'])
  })

  it('take a day of `at` to its end in the zone of the host, and an instant as it is', async () => {
    const at = await open(unkeptModels())
    const liveAt = async (asked: string) => {
      const { json } = await at.client.ask(`/model/state?surface=claims&at=${encodeURIComponent(asked)}`)
      return [jsonField(jsonField(json, 'live'), 'id') ?? null, jsonField(json, 'at')]
    }
    deepEqual(await liveAt('2026-06-10'), [null, '2026-06-10T21:59:59.999Z'])
    deepEqual(await liveAt('2026-06-11'), ['claims-1', '2026-06-11T21:59:59.999Z'])
    deepEqual(await liveAt('2026-06-11T09:59:59Z'), [null, '2026-06-11T09:59:59.000Z'])
    deepEqual(await liveAt('2026-06-11T12:00:00+02:00'), ['claims-1', '2026-06-11T10:00:00.000Z'])
  })

  it('name every reason of a refused promotion, the first as the error', async () => {
    const files = contractStore()
    files.set('bad/stamp.json', '{"surface": "speaker-vs-narration", "grade": "measured"}')
    const at = await open(unkeptModels(files))
    const reply = await post(at, '/model/promote', { artifact: 'bad', surface: 'claims' })
    const refusals = jsonField(reply.json, 'refusals') as ReadonlyArray<unknown>
    deepEqual([reply.status, jsonField(reply.json, 'error')], [422, 'ModelArtifactUnusable'])
    deepEqual(jsonFields(refusals, 'code'), [
      'ModelArtifactUnusable',
      'ModelStampIncomplete',
      'ModelGradeRefused',
      'ModelSurfaceMismatch',
    ])
    deepEqual(jsonFields(refusals, 'missing')[1], ['harvest.grade', 'harvest.digest', 'held_out_score.f1'])
  })

  it('start no run without a forge, and say what is missing', async () => {
    const at = await open(unkeptModels(contractStore(), { missingSetting: () => 'token' }))
    for (const path of ['/model/runs', '/model/runs?dryRun=true']) {
      const reply = await post(at, path, { surface: 'claims' })
      deepEqual(
        [reply.status, jsonField(reply.json, 'error'), jsonField(reply.json, 'setting')],
        [503, 'actuation_unavailable', 'token'],
      )
    }
  })

  it('list a page, the newest first, and of one surface', async () => {
    const at = await open(unkeptModels())
    const seqsOf = async (query: string) => {
      const { json } = await at.client.ask(`/model/ledger${query}`)
      return jsonFields(jsonField(json, 'items'), 'seq')
    }
    deepEqual(await seqsOf(''), [3, 2, 1])
    deepEqual(await seqsOf('?limit=1&offset=1'), [2])
    deepEqual(await seqsOf('?surface=claims'), [1])
    notEqual((await at.client.ask('/model/ledger')).text.includes('digests'), true)
  })

  it('say that a host has no store, and no model', async () => {
    const at = await open(unkeptModels(new Map()))
    const { json, status } = await at.client.ask('/model/state')
    deepEqual(
      [status, jsonField(json, 'available'), jsonField(json, 'reason'), jsonField(json, 'proposer')],
      [200, false, 'NoModelStore', 'frames-only'],
    )
    ok(!JSON.stringify(json).includes('/tmp'))
  })
})
