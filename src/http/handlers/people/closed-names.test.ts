import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { bundles } from '#src/domain/identity/roles.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { closeSessions, indexWithPurses, payment, purseOf } from '#test/support/closed-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

type Texts = Readonly<Record<string, string>>

const anna = '### Anna\n- @typ: Postać\n- @należy_do: Solmyr\n- @alias: Ruda\n- @alias: Wolna\n'

const texts = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n### Kilgor\n- @gameid: 2\n',
  'encje/indeks.md': indexWithPurses(anna, '### Skarbiec\n- @typ: Grupa\n'),
  'Sesje.md': payment('Ruda'),
}

const twoRude: Texts = {
  ...texts,
  'encje/b.md': '### Berta\n- @typ: Postać\n- @należy_do: Kilgor\n- @alias: Ruda\n',
}

describe('names that closed sessions, PU and character files go by', () => {
  let front: TestFront
  const open = async (files: Texts): Promise<Snapshot> => {
    const snapshot = worldOf(files)
    const gracz = bundles['gracz'] ?? []
    front = await testFront({
      snapshot,
      callers: {
        anna: callerWith(gracz, 'Solmyr'),
        kilgor: callerWith(gracz, 'Kilgor'),
        blind: callerWith(['player.write.own'], 'Solmyr'),
        reader: callerWith([...gracz, 'session.read'], 'Solmyr'),
        writer: callerWith(['player.write', 'entity.write', 'entity.read']),
      },
    })
    return snapshot
  }
  afterEach(() => front.close())

  const ask = async (token: string, method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await front.client.ask(encodeURI(path), { method, token, ...sent })
    const fields = isFields(reply.json) ? reply.json : {}
    return { status: reply.status, error: fields['error'], detail: fields['detail'], json: fields }
  }
  const alias = (value: string, more: object = {}) => ({ tag: '@Alias', value, ...more })

  it('a player does not undo a closed transfer by taking an alias away', async () => {
    for (const files of [
      closeSessions(texts, false),
      closeSessions(texts, true),
      closeSessions(twoRude, false),
      closeSessions(twoRude, true),
    ]) {
      const before = purseOf(await open(files))
      for (const body of [
        alias('Ruda', { remove: true }),
        alias(' RUDA ', { remove: true, to: '2026-06-15' }),
        alias('ruda', { to: '2026-06-20' }),
      ]) {
        const { status, error } = await ask('anna', 'PATCH', '/characters/Anna', body)
        deepEqual([status, error], [409, 'NameTaken'], JSON.stringify(body))
      }
      equal((await ask('anna', 'PATCH', '/characters/Anna', alias('Wolna', { remove: true }))).status, 200)
      equal((await ask('anna', 'DELETE', '/characters/Anna')).status, 200)
      equal(purseOf(front.world() ?? worldOf(files)), before)
      await front.close()
    }
    await open(texts)
  })

  it('the refusal tells a player only what the player may read, and a narrator is not refused', async () => {
    await open(closeSessions(texts, true))
    const gone = alias('Ruda', { remove: true })
    const detailOf = async (token: string) => (await ask(token, 'PATCH', '/characters/Anna', gone)).detail
    const rest = 'the name "Ruda", so you cannot take it from the Postać. Ask a narrator to change it.'
    equal(await detailOf('blind'), `Something in the lore has ${rest}`)
    equal(await detailOf('reader'), `A session uses ${rest}`)
    equal((await ask('writer', 'PATCH', '/characters/Anna', gone)).status, 200)
  })

  it('a name of several blocks at close means none of them later, and a row without the list is still read', async () => {
    const closed = closeSessions(twoRude, true)
    const ledger = '.svc/close/ledger.jsonl'
    const one = { ...closed, 'encje/b.md': '' }
    equal(purseOf(await open(one)), 100)
    const older = (closed[ledger] ?? '').replace(',"several":["Ruda"]', '')
    equal(older === closed[ledger], false)
    equal(purseOf(worldOf({ ...one, [ledger]: older })), 40)
  })

  it('nobody takes the heading by which a closed session means a renamed block', async () => {
    const closed = closeSessions(texts, true)
    const index = closed['encje/indeks.md'] ?? ''
    // Renamed, with the old heading not kept as an alias: by a narrator, or by a commit.
    const away = {
      ...closed,
      'encje/indeks.md': `${index.replace('### Anna', '### Beata')}\n### Zenon\n- @typ: NPC\n- @typ: Postać (:2020)\n`,
    }
    const made = { name: 'anna', tags: { należy_do: 'Kilgor' } }
    const postać = { name: 'Inna', type: 'Postać', tags: { należy_do: 'Kilgor', alias: ['Anna'] } }
    const kept = index.replace('### Anna', '### Beata').replace('- @alias: Ruda', '- @alias: Anna')
    await open({ ...closed, 'encje/indeks.md': kept })
    const dropped = await ask('anna', 'PATCH', '/characters/Beata', alias('Anna', { remove: true }))
    deepEqual([dropped.status, dropped.error], [409, 'NameTaken'])
    await front.close()
    const before = purseOf(await open(away))
    const refused: ReadonlyArray<readonly [string, string, string, object]> = [
      ['kilgor', 'POST', '/characters', made],
      ['writer', 'POST', '/characters', made],
      ['writer', 'POST', '/entities', { ...made, type: 'Postać' }],
      ['writer', 'POST', '/entities', postać],
      ['writer', 'PATCH', '/entities/Zenon', alias('Anna')],
      ['writer', 'POST', '/entities/Zenon/name', { name: 'Anna' }],
    ]
    for (const [token, method, path, body] of refused) {
      const { status, error } = await ask(token, method, path, body)
      deepEqual([status, error], [409, 'NameTaken'], `${token} ${path} ${JSON.stringify(body)}`)
    }
    equal((await ask('kilgor', 'POST', '/characters', { ...made, name: 'Nowa' })).status, 201)
    const npc = await ask('writer', 'POST', '/entities', { name: 'Anna', type: 'NPC' })
    deepEqual(npc.json['unresolved'], [
      { name: 'Anna', use: 'owner', count: 1, blocks: [{ name: 'Korony Anny', type: 'Przedmiot' }] },
      { name: 'Anna', use: 'effect', count: 1, blocks: [] },
    ])
    const typed = await ask('writer', 'PATCH', '/entities/Anna?type=NPC', { tag: 'typ', value: 'Postać' })
    deepEqual([typed.status, typed.error], [409, 'NameTaken'])
    equal(purseOf(front.world() ?? worldOf(away)), before)
  })

  it('a move of money holds its names as a closed session does', async () => {
    const moves = '.svc/money/moves.jsonl'
    const transfers = (...payers: ReadonlyArray<string>) =>
      payers.map(source => ({ amount: 5, denomination: 'koron', source, destination: 'Skarbiec' }))
    const move = (meaning: object) =>
      JSON.stringify({
        ...{ id: 'm', at: '2026-05-02T18:00:00Z', day: '2026-05-01', by: '1', reason: 'x' },
        ...{ transfers: transfers('Ruda', 'Zenona'), ...meaning },
      })
    const meaning = { blocks: [{ name: 'Ruda', heading: 'Anna', type: 'Postać' }], purses: [] }
    const open_ = { ...texts, 'Sesje.md': '' }
    const zenon = { name: 'Zenon', tags: { należy_do: 'Kilgor' } }
    const gone = alias('Ruda', { remove: true })
    await open(open_)
    deepEqual(
      [
        (await ask('anna', 'PATCH', '/characters/Anna', gone)).status,
        (await ask('kilgor', 'POST', '/characters', zenon)).status,
      ],
      [200, 201],
    )
    await front.close()
    await open({ ...open_, [moves]: move({}) })
    deepEqual(
      [
        (await ask('anna', 'PATCH', '/characters/Anna', gone)).error,
        (await ask('kilgor', 'POST', '/characters', zenon)).error,
        (await ask('kilgor', 'POST', '/characters', { ...zenon, name: 'Zenona' })).error,
      ],
      ['NameTaken', 'NameTaken', 'NameTaken'],
    )
    await front.close()
    const away = texts['encje/indeks.md'].replace('### Anna', '### Beata')
    await open({ ...open_, 'encje/indeks.md': away, [moves]: move({ meaning }) })
    const made = { name: 'Anna', tags: { należy_do: 'Kilgor' } }
    for (const token of ['kilgor', 'writer'])
      equal((await ask(token, 'POST', '/characters', made)).error, 'NameTaken', token)
  })

  it('a place and a map do not take the heading of a renamed one either', async () => {
    const session = `### 2025-03-01, Burza, Mistrz

- @Zmiany:
    - Wieża
        - @status: Niepewny
    - Plan Wieży
        - @status: Niepewny
`
    const places = '### Wieża\n- @typ: Lokacja\n\n### Plan Wieży\n- @typ: Mapa\n'
    const others = '\n### Most\n- @typ: Lokacja\n\n### Szkic\n- @typ: Mapa\n'
    const closed = closeSessions({ ...texts, 'encje/indeks.md': places, 'Sesje.md': session }, true)
    const renamed = places.replace('### Wieża', '### Baszta').replace('### Plan Wieży', '### Plan Baszty')
    await open({ ...closed, 'encje/indeks.md': renamed + others })
    for (const [path, name] of [
      ['/locations/Most', 'Wieża'],
      ['/maps/Szkic', 'Plan Wieży'],
    ] as const) {
      const { status, error } = await ask('writer', 'PATCH', path, { tag: 'alias', value: name })
      deepEqual([status, error], [409, 'NameTaken'], path)
    }
  })

  it('a player takes no name of a PU award or of a character file', async () => {
    const award = { character: 'Dawna', granted: 1, sumaBefore: 1, sumaAfter: 2 }
    const batch = {
      id: '2025-03',
      month: '2025-03',
      at: '2025-04-02T00:00:00Z',
      source: 'batch',
      sessions: [],
      awards: [{ ...award, nadmiarBefore: 0, nadmiarAfter: 0 }],
    }
    await open({
      ...texts,
      '.svc/pu/batches.jsonl': `${JSON.stringify(batch)}\n`,
      'Postaci/Gracze/Porzucona.md': '**Karta Postaci:** <https://karta.example/1>\n',
    })
    for (const [name, use] of [
      ['Dawna', 'award'],
      ['porzucona', 'file'],
    ] as const) {
      const made = { name, tags: { należy_do: 'Kilgor' } }
      const { status, error } = await ask('kilgor', 'POST', '/characters', made)
      deepEqual([status, error], [409, 'NameTaken'], name)
      equal((await ask('anna', 'PATCH', '/characters/Anna', alias(name))).error, 'NameTaken')
      const told = await ask('writer', 'POST', '/characters?dryRun=true', made)
      deepEqual(told.json['unresolved'], [{ name, use, count: 1, blocks: [] }])
    }
  })
})
