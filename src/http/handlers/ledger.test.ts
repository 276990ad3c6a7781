import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { GovernanceLog, Held, Pin, RefState, Refs } from '#protocol/lore/ledger.js'
import { type TestFront, testFront } from '#test/support/front.js'
import { line, linesText } from '#test/support/ledger.js'
import { worldOf } from '#test/support/world.js'

const works = {
  'governance/ledger/namiestnik.jsonl': linesText([
    line(1, '2024-01-10', 'appoint', 'Crag Hack', { value: 'pełny', confidence: 'exact' }),
    line(2, '2024-05-01', 'appoint', 'Solmyr'),
  ]),
  'governance/ledger/rozporzadzenia.jsonl': linesText([
    line(1, '2024-01-01', 'enact', 'Karta Narratora', { value: '1.0', until: '2025-12-31' }),
    line(2, '2024-01-01', 'enact', 'Statut', { value: '3' }),
  ]),
  'governance/ledger/pu-rules.jsonl': linesText([line(1, '2024-01-01', 'set', '', { value: 5 })]),
  'governance/calendar.json': '{"2024-05-01": "1 dnia Wiosny 1172"}',
}

const withLedger = worldOf({ '.svc/format.json': '{"format": 2}' }, { works })

const Refused = t.intersection([t.type({ error: t.string }), t.partial({ parameter: t.string })])

const decodeJson = <A>(codec: t.Type<A, unknown>, json: unknown): A => {
  const value = codec.decode(json)
  if (isLeft(value)) throw new Error(`not a ${codec.name}: ${JSON.stringify(json)}`)
  return value.right
}

describe('routes of the governance ledger', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: withLedger })
  })
  after(() => front.close())

  const ask = (path: string) => front.client.ask(path, { token: null })
  const read = async <A>(codec: t.Type<A, unknown>, path: string): Promise<A> => {
    const reply = await ask(path)
    equal(reply.status, 200, reply.text)
    return decodeJson(codec, reply.json)
  }

  it('tells anybody every ref, also those without transitions', async () => {
    const refs = await read(Refs, '/governance/refs')
    equal(refs.count, 9)
    deepEqual(refs.items[0], {
      ref: 'namiestnik',
      title: 'Namiestnik',
      kind: 'role',
      cardinality: 'one',
      transitions: 2,
      first: '2024-01-10',
      last: '2024-05-01',
    })
    deepEqual(refs.corpus, { commit: null, transitions: 5 })
    deepEqual(
      refs.findings.map(finding => finding.kind),
      ['GovernanceSilentSuccession'],
    )
  })

  it('replays a ref to a day, and to today without one', async () => {
    const then = await read(RefState, '/governance/namiestnik?at=2024-04-30')
    deepEqual(
      then.holders.map(holder => [holder.subject, holder.grade, holder.confidence]),
      [['Crag Hack', 'pełny', 'exact']],
    )
    const now = await read(RefState, '/governance/namiestnik')
    deepEqual([now.at, now.holders[0]?.subject, now.at_ig], ['2026-06-15', 'Solmyr', null])
    equal((await read(RefState, '/governance/namiestnik?at=2024-05-01')).at_ig, '1 dnia Wiosny 1172')
    equal((await read(RefState, '/governance/rada')).applied, 0)
  })

  it('pins the whole state of a day', async () => {
    const pin = await read(Pin, '/governance/pin?at=2026-01-01')
    deepEqual(pin.kadencja, { year: 2026, from: '2025-12-31', to: '2026-12-30' })
    deepEqual(pin.regulations, { 'Karta Narratora': null, Statut: '3' })
    equal(Object.keys(pin.refs).length, 9)
    equal(pin.refs['pu-rules']?.value, 5)
  })

  it('lists transitions between two days, oldest first', async () => {
    const seqs = async (query: string) =>
      (await read(GovernanceLog, `/governance/namiestnik/log${query}`)).items.map(row => row.seq)
    deepEqual(await seqs(''), [1, 2])
    deepEqual(await seqs('?since=2024-01-11'), [2])
    deepEqual(await seqs('?until=2024-01-10'), [1])
    deepEqual(await seqs('?since=2024-02-01&until=2024-01-01'), [])
  })

  it('says whether a subject holds a ref', async () => {
    deepEqual(await read(Held, '/governance/namiestnik/held?subject=hack&at=2024-02-01'), {
      held: true,
      ref: 'namiestnik',
      title: 'Namiestnik',
      subject: 'hack',
      matched: 'Crag Hack',
      at: '2024-02-01',
      since: '2024-01-10',
      grade: 'pełny',
      suspended: false,
      applied: 1,
    })
    const evicted = await read(Held, '/governance/namiestnik/held?subject=Crag%20Hack')
    deepEqual([evicted.held, evicted.matched, evicted.since, evicted.suspended], [false, null, null, null])
    equal((await read(Held, '/governance/rozporzadzenia/held?subject=statut')).held, true)
  })

  const refused: ReadonlyArray<readonly [string, number, string, string | undefined]> = [
    ['/governance/namiestnik?at=dzisiaj', 400, 'ParameterInvalid', 'at'],
    ['/governance/namiestnik?at=2024-02-30', 400, 'ParameterInvalid', 'at'],
    ['/governance/namiestnik?at=', 400, 'ParameterInvalid', 'at'],
    ['/governance/pin?at=2024-1-1', 400, 'ParameterInvalid', 'at'],
    ['/governance/namiestnik/log?since=2024', 400, 'ParameterInvalid', 'since'],
    ['/governance/namiestnik/log?until=x', 400, 'ParameterInvalid', 'until'],
    ['/governance/namiestnik/held', 400, 'ParameterInvalid', 'subject'],
    ['/governance/namiestnik/held?subject=%20', 400, 'ParameterInvalid', 'subject'],
    ['/governance/namiestnik/held?subject=x&at=wczoraj', 400, 'ParameterInvalid', 'at'],
    ['/governance/burmistrz', 404, 'RefNotFound', undefined],
    ['/governance/burmistrz/log', 404, 'RefNotFound', undefined],
    ['/governance/burmistrz/held?subject=x', 404, 'RefNotFound', undefined],
    ['/governance/constructor', 404, 'RefNotFound', undefined],
  ]
  for (const [path, status, error, parameter] of refused)
    it(`refuses ${path} as ${error}`, async () => {
      const { status: answered, json } = await ask(path)
      equal(answered, status)
      const body = decodeJson(Refused, json)
      deepEqual([body.error, body.parameter], [error, parameter])
    })

  it('answers without a works tree, and says that there is none', async () => {
    const bare = await testFront({ snapshot: worldOf({ '.svc/format.json': '{"format": 2}' }) })
    try {
      const refs = decodeJson(Refs, (await bare.client.ask('/governance/refs', { token: null })).json)
      deepEqual([refs.corpus, refs.count, refs.findings], [null, 9, []])
      const pin = decodeJson(Pin, (await bare.client.ask('/governance/pin', { token: null })).json)
      deepEqual([pin.at, pin.regulations], ['2026-06-15', {}])
    } finally {
      await bare.close()
    }
  })
})
