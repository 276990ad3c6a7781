import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { RegisterPreview } from '#protocol/chat/workflows.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import {
  bindingsFile,
  linkedFiles,
  listBoundPairs,
  makeLinkedWorld,
  post,
  rowOfBinding,
} from '#test/support/identity/linked-world.js'

const path = '/workflows/register-by-chat'
const stays = ['111=1', '333=3', '777=7', '999=9']

describe('POST /workflows/register-by-chat', () => {
  let front: TestFront | null = null
  const serve = async (guildId = '900', files: Readonly<Record<string, string>> = {}): Promise<TestFront> => {
    await front?.close()
    const node = nodeView({ chat: { guildId, signInEnabled: false } })
    front = await testFront({ snapshot: makeLinkedWorld(files), node })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const inGuild = (chatId: string, gameId: string) => ({ chatId, gameId, guildId: '900' })

  const taken: ReadonlyArray<readonly [string, object, object, string, ReadonlyArray<string>]> = [
    [
      'binds',
      inGuild('888', '8'),
      { status: 'registered', chatId: '888', gameId: '8', gracz: 'Olcha', displaces: null, replaces: null },
      'Konto czatu 888 jest teraz powiązane z graczem „Olcha” (id 8).',
      ['111=1', '333=3', '777=7', '888=8', '999=9'],
    ],
    [
      'takes an id over',
      inGuild('222', '1'),
      { status: 'registered', chatId: '222', gameId: '1', gracz: 'Brzoza', displaces: '111', replaces: null },
      'Konto czatu 222 jest teraz powiązane z graczem „Brzoza” (id 1). Konto czatu 111 traci powiązanie z tym graczem.',
      ['222=1', '333=3', '777=7', '999=9'],
    ],
    [
      'moves an account',
      inGuild('333', '8'),
      { status: 'registered', chatId: '333', gameId: '8', gracz: 'Olcha', displaces: null, replaces: '3' },
      'Konto czatu 333 jest teraz powiązane z graczem „Olcha” (id 8). Poprzednie powiązanie tego konta wygasa: gracz „Karol”, id 3.',
      ['111=1', '333=8', '777=7', '999=9'],
    ],
    [
      'does both, from an id that nobody has any more',
      inGuild('999', '1'),
      { status: 'registered', chatId: '999', gameId: '1', gracz: 'Brzoza', displaces: '111', replaces: '9' },
      'Konto czatu 999 jest teraz powiązane z graczem „Brzoza” (id 1). Konto czatu 111 traci powiązanie z tym graczem. Poprzednie powiązanie tego konta wygasa: id 9.',
      ['333=3', '777=7', '999=1'],
    ],
    [
      'leaves what stands',
      inGuild('111', '1'),
      {
        status: 'already_linked',
        chatId: '111',
        gameId: '1',
        gracz: 'Brzoza',
        displaces: null,
        replaces: null,
      },
      'Konto czatu 111 jest już powiązane z graczem „Brzoza” (id 1).',
      stays,
    ],
    [
      'tells what stands of an id that gives more by now',
      inGuild('777', '7'),
      {
        status: 'already_linked',
        chatId: '777',
        gameId: '7',
        gracz: 'Nadana',
        displaces: null,
        replaces: null,
      },
      'Konto czatu 777 jest już powiązane z graczem „Nadana” (id 7).',
      stays,
    ],
  ]
  for (const [what, body, said, announcement, after] of taken)
    it(what, async () => {
      const served = await serve()
      const dry = await post(served, `${path}?dryRun=true`, body)
      equal(dry.status, 200, dry.text)
      if (!RegisterPreview.is(dry.json)) throw new Error(dry.text)
      const { diff, wouldRegister, ...wouldSay } = dry.json
      deepEqual(wouldSay, { ...said, announcement })
      equal(wouldRegister, Reflect.get(said, 'gameId'))
      equal(diff === '', after === stays)
      equal(bindingsFile(served), linkedFiles[bindingsPath])
      const reply = await post(served, path, body)
      equal(reply.status, 200, reply.text)
      deepEqual(reply.json, { ...said, announcement })
      deepEqual(listBoundPairs(served), after)
    })

  const off = ''
  const refusals: ReadonlyArray<readonly [string, object, string, number, RegExp]> = [
    ['everything where there is no guild', {}, off, 503, /"registration_disabled"/],
    ['a whole request where there is no guild', inGuild('8', '8'), off, 503, /"registration_disabled"/],
    ['no account', { guildId: '900', gameId: '8' }, '900', 400, /"BodyInvalid".*"path":"\$\.chatId"/],
    ['no id', { guildId: '900', chatId: '8' }, '900', 400, /"BodyInvalid".*"path":"\$\.gameId"/],
    ['an empty account', inGuild('', '8'), '900', 400, /"BodyInvalid".*"path":"\$\.chatId"/],
    ['an empty id', inGuild('8', ''), '900', 400, /"BodyInvalid".*"path":"\$\.gameId"/],
    ['no guild', { chatId: '8', gameId: '99' }, '900', 403, /"registration_needs_guild"/],
    ['an empty guild', { chatId: '8', gameId: '99', guildId: '' }, '900', 403, /"registration_needs_guild"/],
    ['another guild', { chatId: '8', gameId: '99', guildId: '901' }, '900', 403, /"wrong_guild"/],
    ['an id nobody has', inGuild('8', '99'), '900', 404, /"no_gracz_for_game_id"/],
    ['an id of before', inGuild('8', '9'), '900', 404, /"no_gracz_for_game_id"/],
    ['an id of two', inGuild('8', '4'), '900', 409, /"ambiguous_game_id".*\["Wit","Sobowtór"\]/],
    ['an id of a role', inGuild('8', '2'), '900', 403, /"registration_reserved"/],
    ['an id of a grant', inGuild('8', '7'), '900', 403, /"registration_reserved"/],
  ]
  for (const [what, body, guildId, status, said] of refusals)
    it(`refuses ${what}: ${status}`, async () => {
      const served = await serve(guildId)
      for (const query of ['', '?dryRun=true']) {
        const reply = await post(served, `${path}${query}`, body)
        equal(reply.status, status, reply.text)
        match(reply.text, said)
        equal(bindingsFile(served), linkedFiles[bindingsPath])
      }
    })

  it('refuses where the bindings cannot be read: 409', async () => {
    const served = await serve('900', { [bindingsPath]: '[]' })
    match((await post(served, path, inGuild('8', '8'))).text, /"StoreUnreadable"/)
    equal(bindingsFile(served), '[]')
  })

  it('binds nobody where the file would be too long to be read: 409', async () => {
    const holding = (chatId: string) => JSON.stringify({ bindings: [rowOfBinding(chatId, '3')] })
    const long = holding('x'.repeat(1_048_576 - holding('').length))
    const served = await serve('900', { [bindingsPath]: long })
    equal(served.world()?.bindings.stored?.length, 1)
    equal((await post(served, path, inGuild('222', '8'))).status, 409)
    equal(bindingsFile(served), long)
  })

  for (const file of ['.svc/roles.json', '.svc/grants.json'])
    it(`binds nobody while ${file} cannot be read, as nobody can say what is reserved: 409`, async () => {
      const served = await serve('900', { [file]: '{"roles": {"gracz": [' })
      for (const gameId of ['2', '7', '8']) {
        const reply = await post(served, path, inGuild('222', gameId))
        deepEqual([reply.status, Reflect.get(Object(reply.json), 'file')], [409, file])
      }
      equal(bindingsFile(served), linkedFiles[bindingsPath])
    })

  it('reserves an id whose role the committed table raises, and frees one whose role it lowers', async () => {
    const roles = { gracz: ['entity.read'], narrator: ['entity.read'] }
    const served = await serve('900', { '.svc/roles.json': JSON.stringify({ roles }) })
    equal((await post(served, path, inGuild('222', '2'))).status, 200)
    const raised = await serve('900', {
      '.svc/grants.json': linkedFiles['.svc/grants.json'].replace('"7"', '"8"'),
    })
    equal((await post(raised, path, inGuild('888', '8'))).status, 403)
  })
})
