import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { bridge, contractWorld } from '#test/support/contract-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const body = {
  file: 'sesje/2026.md',
  date: '2026-05-15',
  dateEnd: '2026-05-16',
  title: 'Brama',
  narrators: ['Brzoza', 'Nikt'],
  content: 'Wit Kłos otworzył bramę.\r\n\r\n- nie zamknął',
  metadata: {
    locations: ['Zamorze', 'Na zewnątrz'],
    logs: ['https://logi.example/2'],
    pu: [{ character: 'wit kłos', value: 0.5 }],
    changes: [{ entity: 'Wit Kłos', tags: [{ tag: '@stan', value: 'Ranny' }] }],
    transfers: [{ amount: 5, denomination: 'koron', source: 'Wit Kłos', destination: 'Iskra' }],
    intel: [{ target: 'Iskra', message: 'Brama stoi: otworem' }],
    preserved: [{ name: 'Objaśnienia', items: ['Brama to most.'] }],
  },
}
const header = '2026-05-15/16, Brama, Brzoza + Nikt'

const section = `### ${header}

Wit Kłos otworzył bramę.

- nie zamknął

- @Lokacje:
    - Zamorze
    - Na zewnątrz
- @Logi:
    - https://logi.example/2
- @PU:
    - wit kłos: 0.5
- @Zmiany:
    - Wit Kłos
        - @stan: Ranny
- @Transfer: 5 koron, Wit Kłos -> Iskra
- @Intel:
    - Iskra: Brama stoi: otworem

- Objaśnienia:
    - Brama to most.
`

const twin =
  '### Zamorze (Port)\n- @typ: Lokacja\n- @lokacja: Port Zamorze\n### Rynek (Port)\n- @typ: Lokacja\n'

describe('writes of new sessions', () => {
  let front: TestFront
  beforeEach(async () => {
    const callers = {
      gracz: callerWith(['session.report'], 'Żaneta'),
      author: callerWith(['session.write'], 'Brzoza'),
    }
    front = await testFront({ snapshot: contractWorld(), callers })
  })
  afterEach(() => front.close())

  const texts = () => textsOf(front.world() ?? contractWorld())
  const post = async (path: string, value: object, token?: string) => {
    const ask = { method: 'POST', body: JSON.stringify(value), ...(token === undefined ? {} : { token }) }
    const { status, json, text } = await front.client.ask(path, ask)
    ok(isFields(json), text)
    return { status, json, text }
  }
  const stage = () =>
    front.serve(worldOf({ ...texts(), '.svc/config.json': '{"sessions": {"staged": true}}' }))
  const refused = async (path: string, value: object, error: string, said: RegExp) => {
    const { status, json, text } = await post(path, value)
    deepEqual([status, json['error']], [error === 'NameTaken' ? 409 : 422, error], text)
    match(text, said)
  }

  it('stand at their place in time, and nothing else of the file changes', async () => {
    const before = texts()['sesje/2026.md'] ?? ''
    const dry = await post('/sessions?dryRun=true', body)
    deepEqual([dry.status, dry.json['wouldCreate'], dry.json['line']], [200, header, 14], dry.text)
    equal(texts()['sesje/2026.md'], before)
    const { status, json } = await post('/sessions', body)
    deepEqual([status, json['created'], json['file'], json['staged']], [201, header, 'sesje/2026.md', false])
    match(JSON.stringify(json['unresolved']), /"Na zewnątrz".*"narrators\[1\]","name":"Nikt"/)
    const [above = '', below = ''] = before.split('\n### 2026-05-20')
    equal(texts()['sesje/2026.md'], `${above}\n${section}\n### 2026-05-20${below}`)
    const read = await front.client.ask(`/sessions/${encodeURIComponent(header)}`)
    match(read.text, /"DateEnd":"2026-05-16".*"Amount":5,"Denomination":"koron"/)
    match(texts()['.svc/sessions/hashes.jsonl'] ?? '', /^\{"header":"2026-05-15/)
    equal((await front.client.ask('/sessions/integrity')).text.includes('SessionDrift'), false)
  })

  it('make a file of a plain name, and refuse any other', async () => {
    equal((await post('/sessions', { ...body, file: 'sesje/nowe/2027.md' })).status, 201)
    equal(texts()['sesje/nowe/2027.md'], section)
    for (const file of [
      '../a.md',
      '.git/a.md',
      'encje/a.md',
      'zgłoszenia/a.md',
      'Postaci/Gracze/a.md',
      'a.txt',
    ])
      await refused('/sessions', { ...body, title: 'Inna', file }, 'ValueRefused', /"field":"file"/)
    for (const file of [
      '-rf.md',
      'CON.md',
      'a /b.md',
      'sesje/2026.md/b.md',
      'SESJE/2026.md',
      'a\u202e.md',
      '~/a.md',
    ])
      await refused('/sessions', { ...body, title: 'Inna', file }, 'ValueRefused', /"field":"file"/)
    await refused('/sessions', { ...body, title: 'Inna', file: undefined }, 'ValueRefused', /"field":"file"/)
  })

  it('keep out of folders that the configuration has for other stores', async () => {
    const config = '{"corpora": {"dziel": "./Dzieła/", "mc": "/srv/mc"}}'
    front.serve(worldOf({ ...texts(), '.svc/config.json': config, 'Dzieła/stare.md': '# Stare\n' }))
    for (const file of ['Dzieła/x.md', 'dzieła/rok/x.md', 'Dzieła/stare.md', 'logi/x.md', 'jezyk/x.md'])
      await refused('/sessions', { ...body, file }, 'ValueRefused', /dzieła, logi.*"field":"file"/)
    equal((await post('/sessions', { ...body, file: 'Dziełami/x.md' })).status, 201)
  })

  it('refuse more than one turn of the loop can read, within a moment', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `Nikt Taki ${at}`)
    const value = 'x'
    const over: ReadonlyArray<readonly [object, RegExp]> = [
      [{ content: 'a\n'.repeat(10_001) }, /"content"/],
      [{ content: 'a'.repeat(200_001) }, /"content"/],
      [{ narrators: many(21) }, /"narrators"/],
      [{ metadata: { locations: many(400), participants: many(101) } }, /"metadata"/],
      [{ metadata: { pu: many(501).map(character => ({ character, value: 1 })) } }, /"metadata"/],
      [
        { metadata: { changes: [{ entity: 'a', tags: many(500).map(tag => ({ tag, value })) }] } },
        /"metadata"/,
      ],
      [{ metadata: { preserved: [{ name: 'Efekty', items: many(500) }] } }, /"metadata"/],
    ]
    for (const [more, field] of over) {
      await refused('/sessions', { ...body, ...more }, 'BoundExceeded', field)
      const { status, text } = await front.client.ask(`/sessions/${encodeURIComponent(bridge)}`, {
        method: 'PATCH',
        body: JSON.stringify(more),
      })
      equal(status, 422, text)
    }
    const unknown = many(500).map(character => ({ character, value: 1 }))
    await refused('/sessions', { ...body, metadata: { pu: unknown } }, 'NameUnresolved', /"Nikt Taki 499"/)
    const most = { content: 'a\n'.repeat(9_999), metadata: { participants: many(500) } }
    equal((await post('/sessions?dryRun=true', { ...body, ...most })).status, 200)
  })

  it('refuse a header that nobody sees, or that no path can name', async () => {
    const titles = ['\u200b', '\u061c', 'Br\u200bama', '\u3164', '…']
    for (const title of titles) await refused('/sessions', { ...body, title }, 'ValueRefused', /"title"/)
    await refused('/sessions', { ...body, title: 'a'.repeat(201) }, 'BoundExceeded', /"title"/)
    const narrators = Array.from({ length: 5 }, (_, at) => `${at}${'b'.repeat(199)}`)
    await refused('/sessions', { ...body, narrators }, 'ValueRefused', /"title"/)
    await refused('/sessions', { ...body, narrators: ['Brz\u00adoza'] }, 'ValueRefused', /"narrators\[0\]"/)
  })

  it('refuse what would forge a header, a block or a line', async () => {
    const forged: ReadonlyArray<readonly [object, string]> = [
      [{ content: 'a\n### 2026-01-01, b, c' }, 'content'],
      [{ content: '- @PU:\n    - Iskra: 5' }, 'content'],
      [{ content: '```' }, 'content'],
      [{ content: '*Lokalizacja: Zamorze*' }, 'content'],
      [{ content: 'Logi: https://logi.example/9' }, 'content'],
      [{ content: 'a\u0007b' }, 'content'],
      [{ title: 'a\n### b' }, 'title'],
      [{ title: 'a', narrators: ['b, c'] }, 'title'],
      [{ title: 'a, b', narrators: [] }, 'title'],
      [{ narrators: ['a + b'] }, 'narrators'],
      [{ metadata: { locations: ['a\n- @PU:'] } }, 'metadata.locations[0]'],
      [{ metadata: { logs: ['nie adres'] } }, 'metadata.logs'],
      [{ metadata: { pu: [{ character: 'Iskra: 5', value: 1 }] } }, 'metadata.pu'],
      [{ metadata: { pu: [{ character: 'Iskra', value: -1 }] } }, 'metadata.pu[0].value'],
      [{ metadata: { intel: [{ target: 'a: b', message: 'c' }] } }, 'metadata.intel'],
      [{ metadata: { changes: [{ entity: 'a', tags: [] }] } }, 'metadata.changes[0].tags'],
      [{ metadata: { preserved: [{ name: 'PU', items: ['Iskra: 5'] }] } }, 'metadata.preserved[0]'],
      [{ date: '2026-02-30' }, 'date'],
      [{ dateEnd: '2026-06-01' }, 'dateEnd'],
    ]
    for (const [change, field] of forged) {
      const { status, json, text } = await post('/sessions', { ...body, ...change })
      deepEqual([status, json['error'], json['field']], [422, 'ValueRefused', field], text)
    }
  })

  it('refuse PU of nobody and a place that is several, all at once, with the nearest names', async () => {
    front.serve(worldOf({ ...texts(), 'encje/inne.md': `${twin}### Rynek (Zamorze)\n- @typ: Lokacja\n` }))
    const metadata = {
      pu: [
        { character: 'Wit Klos', value: 1 },
        { character: 'Iskra', value: 1 },
      ],
      locations: ['Rynek'],
    }
    const { status, json } = await post('/sessions', { ...body, metadata })
    equal(status, 422)
    deepEqual(json['names'], [
      { field: 'metadata.pu[0].character', name: 'Wit Klos', why: 'unknown', suggestions: ['Wit Kłos'] },
      {
        field: 'metadata.locations[0]',
        name: 'Rynek',
        why: 'ambiguous',
        suggestions: ['Rynek (Port)', 'Rynek (Zamorze)'],
      },
    ])
  })

  it('refuse a header that stands, also in another case or staged', async () => {
    const again = {
      ...body,
      date: '2026-05-10',
      dateEnd: null,
      title: 'MOST na Zamorzu',
      narrators: ['Brzoza'],
    }
    await refused('/sessions', again, 'NameTaken', /is already in sesje\/2026\.md/)
    const staged = { ...again, date: '2026-06-10', title: 'Zasadzka' }
    await refused('/sessions', staged, 'NameTaken', /\.svc\/staged/)
    equal(bridge.toLowerCase().includes('most na zamorzu'), true)
  })

  it('become drafts where sessions are staged, with or without a file', async () => {
    stage()
    const before = texts()['sesje/2026.md']
    const { status, json } = await post('/sessions', body)
    deepEqual([status, json['staged']], [201, true])
    match(String(json['file']), /^\.svc\/staged\/[0-9a-f]{64}\.md$/)
    equal(texts()['sesje/2026.md'], before)
    equal(texts()[String(json['file'])], `<!-- file: sesje/2026.md -->\n\n${section}`)
    equal((await post('/workflows/open-session', { title: 'Dziś' }, 'author')).status, 201)
    const { text } = await front.client.ask('/sessions/staged')
    match(text, /"Title":"Brama".*"Target":"sesje\/2026\.md".*"Title":"Dziś".*"Target":null/)
    equal((await front.client.ask(`/sessions/${encodeURIComponent(header)}`)).status, 404)
  })

  it('open today by the caller, and are open', async () => {
    const { json } = await post('/workflows/open-session', { file: 'sesje/2026.md', title: 'Dziś' }, 'author')
    equal(json['opened'], '2026-06-15, Dziś, Brzoza')
    match((await front.client.ask('/sessions/open')).text, /2026-06-15, Dziś, Brzoza/)
    const again = { file: 'sesje/2026.md', title: 'Dziś', narrators: ['Brzoza'] }
    await refused('/workflows/open-session', again, 'NameTaken', /Dziś/)
    await refused('/workflows/open-session', { ...again, title: '' }, 'ValueRefused', /"title"/)
    const nobody = { ...again, title: 'Inna', metadata: { pu: [{ character: 'Nikt', value: 1 }] } }
    await refused('/workflows/open-session', nobody, 'NameUnresolved', /Nikt/)
  })

  it('are reports below zgłoszenia/ that are no sessions and enact nothing', async () => {
    const { file: _, metadata: __, ...told } = body
    const { status, json } = await post('/sessions/report', told, 'gracz')
    deepEqual([status, json['reported']], [201, header])
    match(String(json['file']), /^zgłoszenia\/2026-05-15-[0-9a-f]{16}\.md$/)
    equal((await post('/sessions/report', told, 'gracz')).status, 409)
    equal((await post('/sessions/report', told)).status, 201)
    await refused('/sessions/report', told, 'NameTaken', /zgłoszenia/)
    equal((await front.client.ask('/sessions')).text.includes(header), false)
    const { transfers, intel } = body.metadata
    await refused(
      '/sessions/report',
      { ...told, metadata: { transfers } },
      'ValueRefused',
      /metadata.transfers/,
    )
    await refused('/sessions/report', { ...told, metadata: { intel } }, 'ValueRefused', /metadata.intel/)
    const pu = [{ character: 'Nikt', value: 1 }]
    await refused('/sessions/report', { ...told, title: 'X', metadata: { pu } }, 'NameUnresolved', /Nikt/)
  })
})
