import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { purseOf } from '#test/support/closed-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const purse = (owner: string, amount: number): string =>
  `### Korony ${owner}\n- @typ: Przedmiot\n- @należy_do: ${owner}\n- @generyczne_nazwy: Korony Elanckie\n- @ilość: ${amount}\n`

const index = [
  '### Skarbiec\n- @typ: Grupa\n',
  '### Anna\n- @typ: NPC\n',
  '### Borys\n- @typ: NPC\n- @alias: Bliźniak\n',
  '### Cecylia\n- @typ: NPC\n- @alias: Bliźniak\n',
  purse('Skarbiec', 100),
  purse('Anna', 5),
].join('\n')

const header = '2026-05-10, Most, Solmyr'
const closeLedger = '.svc/close/ledger.jsonl'
const moves = '.svc/money/moves.jsonl'

const base = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1 (2020:)\n',
  'encje/indeks.md': index,
  'sesje/maj.md': `### ${header}\n\nOpis.\n\n- @Zmiany:\n    - Anna\n        - @stan: Ranna\n- @Transfer: 60 koron, Skarbiec -> Anna\n\n### 2026-05-11, Pusta, Solmyr\n\nOpis.\n`,
}

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

const pay = (amount: number, destination = 'Anna', denomination = 'koron', source = 'Skarbiec') => ({
  ...{ amount, denomination, source, destination },
})

describe('transfers through their row', () => {
  let front: TestFront | null = null
  afterEach(() => front?.close())

  const open = async (files: Readonly<Record<string, string>> = {}): Promise<TestFront> => {
    front = await testFront({
      snapshot: worldOf({ ...base, ...files }),
      callers: {
        treasurer: callerWith(['currency.write'], 'Solmyr'),
        narrator: callerWith(['session.close', 'session.read'], 'Solmyr'),
        writer: callerWith(['entity.write', 'entity.read'], 'Solmyr'),
        reader: callerWith(['currency.read'], 'Solmyr'),
      },
    })
    return front
  }
  const ask = async (
    at: TestFront,
    body: object,
    token = 'treasurer',
    row = 'apply-transfers',
    query = '',
  ) => {
    const reply = await at.client.ask(`${row.startsWith('/') ? row : `/workflows/${row}`}${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      token,
    })
    return { status: reply.status, json: fieldsOf(reply.json) }
  }
  const list = { transfers: [pay(30), pay(2, 'Anna', 'talary')], day: '2026-05-20', reason: 'Żołd' }
  const texts = (at: TestFront) => textsOf(at.world() ?? worldOf(base))
  const amounts = (at: TestFront) => {
    const world = at.world()
    ok(world !== null)
    return [purseOf(world, 'Korony Skarbiec'), purseOf(world, 'Korony Anna')]
  }

  it('of a list are one row under a key, applied once', async () => {
    const at = await open()
    const { status, json } = await ask(at, list)
    equal(status, 200, JSON.stringify(json))
    deepEqual(
      [json['Applied'], json['Header'], json['Day'], json['Reason']],
      [true, null, '2026-05-20', 'Żołd'],
    )
    deepEqual(json['Balances'], [
      {
        Purse: 'Korony Skarbiec',
        Owner: 'Skarbiec',
        Denomination: 'Korony Elanckie',
        Before: 100,
        After: 70,
      },
      { Purse: 'Korony Anna', Owner: 'Anna', Denomination: 'Korony Elanckie', Before: 5, After: 35 },
    ])
    const states = Array.isArray(json['Transfers']) ? json['Transfers'].map(fieldsOf) : []
    deepEqual(
      states.map(one => one['State']),
      ['applied', 'pending'],
    )
    deepEqual(amounts(at), [70, 35])
    const row = fieldsOf(JSON.parse(texts(at)[moves] ?? ''))
    deepEqual(
      [row['id'], row['day'], row['by'], row['reason'], row['transfers']],
      [json['Id'], '2026-05-20', 'Solmyr', 'Żołd', list.transfers],
    )
    const before = texts(at)
    const again = await ask(at, list)
    deepEqual([again.status, again.json['Applied'], again.json['Id']], [200, false, json['Id']])
    deepEqual(texts(at), before)
    const same = await ask(at, { ...list, id: 'drugi' })
    deepEqual([same.json['Applied'], ...amounts(at)], [true, 40, 65])
    const other = await ask(at, { ...list, transfers: [pay(1)], id: 'drugi' })
    deepEqual([other.status, other.json['error'], other.json['field']], [422, 'ValueRefused', 'id'])
  })

  it('of a list wait for a line of the ledger of moves that cannot be read', async () => {
    const at = await open({ [moves]: '{}\n' })
    const { status, json } = await ask(at, list)
    deepEqual([status, json['error']], [422, 'TransfersBlocked'])
    const [block] = [json['Blocked']].flat().map(fieldsOf)
    deepEqual([block?.['Kind'], block?.['File'], block?.['Line']], ['LedgerUnreadable', moves, 1])
    equal(texts(at)[moves], '{}\n')
  })

  it('of a session apply without closing it, and its close repeats none', async () => {
    const at = await open()
    const first = await ask(at, { header })
    deepEqual([first.status, first.json['Applied'], first.json['Header']], [200, true, header])
    deepEqual(amounts(at), [40, 65])
    const world = at.world()
    ok(world !== null)
    equal(world.closeLedger.closed.size, 0)
    ok(!world.entities.all.some(one => one.rows.some(row => row.tag === 'stan')))
    const again = await ask(at, { header })
    deepEqual([again.status, again.json['Applied'], ...amounts(at)], [200, false, 40, 65])
    const shown = await at.client.ask(`/sessions/${encodeURIComponent(header)}/close-impact`, {
      token: 'narrator',
    })
    const impact = fieldsOf(shown.json)
    deepEqual([impact['Closed'], impact['Transfers'], impact['Balances']], [false, [], []])
    const closed = await ask(at, { header }, 'narrator', 'close-session')
    equal(closed.status, 200, JSON.stringify(closed.json))
    deepEqual([closed.json['Transfers'], closed.json['Balances']], [[], []])
    deepEqual(amounts(at), [40, 65])
    ok(at.world()?.entities.all.some(one => one.rows.some(row => row.tag === 'stan')))
    const late = await ask(at, { header })
    deepEqual([late.status, late.json['error'], late.json['by']], [409, 'SessionClosed', 'Solmyr'])
    equal((texts(at)[closeLedger] ?? '').trimEnd().split('\n').length, 2)
  })

  it('are refused together, with every reason, and nothing is written', async () => {
    const at = await open()
    const before = texts(at)
    const bad = {
      ...{ day: '2026-05-20', reason: 'Żołd' },
      transfers: [
        pay(5),
        pay(1.5),
        pay(0),
        pay(5, 'Anna', 'ziarna'),
        pay(5, 'Skarbiec'),
        pay(5, 'Nikt'),
        pay(5, 'Bliźniak'),
      ],
    }
    const { status, json } = await ask(at, bad)
    deepEqual([status, json['error']], [422, 'TransfersBlocked'])
    const blocked = json['Blocked']
    ok(Array.isArray(blocked))
    deepEqual(
      blocked.map(fieldsOf).map(one => [one['Kind'], one['Subject']]),
      [
        ['MalformedTransfer', 'transfers[1]'],
        ['MalformedTransfer', 'transfers[2]'],
        ['RefusedTransfer', 'transfers[3]'],
        ['RefusedTransfer', 'transfers[4]'],
        ['UnresolvedTransfer', 'transfers[5]'],
        ['AmbiguousTransfer', 'transfers[6]'],
      ],
    )
    const dry = await ask(at, bad, 'treasurer', 'apply-transfers', '?dryRun=true')
    deepEqual([dry.status, dry.json['Blocked'], dry.json['diff']], [200, blocked, ''])
    deepEqual(texts(at), before)
  })

  it('that were applied stay so when a homonym comes', async () => {
    const at = await open()
    const paid = { ...list, transfers: [pay(30)] }
    equal((await ask(at, paid)).json['Applied'], true)
    equal((await ask(at, { header })).json['Applied'], true)
    deepEqual(amounts(at), [10, 95])
    const made = await ask(at, { name: 'Anna', type: 'Lokacja' }, 'writer', '/entities')
    equal(made.status, 201, JSON.stringify(made.json))
    deepEqual(amounts(at), [10, 95])
    for (const body of [paid, { header }]) {
      const { status, json } = await ask(at, body)
      const states = Array.isArray(json['Transfers']) ? json['Transfers'].map(fieldsOf) : []
      deepEqual([status, json['Applied'], states.map(one => one['State'])], [200, false, ['applied']])
    }
    const closed = await ask(at, { header }, 'narrator', 'close-session')
    equal(closed.status, 200, JSON.stringify(closed.json))
    deepEqual(amounts(at), [10, 95])
  })

  it('of no whole amount are refused in a dry run too', async () => {
    const at = await open()
    for (const amount of [0, -1, 1.5, 1e15]) {
      const body = { ...list, transfers: [pay(amount)] }
      const { json } = await ask(at, body, 'treasurer', 'apply-transfers', '?dryRun=true')
      const [one] = Array.isArray(json['Transfers']) ? json['Transfers'].map(fieldsOf) : []
      deepEqual([one?.['State'], json['Balances']], ['refused', []], String(amount))
      equal(Array.isArray(json['Blocked']) ? json['Blocked'].length : 0, 1)
    }
  })

  it('are refused for an unknown or the same destination also where the source has no purse', async () => {
    const at = await open()
    const transfers = [pay(3, 'Nikt', 'talary'), pay(3, 'Skarbiec', 'talary'), pay(3, 'Anna', 'talary')]
    const { status, json } = await ask(at, { ...list, transfers })
    equal(status, 422, JSON.stringify(json))
    const blocked = json['Blocked']
    ok(Array.isArray(blocked))
    deepEqual(
      blocked.map(fieldsOf).map(one => [one['Kind'], one['Subject']]),
      [
        ['UnresolvedTransfer', 'transfers[0]'],
        ['RefusedTransfer', 'transfers[1]'],
      ],
    )
    equal(texts(at)[moves], undefined)
  })

  it('of a past day are counted at it, before the sessions that follow', async () => {
    const at = await open()
    await ask(at, { header }, 'narrator', 'close-session')
    const { json } = await ask(at, { ...list, day: '2026-05-01', transfers: [pay(10)] })
    const balances = Array.isArray(json['Balances']) ? json['Balances'].map(fieldsOf) : []
    deepEqual(
      balances.map(one => [one['Before'], one['After']]),
      [
        [100, 90],
        [5, 15],
      ],
    )
    deepEqual(amounts(at), [30, 75])
  })

  it('need the right, and a body that says one thing', async () => {
    const at = await open()
    const reader = await ask(at, list, 'reader')
    deepEqual([reader.status, reader.json['required']], [403, 'currency.write'])
    for (const [body, path] of [
      [{}, '$.transfers'],
      [{ ...list, transfers: [] }, '$.transfers'],
      [{ ...list, day: '2026-02-30' }, '$.day'],
      [{ transfers: list.transfers, reason: 'x' }, '$.day'],
      [{ transfers: list.transfers, day: list.day }, '$.reason'],
      [{ header, day: list.day }, '$'],
      [{ ...list, transfers: [{ ...pay(1), amount: '1' }] }, '$.transfers[0].amount'],
    ] as const) {
      const { status, json } = await ask(at, body)
      deepEqual([status, json['error'], json['path']], [400, 'BodyInvalid', path], JSON.stringify(body))
    }
    for (const [body, field] of [
      [{ ...list, id: 'dwa słowa' }, 'id'],
      [{ ...list, reason: 'a\nb' }, 'reason'],
      [{ header: '2026-05-11, Pusta, Solmyr' }, 'header'],
    ] as const) {
      const { status, json } = await ask(at, body)
      deepEqual([status, json['error'], json['field']], [422, 'ValueRefused', field], JSON.stringify(body))
    }
    const long = await ask(at, { ...list, reason: 'a'.repeat(100_000) })
    deepEqual([long.status, long.json['error']], [422, 'BoundExceeded'])
    const unknown = await ask(at, { header: '2026-01-01, Nic, Solmyr' })
    deepEqual([unknown.status, unknown.json['error']], [404, 'SessionNotFound'])
    deepEqual([texts(at)[moves], texts(at)[closeLedger]], [undefined, undefined])
  })
})
