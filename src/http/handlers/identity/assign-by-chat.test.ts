import { deepEqual, equal, match } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { AssignPreview } from '#protocol/chat/platform.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import type { GuildRole, GuildRoles } from '#src/ports/chat.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import {
  bindingsFile,
  linkedFiles,
  listBoundPairs,
  makeLinkedWorld,
  post,
} from '#test/support/identity/linked-world.js'

const path = '/workflows/assign-by-chat'
const guild: ReadonlyArray<GuildRole> = [
  { id: '70', name: 'wszyscy' },
  { id: '71', name: 'narratorzy' },
  { id: '72', name: 'Rada Miasta' },
]
const reads: GuildRoles = () => Promise.resolve(right(guild))
const failToRead: GuildRoles = () => Promise.resolve(left({ _tag: 'roles_unreadable', detail: 'no token' }))

describe('POST /workflows/assign-by-chat', () => {
  let front: TestFront | null = null
  const serve = async (
    files: Readonly<Record<string, string>> = {},
    guildRoles = reads,
    guildId = '900',
  ): Promise<TestFront> => {
    const node = nodeView({ chat: { guildId, signInEnabled: false }, guildRoles })
    front = await testFront({ snapshot: makeLinkedWorld(files), node })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const by = (roles: ReadonlyArray<string>, targetChatId: string, gameId: string, chatId = '333') => ({
    ...{ chatId, roles, targetChatId, gameId, guildId: '900' },
  })

  const radny = { role: 'Radny', guildRole: 'Rada Miasta' }
  const karol = 'Powiązania dokonuje konto czatu 333 (gracz „Karol”); upoważnia do tego rola „Radny”'
  const taken: ReadonlyArray<readonly [string, object, object, string, ReadonlyArray<string>]> = [
    [
      'binds an id that registration refuses',
      by(['70', '72'], '222', '2'),
      {
        status: 'assigned',
        chatId: '222',
        gameId: '2',
        gracz: 'Żaneta',
        displaces: null,
        replaces: null,
        ...radny,
      },
      `Konto czatu 222 jest teraz powiązane z graczem „Żaneta” (id 2). ${karol} (na serwerze czatu: „Rada Miasta”).`,
      ['111=1', '222=2', '333=3', '777=7', '999=9'],
    ],
    [
      'displaces and replaces',
      by(['72'], '111', '3'),
      {
        status: 'assigned',
        chatId: '111',
        gameId: '3',
        gracz: 'Karol',
        displaces: '333',
        replaces: '1',
        ...radny,
      },
      `Konto czatu 111 jest teraz powiązane z graczem „Karol” (id 3). Konto czatu 333 traci powiązanie z tym graczem. Poprzednie powiązanie tego konta wygasa: gracz „Brzoza”, id 1. ${karol} (na serwerze czatu: „Rada Miasta”).`,
      ['111=3', '777=7', '999=9'],
    ],
    [
      'names the first role that reaches, and an actor who is not linked by account alone',
      by(['71', '72'], '888', '8', '5'),
      {
        ...{
          status: 'assigned',
          chatId: '888',
          gameId: '8',
          gracz: 'Olcha',
          displaces: null,
          replaces: null,
        },
        ...{ role: 'Narrator', guildRole: 'narratorzy' },
      },
      'Konto czatu 888 jest teraz powiązane z graczem „Olcha” (id 8). Powiązania dokonuje konto czatu 5; upoważnia do tego rola „Narrator” (na serwerze czatu: „narratorzy”).',
      ['111=1', '333=3', '777=7', '888=8', '999=9'],
    ],
    [
      'leaves what stands',
      by(['72'], '111', '1'),
      {
        status: 'already_linked',
        chatId: '111',
        gameId: '1',
        gracz: 'Brzoza',
        displaces: null,
        replaces: null,
        ...radny,
      },
      `Konto czatu 111 jest już powiązane z graczem „Brzoza” (id 1). ${karol} (na serwerze czatu: „Rada Miasta”).`,
      ['111=1', '333=3', '777=7', '999=9'],
    ],
  ]
  for (const [what, body, said, announcement, after] of taken)
    it(what, async () => {
      const served = await serve()
      const dry = await post(served, `${path}?dryRun=true`, body)
      if (!AssignPreview.is(dry.json)) throw new Error(dry.text)
      const { diff, wouldAssign, ...wouldSay } = dry.json
      deepEqual(wouldSay, { ...said, announcement })
      deepEqual(
        [wouldAssign, diff === ''],
        [Reflect.get(said, 'gameId'), after.includes('111=1') && after.length === 4],
      )
      equal(bindingsFile(served), linkedFiles[bindingsPath])
      const reply = await post(served, path, body)
      deepEqual([reply.status, reply.json], [200, { ...said, announcement }])
      deepEqual(listBoundPairs(served), after)
    })

  const noRows = { 'kontrybutorzy.md': linkedFiles['kontrybutorzy.md'].replace(/- @chat_rola.*\n/gu, '') }
  const { guildId: _, ...private_ } = by([], '222', '1')
  const refusals: ReadonlyArray<
    readonly [string, object, number, RegExp, files?: Readonly<Record<string, string>>, roles?: GuildRoles]
  > = [
    ['no guild', private_, 403, /"registration_needs_guild"/],
    ['another guild', { ...by(['72'], '222', '1'), guildId: '1' }, 403, /"wrong_guild"/],
    ['a store without a role', by(['72'], '222', '1'), 409, /"no_role_declared"/, noRows, failToRead],
    ['an interaction of no roles', by([], '222', '1'), 403, /"invoker_has_no_roles"/, {}, failToRead],
    [
      'an interaction without roles',
      { ...private_, guildId: '900', roles: undefined },
      403,
      /"invoker_has_no_roles"/,
    ],
    ['roles that cannot be read', by(['70'], '222', '1'), 503, /"roles_unreadable"/, {}, failToRead],
    [
      'an invoker of other roles',
      by(['70', '99'], '222', '1'),
      403,
      /"not_authorised".*"Declared":\["Narratorzy","Rada Miasta","Rada Dawna"\]/,
    ],
    ['a role by its name', by(['Rada-Miasta'], '222', '1'), 403, /"not_authorised"/],
    ['an id nobody has', by(['72'], '222', '99'), 404, /"no_gracz_for_game_id"/],
    ['an id of two', by(['72'], '222', '4'), 409, /"ambiguous_game_id".*\["Wit","Sobowtór"\]/],
    [
      'an id above the role',
      by(['71'], '222', '3'),
      403,
      /"RoleTooWeak".*"role":"Narrator","required":"pu.award"/,
    ],
    ['an account of an id above the role', by(['71'], '333', '1'), 403, /"RoleTooWeak"/],
    ['an id of a grant', by(['72'], '222', '7'), 403, /"RoleTooWeak".*"required":"capability.admin"/],
    [
      'an account as a number',
      { ...by(['72'], '222', '1'), targetChatId: 222 },
      400,
      /"path":"\$\.targetChatId"/,
    ],
    [
      'bindings that cannot be read',
      by(['72'], '222', '1'),
      409,
      /"StoreUnreadable"/,
      { [bindingsPath]: '{' },
    ],
  ]
  for (const [what, body, status, said, files = {}, roles = reads] of refusals)
    it(`refuses ${what}: ${status}`, async () => {
      const served = await serve(files, roles)
      const before = bindingsFile(served)
      for (const query of ['', '?dryRun=true']) {
        const reply = await post(served, `${path}${query}`, body)
        equal(reply.status, status, reply.text)
        match(reply.text, said)
        equal(bindingsFile(served), before)
      }
    })

  it('says that roles are unreadable where the host has no guild, and asks none', async () => {
    const served = await serve({}, () => Promise.reject(new Error('asked')), '')
    const reply = await post(served, path, by(['72'], '222', '1'))
    match(`${reply.status} ${reply.text}`, /^503 .*"roles_unreadable"/)
  })

  it('is decided by kept roles where they give an authority, and by a fetch where they are behind', async () => {
    const asked: Array<boolean> = []
    const kept =
      (roles: ReadonlyArray<GuildRole>): GuildRoles =>
      suffice => {
        asked.push(suffice(roles))
        return Promise.resolve(right(guild))
      }
    const declared = [...guild, { id: '73', name: 'Rada Dawna' }]
    const ask = async (kept_: ReadonlyArray<GuildRole>, roles: ReadonlyArray<string>): Promise<number> => {
      await front?.close()
      return (await post(await serve({}, kept(kept_)), path, by(roles, '222', '1'))).status
    }
    deepEqual(await ask(guild, ['72']), 200)
    deepEqual(await ask(declared, ['70']), 403)
    deepEqual(await ask(guild, ['70']), 403, 'one declared name was not in the guild: it is asked')
    deepEqual(await ask(declared, ['74']), 403, 'a role that is held was not in the guild: it is asked')
    deepEqual(await ask([], ['72']), 200)
    deepEqual(asked, [true, true, false, false, false])
  })
})
