import { deepEqual, equal, ok } from 'node:assert/strict'
import { get as httpGet } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { afterEach, describe, it } from 'mocha'
import { TuningExport, TuningRulingsAnswer, TuningSamples } from '#protocol/samples/tuning.js'
import type { ReadTuningFile } from '#src/ports/host.js'
import { callerWith, nodeView, type TestFront, testFront, testMachineToken } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { proposedText, readTuningOf, rowText, setsText, tuningStore } from '#test/support/tuning.js'
import { worldOf } from '#test/support/world.js'

const sets = ['session-summary', 'lore-qa']
const lore = worldOf({ '.svc/format.json': '{"format": 2}' })
const slugs = Array.from({ length: 12 }, (_, at) => `s${at}`)

const bodyOf = <A>(codec: t.Type<A, unknown>, { json, text }: Reply): A => {
  const body = codec.decode(json)
  if (isLeft(body)) throw new Error(text)
  return body.right
}
const listed = (reply: Reply) => bodyOf(TuningSamples, reply)
const exported = (reply: Reply) => bodyOf(TuningExport, reply)
const ruledBy = (reply: Reply) => bodyOf(TuningRulingsAnswer, reply)
const errorOf = ({ json }: Reply): unknown => jsonField(json, 'error')

describe('the rows of fine-tuning samples', () => {
  let front: TestFront | null = null
  afterEach(() => front?.close())

  const open = async (
    files: Readonly<Record<string, string>>,
    readTuning: ReadTuningFile = readTuningOf(() => front?.world() ?? null),
  ) => {
    const tuning = tuningStore({ 'sets.json': setsText(sets), ...files })
    front = await testFront({
      snapshot: { ...lore, tuning },
      callers: {
        reader: callerWith(['log.read']),
        writer: callerWith(['entity.write'], 'Brzoza'),
        admin: callerWith(['admin.index']),
      },
      node: nodeView({ readTuning }),
    })
    return front
  }
  const ask = async (path: string, token: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await front?.client.ask(`/training/finetune${path}`, { token, headers })
    ok(reply !== undefined)
    return reply
  }
  const post = async (path: string, body: unknown, token = 'writer') => {
    const reply = await front?.client.ask(`/training/finetune/samples${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      token,
    })
    ok(reply !== undefined)
    return reply
  }
  const rows = (texts: ReadonlyArray<string>): string => texts.map(text => `${text}\n`).join('')

  it('cut turns to 400 characters, and none between the halves of a pair', async () => {
    const turns: ReadonlyArray<readonly [given: string, shown: string]> = [
      ['x'.repeat(400), 'x'.repeat(400)],
      ['x'.repeat(401), 'x'.repeat(400)],
      [`${'x'.repeat(399)}🐉y`, 'x'.repeat(399)],
      [`${'x'.repeat(398)}🐉y`, `${'x'.repeat(398)}🐉`],
    ]
    await open({
      'lore-qa.jsonl': rows(
        turns.map(([question], at) => rowText({ slug: `t${at}`, set: 'lore-qa', question })),
      ),
    })
    const body = listed(await ask('/samples', 'reader'))
    for (const [at, [given, shown]] of turns.entries()) {
      const isCut = given.length > 400
      deepEqual(body.items[at]?.messages[1], {
        role: 'user',
        content: shown,
        ...(isCut ? { truncated: true, fullChars: given.length } : {}),
      })
    }
  })

  it('filter by set, grade, origin and project, echo what applied, and count the whole store', async () => {
    await open({
      'session-summary.jsonl': rows(slugs.map(slug => rowText({ slug }))),
      'lore-qa.jsonl': rows(slugs.map(slug => proposedText({ slug, set: 'lore-qa' }))),
    })
    const shown = async (query: string) => {
      const body = listed(await ask(`/samples?${query}`, 'reader'))
      const { set, grade, origin, project } = body
      return [body.count, body.filtered, body.total, { set, grade, origin, project }]
    }
    const none = { set: undefined, grade: undefined, origin: undefined, project: undefined }
    deepEqual(await shown(''), [24, 24, 24, none])
    deepEqual(await shown('nieznany=1&limit=5&offset=22'), [2, 24, 24, none])
    deepEqual(await shown('set=lore-qa&limit=5'), [5, 12, 24, { ...none, set: 'lore-qa' }])
    deepEqual(await shown('grade=confirmed&origin=human'), [
      12,
      12,
      24,
      { ...none, grade: 'confirmed', origin: 'human' },
    ])
    deepEqual(await shown('origin=human&set=lore-qa'), [
      0,
      0,
      24,
      { ...none, set: 'lore-qa', origin: 'human' },
    ])
    deepEqual(await shown('project=inny'), [0, 0, 24, { ...none, project: 'inny' }])
    const { stats } = listed(await ask('/samples?limit=0', 'reader'))
    deepEqual(
      [stats.bySet, stats.byGrade, stats.byOrigin, stats.byAcceptance],
      [
        { 'lore-qa': 12, 'session-summary': 12 },
        { proposed: 12, confirmed: 12 },
        { model: 12, human: 12 },
        { none: 12, authorship: 12 },
      ],
    )
    const split = stats.split['session-summary']
    equal((split?.trainRows ?? 0) + (split?.evalRows ?? 0), 12)
    equal(stats.split['lore-qa']?.documents, 0)
  })

  it('say why there is no store, and refuse nothing but writes and exports', async () => {
    front = await testFront({
      snapshot: lore,
      callers: {
        reader: callerWith(['log.read']),
        writer: callerWith(['entity.write']),
        admin: callerWith(['admin.index']),
      },
    })
    const { available, reason, items } = listed(await ask('/samples?set=lore-qa', 'reader'))
    deepEqual([available, reason, items], [false, 'NoStoreConfigured', []])
    equal(errorOf(await ask('/export?set=lore-qa', 'admin')), 'ParameterInvalid')
    equal(errorOf(await post('/confirm', { id: 'a/b/c', outcome: 'affirm' })), 'NoRepository')
  })

  it('export the confirmed rows of an arm with the bytes of their lines', async () => {
    const lines = slugs.map(slug => rowText({ slug }))
    const odd = `  ${rowText({ slug: 'spacje', more: { waga: 1 } }).replace('"waga":1', '"waga" : 1.50')} `
    await open({ 'session-summary.jsonl': rows([...lines, odd]), 'lore-qa.jsonl': '' })
    const arms = await Promise.all(
      ['train', 'eval'].map(split => ask(`/export?set=session-summary&split=${split}`, 'admin')),
    )
    const found = [...lines, odd].map(line => arms.filter(({ text }) => text.includes(line)).length)
    deepEqual(
      found,
      found.map(() => 1),
    )
    for (const arm of arms) {
      const { stamp, rows: own } = exported(arm)
      equal(own?.length, stamp.rows)
      deepEqual([stamp.rowsInSet, stamp.documents, stamp.storeCommit], [13, 13, null])
    }
    const stamp = await ask('/export?set=session-summary&format=stamp', 'admin')
    const [train] = arms
    ok(train !== undefined)
    deepEqual(stamp.json, { stamp: exported(train).stamp })
  })

  it('refuse an export without a set, of another grade, and with an empty arm', async () => {
    await open({ 'session-summary.jsonl': rows([rowText({ slug: 's0' })]) })
    for (const [query, status, error] of [
      ['', 400, 'ParameterInvalid'],
      ['set=brak', 400, 'ParameterInvalid'],
      ['set=__proto__', 400, 'ParameterInvalid'],
      ['set=session-summary&grade=proposed', 400, 'ParameterInvalid'],
      ['set=session-summary&split=test', 400, 'ParameterInvalid'],
      ['set=lore-qa', 409, 'EmptyEvalArm'],
      ['set=lore-qa&format=stamp', 409, 'EmptyEvalArm'],
    ] as const) {
      const reply = await ask(`/export?${query}`, 'admin')
      deepEqual([reply.status, errorOf(reply)], [status, error], query)
    }
    equal((await ask('/export?set=session-summary', 'reader')).status, 403)
  })

  const large = (count: number) => ({
    'session-summary.jsonl': rows(
      Array.from({ length: count }, (_, at) =>
        rowText({ slug: `r${at}`, question: `${at} ${'x'.repeat(4_000)}` }),
      ),
    ),
  })

  it('send a long export in pieces, compressed where the client takes it', async () => {
    await open(large(400))
    const plain = await ask('/export?set=session-summary', 'admin')
    equal(plain.headers['content-length'], undefined)
    ok(plain.bytes.length > 500_000)
    equal(exported(plain).rows?.length, exported(plain).stamp.rows)
    const zipped = await ask('/export?set=session-summary', 'admin', { 'Accept-Encoding': 'gzip' })
    equal(zipped.headers['content-encoding'], 'gzip')
    equal(gunzipSync(zipped.bytes).toString(), plain.text)
  })

  it('end the connection where a file of the store cannot be read meanwhile', async () => {
    let reads = 0
    const files = large(200)
    const first = files['session-summary.jsonl']
    const read = readTuningOf(() => front?.world() ?? null)
    await open(
      {
        'session-summary.jsonl': first,
        'session-summary-02.jsonl': first.replaceAll('/r', '/q').replaceAll(' x', ' y'),
      },
      file => {
        reads += 1
        return reads === 1 ? read(file) : Promise.resolve(null)
      },
    )
    await ask('/export?set=session-summary', 'admin').then(
      reply => ok(false, `answered ${reply.status}`),
      () => undefined,
    )
    equal(reads, 2)
    ok(front?.log.some(({ event }) => event === 'http.fault') === true)
  })

  it('read no further in an export than its client does', async () => {
    const pieces = 60
    let reads = 0
    const read = readTuningOf(() => front?.world() ?? null)
    const text = (at: number) =>
      rows(
        Array.from({ length: 100 }, (_, row) =>
          rowText({
            slug: `r${at}-${row}`,
            document: `d${at}`,
            question: `${at} ${row} ${'x'.repeat(9_000)}`,
          }),
        ),
      )
    const files = Object.fromEntries(
      Array.from({ length: pieces }, (_, at) => [
        `session-summary-${String(at + 2).padStart(2, '0')}.jsonl`,
        text(at),
      ]),
    )
    await open(files, file => {
      reads += 1
      return read(file)
    })
    const port = front?.front.apiPort
    await new Promise<void>((resolve, reject) => {
      const request = httpGet(
        {
          port,
          host: '127.0.0.1',
          path: '/v1/api/training/finetune/export?set=session-summary',
          headers: { Authorization: `Bearer ${testMachineToken}` },
        },
        response => {
          response.pause()
          // The host goes on as long as the sockets take bytes, and then no further: two looks find the same.
          let before = -1
          const look = (): void => {
            if (reads !== before) {
              before = reads
              setTimeout(look, 200)
              return
            }
            request.destroy()
            resolve()
          }
          look()
        },
      )
      request.on('error', reject)
    })
    ok(reads < pieces / 2, `${reads} files were read`)
  })

  it('rule as the person whose token it is, and refuse a body that names one', async () => {
    await open({ 'lore-qa.jsonl': rows(slugs.map(slug => proposedText({ slug, set: 'lore-qa' }))) })
    const ruling = { id: 'demo/lore-qa/s1', outcome: 'affirm' }
    for (const more of [{ by: 'Wit' }, { author: 'Wit' }, { accepted_by: 'Wit' }, { label: 'x' }])
      equal((await post('/confirm', { ...ruling, ...more })).status, 400)
    equal((await post('/confirmations', { items: [{ ...ruling, by: 'Wit' }] })).status, 400)
    const done = await post('/confirm', ruling)
    deepEqual(ruledBy(done).items, [
      { id: ruling.id, result: 'ruled', grade: 'confirmed', verdict: 'affirmed', acceptedBy: 'Brzoza' },
    ])
    equal(ruledBy(await post('/confirm', ruling)).unchanged, 1)
    const other = await post('/confirm', { ...ruling, outcome: 'deny' })
    deepEqual(
      [other.status, errorOf(other), jsonField(other.json, 'acceptedBy')],
      [409, 'TuningSampleRuled', 'Brzoza'],
    )
    equal(listed(await ask('/samples?set=lore-qa&grade=confirmed', 'reader')).filtered, 1)
  })

  it('take 1 to 250 rulings, each on another row', async () => {
    const many = Array.from({ length: 251 }, (_, at) => `w${at}`)
    await open({ 'lore-qa.jsonl': rows(many.map(slug => proposedText({ slug, set: 'lore-qa' }))) })
    const items = many.map(slug => ({ id: `demo/lore-qa/${slug}`, outcome: 'affirm' }))
    for (const [bad, path] of [
      [[], '$.items'],
      [items, '$.items'],
      [[items[0], items[1], items[0]], '$.items[2].id'],
      [[items[0], { ...items[1], outcome: 'maybe' }], '$.items[1].outcome'],
      [[items[0], null], '$.items[1]'],
      ['x', '$.items'],
    ] as const) {
      const reply = await post('/confirmations', { items: bad })
      deepEqual([reply.status, jsonField(reply.json, 'path')], [400, path], reply.text)
    }
    equal(listed(await ask('/samples?grade=confirmed', 'reader')).filtered, 0)
    const done = await post('/confirmations', { items: items.slice(0, 250) })
    deepEqual([ruledBy(done).count, ruledBy(done).ruled], [250, 250])
    deepEqual(
      ruledBy(done).items.map(({ id }) => id),
      items.slice(0, 250).map(({ id }) => id),
    )
  })
})
