import { deepEqual, equal, ok } from 'node:assert/strict'
import { type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const index = '### Orrin\n- @typ: NPC\n- @alias: Kupiec\n'
const base = { '.svc/format.json': '{"format": 2}' }
const blocks = (count: number): string =>
  Array.from({ length: count }, (_, at) => `### Postać ${at}\n- @typ: NPC\n`).join('\n')

describe('POST /entities', () => {
  let front: TestFront | null = null
  const serve = async (files: Readonly<Record<string, string>>) => {
    front = await testFront({ snapshot: worldOf({ ...base, ...files }) })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })

  const post = async (served: TestFront, body: object, query = '') =>
    served.client.ask(`/entities${query}`, { method: 'POST', body: JSON.stringify(body) })
  const texts = (served: TestFront) => textsOf(served.world() ?? worldOf(base))

  it('appends a block, its type first, and it can be read', async () => {
    const served = await serve({ 'encje/indeks.md': index })
    const tags = { info: ['Warzy zioła.', 'Mieszka sama.'], '@lokacja': 'Las', status: 'Aktywny' }
    const reply = await post(served, { name: ' Zielarka  Wita ', type: 'NPC', tags })
    const unresolved = [{ field: 'tags.lokacja', name: 'Las', why: 'unknown', suggestions: [] }]
    deepEqual([reply.status, reply.json], [201, { created: 'Zielarka Wita', type: 'NPC', unresolved }])
    equal(
      texts(served)['encje/indeks.md'],
      `${index}\n### Zielarka Wita\n- @typ: NPC\n- @status: Aktywny (2026-06:)\n- @info: Warzy zioła.\n- @info: Mieszka sama.\n- @lokacja: Las\n`,
    )
    equal((await served.client.ask('/entities/Zielarka%20Wita')).status, 200)
  })

  it('previews and writes nothing', async () => {
    const served = await serve({ 'encje/indeks.md': index })
    const reply = await post(served, { name: 'Wita', type: 'NPC' }, '?dryRun=true')
    equal(reply.status, 200)
    ok(reply.text.includes('"wouldCreate":"Wita"') && reply.text.includes('+### Wita'), reply.text)
    equal(texts(served)['encje/indeks.md'], index)
  })

  const places: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ['makes the first index file', {}, 'encje/indeks.md'],
    ['takes the last place of a file', { 'encje/indeks.md': blocks(249) }, 'encje/indeks.md'],
    ['goes on in the next file', { 'encje/indeks.md': blocks(250) }, 'encje/indeks-02.md'],
    [
      'takes the last file, whatever room the first has',
      { 'encje/indeks.md': blocks(3), 'encje/indeks-02.md': blocks(2) },
      'encje/indeks-02.md',
    ],
    ['leaves a file that a fence ends', { 'encje/indeks.md': `${index}\`\`\`\n` }, 'encje/indeks-02.md'],
    [
      'leaves a file that is large, whatever room its blocks leave',
      { 'encje/indeks.md': `### Orrin\n- @typ: NPC\n- @info: ${'x'.repeat(4 * 1024 * 1024)}\n` },
      'encje/indeks-02.md',
    ],
    ['keeps other index files', { 'encje/moje.md': index }, 'encje/indeks.md'],
  ]
  for (const [what, files, path] of places)
    it(what, async () => {
      const served = await serve(files)
      equal((await post(served, { name: 'Wita', type: 'Grupa' })).status, 201)
      for (const [other, text] of Object.entries(texts(served)))
        equal(text.includes('### Wita\n- @typ: Grupa'), other === path, other)
    })

  it('keeps the newline and the blanks of a file', async () => {
    const crlf = index.replaceAll('\n', '\r\n')
    for (const [before, gap] of [
      [crlf, '\r\n'],
      [`${crlf}\r\n`, ''],
      [crlf.trimEnd(), '\r\n\r\n'],
    ] as const) {
      const served = await serve({ 'encje/indeks.md': before })
      await post(served, { name: 'Wita', type: 'NPC' })
      const text = texts(served)['encje/indeks.md'] ?? ''
      equal(text.trimEnd(), `${before}${gap}### Wita\r\n- @typ: NPC`)
      await served.close()
    }
  })

  it('makes a name that a route hides, and the integrity tells of it', async () => {
    const served = await serve({ 'encje/indeks.md': index })
    equal((await post(served, { name: 'links', type: 'Grupa' })).status, 201)
    const { text } = await served.client.ask('/entities/integrity')
    ok(text.includes('NameShadowedByRoute'), text)
  })

  const refused: ReadonlyArray<readonly [string, object, number, string]> = [
    ['a person', { name: 'Solmyr', type: 'Gracz' }, 422, 'RosterStoreProperty'],
    ['a heading of the type', { name: 'ORRIN', type: 'NPC' }, 409, 'NameTaken'],
    ['a spelling of the type', { name: 'kupiec', type: 'NPC' }, 409, 'NameTaken'],
    ['an unknown tag', { name: 'Wita', type: 'NPC', tags: { 'prototyp\n### X': 'x' } }, 422, 'TagUnknown'],
    ['a tag of another type', { name: 'Wita', type: 'NPC', tags: { slug: 'x' } }, 422, 'TagUnknown'],
    ['points of the batch', { name: 'Wita', type: 'Postać', tags: { pu_suma: '9' } }, 422, 'ValueRefused'],
    [
      'what adoption alone writes',
      { name: 'W', type: 'Lokacja', tags: { zawiera: 'X' } },
      422,
      'ValueRefused',
    ],
    ['another type in its tags', { name: 'Wita', type: 'NPC', tags: { typ: 'Gracz' } }, 422, 'ValueRefused'],
    ['two values of one', { name: 'Wita', type: 'NPC', tags: { lokacja: ['A', 'B'] } }, 422, 'ValueRefused'],
    ['no name', { type: 'NPC' }, 400, 'BodyInvalid'],
    ['an unknown type', { name: 'Wita', type: 'Smok' }, 400, 'BodyInvalid'],
  ]
  for (const [what, body, status, error] of refused)
    it(`refuses ${what}: ${status} ${error}`, async () => {
      const served = await serve({ 'encje/indeks.md': index })
      const reply = await post(served, body)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [status, error], reply.text)
      equal(texts(served)['encje/indeks.md'], index)
    })

  const names = [
    ...[
      '',
      '  ',
      '\u0001',
      'A\nB',
      'A\n### B',
      'A\r- @typ: X',
      '# A',
      '@rola',
      '-rf',
      '~',
      '.git',
      '..',
      '../A',
    ],
    ...['a/b', 'a\\b', '/etc', 'CON', 'nul', 'A.', 'A\u200b', '\u202eA', 'A (2024:)', 'A (auto)', '!!!'],
    ...['LPT¹', '\u3164', 'A\ufe0f', 'A\u034fB', '字'.repeat(81)],
    ...['ą'.repeat(121), `A${'\u0301'.repeat(40)}`, '\u2028', '`kod`'],
  ]
  for (const name of names)
    it(`refuses the name ${JSON.stringify(name).slice(0, 40)}`, async () => {
      const served = await serve({ 'encje/indeks.md': index })
      const reply = await post(served, { name, type: 'NPC' })
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [422, 'ValueRefused'], reply.text)
      equal(Reflect.get(Object(reply.json), 'field'), 'name')
    })
})
