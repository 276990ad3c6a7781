import { deepEqual, equal, ok } from 'node:assert/strict'
import { type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const index = `### Tatalia
- @typ: Lokacja

### Port (Tatalia)
- @typ: Lokacja
- @lokacja: Tatalia

### Port (Erathia)
- @typ: Lokacja
- @alias: Przystań

### Gród
- @typ: Lokacja
- @alias: Przystań

### Latarnia
- @typ: Lokacja
- @lokacja: Wyspa

### Plan Tatalii
- @typ: Mapa
- @alias: Plan

### Plan Erathii
- @typ: Mapa
- @alias: Plan
`
const files = { '.svc/format.json': '{"format": 2}', 'encje/indeks.md': index }

describe('writes of places and maps', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: worldOf(files) })
  })
  afterEach(() => front.close())

  const text = (): string => textsOf(front.world() ?? worldOf(files))['encje/indeks.md'] ?? ''
  const ask = (request: string, body: object) => {
    const [method = '', path = ''] = request.split(/ (.*)/)
    return front.client.ask(encodeURI(path), { method, body: JSON.stringify(body) })
  }

  it('makes a place of the type that the route says, and takes no other', async () => {
    const other = await ask('POST /locations', { name: 'Młyn', type: 'NPC' })
    deepEqual([other.status, Reflect.get(Object(other.json), 'path')], [400, '$.type'])
    const reply = await ask('POST /locations', { name: 'Młyn', tags: { lokacja: 'Tatalia' } })
    deepEqual([reply.status, reply.json], [201, { created: 'Młyn', type: 'Lokacja' }])
    equal(text(), `${index}\n### Młyn\n- @typ: Lokacja\n- @lokacja: Tatalia\n`)
    const dry = await ask('POST /locations?dryRun=true', { name: 'Staw' })
    deepEqual([dry.status, Reflect.get(Object(dry.json), 'wouldCreate')], [200, 'Staw'])
    ok(!text().includes('Staw'))
  })

  it('makes a map with its metadata, active', async () => {
    const body = {
      name: 'Plan Młyna',
      gameid: 615,
      url: 'https://mapy.example/mlyn.png',
      tags: { slug: 'mlyn' },
    }
    const reply = await ask('POST /maps', body)
    deepEqual([reply.status, reply.json], [201, { created: 'Plan Młyna', type: 'Mapa' }])
    const rows = '- @gameid: 615\n- @url: https://mapy.example/mlyn.png\n- @slug: mlyn\n'
    equal(text(), `${index}\n### Plan Młyna\n- @typ: Mapa\n- @status: Aktywny (2026-06:)\n${rows}`)
  })

  it('writes a place by its path, and a map', async () => {
    const port = await front.client.ask('/locations/Tatalia%2FPort', {
      method: 'PATCH',
      body: JSON.stringify({ tag: '@outerior', value: 'tak' }),
    })
    deepEqual(port.json, { updated: 'Port (Tatalia)', tag: '@outerior', changed: true })
    const map = await ask('PATCH /maps/Plan Tatalii', { tag: 'wymiary', value: '96x64' })
    deepEqual(map.json, { updated: 'Plan Tatalii', tag: 'wymiary', changed: true })
    const wanted = index
      .replace('- @lokacja: Tatalia\n', '- @lokacja: Tatalia\n- @outerior: tak\n')
      .replace('- @alias: Plan\n', '- @alias: Plan\n- @wymiary: 96x64\n')
    equal(text(), wanted)
  })

  const refused: ReadonlyArray<readonly [what: string, request: string, body: object, answer: string]> = [
    ['no such place', 'PATCH /locations/Nigdzie', { tag: 'info', value: 'x' }, '404 LocationNotFound'],
    [
      'a map as a place',
      'PATCH /locations/Plan Tatalii',
      { tag: 'info', value: 'x' },
      '404 LocationNotFound',
    ],
    ['a leaf of several', 'PATCH /locations/Port', { tag: 'info', value: 'x' }, '409 AmbiguousName'],
    ['an alias of several', 'PATCH /locations/Przystań', { tag: 'info', value: 'x' }, '409 AmbiguousName'],
    ['no value', 'PATCH /locations/Tatalia', { tag: 'info' }, '400 BodyInvalid'],
    ['an unknown tag of a place', 'PATCH /locations/Tatalia', { tag: 'slug', value: 'x' }, '422 TagUnknown'],
    ['another type', 'PATCH /locations/Tatalia', { tag: 'typ', value: 'NPC' }, '422 ValueRefused'],
    ['a cycle', 'PATCH /locations/Tatalia', { tag: 'lokacja', value: 'Port (Tatalia)' }, '422 ValueRefused'],
    ['no such map', 'PATCH /maps/Tatalia', { tag: 'info', value: 'x' }, '404 MapNotFound'],
    ['an alias of two maps', 'PATCH /maps/Plan', { tag: 'info', value: 'x' }, '409 AmbiguousName'],
    ['no value of a map', 'PATCH /maps/Plan Tatalii', { tag: 'info' }, '400 BodyInvalid'],
    ['a tag of places on a map', 'PATCH /maps/Plan Tatalii', { tag: 'drzwi', value: 'x' }, '422 TagUnknown'],
    ['a size in pixels', 'PATCH /maps/Plan Tatalii', { tag: 'wymiary', value: '96×64' }, '422 ValueRefused'],
    ['a place that is there', 'POST /locations', { name: 'tatalia' }, '409 NameTaken'],
    ['an ambiguous leaf', 'POST /locations', { name: 'Port' }, '422 ValueRefused'],
    [
      'an unknown tag of a new place',
      'POST /locations',
      { name: 'X1', tags: { rola: 'x' } },
      '422 TagUnknown',
    ],
    ['a map that is there', 'POST /maps', { name: 'Plan' }, '409 NameTaken'],
    ['an unknown tag of a new map', 'POST /maps', { name: 'X1', tags: { rola: 'x' } }, '422 TagUnknown'],
    ['an address of a script', 'POST /maps', { name: 'X1', url: 'javascript:alert(1)' }, '422 ValueRefused'],
    ['two ids', 'POST /maps', { name: 'X1', gameid: '1', tags: { gameid: '2' } }, '422 ValueRefused'],
    [
      'two ids by two spellings',
      'POST /maps',
      { name: 'X1', gameid: '1', tags: { '@gameid': '2' } },
      '422 ValueRefused',
    ],
    [
      'a new place in itself',
      'POST /locations',
      { name: 'Grota', tags: { lokacja: 'grota' } },
      '422 ValueRefused',
    ],
    [
      'a new place in what waits for it',
      'POST /locations',
      { name: 'Wyspa', tags: { lokacja: 'Latarnia' } },
      '422 ValueRefused',
    ],
    [
      'a new place in what waits for its leaf',
      'POST /locations',
      { name: 'Wyspa (Tatalia)', tags: { lokacja: 'Tatalia/Latarnia' } },
      '422 ValueRefused',
    ],
  ]
  for (const [what, request, body, answer] of refused)
    it(`refuses ${what}: ${answer}`, async () => {
      const reply = await ask(request, body)
      equal(`${reply.status} ${Reflect.get(Object(reply.json), 'error')}`, answer, reply.text)
      equal(text(), index)
    })
})
