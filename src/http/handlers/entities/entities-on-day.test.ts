import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const index = `### Dąb
- @typ: NPC (:2024-05)
- @typ: Lokacja (2024-06:)
- @lokacja: Enroth (2024-06:)
- @alias: Drzewo (2024-06:)

### Dąb
- @typ: Mapa

### Enroth
- @typ: Lokacja

### Xeron
- @typ: Postać
- @stan: ranny (:2024-05-31)
- @stan: zdrów (2024-06-01:)
`

const files = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': index,
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 12345 (2023-06:)\n',
}

describe('entities as of a day', () => {
  let front: TestFront
  beforeEach(async () => {
    const callers = { reader: callerWith(['entity.read', 'player.read', 'session.read', 'log.read']) }
    front = await testFront({ snapshot: worldOf(files), callers })
  })
  afterEach(() => front.close())

  const read = async (path: string): Promise<Fields> => {
    const { status, text, json } = await front.client.ask(encodeURI(path).replaceAll('+', '%2B'))
    equal(status, 200, `${path} ${text}`)
    ok(isFields(json))
    return json
  }
  const typeAt = async (query: string): Promise<unknown> => (await read(`/entities/Dąb?${query}`))['Type']

  it('take an instant for its civil day in the zone of the host', async () => {
    const days = [
      ['2024-06-01T00:30+02:00', 'Lokacja'],
      ['2024-05-31T22:30:00Z', 'Lokacja'],
      ['2024-05-31T21:59:59.999Z', 'NPC'],
      ['2024-05-31T23:30-05:00', 'Lokacja'],
      ['2024-06-01T01:30+12:00', 'NPC'],
    ] as const
    for (const [activeOn, type] of days) equal(await typeAt(`activeOn=${activeOn}`), type, activeOn)
    const instant = '2024-06-01T00:30+02:00'
    equal((await read(`/characters/Xeron?activeOn=${instant}`))['Condition'], 'zdrów')
    const { items } = await read(`/entities/links?activeOn=${instant}`)
    ok(Array.isArray(items))
    deepEqual(
      items.filter(isFields).flatMap(one => (one['n'] === 'Dąb' ? [one['t']] : [])),
      ['Lokacja', 'Mapa'],
    )
  })

  it('take the zone from the committed configuration', async () => {
    front.serve(worldOf({ ...files, '.svc/config.json': '{"server": {"time_zone": "America/New_York"}}' }))
    equal(await typeAt('activeOn=2024-06-01T00:30+02:00'), 'NPC')
    equal(await typeAt('activeOn=2024-06-01T06:30+02:00'), 'Lokacja')
  })

  it('have one active place, the one that `current` names', async () => {
    const text = `### Wit
- @typ: NPC
- @lokacja: Enroth
- @lokacja: Port (2023-01:2023-06)
- @lokacja: Las (2023-03:2023-09)
`
    front.serve(worldOf({ ...files, 'encje/indeks.md': text }))
    for (const [activeOn, place] of [
      ['2022-01-01', 'Enroth'],
      ['2023-02-01', 'Port'],
      ['2023-04-10', 'Las'],
      ['2024-01-01', 'Enroth'],
    ] as const) {
      const { current, items } = await read(`/entities/Wit/locations?activeOn=${activeOn}`)
      ok(Array.isArray(items))
      const active = items.filter(isFields).flatMap(one => (one['active'] === true ? [one['location']] : []))
      deepEqual([current, active], [place, [place]])
    }
  })

  it('refuse an instant without an offset, or outside the years of four digits', async () => {
    const bad = [
      '2024-06-01T00:30',
      '2024-06-01T25:00Z',
      '2024-02-30T10:00:00Z',
      '2023-02-29T10:00Z',
      '2024-13-01T10:00:00+02:00',
      '2024-06-31T10:00:00.5Z',
      '0001-01-01T00:00Z',
      '9999-12-31T12:00Z',
      '2024-06-01T00:30 02:00',
    ]
    for (const activeOn of bad) {
      const { status, json } = await front.client.ask(encodeURI(`/entities/Enroth?activeOn=${activeOn}`))
      deepEqual([status, isFields(json) && json['parameter']], [400, 'activeOn'], activeOn)
    }
  })

  it('have the type of the day in `type`, in the answer and in the path', async () => {
    for (const [day, type, path] of [
      ['2024-05-31', 'NPC', 'NPC/Dąb'],
      ['2024-06-01', 'Lokacja', 'Lokacja/Enroth/Dąb'],
    ] as const) {
      const query = `activeOn=${day}`
      const plain = await read(`/entities/Dąb?${query}`)
      deepEqual([plain['Type'], plain['AlsoTypes']], [type, ['Mapa']])
      equal((await read(`/entities/Dąb?${query}&type=${type}`))['Line'], plain['Line'])
      const other = type === 'NPC' ? 'Lokacja' : 'NPC'
      equal((await front.client.ask(encodeURI(`/entities/Dąb?${query}&type=${other}`))).status, 404)
      for (const below of ['path', 'relations', 'locations', 'player'])
        equal((await read(`/entities/Dąb/${below}?${query}&type=${type}`))['type'], type, below)
      equal((await read(`/entities/Dąb/path?${query}`))['path'], path)
    }
    equal((await read('/entities/Dąb/path'))['path'], 'Lokacja/Enroth/Dąb')
    for (const below of ['history', 'timeline'])
      equal((await read(`/entities/Dąb/${below}?type=Lokacja`))['type'], 'Lokacja', below)
  })
})
