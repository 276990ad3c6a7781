import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { bundles } from '#src/domain/identity/roles.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import {
  bindingsFile,
  linkedFiles,
  listBoundPairs,
  makeLinkedWorld,
  post,
  rowOfBinding,
} from '#test/support/identity/linked-world.js'

const radny = callerWith(bundles['radny'] ?? [], 'Karol')
const narrowest = callerWith(['identity.link'])

describe('POST /auth/link', () => {
  let front: TestFront | null = null
  const serve = async (files: Readonly<Record<string, string>> = {}): Promise<TestFront> => {
    front = await testFront({ snapshot: makeLinkedWorld(files), callers: { radny, narrowest } })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const link = (served: TestFront, body: object, token?: string, query = '') =>
    post(served, `/auth/link${query}`, body, token)

  it('binds, and says whom', async () => {
    const served = await serve()
    const reply = await link(served, { chatId: '222', gameId: '2' }, 'radny')
    deepEqual(reply.json, {
      ...{ status: 'linked', chatId: '222', gameId: '2', gracz: 'Żaneta', displaces: null, replaces: null },
    })
    const made = served.world()?.bindings.byChat.get('222')
    deepEqual({ ...made }, { ...rowOfBinding('222', '2'), since: '2026-06-15T12:00:00.000Z', by: 'Karol' })
  })

  it('names what it takes away', async () => {
    const served = await serve()
    const reply = await link(served, { chatId: '111', gameId: '3' }, 'radny')
    deepEqual(
      [Reflect.get(Object(reply.json), 'displaces'), Reflect.get(Object(reply.json), 'replaces')],
      ['333', '1'],
    )
    deepEqual(listBoundPairs(served), ['111=3', '777=7', '999=9'])
  })

  it('writes nothing on a dry run, and nothing where all is so already', async () => {
    const served = await serve()
    const dry = await link(served, { chatId: '222', gameId: '2' }, 'radny', '?dryRun=true')
    match(dry.text, /"wouldLink":"2","status":"linked".*"diff":"--- .*\+\{\\"chatId\\":\\"222\\"/s)
    const again = await link(served, { chatId: '111', gameId: '1' }, 'radny')
    match(again.text, /"status":"already_linked"/)
    equal(bindingsFile(served), linkedFiles[bindingsPath])
  })

  it('writes nothing while an account stands twice: no binding comes to life unasked', async () => {
    const rows = [rowOfBinding('111', '1'), rowOfBinding('111', '3'), rowOfBinding('333', '2')]
    const served = await serve({ [bindingsPath]: JSON.stringify({ bindings: rows }) })
    const reply = await link(served, { chatId: '222', gameId: '3' }, undefined)
    deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [409, 'StoreUnreadable'])
    equal(served.world()?.bindings.byChat.get('111'), undefined)
  })

  it('keeps the fields of the file that it does not know', async () => {
    const served = await serve({ [bindingsPath]: '{"note": "nasze", "bindings": []}' })
    await link(served, { chatId: '222', gameId: '2' }, 'radny')
    match(bindingsFile(served) ?? '', /^\{"note": "nasze", "bindings": \[\n/)
  })

  const refusals: ReadonlyArray<readonly [string, object, string, number, RegExp]> = [
    ['an id nobody has', { chatId: '9', gameId: '99' }, 'radny', 404, /"no_gracz_for_game_id"/],
    ['an id of two', { chatId: '9', gameId: '4' }, 'radny', 409, /ambiguous.*"matches":\["Wit","Sobowtór"\]/],
    ['one of two ids', { chatId: '9', gameId: '5' }, 'radny', 409, /ambiguous.*"matches":\["Dwojga Ids"\]/],
    ['an id with a grant', { chatId: '9', gameId: '7' }, 'radny', 403, /"required":"capability.admin"/],
    ['one of a stronger id', { chatId: '777', gameId: '1' }, 'radny', 403, /"required":"capability.admin"/],
    [
      'a role above',
      { chatId: '9', gameId: '2' },
      'narrowest',
      403,
      /"Forbidden".*"required":"entity.write"/,
    ],
    ['no account', { gameId: '1' }, 'radny', 400, /"path":"\$\.chatId"/],
    ['an account of blanks', { chatId: 'a b', gameId: '1' }, 'radny', 400, /"path":"\$\.chatId"/],
    ['an account as a number', { chatId: 9, gameId: '1' }, 'radny', 400, /"path":"\$\.chatId"/],
    ['an id of lines', { chatId: '9', gameId: '1\n2' }, 'radny', 400, /"path":"\$\.gameId"/],
  ]
  for (const [what, body, token, status, said] of refusals)
    for (const query of ['', '?dryRun=true'])
      it(`refuses ${what}: ${status} ${query}`, async () => {
        const served = await serve()
        const reply = await link(served, body, token, query)
        equal(reply.status, status, reply.text)
        match(reply.text, said)
        equal(bindingsFile(served), linkedFiles[bindingsPath])
      })

  it('lets whoever holds identity.link alone bind a Gracz without more', async () => {
    equal((await link(await serve(), { chatId: '9', gameId: '1' }, 'narrowest')).status, 200)
  })

  it('never replaces a file that cannot be read', async () => {
    const served = await serve({ [bindingsPath]: '{"bindings": [{' })
    const reply = await link(served, { chatId: '9', gameId: '1' })
    equal(reply.status, 409)
    match(reply.text, /"StoreUnreadable".*"file":"\.svc\/bindings\.json"/)
    equal(bindingsFile(served), '{"bindings": [{')
  })
})
