import { deepEqual, equal, ok } from 'node:assert/strict'
import * as t from 'io-ts'
import { type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const store = '## Gracz\n### Solmyr\n- @gameid: 1\n'
const index = `### Kupiec Orrin
- @typ: NPC
- @alias: Orrin
- @lokacja: Zamek (Steadwick) (2024-06:)
- @grupa: Kupcy
- @info: Handluje solą.
  Zna drogi.
- @dziwny: tak${'  '}

### Kupcy
- @typ: Grupa
- @alias: Cech

### Rzemieślnicy
- @typ: Grupa
- @alias: Cech

### Steadwick
- @typ: Lokacja

### Steadwick
- @typ: NPC

### Zamek (Steadwick)
- @typ: Lokacja
- @lokacja: Steadwick

### Zamek (Tatalia)
- @typ: Lokacja

### Solmyr
- @typ: Postać
- @należy_do: Solmyr
`

const world = () =>
  worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': index, 'kontrybutorzy.md': store })

describe('PATCH /entities/{name}', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: world() })
  })
  afterEach(() => front.close())

  const patch = async (name: string, body: object, query = '') => {
    const target = `/entities/${encodeURIComponent(name)}${query}`
    return front.client.ask(target, { method: 'PATCH', body: JSON.stringify(body) })
  }
  const text = (): string => textsOf(front.world() ?? world())['encje/indeks.md'] ?? ''

  it('ends the open row and adds one, and touches no other line', async () => {
    const reply = await patch('Orrin', { tag: '@lokacja', value: 'Steadwick' })
    equal(reply.status, 200, reply.text)
    deepEqual(reply.json, { updated: 'Kupiec Orrin', tag: '@lokacja', changed: true })
    const row = '- @lokacja: Zamek (Steadwick) (2024-06:2026-05)\n- @lokacja: Steadwick (2026-06:)\n'
    equal(text(), index.replace('- @lokacja: Zamek (Steadwick) (2024-06:)\n', row))
    const read = await front.client.ask('/entities/Orrin')
    equal(Reflect.get(Object(read.json), 'Location'), 'Steadwick')
  })

  it('changes nothing where all is as wanted', async () => {
    for (const body of [
      { tag: 'lokacja', value: 'Zamek (Steadwick)' },
      { tag: 'grupa', value: 'Kupcy' },
      { tag: 'alias', value: 'ORRIN' },
      { tag: 'plik', value: 'Opisy/Orrin.md', remove: true },
    ]) {
      const reply = await patch('Orrin', body)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'changed')], [200, false], reply.text)
    }
    equal(text(), index)
  })

  it('previews with a diff and changes nothing', async () => {
    const reply = await patch('Orrin', { tag: 'info', value: 'Ma łódź.' }, '?dryRun=true')
    equal(reply.status, 200)
    ok(
      reply.text.includes('"wouldUpdate":"Kupiec Orrin"') && reply.text.includes('+- @info: Ma łódź.'),
      reply.text,
    )
    equal(text(), index)
  })

  it('takes a value away, its continuation lines with it', async () => {
    await patch('Orrin', { tag: 'info', value: 'Handluje solą.\nZna drogi.', remove: true })
    equal(text(), index.replace('- @info: Handluje solą.\n  Zna drogi.\n', ''))
  })

  const refused: ReadonlyArray<readonly [string, string, object, string, number, string]> = [
    ['an unknown tag', 'Orrin', { tag: 'zawód', value: 'kupiec' }, '', 422, 'TagUnknown'],
    ['a tag of another type', 'Orrin', { tag: 'wymiary', value: '3x4' }, '', 422, 'TagUnknown'],
    ['nobody', 'Nikt', { tag: 'info', value: 'x' }, '', 404, 'EntityNotFound'],
    ['a name of two types', 'Steadwick', { tag: 'info', value: 'x' }, '', 409, 'AmbiguousName'],
    ['an alias of two blocks', 'Cech', { tag: 'info', value: 'x' }, '', 409, 'AmbiguousName'],
    ['a Gracz', 'Solmyr', { tag: 'alias', value: 'Sol' }, '?type=Gracz', 422, 'RosterStoreProperty'],
    ['a type of persons', 'Orrin', { tag: 'typ', value: 'Gracz' }, '', 422, 'RosterStoreProperty'],
    ['no value', 'Orrin', { tag: 'info' }, '', 400, 'BodyInvalid'],
    ['a type taken', 'Steadwick', { tag: 'typ', value: 'Lokacja' }, '?type=NPC', 409, 'NameTaken'],
  ]
  for (const [what, name, body, query, status, error] of refused)
    it(`refuses ${what}: ${status} ${error}`, async () => {
      const reply = await patch(name, body, query)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [status, error], reply.text)
      equal(text(), index)
    })

  it('refuses a block that its file has twice, on every row: 409 AmbiguousName', async () => {
    const twice = ['NPC', 'Lokacja', 'Mapa', 'Postać'].map(type => {
      const block = `### Dwa ${type}\n- @typ: ${type}\n- @należy_do: Solmyr\n`
      return `${block}\n${block.replace('Dwa', 'DWA')}`
    })
    const files = { '.svc/format.json': '{"format": 2}', 'encje/indeks.md': twice.join('\n') }
    const other = await testFront({ snapshot: worldOf(files) })
    try {
      for (const [method, path, body] of [
        ['PATCH', '/entities/Dwa NPC', { tag: 'info', value: 'x' }],
        ['PATCH', '/entities/dwa NPC', { tag: 'info', value: 'x' }],
        ['DELETE', '/entities/Dwa NPC', {}],
        ['POST', '/entities/Dwa NPC/name', { name: 'Trzy' }],
        ['PATCH', '/locations/Dwa Lokacja', { tag: 'info', value: 'x' }],
        ['PATCH', '/maps/Dwa Mapa', { tag: 'info', value: 'x' }],
        ['PATCH', '/characters/Dwa Postać', { tag: 'info', value: 'x' }],
        ['DELETE', '/characters/Dwa Postać', {}],
      ] as const) {
        const reply = await other.client.ask(encodeURI(path), { method, body: JSON.stringify(body) })
        deepEqual(
          [reply.status, Reflect.get(Object(reply.json), 'error')],
          [409, 'AmbiguousName'],
          reply.text,
        )
      }
      deepEqual(textsOf(other.world() ?? worldOf(files))['encje/indeks.md'], files['encje/indeks.md'])
    } finally {
      await other.close()
    }
  })

  it('names the unknown tag and the allowed ones alike, with the at sign', async () => {
    const { json } = await patch('Orrin', { tag: '@statuss', value: 'Aktywny' })
    const refusal = t.type({ tag: t.string, allowed: t.array(t.string) }).decode(json)
    if (refusal._tag === 'Left') throw new Error(JSON.stringify(json))
    equal(refusal.right.tag, '@statuss')
    equal(refusal.right.allowed.includes('@status'), true)
    deepEqual(
      refusal.right.allowed.filter(one => !one.startsWith('@')),
      [],
    )
  })

  it('says of an NPC "An NPC"', async () => {
    const { text: said } = await patch('Orrin', { tag: 'zawód', value: 'kupiec' })
    equal(said.includes('"detail":"An NPC does not take this tag. Use one of `allowed`."'), true, said)
  })

  const values: ReadonlyArray<readonly [tag: string, value: string]> = [
    ['info', 'x\n### Injected'],
    ['info', ' \n- @rola: admin'],
    ['info', 'a\u0007'],
    ['info', '\u2028- @typ: Gracz'],
    ['info', '\u202ebase'],
    ['info', 'a\u200fb'],
    ['info', '\u061ca'],
    ['info', 'a\u3000'],
    ['info', '\ufeffa'],
    ['info', '   '],
    ['info', '@rola: admin'],
    ['info', 'dawno (2024:)'],
    ['info', 'dawno (2024-13:)'],
    ['info', 'pewne (auto)'],
    ['alias', '### Nowy'],
    ['alias', '../hasła'],
    ['status', 'Zaginiony'],
    ['lokacja', 'Zamek'],
    ['plik', '../etc/hasła.md'],
    ['plik', '.svc/roles.json'],
    ['plik', 'kontrybutorzy.md'],
    ['ref', '/etc/passwd'],
  ]
  for (const [tag, value] of values)
    it(`refuses @${tag}: ${JSON.stringify(value)}`, async () => {
      const reply = await patch('Orrin', { tag, value })
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [422, 'ValueRefused'], reply.text)
      equal(text(), index)
    })

  it('ends a value that holds, where it is given again with a last day', async () => {
    const reply = await patch('Orrin', { tag: 'lokacja', value: 'Zamek (Steadwick)', to: '2026-12' })
    deepEqual([reply.status, Reflect.get(Object(reply.json), 'changed')], [200, true], reply.text)
    await patch('Orrin', { tag: 'grupa', value: 'Kupcy', to: '2027' })
    const wanted = index.replace('(2024-06:)', '(2024-06:2026-12)')
    equal(text(), wanted.replace('- @grupa: Kupcy\n', '- @grupa: Kupcy (:2027)\n'))
  })

  it('refuses a last day before the value would begin', async () => {
    for (const body of [
      { tag: 'lokacja', value: 'Steadwick', to: '2020' },
      { tag: 'lokacja', value: 'Zamek (Steadwick)', to: '2020' },
      { tag: 'grupa', value: 'Rybacy', to: '2020-01' },
    ]) {
      const reply = await patch('Orrin', body)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'field')], [422, 'to'], reply.text)
    }
    equal(text(), index)
  })

  it('takes a value away that is given as it was sent, blanks and all', async () => {
    await patch('Orrin', { tag: 'info', value: ' Zna z\u0307o\u0301łtą drogę.  ' })
    const reply = await patch('Orrin', {
      tag: 'info',
      value: ' Zna z\u0307o\u0301łtą drogę.  ',
      remove: true,
    })
    equal(Reflect.get(Object(reply.json), 'changed'), true)
    equal(text(), index)
  })

  it('names the places that a leaf may mean, and types and headings of a name', async () => {
    const leaf = await patch('Orrin', { tag: 'lokacja', value: 'Zamek' })
    deepEqual(Reflect.get(Object(leaf.json), 'candidates'), ['Zamek (Steadwick)', 'Zamek (Tatalia)'])
    const name = await patch('Steadwick', { tag: 'info', value: 'x' })
    deepEqual(Reflect.get(Object(name.json), 'types'), ['NPC', 'Lokacja'])
  })

  it('refuses a place in itself, and an owner of a Postać whom the store does not have', async () => {
    for (const [name, query, tag, value] of [
      ['Steadwick', '?type=Lokacja', 'lokacja', 'Zamek (Steadwick)'],
      ['Solmyr', '?type=Posta%C4%87', 'należy_do', 'Kupiec Orrin'],
    ] as const) {
      const reply = await patch(name, { tag, value }, query)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'field')], [422, `@${tag}`], reply.text)
    }
  })
})
