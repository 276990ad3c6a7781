import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { PickedPeople, PickedPerson } from '#protocol/chat/workflows.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import { makeLinkedWorld, post } from '#test/support/identity/linked-world.js'

describe('what the worker reads for somebody in the chat', () => {
  let front: TestFront | null = null
  const serve = async (chat = { guildId: '900', signInEnabled: true }, files = {}): Promise<TestFront> => {
    await front?.close()
    front = await testFront({ snapshot: makeLinkedWorld(files), node: nodeView({ chat }) })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })

  const whoami = async (served: TestFront, body: object) =>
    (await post(served, '/workflows/whoami-by-chat', body)).json

  const stranger = {
    chatId: '5',
    linked: false,
    gameId: '',
    gracz: '',
    graczResolves: false,
    guildMatches: null,
    signInEnabled: true,
    registrationEnabled: true,
    capabilityCount: 0,
  }

  it('an account that is not linked is answered all the same', async () => {
    deepEqual(await whoami(await serve(), { chatId: '5' }), stranger)
  })

  it('a linked one learns whom it speaks for, and how much that may, as a count', async () => {
    const served = await serve()
    const brzoza = {
      ...stranger,
      chatId: '111',
      linked: true,
      gameId: '1',
      gracz: 'Brzoza',
      graczResolves: true,
    }
    deepEqual(await whoami(served, { chatId: '111' }), { ...brzoza, capabilityCount: 9 })
    const karol = await whoami(served, { chatId: '333', gameId: '1', gracz: 'Brzoza' })
    equal(Reflect.get(Object(karol), 'gracz'), 'Karol', 'no other field names anybody')
  })

  it('one whose id is nobody’s any more is linked, and speaks for nobody', async () => {
    deepEqual(await whoami(await serve(), { chatId: '999' }), {
      ...{ ...stranger, chatId: '999', linked: true, gameId: '9' },
    })
  })

  const matches: ReadonlyArray<readonly [string, string | undefined, string, boolean | null]> = [
    ['the guild', '900', '900', true],
    ['another guild', '901', '900', false],
    ['no guild', undefined, '900', null],
    ['an empty one', '', '900', null],
    ['any guild where the host has none', '900', '', null],
  ]
  for (const [what, guildId, configured, guildMatches] of matches)
    it(`guildMatches of ${what} is ${guildMatches}`, async () => {
      const served = await serve({ guildId: configured, signInEnabled: false })
      deepEqual(await whoami(served, { chatId: '5', ...(guildId === undefined ? {} : { guildId }) }), {
        ...stranger,
        guildMatches,
        signInEnabled: false,
        registrationEnabled: configured !== '',
      })
    })

  const people = async (served: TestFront, prefix?: string) =>
    (await post(served, '/workflows/people-by-chat', prefix === undefined ? {} : { prefix })).json
  const listed = async (served: TestFront, prefix?: string): Promise<ReadonlyArray<PickedPerson>> => {
    const found = await people(served, prefix)
    if (!PickedPeople.is(found) || PickedPerson.is(found.items)) throw new Error('no list')
    equal(found.count, found.items.length)
    return found.items
  }
  const brzoza = { gameId: '1', name: 'Brzoza', linked: true }

  it('one match is an object and no list, by name, alias or id, in any case and normal form', async () => {
    const served = await serve()
    for (const prefix of ['Brzoza', 'brz', 'BRZÓZ', 'brzo\u0301z', ' brzo', '1'])
      deepEqual(await people(served, prefix), { count: 1, items: brzoza }, prefix)
    deepEqual(await people(served, 'olch'), {
      count: 1,
      items: { gameId: '8', name: 'Olcha', linked: false },
    })
  })

  it('none is an empty list; whom no account can be bound to is not among them', async () => {
    const served = await serve()
    for (const prefix of ['rzoza', 'Wit', 'Dwojga', 'Dawny', '4', 'zzz'])
      deepEqual(await people(served, prefix), { count: 0, items: [] }, prefix)
  })

  it('all are shown without a prefix, 25 at most, in the order of the store', async () => {
    const all = await listed(await serve())
    deepEqual(
      all.map(({ name, linked }) => [name, linked]),
      [
        ['Brzoza', true],
        ['Żaneta', false],
        ['Karol', true],
        ['Nadana', true],
        ['Olcha', false],
      ],
    )
    const crowd = Array.from({ length: 40 }, (_, at) => `### Osoba ${at}\n- @gameid: ${1000 + at}\n`).join('')
    const served = await serve(undefined, { 'kontrybutorzy.md': `## Gracz\n${crowd}` })
    for (const prefix of [undefined, '', 'osoba', '10']) {
      const found = await listed(served, prefix)
      deepEqual([found.length, found[24]?.name], [25, 'Osoba 24'])
    }
  })
})
