import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { playerKeyText } from '#src/domain/people/players.js'
import type { OnlineAnswer } from '#src/ports/identity.js'
import { contractWorld } from '#test/support/contract-world.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'

describe('GET /players/resolve', () => {
  let front: TestFront
  let answer: OnlineAnswer
  let isOn = true
  const asked: Array<string> = []
  const askers: Array<string | null> = []
  const results: Array<string> = []
  before(async () => {
    answer = { _tag: 'Absent', isRemembered: false }
    const players = {
      get askRoster() {
        return isOn
          ? (sought: Parameters<typeof playerKeyText>[0], person: string | null) => {
              asked.push(playerKeyText(sought))
              askers.push(person)
              return Promise.resolve(answer)
            }
          : null
      },
      resolved: (result: string) => void results.push(result),
    }
    front = await testFront({
      snapshot: contractWorld(),
      callers: {
        reader: callerWith(['player.read']),
        brzoza: callerWith(['player.read'], 'Brzoza'),
        writer: callerWith(['player.write', 'entity.read']),
      },
      node: nodeView({ players }),
    })
  })
  after(() => front.close())

  const ask = (query: string, token = 'reader') => front.client.ask(`/players/resolve${query}`, { token })
  const codeOf = async (query: string, token?: string) => {
    const reply = await ask(query, token)
    return [reply.status, jsonField(reply.json, 'error')]
  }

  it('answers from the committed ledger, by an old nick too, and asks nobody', async () => {
    asked.length = 0
    for (const query of ['?nick=brzozek', '?nick=Brzoza', '?gameid=41001', '?gameid=%2041001%20']) {
      const { status, json } = await ask(query)
      deepEqual(
        [status, jsonField(json, 'gameId'), jsonField(json, 'currentNick'), jsonField(json, 'recorded')],
        [200, '41001', 'Brzoza', true],
      )
    }
    deepEqual(asked, [])
  })

  for (const [query, parameter] of [
    ['', 'nick'],
    ['?nick=Brzoza&gameid=41001', 'gameid'],
    ['?nick=', 'nick'],
    ['?nick=%20', 'nick'],
    [`?nick=${'x'.repeat(201)}`, 'nick'],
    ['?nick=a%0Ab', 'nick'],
    ['?nick=a&nick=b', 'nick'],
    ['?gameid=', 'gameid'],
    [`?gameid=${'1'.repeat(65)}`, 'gameid'],
  ] as const)
    it(`is 400 for ${query.slice(0, 30) === '' ? 'no parameter' : query.slice(0, 30)}`, async () => {
      const { status, json } = await ask(query)
      deepEqual(
        [status, jsonField(json, 'error'), jsonField(json, 'parameter')],
        [400, 'ParameterInvalid', parameter],
      )
    })

  it('is 403 without player.read', async () =>
    deepEqual(await codeOf('?nick=Brzoza', 'writer'), [403, 'Forbidden']))

  it('answers with a player whom only the roster has, unrecorded, with what the ledger knows of the id', async () => {
    answer = {
      _tag: 'Online',
      player: { nick: 'Nowa', nickKey: nameKey('Nowa'), gameId: '41002', charId: '700' },
    }
    const { status, json } = await ask('?nick=nowa')
    equal(status, 200)
    deepEqual(
      ['gameId', 'currentNick', 'charId', 'recorded', 'historyTotal'].map(field => jsonField(json, field)),
      ['41002', 'Nowa', '700', false, 1],
    )
  })

  for (const [given, status, error, field, value] of [
    [
      { _tag: 'Absent', isRemembered: false },
      404,
      'PlayerNotFound',
      'reason',
      'not_in_ledger_and_not_online',
    ],
    [{ _tag: 'Absent', isRemembered: true }, 404, 'PlayerNotFound', 'reason', 'recent_miss_cached'],
    [
      { _tag: 'Exhausted', of: 'host', retryAfterMs: 1500 },
      429,
      'resolve_fetch_budget_exhausted',
      'retryAfterSeconds',
      2,
    ],
    [{ _tag: 'Away' }, 503, 'RosterUnavailable', 'reason', undefined],
    [{ _tag: 'DiskRefused', code: 'SQLITE_FULL' }, 503, 'DiskRefused', 'reason', undefined],
  ] as const)
    it(`is ${status} ${error} where the roster answers ${JSON.stringify(given)}`, async () => {
      answer = given
      const reply = await ask('?gameid=99')
      deepEqual(
        [reply.status, jsonField(reply.json, 'error'), jsonField(reply.json, field)],
        [status, error, value],
      )
      if (status === 429) equal(reply.headers['retry-after'], '2')
    })

  it('asks the roster in the name of the person, and says where their own share is used up', async () => {
    answer = { _tag: 'Exhausted', of: 'person', retryAfterMs: 1500 }
    askers.length = 0
    match((await ask('?gameid=99', 'brzoza')).text, /your share .* Try again in 2 s/)
    await ask('?gameid=99')
    deepEqual(askers, ['Brzoza', null])
  })

  it('is 503 roster_disabled for a miss on a host without a roster, and answers from the ledger', async () => {
    isOn = false
    try {
      deepEqual(await codeOf('?nick=Nikt'), [503, 'roster_disabled'])
      equal((await ask('?nick=Brzoza')).status, 200)
    } finally {
      isOn = true
    }
  })

  it('counts each answer by its result', async () => {
    results.length = 0
    answer = { _tag: 'Absent', isRemembered: false }
    await ask('?nick=Brzoza')
    await ask('?nick=Nikt')
    deepEqual(results, ['recorded', 'absent'])
  })

  it('has no validator: the answer is that of this host alone', async () => {
    const reply = await ask('?nick=Brzoza')
    equal(reply.headers.etag, undefined)
    match(String(reply.headers['x-svc-commit']), /^a{40}$/)
  })
})
