import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { textOfLines } from '#test/support/text-of-lines.js'
import { worldOf } from '#test/support/world.js'

const header = '2026-05-01, Próba, Solmyr'
const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': textOfLines('## Gracz', '### Solmyr', '- @gameid: 1'),
  'encje/indeks.md': textOfLines(
    '### Wit Kłos',
    '- @typ: Postać',
    '- @należy_do: Solmyr',
    '',
    '### Karczma',
    '- @typ: Lokacja',
    '',
    '### Orrin',
    '- @typ: NPC',
    '- @lokacja: Karczma',
    '- @info: SEKRET-INDEKSU',
  ),
  'Postaci/Gracze/Wit Kłos.md': textOfLines(
    '# Wit Kłos',
    '',
    '**Dodatkowe informacje:**',
    '',
    '- SEKRET-POSTACI',
  ),
  'sesje/2026.md': textOfLines(`### ${header}`, '', 'SEKRET-SESJI', '', '- Lokalizacje:', '    - Karczma'),
})

const every = 'admin.all'
const writes = ['entity.write', 'player.write', 'session.write', 'session.report', 'location.override']

describe('a dry run of a caller who may write and not read', () => {
  let front: TestFront
  before(async () => {
    const callers = {
      writer: callerWith(writes),
      reader: callerWith([...writes, 'entity.read', 'player.read', 'session.read']),
      all: callerWith([every]),
    }
    front = await testFront({ snapshot: world, callers, keepsWrites: false })
  })
  after(() => front.close())

  const ask = async (token: string, method: string, path: string, body: unknown, dryRun = true) => {
    const reply = await front.client.ask(dryRun ? `${path}?dryRun=true` : path, {
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}` },
    })
    ok(reply.status === 200 || reply.status === 201, reply.text)
    return reply
  }
  const path = (area: string, name: string, rest = ''): string =>
    `/${area}/${encodeURIComponent(name)}${rest}`

  const dryRuns: ReadonlyArray<{
    readonly row: string
    readonly of: readonly [method: string, path: string, body: unknown]
  }> = [
    { row: 'a new entry', of: ['POST', path('characters', 'Wit Kłos', '/info'), { text: 'Nowy wpis' }] },
    { row: 'a rename', of: ['POST', path('entities', 'Karczma', '/name'), { name: 'Gospoda' }] },
    { row: 'a renamed Postać', of: ['POST', path('entities', 'Wit Kłos', '/name'), { name: 'Wit Inny' }] },
    { row: 'another text', of: ['PATCH', path('sessions', header), { content: 'Inna treść.' }] },
    {
      row: 'a tag',
      of: ['PATCH', path('entities', 'Orrin'), { tag: 'lokacja', value: 'Wit Kłos', from: '2026-05' }],
    },
  ]

  for (const { row, of } of dryRuns) {
    it(`repeats no line of the lore: ${row}`, async () => {
      const reply = await ask('writer', ...of)
      ok(!/SEKRET|@lokacja: Karczma/u.test(reply.text), reply.text)
    })

    it(`is answered in full to a caller who may read: ${row}`, async () => {
      const [reader, all] = [await ask('reader', ...of), await ask('all', ...of)]
      equal(reader.text, all.text)
      ok(!all.text.includes('"withheld"'))
    })
  }

  it('says what is withheld and which capability shows it', async () => {
    const { json } = await ask('writer', 'POST', path('entities', 'Karczma', '/name'), { name: 'Gospoda' })
    deepEqual(jsonField(json, 'withheld'), [{ file: null, added: 2, removed: 1, required: ['entity.read'] }])
    equal(jsonField(json, 'diff'), '')
  })

  it('shows the line that the caller sent, and no entry beside it', async () => {
    const info = path('characters', 'Wit Kłos', '/info')
    const { json } = await ask('writer', 'POST', info, { text: 'Nowy wpis' })
    ok(String(jsonField(json, 'diff')).endsWith('+- Nowy wpis\n'))
    deepEqual([jsonField(json, 'items'), jsonField(json, 'count')], [[], 0])
    const written = await ask('writer', 'POST', info, { text: 'Nowy wpis' }, false)
    deepEqual(jsonField(written.json, 'items'), [])
  })
})
