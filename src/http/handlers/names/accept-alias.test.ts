import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const index = `### Kupiec Orrin
- @typ: NPC
- @alias: Stary (:2023-12)

### Bazyl
- @typ: NPC
- @alias: Kowal

### Ithan
- @typ: Lokacja

### Cech
- @typ: Grupa

### Cech
- @typ: NPC
`
const world = worldOf(
  {
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': index,
    'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  },
  { language: { 'lematy.tsv': 'Miechownik\tKowal\n' } },
)

describe('POST /normalization/aliases/accept', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({
      snapshot: world,
      callers: { writer: callerWith(['entity.write']), reader: callerWith(['entity.write', 'entity.read']) },
    })
  })
  afterEach(() => front.close())

  const accept = (body: object, token = 'reader', query = '') =>
    front.client.ask(`/normalization/aliases/accept${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}` },
    })
  const text = (): string => textsOf(front.world() ?? world)['encje/indeks.md'] ?? ''

  it('writes the spelling as an alias from this month on, and the name resolves by it', async () => {
    const reply = await accept({ surface: '  Handlarz   solą ', name: 'Kupiec Orrin', type: 'NPC' })
    deepEqual(reply.json, { accepted: 'Handlarz solą', name: 'Kupiec Orrin', type: 'NPC', changed: true })
    equal(text(), index.replace('(:2023-12)\n', '(:2023-12)\n- @alias: Handlarz solą (2026-06:)\n'))
    const found = await front.client.ask('/resolve', { method: 'POST', body: '{"name": "handlarza solą"}' })
    equal(jsonField(found.json, 'name'), 'Kupiec Orrin')
  })

  it('shows in a dry run what it would write', async () => {
    const { json } = await accept(
      { surface: 'Handlarz solą', name: 'Kupiec Orrin' },
      'reader',
      '?dryRun=true',
    )
    equal(jsonField(json, 'wouldAccept'), 'Handlarz solą')
    ok(String(jsonField(json, 'diff')).includes('+- @alias: Handlarz solą (2026-06:)'))
    equal(text(), index)
  })

  it('writes nothing for a heading or an alias that the block has today, and dates one that has ended', async () => {
    for (const [surface, name] of [
      ['kupiec orrin', 'Kupiec Orrin'],
      ['KOWAL', 'Bazyl'],
    ] as const)
      equal(jsonField((await accept({ surface, name })).json, 'changed'), false)
    equal(text(), index)
    equal(jsonField((await accept({ surface: 'Stary', name: 'Kupiec Orrin' })).json, 'changed'), true)
    ok(text().includes('- @alias: Stary (2026-06:)'))
  })

  it('takes a form of the name of the block itself', async () => {
    for (const surface of ['Orrina', 'Pan Orrin'])
      equal(jsonField((await accept({ surface, name: 'Kupiec Orrin' })).json, 'changed'), true)
  })

  for (const [surface, type] of [
    ['Bazyl', 'NPC'],
    ['Kowal', 'NPC'],
    ['Bazyla', 'NPC'],
    ['bazylem', 'NPC'],
    ['Kowala', 'NPC'],
    ['Ithanie', 'Lokacja'],
    ['do Ithanu', null],
    ['Solmyra', 'Gracz'],
    ['Pan Bazyl', 'NPC'],
    ['panem Bazylem', 'NPC'],
    ['miechownik', 'NPC'],
  ] as const)
    it(`${type === null ? 'takes a text of more words' : 'refuses a form of another block'}: ${surface}`, async () => {
      const reply = await accept({ surface, name: 'Kupiec Orrin' })
      const wanted = type === null ? [200, undefined] : [409, 'NameTaken']
      deepEqual([reply.status, jsonField(reply.json, 'error')], wanted, reply.text)
      if (type !== null) deepEqual([jsonField(reply.json, 'type'), text()], [type, index])
    })

  it('names the other block to readers of entities alone', async () => {
    for (const [token, named] of [
      ['writer', false],
      ['reader', true],
    ] as const) {
      const reply = await accept({ surface: 'Kowala', name: 'Kupiec Orrin' }, token)
      deepEqual([reply.status, reply.text.includes('Bazyl')], [409, named], reply.text)
    }
  })

  for (const [body, status, error] of [
    [{ surface: 'Nowy', name: 'Nieznany' }, 404, 'EntityNotFound'],
    [{ surface: 'Nowy', name: 'Kupca Orrina' }, 404, 'EntityNotFound'],
    [{ surface: 'Nowy', name: 'Cech' }, 409, 'AmbiguousName'],
    [{ surface: 'Nowy', name: 'Solmyr' }, 422, 'RosterStoreProperty'],
    [{ surface: '# Nowy', name: 'Bazyl' }, 422, 'ValueRefused'],
    [{ surface: 'a\n### Kuty\n- @rola: admin', name: 'Bazyl' }, 422, 'ValueRefused'],
    [{ surface: 'Tematy zastrzeżone: y', name: 'Bazyl' }, 422, 'ValueRefused'],
    [{ surface: 'Kowal. TEMATY  zastrzezone – y: z', name: 'Bazyl' }, 422, 'ValueRefused'],
    [{ surface: '@trigger: y', name: 'Bazyl' }, 422, 'ValueRefused'],
    [{ surface: `apik_${'x'.repeat(20)}`, name: 'Bazyl' }, 422, 'ValueRefused'],
    [{ surface: `Kowal Bearer sess_${'x'.repeat(20)}`, name: 'Bazyl' }, 422, 'ValueRefused'],
    [{ surface: 'x'.repeat(201), name: 'Bazyl' }, 422, 'BoundExceeded'],
    [{ surface: ' ', name: 'Bazyl' }, 400, 'BodyInvalid'],
    [{ surface: 'Nowy', name: 'Bazyl', type: 'Smok' }, 400, 'BodyInvalid'],
  ] as const)
    it(`refuses ${JSON.stringify(body).slice(0, 60)} with ${error}`, async () => {
      const reply = await accept(body)
      deepEqual([reply.status, jsonField(reply.json, 'error')], [status, error], reply.text)
      equal(text(), index)
    })
})
