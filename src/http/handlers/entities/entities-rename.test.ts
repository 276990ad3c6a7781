import { deepEqual, equal, ok } from 'node:assert/strict'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const index = `###   Orrin
- @typ: Postać
- @należy_do: Solmyr
- @alias: Kupiec

### Wita
- @typ: NPC
- @grupa: Orrin
- @lokacja: Las/Orrin

### Miecz
* @typ: Przedmiot
* @należy_do:  orrin (:2024-05) (auto)
* @należy_do: Solmyr (2024-06:)

### Solmyr
- @typ: NPC
- @należy_do: Kupiec
`
const files = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': index,
  'encje/inne.md': '### Tarcza\r\n- @typ: Przedmiot\r\n- @należy_do: Orrin\r\n',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'Postaci/Gracze/Orrin.md': '**Stan:**\r\nZdrowy.\r\n',
  'sesje/2026.md':
    '### 2026-01-02, Targ, Solmyr\n\nOrrin kupił sól. Orrinowi zazdrościli.\n- @PU:\n    - Orrin: 1\n',
}

describe('DELETE /entities/{name} and POST /entities/{name}/name', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: worldOf(files) })
  })
  afterEach(() => front.close())

  const texts = () => textsOf(front.world() ?? worldOf(files))
  const rename = (name: string, to: string, query = '') =>
    front.client.ask(`/entities/${encodeURIComponent(name)}/name${query}`, {
      method: 'POST',
      body: JSON.stringify({ name: to }),
    })

  it('gives another heading: alias kept, owned things follow, the rest is told', async () => {
    const reply = await rename('Orrin', 'Orrin Sprawiedliwy')
    equal(reply.status, 200, reply.text)
    deepEqual(reply.json, {
      renamed: 'Orrin Sprawiedliwy',
      from: 'Orrin',
      retargeted: [
        { file: 'encje/indeks.md', tag: 'należy_do', lines: [13] },
        { file: 'encje/inne.md', tag: 'należy_do', lines: [3] },
      ],
      reported: [
        { file: 'encje/indeks.md', tag: 'grupa', lines: [8] },
        { file: 'encje/indeks.md', tag: 'lokacja', lines: [9] },
        { file: 'sesje/2026.md', tag: null, lines: [3, 5] },
      ],
    })
    const after = texts()
    equal(
      after['encje/indeks.md'],
      index
        .replace('###   Orrin\n', '###   Orrin Sprawiedliwy\n')
        .replace('- @alias: Kupiec\n', '- @alias: Kupiec\n- @alias: Orrin\n')
        .replace(
          '* @należy_do:  orrin (:2024-05) (auto)',
          '* @należy_do: Orrin Sprawiedliwy (:2024-05) (auto)',
        ),
    )
    equal(after['encje/inne.md'], '### Tarcza\r\n- @typ: Przedmiot\r\n- @należy_do: Orrin Sprawiedliwy\r\n')
    equal(after['Postaci/Gracze/Orrin.md'], undefined)
    equal(after['Postaci/Gracze/Orrin Sprawiedliwy.md'], files['Postaci/Gracze/Orrin.md'])
    equal(after['sesje/2026.md'], files['sesje/2026.md'])
    ok((await front.client.ask('/entities/Orrin')).text.includes('"Name":"Orrin Sprawiedliwy"'))
  })

  it('previews a new name', async () => {
    const reply = await rename('Orrin', 'Inny', '?dryRun=true')
    ok(reply.text.includes('"wouldRename":"Inny"') && reply.text.includes('+###   Inny'), reply.text)
    deepEqual(texts(), files)
  })

  it('changes nothing for the name that it has, and its case alone without an alias', async () => {
    deepEqual((await rename('Wita', 'Wita')).status, 200)
    deepEqual(texts(), files)
    await rename('Wita', 'WITA')
    equal(texts()['encje/indeks.md'], index.replace('### Wita', '### WITA'))
  })

  const refused: ReadonlyArray<readonly [string, string, string, string, number, string]> = [
    ['a heading of another type', 'Wita', 'Miecz', '', 409, 'NameTaken'],
    ['nobody', 'Nikt', 'Ktoś', '', 404, 'EntityNotFound'],
    ['a name of two', 'Solmyr', 'Ktoś', '', 409, 'AmbiguousName'],
    ['a person', 'Solmyr', 'Ktoś', '?type=Gracz', 422, 'RosterStoreProperty'],
    ['a forged name', 'Wita', 'A\n### B', '', 422, 'ValueRefused'],
  ]
  for (const [what, name, to, query, status, error] of refused)
    it(`refuses ${what}: ${status} ${error}`, async () => {
      const reply = await rename(name, to, query)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [status, error], reply.text)
      deepEqual(texts(), files)
    })

  const called = worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': [
      '### Wita\n- @typ: NPC',
      '### Ryś\n- @typ: Grupa\n- @alias: Kocur (:2025-12)\n- @alias: Mruczek\n- @nick: Burek (2027:)\n',
    ].join('\n'),
    'kontrybutorzy.md': '## Gracz\n### Cis\n- @gameid: 1\n- @alias: Cisek\n- @alias: Cisuś (:2020)\n',
  })
  for (const [to, status] of [
    ['Mruczek', 409],
    ['Burek', 409],
    ['Cisek', 409],
    ['cis', 409],
    ['Kocur', 200],
    ['Cisuś', 200],
  ] as const)
    it(`a name that another block answers to, of whatever type, today or later, is taken: ${to} ${status}`, async () => {
      front.serve(called)
      const reply = await rename('Wita', to)
      equal(reply.status, status, reply.text)
      if (status === 409) equal(jsonField(reply.json, 'error'), 'NameTaken')
    })

  const aliases: ReadonlyArray<readonly [what: string, before: string, after: string]> = [
    ['has ended', '- @alias: Wita (:2020)\n', '- @alias: Wita\n'],
    ['has ended, in another spelling', '- @alias: wi\u200bta (2019:2020)\n', '- @alias: Wita\n'],
    ['begins later', '- @alias: Wita (2999:)\n', '- @alias: Wita\n'],
    ['is open', '- @alias: Wita (2020:)\n', '- @alias: Wita (2020:)\n'],
    [
      'is open beside one that has ended',
      '- @alias: Wita (:2020)\n- @alias: Wita\n',
      '- @alias: Wita (:2020)\n- @alias: Wita\n',
    ],
    ['is a nick', '- @nick: Wita\n', '- @nick: Wita\n- @alias: Wita\n'],
  ]
  for (const [what, before, after] of aliases)
    it(`leaves the old heading as an open alias where one of its spelling ${what}`, async () => {
      const block = (heading: string, rows: string): string => `### ${heading}\n- @typ: NPC\n${rows}`
      front.serve(worldOf({ ...files, 'encje/indeks.md': block('Wita', before) }))
      equal((await rename('Wita', 'Zielarka')).status, 200)
      equal(texts()['encje/indeks.md'], block('Zielarka', after))
      const taken = await front.client.ask('/entities', {
        method: 'POST',
        body: JSON.stringify({ name: 'Wita', type: 'NPC' }),
      })
      deepEqual([taken.status, jsonField(taken.json, 'error')], [409, 'NameTaken'])
      equal(jsonField((await front.client.ask('/entities/Wita')).json, 'Name'), 'Zielarka')
    })

  const remove = (name: string, query = '') =>
    front.client.ask(`/entities/${encodeURIComponent(name)}${query}`, { method: 'DELETE' })

  it('deletes softly, once', async () => {
    const first = await remove('Wita')
    deepEqual([first.status, first.json], [200, { deleted: 'Wita', status: 'Usunięty' }])
    const after = index.replace(
      '- @lokacja: Las/Orrin\n',
      '- @lokacja: Las/Orrin\n- @status: Usunięty (2026-06:)\n',
    )
    equal(texts()['encje/indeks.md'], after)
    equal((await remove('Wita')).status, 200)
    equal(texts()['encje/indeks.md'], after)
  })

  it('previews a deletion, and refuses persons, nobody and several', async () => {
    ok((await remove('Wita', '?dryRun=true')).text.includes('"wouldDelete":"Wita"'))
    for (const [name, query, status, error] of [
      ['Solmyr', '?type=Gracz', 422, 'RosterStoreProperty'],
      ['Nikt', '', 404, 'EntityNotFound'],
      ['Solmyr', '', 409, 'AmbiguousName'],
    ] as const) {
      const reply = await remove(name, query)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [status, error])
    }
    deepEqual(texts(), files)
  })
})
