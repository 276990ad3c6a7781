import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const store = '## Gracz\n### Solmyr\n- @gameid: 1 (2020:)\n'

const index = `### Anna Stolarska
- @typ: Postać
- @należy_do: Solmyr
- @alias: Ania
- @pu_startowe: 20
- @pu_suma: 33,40
- @pu_zdobyte: 11,40
- @pu_nadmiar: 2,10

### Wit
- @typ: Postać
- @należy_do: Solmyr
- @pu_startowe: 20

### Iskra
- @typ: Postać
- @należy_do: Solmyr
- @ref: karty/iskra.md

### Dawny
- @typ: Postać
- @status: Usunięty
`

const iskra =
  'Karta Iskry.\n\n### Iskra\n- @pu_suma: 61.25\n- @pu_zdobyte: 39.25\n- @pu_nadmiar: 0.60\n\nKoniec.\n'

const session = (header: string, ...points: ReadonlyArray<string>): string =>
  `### ${header}\n\nOpis.\n\n- @PU:\n${points.map(one => `    - ${one}\n`).join('')}\n`

const may = [
  session('2026-05-10, Most, Solmyr', 'Anna Stolarska: 0,4', 'Iskra: 1,8'),
  session('2026-05-11, Wieża, Solmyr', 'Ania: 0,35', 'Iskra: 1.5', 'Wit: 0.5'),
  session('2026-05-12, Targ, Solmyr', 'Anna Stolarska: 0.5', 'Iskra: 1.45'),
  '### 2026-05-13, Bez PU, Solmyr\n\nOpis.\n',
].join('')

const base = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': store,
  'encje/indeks.md': index,
  'karty/iskra.md': iskra,
}

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

describe('the batch of a month through its row', () => {
  let front: TestFront | null = null
  afterEach(() => front?.close())

  const open = async (sessions: string, more: Readonly<Record<string, string>> = {}): Promise<TestFront> => {
    front = await testFront({
      snapshot: worldOf({ ...base, 'sesje/maj.md': sessions, ...more }),
      callers: { reader: callerWith(['pu.read']), payer: callerWith(['pu.award']) },
    })
    return front
  }
  const award = async (at: TestFront, body: object, query = '', token?: string) => {
    const reply = await at.client.ask(`/workflows/award-pu${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
    return { status: reply.status, json: fieldsOf(reply.json) }
  }
  const texts = (at: TestFront) => textsOf(at.world() ?? worldOf(base))

  it('writes the figures of both worked examples, and the row of the ledger, in one commit', async () => {
    const at = await open(may)
    const { status, json } = await award(at, { month: '2026-05' })
    equal(status, 200, JSON.stringify(json))
    const { JobId, ...rest } = json
    equal(typeof JobId, 'string')
    deepEqual(rest, {
      Applied: true,
      Month: '2026-05',
      CountedSessions: ['2026-05-10, Most, Solmyr', '2026-05-11, Wieża, Solmyr', '2026-05-12, Targ, Solmyr'],
      SkippedAlreadyCounted: 0,
      Awards: [
        { Character: 'Anna Stolarska', Granted: 4.35, SumaBefore: 33.4, SumaAfter: 37.75 },
        { Character: 'Iskra', Granted: 5, SumaBefore: 61.25, SumaAfter: 66.25 },
        { Character: 'Wit', Granted: 1.5, SumaBefore: 20, SumaAfter: 21.5 },
      ],
    })
    const after = texts(at)
    equal(
      after['encje/indeks.md'],
      index
        .replace('33,40', '37.75')
        .replace('11,40', '15.75')
        .replace('2,10', '0.00')
        .replace(
          '### Wit\n- @typ: Postać\n- @należy_do: Solmyr\n- @pu_startowe: 20\n',
          '### Wit\n- @typ: Postać\n- @należy_do: Solmyr\n- @pu_startowe: 20\n- @pu_suma: 21.50\n- @pu_zdobyte: 1.50\n- @pu_nadmiar: 0.00\n',
        ),
    )
    equal(
      after['karty/iskra.md'],
      iskra.replace('61.25', '66.25').replace('39.25', '44.25').replace('0.60', '1.35'),
    )
    const row = fieldsOf(JSON.parse(after['.svc/pu/batches.jsonl'] ?? ''))
    match(String(row['id']), /^2026-05-[\da-f]{12}$/)
    deepEqual([row['month'], row['source'], row['sessions']], ['2026-05', 'batch', rest['CountedSessions']])
  })

  it('grants nothing twice, and tops up what a late session adds', async () => {
    const first = await open(may)
    await award(first, { month: '2026-05' })
    const stands = texts(first)
    const again = await award(first, { month: '2026-05' })
    deepEqual(
      [again.status, again.json['Applied'], again.json['Awards'], again.json['SkippedAlreadyCounted']],
      [200, false, [], 3],
    )
    deepEqual(texts(first), stands)
    await first.close()
    const late = await open(`${may}${session('2026-05-30, Późna, Solmyr', 'Wit: 4', 'Ania: 1')}`, {
      'encje/indeks.md': stands['encje/indeks.md'] ?? '',
      '.svc/pu/batches.jsonl': stands['.svc/pu/batches.jsonl'] ?? '',
      'karty/iskra.md': stands['karty/iskra.md'] ?? '',
    })
    const { json } = await award(late, { month: '2026-05' })
    deepEqual(json['Awards'], [
      { Character: 'Wit', Granted: 3.5, SumaBefore: 21.5, SumaAfter: 25 },
      { Character: 'Anna Stolarska', Granted: 0.65, SumaBefore: 37.75, SumaAfter: 38.4 },
    ])
    deepEqual(json['CountedSessions'], ['2026-05-30, Późna, Solmyr'])
  })

  it('stops the whole month for a near name, a deleted character, a bad value and differing copies', async () => {
    const bad = [
      session('2026-05-10, Most, Solmyr', 'Anna Stolarski: 1', 'Wit: 0.5'),
      session('2026-05-11, Wieża, Solmyr', 'Dawny: 1', 'Wit: dużo'),
      session('2026-05-12, Targ, Solmyr', 'Wit: 1'),
    ].join('')
    const at = await open(bad, { 'sesje/kopia.md': session('2026-05-12, Targ, Solmyr', 'Wit: 2') })
    const stands = texts(at)
    const dry = await award(at, { month: '2026-05' }, '?dryRun=true')
    equal(dry.status, 200)
    const applied = await award(at, { month: '2026-05' })
    deepEqual([applied.status, applied.json['error']], [422, 'AwardBlocked'])
    match(String(applied.json['detail']), /: 1 name means no character or several, and \d entries stop it\./)
    for (const { json } of [dry, applied]) {
      deepEqual(json['Unresolved'], [
        {
          Character: 'Anna Stolarski',
          Sessions: ['2026-05-10, Most, Solmyr'],
          Suggestions: ['Anna Stolarska'],
          File: 'sesje/maj.md',
          Line: 6,
        },
      ])
      const blocked = json['Blocked']
      ok(Array.isArray(blocked))
      deepEqual(
        blocked.map(fieldsOf).map(one => [one['Kind'], one['Subject'], one['File'], one['Line']]),
        [
          ['DeletedCharacter', 'Dawny', 'sesje/maj.md', 14],
          ['MalformedValue', 'Wit', 'sesje/maj.md', 15],
          ['DifferingCopies', 'Wit', 'sesje/kopia.md', 6],
        ],
      )
    }
    deepEqual([dry.json['Applied'], dry.json['Awards'], dry.json['JobId']], [false, [], null])
    deepEqual(texts(at), stands)
  })

  it('is stopped by a line of the ledger that cannot be read, and by headers that differ in case alone', async () => {
    const [ledger, header] = ['.svc/pu/batches.jsonl', '2026-05-10, Most, Solmyr']
    const damaged = JSON.stringify({
      id: 'n',
      month: '2026-05',
      sessions: [header],
      awards: [{ granted: '2' }],
    })
    const twin = session(header.toUpperCase(), 'Iskra: 1')
    for (const [files, kind, file, line] of [
      [{ [ledger]: `\n${damaged}\n` }, 'LedgerUnreadable', ledger, 2],
      [{ 'sesje/inne.md': twin }, 'AmbiguousHeader', 'sesje/inne.md', 1],
    ] as const) {
      const at = await open(may, files)
      const { status, json } = await award(at, { month: '2026-05' })
      deepEqual([status, json['error']], [422, 'AwardBlocked'])
      const blocked = json['Blocked']
      ok(Array.isArray(blocked))
      deepEqual(
        blocked.map(fieldsOf).map(one => [one['Kind'], one['File'], one['Line']]),
        [[kind, file, line]],
      )
      const preview = await award(at, { month: '2026-05' }, '?dryRun=true')
      deepEqual([preview.status, preview.json['Awards'], preview.json['Blocked']], [200, [], blocked])
      await at.close()
    }
  })

  it('says in a dry run which sessions count, and what drifted since they were settled', async () => {
    const first = await open(may)
    await award(first, { month: '2026-05' })
    const stands = texts(first)
    await first.close()
    const changed = may.replace('Wit: 0.5', 'Wit: 0.7').replace('Ania: 0,35', 'Iskra: 0,35')
    const at = await open(`${changed}${session('2026-05-30, Późna, Solmyr', 'Wit: 1')}`, {
      'encje/indeks.md': (stands['encje/indeks.md'] ?? '').replace('37.75', '40'),
      '.svc/pu/batches.jsonl': stands['.svc/pu/batches.jsonl'] ?? '',
      'karty/iskra.md': stands['karty/iskra.md'] ?? '',
    })
    const { json } = await award(at, { month: '2026-05' }, '?dryRun=true')
    deepEqual(json['Sessions'], [
      { Header: '2026-05-10, Most, Solmyr', Counts: false, Why: 'AlreadySettled' },
      { Header: '2026-05-11, Wieża, Solmyr', Counts: false, Why: 'AlreadySettled' },
      { Header: '2026-05-12, Targ, Solmyr', Counts: false, Why: 'AlreadySettled' },
      { Header: '2026-05-13, Bez PU, Solmyr', Counts: false, Why: 'NoPoints' },
      { Header: '2026-05-30, Późna, Solmyr', Counts: true, Why: 'Open' },
    ])
    const wieza = '2026-05-11, Wieża, Solmyr'
    deepEqual(
      (Array.isArray(json['Drift']) ? json['Drift'] : []).map(fieldsOf).map(one => Object.values(one)),
      [
        ['SessionPoints', wieza, 'Anna Stolarska', 0.35, null],
        ['SessionPoints', wieza, 'Iskra', 1.5, 1.85],
        ['SessionPoints', wieza, 'Wit', 0.5, 0.7],
        ['Suma', null, 'Anna Stolarska', 37.75, 40],
      ],
    )
    deepEqual(json['Awards'], [{ Character: 'Wit', Granted: 1, SumaBefore: 21.5, SumaAfter: 22.5 }])
  })

  it('is a job, inline and not', async () => {
    const at = await open(may)
    const dry = await award(at, { month: '2026-05' }, '?dryRun=true')
    equal(dry.json['JobId'], null)
    const inline = await award(at, { month: '2026-05' }, '', 'payer')
    const job = await at.client.ask(`/jobs/${String(inline.json['JobId'])}`)
    const record = fieldsOf(job.json)
    deepEqual(
      [record['kind'], record['status'], record['result']],
      ['workflows.award-pu', 'completed', inline.json],
    )
    const later = await award(at, { month: '2026-04' }, '?async=true')
    deepEqual([later.status, later.json['status']], [202, 'running'])
  })

  it('refuses a wrong month, and callers without the right', async () => {
    const at = await open(may)
    const none = await award(at, {})
    deepEqual([none.status, none.json['error']], [400, 'MonthRequired'])
    for (const month of ['2026-13', '2026-5', '2026', null, 202605, 'maj', '2026-05-01', ' 2026-05']) {
      const { status, json } = await award(at, { month })
      deepEqual([status, json['error'], json['path']], [400, 'BodyInvalid', '$.month'], String(month))
    }
    const reader = await award(at, { month: '2026-05' }, '', 'reader')
    deepEqual([reader.status, reader.json['required']], [403, 'pu.award'])
  })
})
