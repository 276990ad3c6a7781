import { deepEqual, equal, ok } from 'node:assert/strict'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const index = `### Kupiec Orrin
- @typ: NPC
- @alias: Orrin (2024-01:)
- @lokacja: Steadwick (:2024-05)
- @lokacja: Enroth/Erathia (2024-06:)
- @grupa: Kupcy (2024-06:)
- @plik: Opisy/Orrin.md
- @info: Handlarz.
  Znany.
- @dziwny: tak
- @prfwebhook: https://tajne

### Kupcy
- @typ: Grupa
- @status: Nieaktywny

### Enroth
- @typ: Lokacja

### Erathia
- @typ: Lokacja
- @lokacja: Enroth
- @drzwi: Steadwick

### Erathia
- @typ: Mapa
- @gameid: 77

### Steadwick
- @typ: Lokacja

### Xeron
- @typ: Postać
- @należy_do: Solmyr
- @pu_suma: 31,25
- @tematy_zastrzezone: pająki

### Miecz
- @typ: Przedmiot
- @należy_do: Xeron
- @ilość: 2

### links
- @typ: NPC

### Pętla
- @typ: Lokacja
- @lokacja: Pętla
`

const snapshot = worldOf({
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': index,
  'kontrybutorzy.md':
    '## Gracz\n### Solmyr\n- @gameid: 12345 (2023-06:)\n- @klucz_api: sha256:aa\n- @tematy: gore\n',
  'Opisy/Orrin.md':
    '# Orrin\nOpis.\n### 2024-05-01, Wyprawa, Solmyr\ntajne\n#### dalej\ntajne\n### Dom\nCzęść domowa.\n',
  'sesje.md':
    '### 2024-05-01, Wyprawa, Solmyr\n\nKupiec Orrin poszedł do lasu.\n\n- @Lokacje:\n    - Enroth/Erathia\n- @Logi:\n    - https://logi.example/1\n- @PU:\n    - Xeron: 0.3\n\n### 2024-04-01, Wcześniej, Solmyr\n\n- @Lokacje:\n    - Steadwick\n- @PU:\n    - Xeron: 0.3\n',
})

describe('routes of entities', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({
      snapshot,
      callers: { reader: callerWith(['entity.read']), nobody: callerWith(['pu.read']) },
    })
  })
  after(() => front.close())

  const read = async (path: string, token?: string): Promise<Record<string, unknown>> => {
    const reply = await front.client.ask(path, token === undefined ? {} : { token })
    equal(reply.status, 200, reply.text)
    ok(isFields(reply.json))
    return reply.json
  }
  const items = async (path: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
    const list = (await read(path))['items']
    ok(Array.isArray(list))
    return list.filter(isFields)
  }
  const names = async (query: string) => (await items(`/entities${query}`)).map(item => item['Name'])

  it('list every entity, filtered and windowed', async () => {
    equal((await names('')).length, 11)
    deepEqual(await names('?type=Mapa'), ['Erathia'])
    deepEqual(await names('?status=Nieaktywny'), ['Kupcy'])
    deepEqual(await names('?group=kupcy'), ['Kupiec Orrin'])
    deepEqual(await names('?location=Erathia'), ['Kupiec Orrin'])
    deepEqual(await names('?location=Steadwick&activeOn=2024-01-01'), ['Kupiec Orrin'])
    deepEqual(await names('?name=ERATH'), ['Erathia', 'Erathia'])
    deepEqual(await names('?name=links'), ['links'])
    const page = await read('/entities?limit=2&offset=10')
    deepEqual([page['count'], page['total'], page['limit'], page['offset']], [1, 11, 2, 10])
    equal((await front.client.ask('/entities?type=Smok')).status, 400)
    equal((await front.client.ask('/entities?activeOn=wczoraj')).status, 400)
  })

  it('list a Gracz in the store and in the index once, as the store has it', async () => {
    const twice = worldOf({
      'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n- @alias: Sol\n',
      'encje/indeks.md':
        '### SOLMYR\n- @typ: Gracz\n- @alias: Inny\n\n### Solmyr\n- @typ: NPC\n\n### Kyrre\n- @typ: Gracz\n',
    })
    const served = await testFront({ snapshot: twice })
    const get = async (path: string) => (await served.client.ask(path)).text
    const count = (text: string): number => text.match(/solmyr/giu)?.length ?? 0
    equal(
      count(await get('/entities?type=Gracz&name=solmyr')),
      count(await get('/entities/Solmyr?type=Gracz')),
    )
    equal((await get('/entities?type=Gracz')).includes('"count":2'), true)
    equal((await get('/entities/links')).match(/"n":"solmyr","t":"Gracz"/giu)?.length, 1)
    equal((await get('/entities/search?q=Solmyr&type=Gracz')).includes('"total":1'), true)
    equal((await served.client.ask('/entities/Inny')).status, 404)
    const resolved = await served.client.ask('/resolve', {
      method: 'POST',
      body: '{"name": "Solmyr", "typ": "Gracz"}',
    })
    deepEqual(isFields(resolved.json) && [resolved.json['name'], resolved.json['ambiguous']], [
      'Solmyr',
      false,
    ])
    equal((await get('/claims/lint?fresh=true')).includes('rejestr-w-indeksie'), true)
    await served.close()
  })

  it('answer a path name above 1,000 characters with their own 404', async () => {
    const long = encodeURIComponent('ż'.repeat(1200))
    const served = await testFront({ snapshot, callers: { nobody: callerWith(['pu.read']) } })
    for (const [method, path, error, body] of [
      ['GET', `/entities/${long}`, 'EntityNotFound', null],
      ['GET', `/entities/${long}/sessions`, 'EntityNotFound', null],
      ['PATCH', `/entities/${long}`, 'EntityNotFound', { tag: 'info', value: 'x' }],
      ['POST', `/entities/${long}/name`, 'EntityNotFound', { name: 'Wit' }],
      ['GET', `/people/${long}`, 'PersonNotFound', null],
      ['GET', `/characters/${long}`, 'CharacterNotFound', null],
      ['GET', `/locations/${long}`, 'LocationNotFound', null],
      ['GET', `/sessions/${long}`, 'SessionNotFound', null],
      ['PATCH', `/sessions/${long}`, 'SessionNotFound', { content: 'x' }],
      ['GET', `/sessions/narrator/${long}/profile`, 'NarratorNotFound', null],
      ['GET', `/name-index/lookup/${long}`, 'SpellingNotFound', null],
      ['GET', `/jobs/${long}`, 'JobNotFound', null],
      ['DELETE', `/tokens/${long}`, 'TokenNotFound', null],
    ] as const) {
      const reply = await served.client.ask(path, {
        method,
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      })
      deepEqual(
        [reply.status, isFields(reply.json) && reply.json['error']],
        [404, error],
        `${method} ${path.slice(0, 20)}`,
      )
      equal(reply.text.length < 5_000, true)
    }
    equal((await served.client.ask(`/entities/${long}`, { token: 'nobody' })).status, 403)
    await served.close()
  })

  it('tell an entity in full, unknown tags and sources included', async () => {
    const orrin = await read('/entities/kupiec%20orrin')
    deepEqual(
      [orrin['Type'], orrin['Status'], orrin['Location'], orrin['Groups'], orrin['Aliases'], orrin['Info']],
      ['NPC', 'Aktywny', 'Enroth/Erathia', ['Kupcy'], ['Orrin'], ['Handlarz.\nZnany.']],
    )
    deepEqual(
      [orrin['Owner'], orrin['PuSuma'], orrin['Doors'], orrin['MatchedToken']],
      [null, null, [], null],
    )
    ok(Array.isArray(orrin['Tags']))
    const tags: ReadonlyArray<unknown> = orrin['Tags']
    deepEqual(tags[2], {
      Tag: 'lokacja',
      Value: 'Steadwick',
      From: null,
      To: '2024-05-31',
      Auto: false,
      File: 'encje/indeks.md',
      Session: null,
      Line: 4,
    })
    ok(JSON.stringify(tags).includes('dziwny'))
    equal((await read('/entities/Kupiec%20Orrin?activeOn=2024-02-01'))['Location'], 'Steadwick')
    equal((await read('/entities/Xeron'))['PuSuma'], 31.25)
    equal((await read('/entities/Miecz'))['Quantity'], 2)
    equal((await read('/entities/Solmyr'))['GameId'], '12345')
  })

  it('never carry credentials nor restricted topics', async () => {
    const { text } = await front.client.ask('/entities')
    for (const secret of ['sha256', 'gore', 'pająki', 'tajne']) ok(!text.includes(secret), secret)
  })

  it('answer the first type of a heading and name the others', async () => {
    const place = await read('/entities/Erathia')
    deepEqual([place['Type'], place['AlsoTypes']], ['Lokacja', ['Mapa']])
    const map = await read('/entities/Erathia?type=Mapa')
    deepEqual([map['Type'], map['GameId'], map['AlsoTypes']], ['Mapa', '77', ['Lokacja']])
    equal((await read('/entities/orrin'))['Name'], 'Kupiec Orrin')
  })

  it('refuse an unknown name on every route', async () => {
    for (const route of [
      '',
      '/player',
      '/sessions',
      '/path',
      '/file',
      '/locations',
      '/relations',
      '/timeline',
    ]) {
      const reply = await front.client.ask(`/entities/Nikt${route}`)
      equal(reply.status, 404)
      ok(isFields(reply.json) && reply.json['error'] === 'EntityNotFound')
    }
    equal((await front.client.ask('/entities/Xeron', { token: 'nobody' })).status, 403)
    equal((await front.client.ask('/entities/Xeron/sessions', { token: 'reader' })).status, 403)
    equal((await front.client.ask('/entities/Xeron/timeline', { token: 'reader' })).status, 403)
  })

  it('list what the readers noticed', async () => {
    const found = (await items('/entities/integrity')).map(one => [one['Kind'], one['Subject'], one['Line']])
    deepEqual(
      found.filter(([, subject]) => subject === 'Kupiec Orrin'),
      [
        ['UnknownTag', 'Kupiec Orrin', 10],
        ['RawWebhookValue', 'Kupiec Orrin', 11],
      ],
    )
    ok(found.some(([kind, subject]) => kind === 'NameShadowedByRoute' && subject === 'links'))
    ok(found.some(([kind, subject]) => kind === 'LocationCycle' && subject === 'Pętla'))
    equal((await read('/entities/integrity?limit=1'))['count'], 1)
  })

  it('link every block to its document and spellings', async () => {
    equal((await items('/entities/links')).length, 11)
    deepEqual(await items('/entities/links?withFile=true'), [
      { n: 'Kupiec Orrin', t: 'NPC', p: 'Opisy/Orrin.md', s: ['Orrin'] },
    ])
    deepEqual((await items('/entities/links?withFile=true&activeOn=2023-01-01'))[0]?.['s'], [])
  })

  it('find the Gracz behind a Postać and what it owns', async () => {
    const player = { Name: 'Solmyr', Type: 'Gracz', GameId: '12345' }
    deepEqual(await read('/entities/Xeron/player'), { entity: 'Xeron', type: 'Postać', player, through: [] })
    deepEqual((await read('/entities/Miecz/player'))['through'], [{ name: 'Xeron', type: 'Postać' }])
    deepEqual((await read('/entities/Solmyr/player'))['player'], player)
    equal((await read('/entities/Kupcy/player'))['player'], null)
  })

  it('list the sessions that name it, and those set in a place', async () => {
    deepEqual(await read('/entities/Orrin/sessions'), {
      entity: 'Kupiec Orrin',
      count: 1,
      sessions: [{ header: '2024-05-01, Wyprawa, Solmyr', date: '2024-05-01', logCount: 1 }],
    })
    equal((await read('/entities/Xeron/sessions'))['count'], 2)
    equal((await read('/entities/Erathia/sessions'))['count'], 1)
    equal((await read('/entities/Enroth/sessions'))['count'], 1)
    equal((await read('/entities/Steadwick/sessions'))['count'], 1)
    equal((await read('/entities/Miecz/sessions'))['count'], 0)
  })

  it('tell the canonical path', async () => {
    deepEqual(await read('/entities/Erathia/path'), {
      entity: 'Erathia',
      type: 'Lokacja',
      path: 'Lokacja/Enroth/Erathia',
      ancestors: [{ name: 'Enroth', type: 'Lokacja' }],
      cycle: false,
    })
    equal((await read('/entities/P%C4%99tla/path'))['cycle'], true)
    equal((await read('/entities/Xeron/path'))['path'], 'Postać/Xeron')
  })

  it('give the document, without sessions to whoever may not read them', async () => {
    const whole = await read('/entities/Orrin/file')
    deepEqual([whole['file'], whole['cut']], ['Opisy/Orrin.md', false])
    ok(String(whole['content']).includes('tajne'))
    const cut = await read('/entities/Orrin/file', 'reader')
    deepEqual([cut['content'], cut['cut']], ['# Orrin\nOpis.\n### Dom\nCzęść domowa.\n', true])
    const none = await front.client.ask('/entities/Xeron/file')
    equal(none.status, 404)
    ok(isFields(none.json) && none.json['error'] === 'FileNotFound')
  })

  it('tell where it is and has been', async () => {
    const been = await read('/entities/Orrin/locations')
    deepEqual([been['current'], been['count']], ['Enroth/Erathia', 2])
    deepEqual(
      (await items('/entities/Orrin/locations')).map(one => [one['location'], one['to'], one['active']]),
      [
        ['Steadwick', '2024-05-31', false],
        ['Enroth/Erathia', null, true],
      ],
    )
  })

  it('tell relations in both directions', async () => {
    const orrin = await read('/entities/Orrin/relations')
    deepEqual(orrin['groups'], [{ name: 'Kupcy', type: 'Grupa' }])
    deepEqual(orrin['location'], { name: 'Erathia', type: 'Lokacja' })
    deepEqual((await read('/entities/Kupcy/relations'))['members'], [{ name: 'Kupiec Orrin', type: 'NPC' }])
    deepEqual((await read('/entities/Xeron/relations'))['owned'], [{ name: 'Miecz', type: 'Przedmiot' }])
    const place = await read('/entities/Erathia/relations')
    deepEqual(place['residents'], [{ name: 'Kupiec Orrin', type: 'NPC' }])
    deepEqual(place['doors'], [{ name: 'Steadwick', type: 'Lokacja' }])
    deepEqual((await read('/entities/Enroth/relations'))['residents'], [{ name: 'Erathia', type: 'Lokacja' }])
  })

  it('put dated rows and sessions on one line of time', async () => {
    const line = await items('/entities/Orrin/timeline')
    deepEqual(
      line.map(one => [one['date'], one['property'], one['value'], one['session'] !== null]),
      [
        [null, 'Lokacja', 'Steadwick', false],
        ['2024-01-01', 'alias', 'Orrin', false],
        ['2024-05-01', 'Sesja', 'Wyprawa', true],
        ['2024-06-01', 'Lokacja', 'Enroth/Erathia', false],
        ['2024-06-01', 'Grupa', 'Kupcy', false],
      ],
    )
  })
})
