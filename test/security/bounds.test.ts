import { deepEqual, equal, ok } from 'node:assert/strict'
import { bounds } from '#protocol/bounds.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { callerWith, type TestFront, type TestFrontOptions, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const many = (count: number, word = 'a'): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `${word}${at}`)

const postac = (name: string, rows: ReadonlyArray<string> = []): string =>
  [`### ${name}`, '- @typ: Postać', '- @należy_do: Odo', ...rows, ''].join('\n')

const worldWith = (...blocks: ReadonlyArray<string>): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': '## Gracz\n### Odo\n- @gameid: 1\n',
    'encje/indeks.md': blocks.join('\n'),
  })

const infos = (count: number, chars = 1): ReadonlyArray<string> =>
  many(count, '- @info: ').map(row => row + 'x'.repeat(chars))

describe('SECURITY 4.6.46 the bounds of a write', () => {
  let front: TestFront
  afterEach(() => front.close())

  const start = async (snapshot: Snapshot, more: Partial<TestFrontOptions> = {}): Promise<void> => {
    const odo = callerWith(['player.write.own'], 'Odo')
    front = await testFront({ snapshot, callers: { odo }, ...more })
  }
  const ask = (method: string, path: string, body: object, token?: string): Promise<Reply> =>
    front.client.ask(encodeURI(path), {
      method,
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const said = ({ status, json }: Reply): unknown =>
    isFields(json) ? [status, json['error'], json['bound'], json['limit'], json['actual']] : status

  /** Sends a write that exceeds a bound, and looks that nothing was written and the answer says all of it. */
  const exceeds = async (sends: Promise<Reply>, bound: keyof typeof bounds, actual: number) => {
    const before = front.world()
    const reply = await sends
    const { limit } = bounds[bound]
    deepEqual(said(reply), [422, 'BoundExceeded', bound, limit, actual], reply.text.slice(0, 400))
    for (const word of [bound, String(limit), String(actual)]) ok(reply.text.includes(word), reply.text)
    equal(front.world(), before)
  }

  it('4,000 and 90,000 aliases of a new Postać are refused before anything is planned', async () => {
    let plans = 0
    const write: TestFrontOptions['write'] = () => {
      plans += 1
      throw new Error('a body above the bound was planned')
    }
    await start(worldWith(postac('Wilk')), { write })
    const tagsOf = (count: number) => ({ należy_do: 'Odo', alias: many(count) })
    const create = (path: string, count: number) => {
      const body = { name: 'Nowa', tags: tagsOf(count) }
      return path === '/characters'
        ? ask('POST', path, body, 'odo')
        : ask('POST', path, { ...body, type: 'NPC' })
    }
    for (const path of ['/characters', '/entities']) {
      await exceeds(create(path, 4_000), 'requestValues', 4_001)
      // So many are not even decoded.
      const { status, text } = await create(path, 90_000)
      deepEqual([status, text.includes('BodyTooLarge'), text.includes('5000')], [413, true, true], text)
    }
    equal(plans, 0)
  })

  it('as many values as the bound are taken, and one more is not', async () => {
    await start(worldWith(postac('Wilk')))
    const most = many(bounds.requestValues.limit)
    const body = (alias: ReadonlyArray<string>) => ({ name: 'Karczma', type: 'Lokacja', tags: { alias } })
    await exceeds(ask('POST', '/entities', body([...most, 'jeszcze'])), 'requestValues', 201)
    equal((await ask('POST', '/entities', body(most))).status, 201)
  })

  it('a name and a value as long as the bound are taken, and longer ones are not', async () => {
    await start(worldWith(postac('Wilk')))
    const { nameChars, valueBytes } = bounds
    const name = 'n'.repeat(nameChars.limit)
    const value = 'ż'.repeat(valueBytes.limit / 2)
    await exceeds(ask('POST', '/entities', { name: `${name}n`, type: 'NPC' }), 'nameChars', 201)
    await exceeds(ask('POST', '/entities/Wilk/name', { name: `${name}n` }), 'nameChars', 201)
    await exceeds(ask('PATCH', '/entities/Wilk', { tag: '@Alias', value: `${name}n` }), 'nameChars', 201)
    await exceeds(ask('PATCH', '/entities/Wilk', { tag: 'info', value: `${value}!` }), 'valueBytes', 8193)
    await exceeds(ask('POST', '/characters/Wilk/info', { text: `${value}!` }), 'valueBytes', 8193)
    equal((await ask('POST', '/entities', { name, type: 'NPC' })).status, 201)
    equal((await ask('PATCH', '/entities/Wilk', { tag: 'info', value })).status, 200)
    equal((await ask('POST', '/characters/Wilk/info', { text: value })).status, 200)
  })

  it('a block takes no row above the bound', async () => {
    const { limit } = bounds.blockRows
    await start(worldWith(postac('Wilk', infos(limit - 3)), postac('Sowa')))
    equal((await ask('PATCH', '/entities/Wilk', { tag: 'info', value: 'ostatni' })).status, 200)
    await exceeds(ask('PATCH', '/entities/Wilk', { tag: 'info', value: 'zbędny' }), 'blockRows', limit + 1)
    await exceeds(
      ask('PATCH', '/entities/Wilk?dryRun=true', { tag: 'info', value: 'zbędny' }),
      'blockRows',
      limit + 1,
    )
    equal((await ask('PATCH', '/entities/Sowa', { tag: 'info', value: 'obok' })).status, 200)
  })

  it('a block that is above the bound is read, and takes what makes it no longer', async () => {
    await start(worldWith(postac('Wilk', infos(bounds.blockRows.limit))))
    const { status, text } = await front.client.ask('/entities/Wilk')
    equal(status, 200)
    ok(text.includes('1999x'))
    const change = { tag: 'info', value: '5x', remove: true }
    equal((await ask('PATCH', '/entities/Wilk', change)).status, 200)
    equal((await ask('POST', '/entities/Wilk/name', { name: 'Wilczur' })).status, 422, 'the alias is a row')
  })

  it('a value above the bound can be taken away by naming it', async () => {
    const long = 'x'.repeat(bounds.valueBytes.limit + 1)
    await start(worldWith(postac('Wilk', [`- @info: ${long}`])))
    equal((await ask('PATCH', '/entities/Wilk', { tag: 'info', value: long, remove: true })).status, 200)
    equal(textsOf(front.world() ?? worldWith())['encje/indeks.md']?.includes(long), false)
  })

  it('a player makes no Postać above the bound, and a narrator does', async () => {
    const { limit } = bounds.ownCharacters
    await start(worldWith(...many(limit - 1, 'Wilk ').map(name => postac(name))))
    const body = (name: string) => ({ name, tags: { należy_do: 'Odo' } })
    equal((await ask('POST', '/characters', body('Ostatnia'), 'odo')).status, 201)
    await exceeds(ask('POST', '/characters', body('Zbędna'), 'odo'), 'ownCharacters', limit + 1)
    equal((await ask('DELETE', '/characters/Ostatnia', {}, 'odo')).status, 200)
    await exceeds(ask('POST', '/characters', body('Zbędna'), 'odo'), 'ownCharacters', limit + 1)
    equal((await ask('POST', '/characters', body('Zbędna'))).status, 201)
    equal((await ask('PATCH', '/characters/Wilk 3', { tag: 'info', value: 'x' }, 'odo')).status, 200)
  })

  it('a player’s blocks and files together take no more bytes than the bound', async () => {
    const rows = infos(30, 8000)
    await start(worldWith(postac('Wilk', rows), postac('Sowa')))
    const info = (name: string, word: string) =>
      ask('POST', `/characters/${name}/info`, { text: word.repeat(8000) }, 'odo')
    equal((await info('Wilk', 'a')).status, 200)
    equal((await info('Sowa', 'b')).status, 200)
    const reply = await info('Wilk', 'c')
    deepEqual([reply.status, isFields(reply.json) && reply.json['bound']], [422, 'ownBytes'], reply.text)
    const patched = await ask('PATCH', '/characters/Sowa', { tag: 'info', value: 'd'.repeat(8000) }, 'odo')
    deepEqual([patched.status, isFields(patched.json) && patched.json['bound']], [422, 'ownBytes'])
    const shorter = { match: 'a'.repeat(8000), text: 'a' }
    equal((await ask('PUT', '/characters/Wilk/info', shorter, 'odo')).status, 200)
    equal((await info('Wilk', 'c')).status, 200, 'room was made')
    equal((await ask('POST', '/characters/Wilk/info', { text: 'e'.repeat(8000) })).status, 200, 'a narrator')
  })
})
