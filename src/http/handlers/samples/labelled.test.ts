import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, describe, it } from 'mocha'
import { buildSnapshot } from '#src/snapshot/build.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { archivedFiles, transcriptsInMemory } from '#test/support/transcripts.js'
import { inputsOf, worldOf } from '#test/support/world.js'

const header = '2026-01-02, Grana, Solmyr'
const config = '{"corpora": {"adnotacje": "adnotacje"}}'
const lore = {
  '.svc/format.json': '{"format": 2}',
  '.svc/config.json': config,
  'encje/indeks.md': '### Gwardia\n- @typ: Grupa\n- @alias: Straż\n\n### Orrin\n- @typ: NPC\n',
  'sesje/2026.md': `### ${header}\n\nWszedł na most.\n\nGwardia stała przy bramie.\n\n- @Logi:\n    - https://logi.example/grana\n`,
  ...archivedFiles('grana', 'https://logi.example/grana', [
    'Lokalny|Orrin|Idzie Gwardia.',
    'Lokalny|Obcy|Witam.',
  ]),
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const row = (slug: string, change: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    id: `lineage/entity-span/${slug}`,
    class: 'entity-span',
    grade: 'proposed',
    label: 'Grupa',
    fields: { referent: 'Gwardia', scope: header },
    provenance: { project: 'lineage' },
    ...change,
  })
const quoting = (document: string, line: number, start: number, text: string, whole: string) => ({
  locator: { document, source: header, hash: hashOf(whole), line, start, end: start + text.length, text },
})
const spoken = quoting('log/grana', 0, 6, 'Gwardia', 'Idzie Gwardia.')
const moved = quoting('log/grana', 1, 6, 'Gwardia', 'Idzie Gwardia.')
const prose = quoting(`session/${header}`, 0, 0, 'Gwardia', 'Gwardia stała przy bramie.')
const queued = (queue: string) => ({ fields: { referent: 'Orrin', scope: 'corpus', queue } })

const store = {
  'samples/classes.json': '{"classes": {"mood": {"labels": ["Spokój"], "required": []}}}',
  'samples/lineage/entity-span-02.jsonl': `${row('second', { label: 'NPC', ...queued('contested') })}\n`,
  'samples/lineage/entity-span.jsonl': [
    row('first', queued('corroborated')),
    row('spoken', spoken),
    row('moved', moved),
    row('prose', prose),
    row('lost', quoting('log/brak', 0, 0, 'Gwardia', 'x')),
    row('topics', { fields: { referent: 'Gwardia', scope: 'corpus', note: 'Tematy zastrzeżone: pająki' } }),
    row('spoken'),
    '{"id": 7}',
    '',
  ].join('\n'),
  'samples/hand/mood.jsonl': `${row('calm', { id: 'hand/mood/1', class: 'mood', label: 'Spokój', grade: 'measured', fields: {}, provenance: { project: 'hand' } })}\n`,
}

const callers = {
  reader: callerWith(['log.read', 'session.read']),
  radny: callerWith(['log.read', 'player.restricted.read']),
  brzoza: callerWith(['log.read', 'session.read', 'sample.confirm'], 'Brzoza'),
  zaneta: callerWith(['log.read', 'session.read', 'sample.confirm'], 'Żaneta'),
}

describe('labelled samples over HTTP', () => {
  let front: TestFront | null = null
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const open = async (snapshot = worldOf(lore, { samples: store })) => {
    await front?.close()
    const at = await testFront({
      snapshot,
      callers,
      node: nodeView({ transcripts: transcriptsInMemory(snapshot, lore) }),
    })
    front = at
    return async (path: string, token: keyof typeof callers = 'reader', body?: unknown) => {
      const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const { status, json } = await at.client.ask(path, { token, ...post })
      return { status, json, field: (name: string) => jsonField(json, name) }
    }
  }
  const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
  const slugs = (value: unknown) => listOf(value).map(one => String(jsonField(one, 'id')).split('/').at(-1))
  const files = () => {
    const samples = front?.world()?.samples.files ?? []
    return Object.fromEntries([...samples].map(([path, { text }]): [string, string] => [path, text]))
  }
  const confirm = '/training/samples/confirm'
  const id = (slug: string): string => `lineage/entity-span/${slug}`

  it('are listed in the order of their files, with the queue first, and windowed', async () => {
    const ask = await open()
    const all = await ask('/training/samples?class=entity-span')
    deepEqual(slugs(all.field('items')), ['second', 'first', 'spoken', 'moved', 'prose', 'lost'])
    deepEqual(['total', 'filtered', 'count', 'limit', 'offset'].map(all.field), [7, 6, 6, null, 0])
    const page = await ask('/training/samples?class=entity-span&limit=2&offset=1')
    deepEqual([slugs(page.field('items')), page.field('filtered')], [['first', 'spoken'], 6])
    const unknown = await ask('/training/samples?klasa=mood')
    equal(unknown.field('filtered'), unknown.field('total'))
  })

  it('are filtered by grade, project, label, scope and entity, which echo as the specification says', async () => {
    const ask = await open()
    const found = async (query: string) => slugs((await ask(`/training/samples?${query}`)).field('items'))
    deepEqual(await found('grade=measured'), ['1'])
    deepEqual(await found('grade=measured,confirmed'), ['1'])
    deepEqual(await found('project=hand'), ['1'])
    deepEqual(await found('label=NPC'), ['second'])
    deepEqual(await found('scope=CORPUS'), ['second', 'first'])
    const named = await ask('/training/samples?entity=stra%C5%BC&scope=corpus')
    deepEqual([named.field('entity'), named.field('scope'), named.field('filtered')], ['straż', 'corpus', 0])
    deepEqual(named.field('entityCoverage'), {
      searched: ['entity-span', 'speaker-binding'],
      blind: ['mood'],
    })
    deepEqual(await found('entity=stra%C5%BC'), ['spoken', 'moved', 'prose', 'lost'])
    for (const [parameter, value] of [
      ['class', 'nastroje'],
      ['class', ''],
      ['class', '__proto__'],
      ['grade', 'sure'],
      ['grade', 'proposed,'],
      ['entity', 'Smok'],
      ['entity', ''],
    ] as const) {
      const refused = await ask(`/training/samples?${parameter}=${value}`)
      deepEqual(
        [refused.status, refused.field('error'), refused.field('parameter')],
        [400, 'TrainingSampleFilterInvalid', parameter],
      )
    }
  })

  it('show no row of restricted topics to a caller without the right, who cannot rule on one either', async () => {
    const ask = await open()
    ok(slugs((await ask('/training/samples', 'radny')).field('items')).includes('topics'))
    ok(!slugs((await ask('/training/samples')).field('items')).includes('topics'))
    equal((await ask(confirm, 'brzoza', { id: id('topics'), outcome: 'deny' })).status, 404)
  })

  it('come with the census of the store, whose split says where it does not reconcile', async () => {
    const ask = await open()
    const stats = (await ask('/training/samples?limit=0')).field('stats')
    equal(jsonField(stats, 'total'), 10)
    deepEqual(jsonField(stats, 'byClass'), { 'entity-span': 7, mood: 1 })
    deepEqual(jsonField(stats, 'split'), {
      ...{ byDocument: 4, bySource: 0, aggregate: 3, undocumented: 1 },
      reconciles: false,
    })
    const whole = await open(
      worldOf(lore, { samples: { 'samples/hand/mood.jsonl': store['samples/hand/mood.jsonl'] } }),
    )
    const clean = await whole('/training/samples')
    equal(jsonField(jsonField(clean.field('stats'), 'split'), 'reconciles'), true)
  })

  it('say why there are none, and refuse every ruling', async () => {
    for (const [reason, files, findings] of [
      ['NoStoreConfigured', { ...lore, '.svc/config.json': '{}' }, []],
      ['StoreUnreadable', lore, []],
      ['StoreRefused', lore, ['CorpusRefused']],
    ] as const) {
      const inputs = inputsOf(files)
      const refusals = findings.map(kind => ({
        ...({ kind, severity: 'error', file: '.svc/config.json', line: null } as const),
        ...{ subject: 'corpora.adnotacje', reason: 'x', suggestion: null },
      }))
      const path = inputs.lore.get('.svc/config.json')?.source.path
      if (path === undefined) throw new Error('no configuration')
      const found = refusals.map(one => ({ ...one, file: path }))
      const ask = await open(buildSnapshot({ ...inputs, findings: found }, null).snapshot)
      const none = await ask('/training/samples')
      deepEqual(['available', 'reason', 'total', 'items'].map(none.field), [false, reason, 0, []])
      const bindings = await ask(`/sessions/${encodeURIComponent(header)}/bindings`)
      deepEqual(['available', 'reason', 'items'].map(bindings.field), [false, reason, []])
      const refused = await ask(confirm, 'brzoza', { id: id('spoken'), outcome: 'affirm' })
      deepEqual([refused.status, refused.field('error')], [409, 'NoRepository'])
    }
  })

  it('are ruled by the person of the token, once', async () => {
    const ask = await open()
    const ruled = await ask(confirm, 'brzoza', { id: id('spoken'), outcome: 'affirm' })
    deepEqual(listOf(ruled.field('items')), [
      {
        ...{ id: id('spoken'), result: 'ruled', grade: 'confirmed', verdict: 'affirmed', label: 'Grupa' },
        ...{ referent: 'Gwardia', ruledBy: 'Brzoza' },
      },
    ])
    const before = files()
    const again = await ask(confirm, 'zaneta', { id: id('spoken'), outcome: 'affirm' })
    equal(jsonField(listOf(again.field('items'))[0], 'result'), 'unchanged')
    const other = await ask(confirm, 'zaneta', { id: id('spoken'), outcome: 'deny' })
    deepEqual([other.status, other.field('error'), other.field('ruledBy')], [409, 'SampleRuled', 'Brzoza'])
    deepEqual(files(), before)
    await ask(confirm, 'zaneta', { id: id('spoken'), outcome: 'deny', opinion: true })
    const stats = (await ask('/training/samples')).field('stats')
    deepEqual(jsonField(stats, 'agreement'), [
      { class: 'entity-span', between: ['Brzoza', 'Żaneta'], rows: 1, agreed: 0 },
    ])
  })

  it('refuse a body that names an author, or has another fault, and change nothing', async () => {
    const ask = await open()
    const before = files()
    const good = { id: id('spoken'), outcome: 'affirm' }
    for (const body of [
      { ...good, by: 'Brzoza' },
      { ...good, accepted_by: { by: 'Brzoza' } },
      { ...good, outcome: 'correct' },
      { ...good, label: 'NPC' },
      { ...good, outcome: 'deny', referent: 'Orrin' },
      { ...good, outcome: 'maybe' },
      { id: 7, outcome: 'affirm' },
      [],
    ]) {
      const refused = await ask(confirm, 'brzoza', body)
      deepEqual([refused.status, refused.field('error')], [400, 'BodyInvalid'], JSON.stringify(body))
    }
    deepEqual(files(), before)
  })

  it('are stale where the passage is gone: listed where the snapshot knows it, and refused', async () => {
    const ask = await open()
    const shown = listOf((await ask('/training/samples?class=entity-span')).field('items'))
    const staleOf = (slug: string) =>
      jsonField(
        shown.find(one => jsonField(one, 'id') === id(slug)),
        'stale',
      )
    deepEqual(staleOf('prose'), { proposed: { line: 1, start: 0, end: 7 } })
    deepEqual(staleOf('lost'), { proposed: null })
    for (const [slug, proposed] of [
      ['prose', { line: 1, start: 0, end: 7 }],
      ['moved', { line: 0, start: 6, end: 13 }],
      ['lost', null],
    ] as const) {
      const refused = await ask(confirm, 'brzoza', { id: id(slug), outcome: 'affirm' })
      deepEqual(
        [refused.status, refused.field('error'), refused.field('proposed')],
        [409, 'SampleStale', proposed],
      )
    }
  })

  it('are ruled together: a refused one costs the others nothing', async () => {
    const ask = await open()
    const items = [
      { id: id('spoken'), outcome: 'affirm' },
      { id: id('moved'), outcome: 'affirm' },
      { id: 'nikt', outcome: 'deny' },
      { id: 'hand/mood/1', outcome: 'deny' },
    ]
    const dry = await ask('/training/samples/confirmations?dryRun=true', 'brzoza', { items })
    const untouched = files()
    const done = await ask('/training/samples/confirmations', 'brzoza', { items })
    equal(done.status, 200)
    deepEqual(['count', 'ruled', 'refused', 'unchanged', 'opinions'].map(done.field), [4, 2, 2, 0, 0])
    deepEqual(
      listOf(done.field('items')).map(one => jsonField(jsonField(one, 'refusal'), 'error') ?? null),
      [null, 'SampleStale', 'SampleNotFound', null],
    )
    deepEqual(dry.field('items'), done.field('items'))
    equal(untouched['samples/hand/mood.jsonl'], store['samples/hand/mood.jsonl'])
    ok(String(dry.field('diff')).includes('+++ b/samples/hand/mood.jsonl'))
  })

  it('are ruled together 250 at most, and each once', async () => {
    const many = Array.from({ length: 251 }, (_, at) => row(String(at)))
    const ask = await open(
      worldOf(lore, { samples: { 'samples/lineage/entity-span.jsonl': `${many.join('\n')}\n` } }),
    )
    const batch = (count: number, twice = false) => ({
      items: Array.from({ length: count }, (_, at) => ({
        id: id(String(twice ? 0 : at)),
        outcome: 'affirm',
      })),
    })
    const path = '/training/samples/confirmations'
    const before = files()
    for (const body of [
      batch(0),
      batch(251),
      batch(2, true),
      {},
      { items: [{ id: id('0'), outcome: 'correct' }] },
    ]) {
      const refused = await ask(path, 'brzoza', body)
      deepEqual([refused.status, refused.field('error')], [400, 'BodyInvalid'])
    }
    deepEqual(files(), before)
    const done = await ask(path, 'brzoza', batch(250))
    deepEqual([done.status, done.field('ruled')], [200, 250])
  })

  it('cost a read of another row no validator', async () => {
    await open()
    const etagOf = async (path: string) =>
      (await front?.client.ask(path, { token: 'reader' }))?.headers['etag']
    const before = [await etagOf('/training/samples'), await etagOf('/sessions')]
    await front?.client.ask(confirm, {
      token: 'brzoza',
      method: 'POST',
      body: JSON.stringify({ id: id('spoken'), outcome: 'deny' }),
    })
    const after = [await etagOf('/training/samples'), await etagOf('/sessions')]
    ok(before[0] !== undefined && before[0] !== after[0])
    equal(after[1], before[1])
  })
})

describe('bindings of a session', () => {
  const path = `/sessions/${encodeURIComponent(header)}/bindings`
  const proposed = JSON.stringify({
    ...{ id: 'lineage/speaker-binding/1', class: 'speaker-binding', grade: 'proposed', label: 'character' },
    ...{
      fields: { referent: 'Gwardia', scope: header.toUpperCase(), surface: 'Obcy' },
      provenance: { project: 'lineage' },
    },
  })
  let front: TestFront | null = null
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const open = async () => {
    const snapshot = worldOf(lore, { samples: { 'samples/lineage/speaker-binding.jsonl': `${proposed}\n` } })
    const at = await testFront({
      snapshot,
      callers,
      node: nodeView({ transcripts: transcriptsInMemory(snapshot, lore) }),
    })
    front = at
    return async (token: keyof typeof callers, body?: unknown, query = '') => {
      const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const { status, json } = await at.client.ask(`${path}${query}`, { token, ...post })
      return { status, json, field: (name: string) => jsonField(json, name) }
    }
  }
  const first = (json: unknown) => {
    const items = jsonField(json, 'items')
    return Array.isArray(items) ? (items[0] as unknown) : undefined
  }

  it('rule on the row of a surface, where there is one', async () => {
    const ask = await open()
    const ruled = await ask('brzoza', { surface: 'obcy', referent: 'orrin' })
    deepEqual(
      ['id', 'result', 'referent', 'ruledBy'].map(name => jsonField(first(ruled.json), name)),
      ['lineage/speaker-binding/1', 'ruled', 'Orrin', 'Brzoza'],
    )
    const again = await ask('zaneta', { surface: 'Obcy', referent: 'Orrin' })
    equal(jsonField(first(again.json), 'result'), 'unchanged')
    const other = await ask('zaneta', { surface: 'Obcy', label: 'narration' })
    deepEqual([other.status, other.field('ruledBy')], [409, 'Brzoza'])
    const differs = await ask('zaneta', { surface: 'Obcy', label: 'narration', opinion: true })
    equal(jsonField(first(differs.json), 'result'), 'opinion')
  })

  it('make the row where there is none, once', async () => {
    const ask = await open()
    const body = { surface: 'Wędrowiec', label: 'narration' }
    const dry = await ask('brzoza', body, '?dryRun=true')
    ok(String(dry.field('diff')).includes('samples/bindings/speaker-binding.jsonl'))
    equal((await ask('reader')).field('count'), 1)
    const made = await ask('brzoza', body)
    equal(jsonField(first(made.json), 'result'), 'ruled')
    equal(jsonField(first((await ask('brzoza', body)).json), 'result'), 'unchanged')
    equal((await ask('reader')).field('count'), 2)
    equal((await ask('zaneta', { surface: 'wędrowiec', referent: 'Orrin' })).status, 409)
  })

  it('decide who speaks in the lines of the transcripts that the session cites, once they are confirmed', async () => {
    const ask = await open()
    const resolved = async () => {
      const reply = await front?.client.ask('/logs/lines?log=grana', { token: 'reader' })
      const items = jsonField(reply?.json, 'items')
      return Array.isArray(items)
        ? items.map(one => [jsonField(one, 'SpeakerResolved'), jsonField(one, 'SpeakerStage')])
        : []
    }
    deepEqual(await resolved(), [
      ['Orrin', 'exact'],
      [null, 'miss'],
    ])
    await ask('brzoza', { surface: 'Obcy', referent: 'Orrin' })
    await ask('brzoza', { surface: 'Orrin', label: 'narration' })
    deepEqual(await resolved(), [
      [null, 'binding'],
      ['Orrin', 'binding'],
    ])
  })

  it('refuse what is no binding', async () => {
    const ask = await open()
    for (const [body, status] of [
      [{ surface: 'Nowy' }, 400],
      [{ surface: 'Nowy', label: 'narration', referent: 'Orrin' }, 400],
      [{ surface: ' ', referent: 'Orrin' }, 400],
      [{ surface: 'Nowy', referent: 'Orrin', by: 'Brzoza' }, 400],
      [{ surface: 'Nowy', referent: 'Smok' }, 422],
      [{ surface: 'No\nwy', referent: 'Orrin' }, 422],
      [{ surface: 'Nowy', referent: 'Orrin', opinion: true }, 409],
    ] as const)
      equal((await ask('brzoza', body)).status, status, JSON.stringify(body))
    equal((await ask('reader', { surface: 'Nowy', referent: 'Orrin' })).status, 403)
  })
})
