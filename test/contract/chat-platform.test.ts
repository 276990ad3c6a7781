import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { afterEach, before, describe, it } from 'mocha'
import { Snowflake } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { type ChatContract, chatContract } from '#test/support/chat/chat-contract.js'
import {
  type ChatDouble,
  channelBodies,
  chatDouble,
  type DoubleOptions,
  type DoubleReply,
  errorBody,
  guildRoleBodies,
  rateLimitReply,
  wildReply,
} from '#test/support/chat/chat-double.js'
import { type ChatRig, chatRig } from '#test/support/chat/chat-rig.js'

const idOf = (text: string): Snowflake => {
  const decoded = Snowflake.decode(text)
  if (isLeft(decoded)) throw new Error(`${text} is no id of the platform`)
  return decoded.right
}

const guildId = idOf('100')
const token = 'planted-token-of-the-contract'
const named = guildRoleBodies.map(({ id, name }) => ({ id, name }))
const messageOf = (nonce: string, content = 'Dzień dobry @everyone') => ({
  channelId: idOf('11'),
  content,
  nonce,
})

const failureTag = (answer: Either<{ readonly _tag: string; readonly detail: string }, unknown>): string =>
  isLeft(answer) ? answer.left._tag : 'none'

describe('the contract of the platform', () => {
  it('is judged: what is against the contract is found', async function () {
    const contract = await chatContract()
    if (contract === null) {
      process.stdout.write(
        '      the contract of the chat platform is not beside the project: not judged by it\n',
      )
      this.skip()
    }
    const agent = { 'user-agent': 'DiscordBot (https://kronika.example, 0.0.0)' }
    const headers = { 'content-type': 'application/json', authorization: 'Bot x', ...agent }
    const sent = (body: object, path = '/channels/11/messages') =>
      contract.ofRequest({ method: 'POST', path, headers, body: JSON.stringify(body) }).length
    equal(sent({ content: 'x' }), 0)
    equal(sent({ content: 5 }), 1)
    equal(sent({ contents: 'x' }), 1)
    equal(sent({ content: 'x' }, '/channels/general/messages'), 1)
    equal(sent({ content: 'x'.repeat(4_001) }), 1)
    const read = { method: 'GET', path: '/guilds/100/roles', headers: agent, body: '' }
    deepEqual(contract.ofRequest(read), ['list_guild_roles: no bot token'])
    ok(contract.ofRequest({ ...read, headers: {} }).includes('list_guild_roles: not the user agent of a bot'))
    ok(contract.ofAnswer(read, 200, {}, [{ id: '1', name: 'Rada' }]).length > 0)
    ok(contract.ofAnswer(read, 429, {}, errorBody('slow down')).length > 0)
    ok(contract.ofAnswer(read, 200, { 'x-ratelimit-limit': 'x' }, guildRoleBodies).length > 0)
  })
})

describe('the chat port against the contract of the platform', () => {
  let contract: ChatContract | null = null
  let double: ChatDouble
  let rig: ChatRig
  before(async () => {
    contract = await chatContract()
    if (contract === null)
      process.stdout.write(
        '      the contract of the chat platform is not beside the project: not judged by it\n',
      )
  })

  const start = async (
    replies: ReadonlyArray<DoubleReply> = [],
    settings: Partial<Config> = {},
    options: DoubleOptions = {},
  ): Promise<void> => {
    double = await chatDouble({ contract, ...options })
    double.script(...replies)
    const known = { 'integrations.chat.api_url': double.url, 'integrations.chat.guild_id': '100' }
    rig = await chatRig({ ...known, ...settings }, token)
  }
  afterEach(async () => {
    await rig.close()
    await double.close()
    deepEqual(double.breaches, [])
    ok(!rig.log.join().includes(token), 'the token is in the log')
  })

  const startsMs = (): ReadonlyArray<number> => double.requests.map(({ atMs }) => atMs)
  const outbound = (code: string): number => rig.counts.get(`svc_outbound_requests_total{chat,${code}}`) ?? 0
  const limited = (scope: string): number =>
    rig.counts.get(`svc_outbound_rate_limited_total{chat,${scope}}`) ?? 0

  it('reads roles and channels of the guild', async () => {
    await start()
    deepEqual(await rig.chat.guildRoles(guildId), right(named))
    const channels = await rig.chat.guildChannels(guildId)
    ok(!isLeft(channels))
    deepEqual(
      channels.right.map(({ id, name, type, parent_id }) => [id, name, type, parent_id]),
      channelBodies.map(({ id, name, type, parent_id }) => [id, name, type, parent_id]),
    )
    deepEqual(
      double.requests.map(({ method, path }) => `${method} ${path}`),
      ['GET /guilds/100/roles', 'GET /guilds/100/channels'],
    )
    equal(outbound('200'), 2)
  })

  it('sends a message that pings nobody, and the same one again where the answer was lost', async () => {
    await start([(_, request) => request.socket.destroy(), { status: 502, body: errorBody('down') }])
    deepEqual(await rig.chat.createMessage(messageOf('n-1')), right('555'))
    const bodies = double.requests.map(({ body }) => body)
    equal(bodies.length, 3)
    equal(new Set(bodies).size, 1)
    deepEqual(JSON.parse(bodies[0] ?? ''), {
      content: 'Dzień dobry @everyone',
      nonce: 'n-1',
      enforce_nonce: true,
      allowed_mentions: { parse: [] },
    })
    deepEqual([outbound('network'), outbound('502'), outbound('200')], [1, 1, 1])
  })

  it('keeps to the bucket that the answers tell of', async () => {
    await start([], {}, { limit: 2, windowMs: 400 })
    const sent = await Promise.all(
      Array.from({ length: 7 }, (_, at) => rig.chat.createMessage(messageOf(`n-${at}`))),
    )
    ok(sent.every(answer => !isLeft(answer)))
    const [first = 0, , , , , , last = 0] = startsMs()
    ok(last - first >= 1_200, `seven calls, two in 400 ms, took ${last - first} ms`)
    equal(outbound('429'), 0)
  })

  for (const scope of ['user', 'shared'] as const)
    it(`waits out a 429 of its bucket while others go on: ${scope}`, async () => {
      await start([rateLimitReply(0.6, scope)])
      const roles = rig.chat.guildRoles(guildId)
      const message = await rig.chat.createMessage(messageOf('n-1'))
      deepEqual([await roles, message], [right(named), right('555')])
      deepEqual(
        double.requests.map(({ method }) => method),
        ['GET', 'POST', 'GET'],
      )
      const [first = 0, , third = 0] = startsMs()
      // `Retry-After` is whole seconds, the body has the fraction; the longer of both is obeyed.
      ok(third - first >= 1_000, `${third - first} ms`)
      equal(limited(scope), 1)
    })

  it('makes no call at all while a 429 is global', async () => {
    await start([rateLimitReply(0.6, 'global')])
    const roles = rig.chat.guildRoles(guildId)
    const message = rig.chat.createMessage(messageOf('n-1'))
    deepEqual(await Promise.all([roles, message]), [right(named), right('555')])
    const [first = 0, second = 0] = startsMs()
    ok(second - first >= 1_000, `${second - first} ms`)
    equal(limited('global'), 1)
  })

  it('refuses at once what a 429 puts off beyond the time that the call has', async () => {
    await start([rateLimitReply(3_600, 'user')])
    const roles = await rig.guildRoles(() => true)
    equal(failureTag(roles), 'roles_unreadable')
    // What is left of the hour when the caller is answered, on a machine however slow.
    match(isLeft(roles) ? roles.left.detail : '', /\b3(600|5\d\d) s/)
    equal(double.requests.length, 1)
  })

  it('asks nothing more after a 401, and says what to do', async () => {
    await start([{ status: 401, body: errorBody('401: Unauthorized') }])
    for (let count = 0; count < 20; count += 1) {
      const roles = await rig.guildRoles(() => true)
      ok(isLeft(roles) && roles.left.detail.includes('(401)'))
    }
    equal(double.requests.length, 1)
    equal(rig.log[0], 'chat_token_refused {}')
    equal(
      rig.log.filter(line => line.startsWith('guild_roles_unreadable {"why":"BotTokenRefused"')).length,
      20,
    )
  })

  it('does not ask again what is refused', async () => {
    await start([
      { status: 403, body: errorBody('Missing Access', 50_001) },
      { status: 404, body: errorBody('Unknown Guild', 10_004) },
    ])
    for (const code of ['50001', '10004']) {
      const roles = await rig.chat.guildRoles(guildId)
      ok(isLeft(roles) && roles.left._tag === 'ChatRefused' && roles.left.detail.includes(code))
    }
    equal(double.requests.length, 2)
  })

  const bad: ReadonlyArray<readonly [what: string, text: string]> = [
    ['no JSON', '<html>'],
    ['an object', '{}'],
    ['roles without names', '[{"id": "1"}]'],
    ['an id that is a number', '[{"id": 1, "name": "Rada"}]'],
    ['an id that is a path', '[{"id": "../users/1", "name": "Rada"}]'],
    ['nothing', ''],
  ]
  for (const [what, text] of bad)
    it(`has no roles where the answer is not the contract's: ${what}`, async () => {
      await start([wildReply(200, {}, text)])
      equal(failureTag(await rig.chat.guildRoles(guildId)), 'BadAnswer')
      equal(double.requests.length, 1)
    })

  it('has an answer in its time where the platform has none', async () => {
    await start(Array.from({ length: 27 }, (): DoubleReply => () => undefined))
    equal(failureTag(await rig.chat.guildRoles(guildId)), 'NoAnswer')
    // Two attempts of 3 s and the beginning of a third fill the 8 s of a read; more attempts would mean more time.
    const { length } = double.requests
    ok(length === 2 || length === 3, `${length} attempts`)
  })

  it('reads the roles once for all, and once more on a miss', async () => {
    await start()
    const asked = Array.from({ length: 30 }, () => rig.guildRoles(roles => roles.length === 3))
    for (const roles of await Promise.all(asked)) deepEqual(roles, right(named))
    equal(double.requests.length, 1)
    deepEqual(await rig.guildRoles(() => false), right(named))
    equal(double.requests.length, 2)
  })
})

describe('the chat port of a host that may not speak', () => {
  const rows: ReadonlyArray<
    readonly [what: string, settings: (url: string) => Partial<Config>, token: string | null, why: string]
  > = [
    ['without a token', url => ({ 'integrations.chat.api_url': url }), null, 'NoBotToken'],
    ['without an address', () => ({}), token, 'NoChatApi'],
    [
      'over plain HTTP to another machine',
      url => ({ 'integrations.chat.api_url': url.replace('127.0.0.1', 'chat.example') }),
      token,
      'NoChatApi',
    ],
  ]
  for (const [what, settings, given, why] of rows)
    it(`makes no call: ${what}`, async () => {
      const double = await chatDouble()
      const rig = await chatRig({ ...settings(double.url), 'integrations.chat.guild_id': '100' }, given)
      equal(failureTag(await rig.chat.guildRoles(guildId)), why)
      equal(failureTag(await rig.chat.guildChannels(guildId)), why)
      equal(failureTag(await rig.chat.createMessage(messageOf('n-1'))), why)
      equal(failureTag(await rig.guildRoles(() => true)), 'roles_unreadable')
      equal(double.requests.length + rig.counts.size, 0)
      await rig.close()
      await double.close()
    })

  for (const setting of [{ 'integrations.chat.enabled': false }, { 'integrations.chat.rate_per_minute': 0 }])
    it(`sends no message, and reads: ${Object.keys(setting).join()}`, async () => {
      const double = await chatDouble()
      const rig = await chatRig({ ...setting, 'integrations.chat.api_url': double.url }, token)
      equal(failureTag(await rig.chat.createMessage(messageOf('n-1'))), 'ChatDisabled')
      equal(failureTag(await rig.chat.guildRoles(guildId)), 'none')
      equal(double.requests.length, 1)
      await rig.close()
      await double.close()
    })

  for (const guild of ['', 'the-guild', '../users', '0', '99999999999999999999'])
    it(`has no roles of a guild that is none: '${guild}'`, async () => {
      const double = await chatDouble()
      const settings = { 'integrations.chat.api_url': double.url, 'integrations.chat.guild_id': guild }
      const rig = await chatRig(settings, token)
      equal(failureTag(await rig.guildRoles(() => true)), 'roles_unreadable')
      equal(double.requests.length, 0)
      await rig.close()
      await double.close()
    })
})
