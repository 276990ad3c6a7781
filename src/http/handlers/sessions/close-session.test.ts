import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { closeSessions, purseOf } from '#test/support/closed-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const index = `### Anna
- @typ: Postać
- @należy_do: Solmyr

### Borys
- @typ: NPC
- @grupa: Straż

### Straż
- @typ: Grupa
- @chat: grupy/straz

### Bezdomny
- @typ: NPC

### Most
- @typ: Lokacja

### Karczma
- @typ: Lokacja
- @lokacja: Most

### Korony Anny
- @typ: Przedmiot
- @należy_do: Anna
- @generyczne_nazwy: Korony Elanckie
- @ilość: 100

### Korony Borysa
- @typ: Przedmiot
- @należy_do: Borys
- @generyczne_nazwy: Korony Elanckie
- @ilość: 5
`

const store = `## Gracz
### Solmyr
- @gameid: 1 (2020:)
- @chat: gracze/solmyr
### Gelu
- @gameid: 2 (2020:)
### Rajca
- @gameid: 3 (2020:)
- @rola: Radny (2024-01:)
### Dawny
- @gameid: 4 (2020:)
- @rola: Radny (:2025-12)
`

const header = '2026-05-10, Most, Solmyr'
const ledger = '.svc/close/ledger.jsonl'

const session = (blocks: string, of = header): string => `### ${of}\n\nOpis.\n\n${blocks}\n`

const ordinary = session(`- @Lokacje:
    - Most
    - Karczma
- @PU:
    - Anna: 0,5
- @Zmiany:
    - Anna
        - @stan: Ranna
- @Transfer: 60 koron, Anna -> Borys
- @Transfer: 3 talary, Anna -> Borys
- @Intel:
    - Grupa/Straż: Most płonie.
    - Bezdomny: Uciekaj.
    - Anna: Wracaj.
`)

const base = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': store,
  'encje/indeks.md': index,
}

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

describe('closing a session through its row', () => {
  let front: TestFront | null = null
  afterEach(() => front?.close())

  const open = async (files: Readonly<Record<string, string>>): Promise<TestFront> => {
    front = await testFront({
      snapshot: worldOf({ ...base, ...files }),
      callers: {
        narrator: callerWith(['session.close', 'session.read'], 'Solmyr'),
        other: callerWith(['session.close', 'session.read'], 'Gelu'),
        council: callerWith(['session.close', 'session.read'], 'Rajca'),
        former: callerWith(['session.close', 'session.read'], 'Dawny'),
        worker: callerWith(['session.close', 'session.read']),
        herald: callerWith(['session.distribute', 'session.read'], 'Gelu'),
        writer: callerWith(['session.write', 'session.read', 'entity.read'], 'Solmyr'),
        admin: callerWith(['admin.all']),
        reader: callerWith(['session.read'], 'Solmyr'),
      },
    })
    return front
  }
  const close = async (at: TestFront, body: object, token = 'narrator', query = '') => {
    const reply = await at.client.ask(`/workflows/close-session${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      token,
    })
    return { status: reply.status, json: fieldsOf(reply.json) }
  }
  const impact = async (at: TestFront, of = header) => {
    const reply = await at.client.ask(`/sessions/${encodeURIComponent(of)}/close-impact`)
    return { status: reply.status, json: fieldsOf(reply.json) }
  }
  const texts = (at: TestFront) => textsOf(at.world() ?? worldOf(base))

  const plan = {
    Transfers: [
      {
        Amount: 60,
        Denomination: 'Korony Elanckie',
        Source: 'Anna',
        Destination: 'Borys',
        State: 'applied',
        Why: null,
      },
      {
        Amount: 3,
        Denomination: 'Talary Hirońskie',
        Source: 'Anna',
        Destination: 'Borys',
        State: 'pending',
        Why: '„Anna” nie ma tego dnia sakiewki w nominale „Talary Hirońskie”.',
      },
    ],
    Balances: [
      { Purse: 'Korony Anny', Owner: 'Anna', Denomination: 'Korony Elanckie', Before: 100, After: 40 },
      { Purse: 'Korony Borysa', Owner: 'Borys', Denomination: 'Korony Elanckie', Before: 5, After: 65 },
    ],
    Intel: [
      {
        Target: 'Grupa/Straż',
        Message: 'Most płonie.',
        Count: 2,
        Recipients: [
          { Name: 'Straż', Type: 'Grupa' },
          { Name: 'Borys', Type: 'NPC' },
        ],
        WithoutAddress: ['Borys'],
      },
      {
        Target: 'Bezdomny',
        Message: 'Uciekaj.',
        Count: 1,
        Recipients: [{ Name: 'Bezdomny', Type: 'NPC' }],
        WithoutAddress: ['Bezdomny'],
      },
      {
        Target: 'Anna',
        Message: 'Wracaj.',
        Count: 1,
        Recipients: [{ Name: 'Anna', Type: 'Postać' }],
        WithoutAddress: [],
      },
    ],
    Places: [
      { Place: 'Most', File: 'Lokacje/Most/Sesje.md', Listed: true },
      { Place: 'Karczma', File: 'Lokacje/Most/Karczma/Sesje.md', Listed: true },
    ],
    Points: [{ Character: 'Anna', Value: 0.5 }],
    StagedTo: null,
  }

  it('writes one row and the lines of its places, and makes its effects count', async () => {
    const at = await open({ 'sesje/maj.md': ordinary })
    const { status, json } = await close(at, { header: `### ${header}`, note: ' Koniec. ' })
    equal(status, 200, JSON.stringify(json))
    const { At, ...rest } = json
    deepEqual(rest, { Applied: true, Closed: header, By: 'Solmyr', Note: 'Koniec.', ...plan })
    const after = texts(at)
    const rows = (after[ledger] ?? '').trimEnd().split('\n')
    equal(rows.length, 1)
    const { meaning, ...row } = fieldsOf(JSON.parse(rows[0] ?? ''))
    deepEqual(row, {
      ...{ header, op: 'close', at: At, by: 'Solmyr', source: 'close', note: 'Koniec.' },
      transfers: [
        { amount: 60, denomination: 'koron', source: 'Anna', destination: 'Borys', state: 'applied' },
        { amount: 3, denomination: 'talary', source: 'Anna', destination: 'Borys', state: 'pending' },
      ],
      intel: [
        { target: 'Grupa/Straż', recipients: 2 },
        { target: 'Bezdomny', recipients: 1 },
        { target: 'Anna', recipients: 1 },
      ],
    })
    const whole = closeSessions({ ...base, 'sesje/maj.md': ordinary }, true)[ledger] ?? ''
    deepEqual(meaning, fieldsOf(JSON.parse(whole))['meaning'])
    const world = at.world()
    ok(world !== null)
    deepEqual([purseOf(world), purseOf(world, 'Korony Borysa')], [40, 65])
    for (const path of ['Lokacje/Most/Sesje.md', 'Lokacje/Most/Karczma/Sesje.md'])
      equal(after[path], `<!-- generated from sessions; do not edit -->\n- ${header} (sesje/maj.md)\n`)
    equal(after['sesje/maj.md'], ordinary)
  })

  it('shows one plan in close-impact, in the dry run and in the answer', async () => {
    const at = await open({ 'sesje/maj.md': ordinary })
    const before = texts(at)
    const dry = await close(at, { header }, 'narrator', '?dryRun=true')
    const shown = await impact(at)
    const { diff, ...rest } = dry.json
    deepEqual(rest, {
      ...{ Applied: false, WouldClose: header, By: 'Solmyr', Note: null, Blocked: [] },
      ...plan,
    })
    match(String(diff), /ledger\.jsonl/)
    deepEqual(shown.json, {
      ...{ Header: header, Date: '2026-05-10', Closed: false, ClosedAt: null, ClosedBy: null },
      ...{ Distributed: false, Blocked: [] },
      ...plan,
    })
    deepEqual(texts(at), before)
  })

  it('is for its narrators, a Radny of today and admin.all', async () => {
    for (const [token, status, error] of [
      ['narrator', 200, undefined],
      ['council', 200, undefined],
      ['admin', 200, undefined],
      ['other', 403, 'NotYourSession'],
      ['former', 403, 'NotYourSession'],
      ['worker', 403, 'NotYourSession'],
      ['reader', 403, 'Forbidden'],
    ] as const) {
      const at = await open({ 'sesje/maj.md': ordinary })
      const reply = await close(at, { header }, token)
      deepEqual([reply.status, reply.json['error']], [status, error], token)
      equal(texts(at)[ledger] === undefined, status !== 200, token)
      await at.close()
    }
  })

  it('is for the owner of a Postać that narrates, and not for a person with a near name', async () => {
    const narrated = (name: string) => session('', `2026-05-10, Most, ${name}`)
    for (const [name, status] of [
      ['Anna', 200],
      ['Gelu + Anna', 200],
      ['Solmir', 403],
      ['Solmyra', 403],
      ['Rada', 403],
    ] as const) {
      const at = await open({ 'sesje/maj.md': narrated(name) })
      equal((await close(at, { header: `2026-05-10, Most, ${name}` })).status, status, name)
      await at.close()
    }
  })

  it('happens once, and says when and by whom', async () => {
    const at = await open({ 'sesje/maj.md': ordinary })
    const first = await close(at, { header })
    const before = texts(at)
    const again = await close(at, { header: header.toUpperCase() }, 'admin')
    deepEqual([again.status, again.json['nearest']], [404, [header]])
    const spaced = await close(at, { header: header.replaceAll(', ', ' ,') }, 'admin')
    deepEqual([spaced.status, spaced.json['nearest']], [404, [header]])
    const other = await close(at, { header: `${header}a` }, 'admin')
    deepEqual([other.status, other.json['nearest']], [404, []])
    const second = await close(at, { header }, 'council')
    deepEqual(
      [second.status, second.json['error'], second.json['header'], second.json['at'], second.json['by']],
      [409, 'SessionClosed', header, first.json['At'], 'Solmyr'],
    )
    deepEqual(texts(at), before)
    const { json } = await impact(at)
    deepEqual([json['Closed'], json['ClosedBy'], json['Transfers'], json['Intel']], [true, 'Solmyr', [], []])
  })

  it('is refused whole, with every entry that cannot take effect', async () => {
    const bad = session(`- @Zmiany:
    - Nikt
        - @stan: Ranny
    - Anna
        - @ilość: dużo
- @Transfer: 5 ziaren, Anna -> Borys
- @Transfer: 1,5 korony, Anna -> Borys
- @Transfer: 5 koron, Anna -> Anna
- @Transfer: 5 koron, Anna -> Nikodem
- @Transfer: 5 koron, Anna -> Bliźniak
- @Intel:
    - Nikt, Borys: Wieść.
    - Bliźniak: Wieść.
`)
    const twins = `${index}\n### Bliźniak\n- @typ: NPC\n\n### Bliźniak\n- @typ: Grupa\n`
    const at = await open({ 'sesje/maj.md': bad, 'encje/indeks.md': twins })
    const before = texts(at)
    const { status, json } = await close(at, { header })
    deepEqual([status, json['error']], [422, 'CloseBlocked'], JSON.stringify(json))
    const blocked = json['Blocked']
    ok(Array.isArray(blocked))
    deepEqual(
      blocked.map(fieldsOf).map(one => [one['Kind'], one['File'], one['Line']]),
      [
        ['MalformedTransfer', 'sesje/maj.md', 11],
        ['UnresolvedChange', 'sesje/maj.md', 6],
        ['RefusedChange', 'sesje/maj.md', 9],
        ['RefusedTransfer', 'sesje/maj.md', 10],
        ['RefusedTransfer', 'sesje/maj.md', 12],
        ['UnresolvedTransfer', 'sesje/maj.md', 13],
        ['AmbiguousTransfer', 'sesje/maj.md', 14],
        ['UnresolvedIntel', 'sesje/maj.md', 16],
        ['AmbiguousIntel', 'sesje/maj.md', 17],
      ],
    )
    deepEqual((await impact(at)).json['Blocked'], blocked)
    const dry = await close(at, { header }, 'narrator', '?dryRun=true')
    deepEqual([dry.status, dry.json['Blocked'], dry.json['diff']], [200, blocked, ''])
    deepEqual(texts(at), before)
  })

  it('is stopped by an unknown or the same destination also where the source has no purse', async () => {
    const at = await open({
      'sesje/maj.md': session(`- @Transfer: 3 talary, Anna -> Nikt
- @Transfer: 3 talary, Anna -> Anna
- @Transfer: 3 talary, Anna -> Borys
`),
    })
    const { status, json } = await close(at, { header })
    equal(status, 422, JSON.stringify(json))
    const blocked = json['Blocked']
    ok(Array.isArray(blocked))
    deepEqual(
      blocked.map(fieldsOf).map(one => [one['Kind'], one['Line']]),
      [
        ['UnresolvedTransfer', 5],
        ['RefusedTransfer', 6],
      ],
    )
  })

  it('is stopped by PU that no batch could settle, by the rule of the batch', async () => {
    const points = session(`- @PU:
    - Anna: dużo
    - Ana: 0,5
    - Bliźniak: 0,5
    - Zmarła: 0,5
    - Cecylia: 0,5
    - Cesia: 0,5
`)
    const more = `${index}
### Bliźniak 1
- @typ: Postać
- @alias: Bliźniak

### Bliźniak 2
- @typ: Postać
- @alias: Bliźniak

### Zmarła
- @typ: Postać
- @status: Usunięty

### Cecylia
- @typ: Postać
- @alias: Cesia
`
    const at = await open({ 'sesje/maj.md': points, 'encje/indeks.md': more })
    const before = texts(at)
    const { status, json } = await close(at, { header })
    deepEqual([status, json['error']], [422, 'CloseBlocked'], JSON.stringify(json))
    const blocked = json['Blocked']
    ok(Array.isArray(blocked))
    deepEqual(
      blocked.map(fieldsOf).map(one => [one['Kind'], one['Subject'], one['File'], one['Line']]),
      [
        ['MalformedPoints', header, 'sesje/maj.md', 6],
        ['UnresolvedPoints', header, 'sesje/maj.md', 7],
        ['AmbiguousPoints', header, 'sesje/maj.md', 8],
        ['DeletedCharacter', header, 'sesje/maj.md', 9],
        ['SeveralValues', header, 'sesje/maj.md', 10],
      ],
    )
    deepEqual((await impact(at)).json['Blocked'], blocked)
    const dry = await close(at, { header }, 'narrator', '?dryRun=true')
    deepEqual([dry.status, dry.json['Blocked'], dry.json['diff']], [200, blocked, ''])
    deepEqual(texts(at), before)
  })

  it('is not stopped by the PU of a session that a batch settled', async () => {
    const batch = { id: 'a', month: '2026-05', at: '2026-06-01T08:00:00Z', source: 'legacy' }
    const at = await open({
      'sesje/maj.md': session('- @PU:\n    - Anna: dużo\n    - Nikt: 1\n'),
      '.svc/pu/batches.jsonl': `${JSON.stringify({ ...batch, sessions: [header], awards: [] })}\n`,
    })
    const { status, json } = await close(at, { header })
    equal(status, 200, JSON.stringify(json))
  })

  it('moves a staged draft to its file', async () => {
    const earlier = '### 2026-04-01, Wstęp, Solmyr\n\nOpis.\n'
    const path = '.svc/staged/a.md'
    const draft = `<!-- file: sesje/2026.md -->\n\n${ordinary}`
    const at = await open({ 'sesje/2026.md': earlier, [path]: draft })
    equal((await impact(at)).json['StagedTo'], 'sesje/2026.md')
    const { status, json } = await close(at, { header })
    deepEqual([status, json['StagedTo']], [200, 'sesje/2026.md'], JSON.stringify(json))
    const after = texts(at)
    equal(after[path], undefined)
    equal(after['sesje/2026.md'], `${earlier}\n${ordinary.trimEnd()}\n`)
    const world = at.world()
    ok(world !== null)
    equal(purseOf(world), 40)
    match(after['Lokacje/Most/Sesje.md'] ?? '', /\(sesje\/2026\.md\)/)
  })

  it('is stopped by a session whose header differs in case alone, and so are the parts of a close', async () => {
    const twin = header.toUpperCase()
    const at = await open({ 'sesje/maj.md': ordinary, 'sesje/inne.md': `\n${session('', twin)}` })
    const places = [`„${header}” (sesje/maj.md:1)`, `„${twin}” (sesje/inne.md:2)`]
    for (const [row, token] of [
      ['close-session', 'narrator'],
      ['distribute-session', 'herald'],
      ['apply-transfers', 'admin'],
    ] as const) {
      const { status, json } = await at.client.ask(`/workflows/${row}`, {
        method: 'POST',
        body: JSON.stringify({ header }),
        token,
      })
      equal(status, 422, row)
      const [block] = [fieldsOf(json)['Blocked']].flat().map(fieldsOf)
      deepEqual([block?.['Kind'], block?.['Subject']], ['AmbiguousHeader', header])
      for (const place of places) ok(String(block?.['Detail']).includes(place), JSON.stringify(block))
    }
    equal(texts(at)[ledger], undefined)
    const found = fieldsOf((await at.client.ask('/sessions/integrity', { token: 'admin' })).json)['items']
    ok(Array.isArray(found))
    deepEqual(
      found
        .map(fieldsOf)
        .flatMap(one => (one['Kind'] === 'AmbiguousHeader' ? [[one['Severity'], one['Subject']]] : [])),
      [twin, header].map(one => ['Error', one]),
    )
  })

  it('records the recipients of a target once, however often it is spelled', async () => {
    const spellings = ['Grupa/Straż', 'Grupa/STRAŻ', 'Grupa/straż']
    const intel = spellings.map((target, at) => `    - ${target}: Wieść ${at}.\n`).join('')
    const at = await open({ 'sesje/maj.md': session(`- @Intel:\n${intel}`) })
    const { status, json } = await close(at, { header })
    equal(status, 200, JSON.stringify(json))
    deepEqual(
      [json['Intel']]
        .flat()
        .map(fieldsOf)
        .map(one => [one['Target'], one['Count']]),
      spellings.map(target => [target, 2]),
    )
    const row = fieldsOf(JSON.parse(texts(at)[ledger] ?? ''))
    const { recipients } = fieldsOf(row['meaning'])
    deepEqual(
      [recipients]
        .flat()
        .map(fieldsOf)
        .map(one => one['target']),
      ['Grupa/Straż'],
    )
    deepEqual(
      [row['intel']]
        .flat()
        .map(fieldsOf)
        .map(one => one['recipients']),
      [2, 2, 2],
    )
  })

  it('is stopped by a line of the ledger that cannot be read, and names it', async () => {
    const damaged = `${JSON.stringify({ header, op: 'close' })}\n`
    const at = await open({ 'sesje/maj.md': ordinary, [ledger]: damaged })
    for (const [row, token] of [
      ['close-session', 'narrator'],
      ['distribute-session', 'herald'],
      ['apply-transfers', 'admin'],
    ] as const) {
      const { status, json } = await at.client.ask(`/workflows/${row}`, {
        method: 'POST',
        body: JSON.stringify({ header }),
        token,
      })
      equal(status, 422, row)
      const [block] = [fieldsOf(json)['Blocked']].flat().map(fieldsOf)
      deepEqual([block?.['Kind'], block?.['File'], block?.['Line']], ['LedgerUnreadable', ledger, 1])
    }
    equal(texts(at)[ledger], damaged)
  })

  it('leaves a draft that names no file, or has other text beside it', async () => {
    for (const draft of [ordinary, `<!-- file: sesje/2026.md -->\n\nNotatka.\n\n${ordinary}`]) {
      const at = await open({ '.svc/staged/a.md': draft })
      const { status, json } = await close(at, { header })
      deepEqual([status, json['error']], [422, 'CloseBlocked'])
      const blocked = json['Blocked']
      ok(Array.isArray(blocked))
      deepEqual(
        blocked.map(fieldsOf).map(one => one['Kind']),
        ['DraftNotPlaced'],
      )
      await at.close()
    }
  })

  it('lists the session among the others of its places, and keeps files that a person wrote', async () => {
    const mark = '<!-- generated from sessions; do not edit -->\n'
    const [older, newer] = ['2026-05-01, Dawna, Solmyr', '2026-06-01, Nowa, Solmyr']
    const lines = (...all: ReadonlyArray<string>) => all.map(one => `- ${one} (sesje/maj.md)\n`).join('')
    const at = await open({
      'sesje/maj.md': `${session('- @Lokacje:\n    - Most\n', older)}${ordinary}${session('- @Lokacje:\n    - Most\n', newer)}`,
      'Lokacje/Most/Sesje.md': `${mark}${lines(newer, older)}`,
      'Lokacje/Most/Karczma/Sesje.md': 'Moje notatki.\n',
    })
    const { json } = await close(at, { header })
    deepEqual(json['Places'], [
      { Place: 'Most', File: 'Lokacje/Most/Sesje.md', Listed: true },
      { Place: 'Karczma', File: 'Lokacje/Most/Karczma/Sesje.md', Listed: false },
    ])
    const after = texts(at)
    equal(after['Lokacje/Most/Sesje.md'], `${mark}${lines(newer, header, older)}`)
    equal(after['Lokacje/Most/Karczma/Sesje.md'], 'Moje notatki.\n')
  })

  it('applies no effect of an older session again, and counts a late one at its day', async () => {
    const late = '2026-05-05, Późna, Solmyr'
    const pay = (amount: number) => `- @Transfer: ${amount} koron, Anna -> Borys\n`
    const at = await open({ 'sesje/maj.md': `${session(pay(30), late)}${session(pay(60))}` })
    equal((await close(at, { header })).status, 200)
    const { json } = await close(at, { header: late })
    deepEqual(
      (Array.isArray(json['Balances']) ? json['Balances'] : [])
        .map(fieldsOf)
        .map(one => [one['Before'], one['After']]),
      [
        [100, 70],
        [5, 35],
      ],
    )
    const world = at.world()
    ok(world !== null)
    deepEqual([purseOf(world), purseOf(world, 'Korony Borysa')], [10, 95])
  })

  it('counts once where the ledger has two rows of its header, which is an error', async () => {
    const row = { header, op: 'close', at: '2026-06-01T08:00:00Z', by: 'Gelu', source: 'close' }
    const rows = [row, { ...row, by: 'Rajca', at: '2026-06-01T08:00:01Z' }]
    const at = await open({
      'sesje/maj.md': ordinary,
      [ledger]: rows.map(one => `${JSON.stringify(one)}\n`).join(''),
    })
    equal((await impact(at)).json['ClosedBy'], 'Gelu')
    const world = at.world()
    ok(world !== null)
    equal(purseOf(world), 40)
    const reply = await at.client.ask('/sessions/integrity')
    const items = fieldsOf(reply.json)['items']
    const found = (Array.isArray(items) ? items : [])
      .map(fieldsOf)
      .filter(one => one['Kind'] === 'CloseRepeated')
    deepEqual(
      found.map(one => [one['Severity'], one['Line']]),
      [['Error', 2]],
    )
  })

  it('is foretold when the session is written', async () => {
    const at = await open({ 'sesje/maj.md': ordinary })
    const pay = (denomination: string, destination: string) => ({
      ...{ amount: 1, denomination, source: 'Anna', destination },
    })
    const metadata = {
      transfers: [
        pay('koron', 'Borys'),
        pay('talary', 'Borys'),
        pay('koron', 'Bezdomny'),
        pay('koron', 'Anna'),
      ],
      intel: [{ target: 'Nikt', message: 'Wieść.' }],
    }
    const foretold = [
      ['metadata.intel[0].target', 'Nikt', 'unknown'],
      ['metadata.transfers[1].source', 'Anna', 'purse'],
      ['metadata.transfers[1].destination', 'Borys', 'purse'],
      ['metadata.transfers[2].destination', 'Bezdomny', 'purse'],
      ['metadata.transfers[3]', 'Anna', 'refused'],
    ]
    const told = (json: Fields) =>
      (Array.isArray(json['unresolved']) ? json['unresolved'] : [])
        .map(fieldsOf)
        .map(one => [one['field'], one['name'], one['why']])
    const ask = async (method: string, path: string, body: object) => {
      const reply = await at.client.ask(path, { method, body: JSON.stringify(body), token: 'writer' })
      return fieldsOf(reply.json)
    }
    const created = await ask('POST', '/sessions', {
      ...{
        file: 'sesje/maj.md',
        date: '2026-05-12',
        title: 'Targ',
        narrators: ['Solmyr'],
        content: '',
        metadata,
      },
    })
    deepEqual(told(created), foretold, JSON.stringify(created))
    deepEqual(told(await ask('PATCH', `/sessions/${encodeURIComponent(header)}`, { metadata })), foretold)
    const { json } = await impact(at, '2026-05-12, Targ, Solmyr')
    const blocked = Array.isArray(json['Blocked']) ? json['Blocked'].map(fieldsOf) : []
    deepEqual(
      blocked.map(one => one['Kind']),
      ['RefusedTransfer', 'UnresolvedIntel'],
    )
    const payments = Array.isArray(json['Transfers']) ? json['Transfers'].map(fieldsOf) : []
    deepEqual(
      payments.map(one => one['State']),
      ['applied', 'pending', 'pending', 'refused'],
    )
  })

  it('repeats nothing that a distribution did before', async () => {
    const at = await open({ 'sesje/maj.md': ordinary })
    const distribute = async (query = '') => {
      const reply = await at.client.ask(`/workflows/distribute-session${query}`, {
        method: 'POST',
        body: JSON.stringify({ header }),
        token: 'herald',
      })
      return { status: reply.status, json: fieldsOf(reply.json) }
    }
    const dry = await distribute('?dryRun=true')
    deepEqual([dry.json['WouldDistribute'], dry.json['Intel']], [header, plan.Intel])
    const { status, json } = await distribute()
    const { At, ...rest } = json
    deepEqual(
      [status, rest],
      [
        200,
        {
          ...{ Applied: true, Distributed: header, By: 'Gelu', StagedTo: null },
          ...{ Intel: plan.Intel, Places: plan.Places },
        },
      ],
    )
    const world = at.world()
    ok(world !== null)
    deepEqual([purseOf(world), world.closeLedger.closed.size], [100, 0])
    const again = await distribute()
    deepEqual([again.json['Applied'], again.json['At'], again.json['Intel']], [false, At, []])
    const closed = await close(at, { header })
    deepEqual([closed.status, closed.json['Intel']], [200, []])
    const rows = (texts(at)[ledger] ?? '')
      .trimEnd()
      .split('\n')
      .map(line => fieldsOf(JSON.parse(line)))
    deepEqual(
      rows.map(row => [row['op'], Array.isArray(row['intel']) ? row['intel'].length : null]),
      [
        ['distribute', 3],
        ['close', 0],
      ],
    )
    deepEqual(
      rows.map(row => row['listed']),
      [['Most', 'Most/Karczma'].map(of => ({ file: `Lokacje/${of}/Sesje.md`, isNew: true })), undefined],
    )
    const late = await distribute()
    deepEqual([late.status, late.json['error']], [409, 'SessionClosed'])
  })

  it('refuses an unknown header, and a body that is none', async () => {
    const at = await open({ 'sesje/maj.md': ordinary })
    const unknown = await close(at, { header: '2026-01-01, Nic, Solmyr' })
    deepEqual([unknown.status, unknown.json['error']], [404, 'SessionNotFound'])
    for (const [body, path] of [
      [{}, '$.header'],
      [{ header: 1 }, '$.header'],
      [{ header, note: 7 }, '$.note'],
      [{ header, uwaga: 'x' }, '$.uwaga'],
    ] as const) {
      const { status, json } = await close(at, body)
      deepEqual([status, json['error'], json['path']], [400, 'BodyInvalid', path])
    }
    const forged = await close(at, { header, note: 'a\u0007b' })
    deepEqual([forged.status, forged.json['error'], forged.json['field']], [422, 'ValueRefused', 'note'])
    const long = await close(at, { header, note: 'a'.repeat(100_000) })
    deepEqual([long.status, long.json['error']], [422, 'BoundExceeded'])
    equal(texts(at)[ledger], undefined)
  })

  it('is finalized by no narrator of another session', async () => {
    const row = {
      header,
      op: 'close',
      at: '2026-05-11T00:00:00Z',
      by: 'Solmyr',
      source: 'close',
      deferred: true,
    }
    const merged = `${JSON.stringify({ ...row, transfers: [], intel: [] })}\n`
    const at = await open({ 'sesje/maj.md': ordinary, [ledger]: merged })
    const { status, json } = await at.client.ask('/workflows/finalize-close', {
      method: 'POST',
      body: JSON.stringify({ header }),
      token: 'other',
    })
    deepEqual([status, fieldsOf(json)['error']], [403, 'NotYourSession'])
    equal(texts(at)[ledger], merged)
  })

  it('is finalized only where every line of the ledger can be read', async () => {
    const row = {
      header,
      op: 'close',
      at: '2026-05-11T00:00:00Z',
      by: 'Solmyr',
      source: 'close',
      deferred: true,
    }
    const damaged = `${JSON.stringify({ ...row, transfers: [], intel: [] })}\n{"header":1}\n`
    const at = await open({ 'sesje/maj.md': ordinary, [ledger]: damaged })
    const { status, json } = await at.client.ask('/workflows/finalize-close', {
      method: 'POST',
      body: JSON.stringify({ header }),
      token: 'narrator',
    })
    deepEqual([status, fieldsOf(json)['error']], [422, 'CloseBlocked'])
    equal(texts(at)[ledger], damaged)
  })
})
