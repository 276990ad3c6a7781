import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { nameKey } from '#protocol/atoms.js'
import { characterFileMove } from '#src/writing/entities/rename.js'
import { type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const block = (name: string): string => `### ${name}\n- @typ: Postać\n- @należy_do: Solmyr\n`

const long = 'ა'.repeat(100)
const entry = '**Dodatkowe informacje:**\n- Zna port.\n'
const files = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'encje/indeks.md': ['Ana/Bela', 'Ana-Bela', 'Kto?', 'con.sul', long, 'Żółw'].map(block).join('\n'),
  'Postaci/Gracze/Ana-Bela.md': entry,
  [`Postaci/Gracze/${'Żółw'.normalize('NFD')}.md`]: entry,
}

/**
 * A character file is found by its name (FORMATS 3): a name that was changed to fit a path would collide with
 * another.
 */
describe('the file of a Postać', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: worldOf(files) })
  })
  afterEach(() => front.close())

  const texts = () => textsOf(front.world() ?? worldOf(files))
  const info = (name: string, method = 'POST', body: object = { text: 'Nowe.' }) =>
    front.client.ask(`/characters/${encodeURIComponent(name)}/info`, { method, body: JSON.stringify(body) })
  const create = (name: string, path = '/characters') =>
    front.client.ask(path, {
      method: 'POST',
      body: JSON.stringify({
        name,
        tags: { należy_do: 'Solmyr' },
        ...(path === '/entities' ? { type: 'Postać' } : {}),
      }),
    })

  for (const name of ['Ana/Bela', 'Kto?', 'con.sul', long])
    it(`is never made under a name that is no path: ${name.slice(0, 20)}`, async () => {
      const reply = await info(name)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'field')], [422, 'name'], reply.text)
      deepEqual(texts(), files)
    })

  for (const name of ['Gdzie?', 'Ana: Bela', 'Ana|Bela', '<Ana>', 'Ana "Bela"', 'aux.ana', 'con. sul', 'A*'])
    it(`is not promised to a new name: ${name}`, async () => {
      for (const path of ['/characters', '/entities']) {
        const reply = await create(name, path)
        deepEqual([reply.status, Reflect.get(Object(reply.json), 'field')], [422, 'name'], reply.text)
      }
      const renamed = await front.client.ask('/entities/Ana-Bela/name', {
        method: 'POST',
        body: JSON.stringify({ name }),
      })
      equal(renamed.status, 422, renamed.text)
      deepEqual(texts(), files)
    })

  it('is no matter of other types', async () => {
    const body = JSON.stringify({ name: 'Karczma „Gdzie?”: „Tu!”', type: 'Lokacja' })
    equal((await front.client.ask('/entities', { method: 'POST', body })).status, 201)
  })

  it('is found in either form of its letters, and read back', async () => {
    const reply = await info('Żółw')
    equal(reply.status, 200, reply.text)
    ok(texts()[`Postaci/Gracze/${'Żółw'.normalize('NFD')}.md`]?.endsWith('- Zna port.\n- Nowe.\n'))
    const read = await front.client.ask(`/characters/${encodeURIComponent('Żółw')}/info`)
    deepEqual(Reflect.get(Object(read.json), 'items'), ['Zna port.', 'Nowe.'])
  })

  it('keeps every byte when its Postać is renamed, a BOM too', () => {
    const world = worldOf(files)
    const path = 'Postaci/Gracze/Ana-Bela.md'
    const file = world.files.get(path)
    if (file === undefined) throw new Error('no file')
    const { entities, characterFiles } = world
    const marked = { ...world, files: new Map([...world.files, [path, { ...file, bom: true as const }]]) }
    const [entity] = entities.byHeading.get(nameKey('Ana-Bela')) ?? []
    if (entity === undefined) throw new Error('no Postać')
    const move = characterFileMove({ ...marked, characterFiles }, entity, 'Ewa')
    if (isLeft(move)) throw new Error(move.left.detail)
    const after = move.right.edits.flatMap(edit => (edit._tag === 'Whole' ? [edit.after] : []))
    deepEqual(after, [null, `\u{feff}${entry}`])
  })
})
