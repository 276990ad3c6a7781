import { deepEqual, equal, ok } from 'node:assert/strict'
import { hashesPath } from '#src/domain/sessions/hashes.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const long = '2024-07-02, Zażółć, gęślą / jaźń, Anna + Rada'

const snapshot = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n- @alias: Sol\n### Kyrre\n- @gameid: 2\n',
  'encje/indeks.md': `### Anna
- @typ: Postać
- @należy_do: Solmyr

### Borys
- @typ: Postać
- @należy_do: Kyrre

### Erathia
- @typ: Lokacja

### Rion
- @typ: NPC
`,
  'Wątki/a.md': `# Rok

### 2024-05-03/04, Wyprawa, Sol

Rion czekał.

- @Lokacje:
    - Erathia
- @PU:
    - Anna: 0,3
    - Borys: 0,25
- @Logi:
    - https://logi.example/2024-05-06-anna
- @Zmiany:
    - Rion
        - @lokacja: Erathia
- @Intel:
    - Rion: wieść
- Efekty:
    - burza

### 2024-06-01, Powrót, Solmyr i Kyrre

- @PU:
    - Anna: 0.5
    - Nikt: 0.1

### ${long}

- @Uczestnicy: Anna

### 2024-08-01, Zamknięta, Kyrre

Nic.

### 2024-09-01, Rozdana, Kyrre

Nic.

### 2024-10-01, Bez narratora, a z przecinkiem
`,
  'Wątki/b.md': '### 2024-05-03/04, Wyprawa, Sol\n\n- @PU:\n    - Anna: 0.4\n',
  '.svc/close/ledger.jsonl': [
    ['2024-05-03/04, Wyprawa, Sol', 'close'],
    ['2024-08-01, Zamknięta, Kyrre', 'close'],
    ['2024-09-01, Rozdana, Kyrre', 'distribute'],
  ]
    .map(([header, op]) => JSON.stringify({ header, op, at: 'T', by: 'x', source: 'close' }))
    .join('\n'),
  [hashesPath]: JSON.stringify({
    header: '2024-06-01, Powrót, Solmyr i Kyrre',
    sha256: 'x',
    at: 'T',
    by: 'x',
  }),
})

const pickFields = (row: Record<string, unknown>, fields: ReadonlyArray<string>) =>
  fields.map(field => row[field])

describe('routes of sessions', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({
      snapshot,
      callers: { reader: callerWith(['session.read']), nobody: callerWith(['entity.read']) },
    })
  })
  after(() => front.close())

  const body = (text: string, json: unknown): Record<string, unknown> => {
    ok(isFields(json), text)
    return json
  }
  const read = async (path: string): Promise<Record<string, unknown>> => {
    const reply = await front.client.ask(path)
    equal(reply.status, 200, reply.text)
    return body(reply.text, reply.json)
  }
  const list = (value: unknown): ReadonlyArray<Record<string, unknown>> => {
    ok(Array.isArray(value))
    return value.filter(isFields)
  }
  const titles = async (path: string) => list((await read(path))['items']).map(item => item['Title'])

  it('are for readers of sessions', async () => {
    equal((await front.client.ask('/sessions', { token: 'nobody' })).status, 403)
    equal((await front.client.ask('/sessions', { token: 'reader' })).status, 200)
  })

  it('list every session, oldest first, with every field', async () => {
    const answer = await read('/sessions')
    deepEqual(Object.keys(answer), ['count', 'items'])
    const [row] = list(answer['items'])
    deepEqual(row, {
      Header: '2024-05-03/04, Wyprawa, Sol',
      Date: '2024-05-03',
      DateEnd: '2024-05-04',
      Title: 'Wyprawa',
      Narrator: 'Sol',
      Narrators: ['Sol'],
      Reporter: 'Anna',
      ReporterSource: 'log-saver-slug',
      SavedDate: '2024-05-06',
      Generation: 'Gen4',
      LogCount: 1,
      LogsUrl: '/v1/api/sessions/2024-05-03%2F04%2C%20Wyprawa%2C%20Sol/logs',
      Locations: ['Erathia'],
      PU: [
        { Character: 'Anna', Value: 0.3 },
        { Character: 'Borys', Value: 0.25 },
      ],
      Participants: [],
      Files: ['Wątki/a.md', 'Wątki/b.md'],
      Description: 'Rion czekał.',
      LogStates: [{ Url: 'https://logi.example/2024-05-06-anna', State: 'Missing' }],
    })
  })

  it('filter by narrator as written, days and entity, and window', async () => {
    deepEqual(await titles('/sessions?narrator=kyrre'), ['Zamknięta', 'Rozdana'])
    deepEqual(await titles('/sessions?narrator=rada'), ['Zażółć, gęślą / jaźń'])
    deepEqual(await titles('/sessions?from=2024-06-01&to=2024-07-02'), ['Powrót', 'Zażółć, gęślą / jaźń'])
    deepEqual(await titles('/sessions?entity=rion'), ['Wyprawa'])
    deepEqual(await titles('/sessions?entity=Anna&from=2024-06-01'), ['Powrót', 'Zażółć, gęślą / jaźń'])
    deepEqual(await titles('/sessions/summary?entity=Nieznana'), [])
    const page = await read('/sessions/summary?limit=2&offset=4')
    deepEqual(pickFields(page, ['count', 'total', 'limit', 'offset']), [2, 6, 2, 4])
    equal((await front.client.ask('/sessions?from=wczoraj')).status, 400)
    for (const row of ['/sessions', '/sessions/summary']) {
      deepEqual(await titles(`${row}?from=2024-05-04&to=2024-05-04`), ['Wyprawa'])
      deepEqual(await titles(`${row}?to=2024-05-03`), ['Wyprawa'])
      deepEqual(await titles(`${row}?from=2024-05-05&to=2024-06-01`), ['Powrót'])
    }
  })

  it('serve no last day that a header gets wrong, on any row', async () => {
    const headers = [
      '2024-05-03/01, A, S',
      '2024-05-03/35, B, S',
      '2024-05-03/03, C, S',
      '2024-05-03/04, D, S',
    ]
    const intel = '\n- @Lokacje:\n    - Las\n- @Intel:\n    - Wit: x\n\n'
    const served = await testFront({
      snapshot: worldOf({
        'encje/indeks.md': '### Wit\n- @typ: NPC\n',
        'sesje/a.md': headers.map(header => `### ${header}\n${intel}`).join(''),
      }),
    })
    for (const [path, title, end] of [
      ['/sessions', 'Title', 'DateEnd'],
      ['/sessions/summary', 'Title', 'DateEnd'],
      ['/audit/notifications', 'title', 'dateEnd'],
    ] as const) {
      const { json, text } = await served.client.ask(path)
      const days = list(body(text, json)['items']).map(item => `${String(item[title])} ${String(item[end])}`)
      deepEqual(days.sort(), ['A null', 'B null', 'C 2024-05-03', 'D 2024-05-04'], path)
    }
    const timeline = await served.client.ask('/entities/Wit/timeline')
    equal(timeline.text.includes('2024-05-01') || timeline.text.includes('2024-05-35'), false)
    const findings = await served.client.ask('/sessions/integrity')
    equal(findings.text.match(/"BadRange"/gu)?.length, 2)
    await served.close()
  })

  it('narrow rows to known fields after paging, the header always', async () => {
    const [row] = list((await read('/sessions?fields=title,LOGCOUNT,nosuch&limit=1'))['items'])
    deepEqual(row, { Header: '2024-05-03/04, Wyprawa, Sol', Title: 'Wyprawa', LogCount: 1 })
    const [bare] = list((await read('/sessions?fields=nosuch'))['items'])
    deepEqual(Object.keys(bare ?? {}), ['Header'])
    const [summary] = list((await read('/sessions/summary?fields=Description,Date'))['items'])
    deepEqual(Object.keys(summary ?? {}), ['Header', 'Date'])
  })

  it('drop prose and archive states from the summary', async () => {
    const [full] = list((await read('/sessions'))['items'])
    const [summary] = list((await read('/sessions/summary'))['items'])
    const { Description: _prose, LogStates: _states, ...rest } = full ?? {}
    deepEqual(summary, rest)
  })

  it('answer one session by its header, with its effects and its copies', async () => {
    const one = await read(`/sessions/${encodeURIComponent('2024-05-03/04, Wyprawa, Sol')}`)
    deepEqual(pickFields(one, ['NarratorPersons', 'Council', 'Closed', 'Distributed', 'Transfers']), [
      ['Solmyr'],
      false,
      true,
      false,
      [],
    ])
    deepEqual(one['Zmiany'], [{ Entity: 'Rion', Tags: [{ Tag: '@lokacja', Value: 'Erathia' }] }])
    deepEqual(one['Copies'], [
      { File: 'Wątki/a.md', Line: 3, EndLine: 20 },
      { File: 'Wątki/b.md', Line: 1, EndLine: 4 },
    ])
    const other = await read(`/sessions/${encodeURIComponent(long)}`)
    deepEqual(pickFields(other, ['Narrators', 'Council', 'NarratorPersons']), [
      ['Anna', 'Rada'],
      true,
      ['Solmyr'],
    ])
    equal((await front.client.ask('/sessions/2020-01-01')).status, 404)
  })

  it('list open sessions, those of a person with the signatures that folded in', async () => {
    deepEqual(await titles('/sessions/open'), ['Powrót', 'Zażółć, gęślą / jaźń', 'Bez narratora'])
    const own = await read('/sessions/open?narrator=Solmyr')
    deepEqual(pickFields(own, ['count', 'narrator', 'forms']), [1, 'Solmyr', ['Anna']])
    const literal = await read('/sessions/open?narrator=solmyr%20i%20kyrre')
    deepEqual(pickFields(literal, ['count', 'forms']), [1, ['Solmyr i Kyrre']])
    equal((await read('/sessions/open?narrator=Nikt'))['count'], 0)
  })

  it('profile a narrator whatever the signature', async () => {
    const profile = await read('/sessions/narrator/sol/profile')
    deepEqual(pickFields(profile, ['Narrator', 'Person', 'Forms', 'Sessions', 'Open', 'First', 'Last']), [
      'Solmyr',
      'Solmyr',
      ['Sol', 'Anna'],
      2,
      1,
      '2024-05-03',
      '2024-07-02',
    ])
    deepEqual(profile['CoNarrators'], [{ Name: 'Rada', Sessions: 1 }])
    deepEqual(profile['Characters'], [
      { Name: 'Anna', Sessions: 2 },
      { Name: 'Borys', Sessions: 1 },
    ])
    const missing = await front.client.ask('/sessions/narrator/Nikt/profile')
    equal(missing.status, 404)
    const named = /GET (\/\S+)/u.exec(missing.text)?.[1] ?? 'no row'
    ok(
      list((await read(named))['items']).some(
        ({ Narrators }) => Array.isArray(Narrators) && Narrators.includes('Sol'),
      ),
    )
  })

  it('tell what is wrong, where', async () => {
    const found = list((await read('/sessions/integrity'))['items']).map(one => [one['Kind'], one['Line']])
    deepEqual(found, [
      ['NarratorConjunction', 22],
      ['DivergentPoints', 3],
      ['DivergentCopies', 3],
      ['ClosedMeaningMissing', null],
      ['SessionDrift', 22],
      ['UnresolvedCharacter', 26],
      ['UnknownNarrator', 40],
    ])
  })

  it('list copies that differ', async () => {
    const [one, ...others] = list((await read('/sessions/divergence'))['items'])
    deepEqual(pickFields(one ?? {}, ['Header', 'Severity', 'DisputedPu']), [
      '2024-05-03/04, Wyprawa, Sol',
      'Error',
      ['Anna'],
    ])
    deepEqual(others, [])
    deepEqual(list(one?.['Differences']).find(difference => difference['Field'] === 'PU')?.['Values'], [
      { File: 'Wątki/a.md', Line: 3, Value: 'Anna: 0.3\nBorys: 0.25' },
      { File: 'Wątki/b.md', Line: 1, Value: 'Anna: 0.4' },
    ])
  })

  it('draw who played together', async () => {
    deepEqual(await read('/sessions/graph'), {
      NodeCount: 3,
      EdgeCount: 2,
      Nodes: [
        { Name: 'Anna', Type: 'Postać', Sessions: 3 },
        { Name: 'Borys', Type: 'Postać', Sessions: 1 },
        { Name: 'Nikt', Type: null, Sessions: 1 },
      ],
      Edges: [
        { Source: 'Anna', Target: 'Borys', Type: 'Session', Weight: 1 },
        { Source: 'Anna', Target: 'Nikt', Type: 'Session', Weight: 1 },
      ],
    })
  })

  it('answer many at once, and name those that are not there', async () => {
    const reply = await front.client.ask('/sessions/batch', {
      method: 'POST',
      body: JSON.stringify({ headers: [`### ${long}`, 'nie ma'], fields: 'Date' }),
    })
    deepEqual(reply.json, { count: 1, items: [{ Header: long, Date: '2024-07-02' }], missing: ['nie ma'] })
    equal((await front.client.ask('/sessions/batch', { method: 'POST', body: '{}' })).status, 400)
  })

  it('compare sessions', async () => {
    const compare = (headers: ReadonlyArray<string>) =>
      front.client.ask('/sessions/compare', { method: 'POST', body: JSON.stringify({ headers }) })
    const reply = await compare([long, '2024-06-01, Powrót, Solmyr i Kyrre'])
    const answer = body(reply.text, reply.json)
    deepEqual([reply.status, answer['count']], [200, 2])
    deepEqual(answer['Shared'], { Narrators: [], Characters: ['Anna'], Locations: [], Entities: ['Anna'] })
    equal((await compare([long, 'nie ma'])).status, 404)
  })
})
