import { deepEqual, equal, ok } from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { jsonField } from '#test/support/json-field.js'
import { startNode, type TestNode } from '#test/support/node.js'
import { repositoryOf } from '#test/support/repository.js'
import { onlineRows, type RosterServer, rosterServer } from '#test/support/roster-server.js'

const ledger = '{"gameId": "7", "nick": "Lis", "charId": "70", "since": "2024-01-01"}\n'

const filesWith = (game: object): Readonly<Record<string, string>> => ({
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': JSON.stringify({ server: { selfheal_interval_ms: 100 }, integrations: { game } }),
  '.svc/players/ledger.jsonl': ledger,
  'kontrybutorzy.md': '## Gracz\n',
})

/** The parts of an answer that a test compares. */
const shortOf = (status: number, json: unknown): string => {
  const word = jsonField(json, 'reason') ?? jsonField(json, 'error') ?? jsonField(json, 'currentNick')
  return `${status} ${String(word)}`
}

let roster: RosterServer
beforeEach(async () => {
  roster = await rosterServer(onlineRows(['Sowa', '8']))
})
afterEach(() => roster.close())

describe('players of a whole node, with a roster on loopback', () => {
  let node: TestNode | null = null
  afterEach(async () => {
    await node?.stop()
    node = null
  })

  const started = async (game: object = {}): Promise<(query: string) => Promise<string>> => {
    const running = await startNode({ files: filesWith({ roster_url: roster.url, ...game }) })
    node = running
    return async query => {
      const { status, json } = await running.client.ask(`/players/resolve?${query}`)
      return shortOf(status, json)
    }
  }
  const metric = (name: string, labels = {}): Promise<number> => {
    if (node === null) throw new Error('no node')
    return node.metric(name, labels)
  }

  it('are found in the ledger without a fetch, and online with one; a miss is remembered', async () => {
    const ask = await started()
    equal(await ask('nick=lis'), '200 Lis')
    equal(roster.fetches(), 0)
    equal(await ask('nick=sowa'), '200 Sowa')
    equal(await ask('gameid=9'), '404 not_in_ledger_and_not_online')
    equal(await ask('gameid=9'), '404 recent_miss_cached')
    equal(roster.fetches(), 2)
    for (const [result, count] of [
      ['recorded', 1],
      ['online', 1],
      ['absent', 1],
      ['remembered', 1],
    ] as const)
      equal(await metric('svc_players_resolves_total', { result }), count, result)
    equal(await metric('svc_players_roster_fetches_total', { result: 'ok' }), 2)
    equal(await metric('svc_players_roster_fetches_hour'), 2)
  })

  it('share one fetch with everybody who asks meanwhile', async () => {
    const ask = await started()
    const release = roster.hold()
    const answers = Array.from({ length: 20 }, (_, at) => ask(at % 2 === 0 ? 'nick=Sowa' : `nick=n${at}`))
    await eventually(
      () => metric('svc_actor_messages_total', { actor: 'roster-keeper', result: 'ok' }),
      // The questions, and the answer of the budget.
      count => count >= 21,
    )
    await eventually(
      () => Promise.resolve(roster.fetches()),
      count => count === 1,
    )
    release()
    deepEqual(new Set(await Promise.all(answers)), new Set(['200 Sowa', '404 not_in_ledger_and_not_online']))
    equal(roster.fetches(), 1)
    equal(await metric('svc_players_roster_fetches_hour'), 1)
  })

  for (const [what, result, reply] of [
    ['a status', 'status', { status: 500, body: '[]' }],
    ['a redirect', 'status', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
    ['no JSON', 'malformed', { body: '<html>' }],
    ['no list', 'malformed', { body: '{"players": []}' }],
    ['compressed bytes', 'malformed', { headers: { 'content-encoding': 'gzip' }, body: gzipSync('[]') }],
    ['too many bytes', 'too_large', { body: `[${' '.repeat(512 * 1024)}]` }],
  ] as const)
    it(`are 503 where a fetch brings ${what}, which is given back and not repeated at once`, async () => {
      const ask = await started({ resolve_fetches_per_hour: 1 })
      roster.publish(reply)
      equal(await ask('nick=Sowa'), '503 RosterUnavailable')
      equal(await ask('nick=Sowa'), '503 RosterUnavailable')
      equal(roster.fetches(), 1)
      equal(await metric('svc_players_roster_fetches_total', { result }), 1)
      equal(await metric('svc_players_roster_fetches_hour'), 0)
    })

  it('are asked of no other machine without TLS', async () => {
    const ask = await started({ roster_url: roster.url.replace('127.0.0.1', '192.0.2.1') })
    equal(await ask('nick=Sowa'), '503 RosterUnavailable')
    equal(await metric('svc_players_roster_fetches_total', { result: 'address' }), 1)
  })

  it('are 429 once the budget of the hour is spent, and those of the ledger still answered', async () => {
    const ask = await started({ resolve_fetches_per_hour: 1 })
    equal(await ask('nick=Sowa'), '200 Sowa')
    equal(await ask('nick=Wilk'), '429 resolve_fetch_budget_exhausted')
    const reply = await node?.client.ask('/players/resolve?nick=Wilk')
    const seconds = Number(reply?.headers['retry-after'])
    ok(seconds > 0 && seconds <= 3600, `${seconds} s`)
    equal(jsonField(reply?.json, 'retryAfterSeconds'), seconds)
    equal(await ask('nick=Lis'), '200 Lis')
    equal(roster.fetches(), 1)
  })

  it('are 503 on a host without a roster, and cost no budget', async () => {
    const ask = await started({ roster_url: '' })
    equal(await ask('nick=Sowa'), '503 roster_disabled')
    equal(await ask('nick=Lis'), '200 Lis')
    equal(await metric('svc_players_roster_fetches_hour'), 0)
  })

  it('are found in the ledger as soon as it is committed, whatever was remembered', async () => {
    const ask = await started()
    equal(await ask('nick=Wilk'), '404 not_in_ledger_and_not_online')
    node?.repository.commit({ '.svc/players/ledger.jsonl': ledger.replaceAll('Lis', 'Wilk') })
    await node?.host.look()
    equal(await ask('nick=Wilk'), '200 Wilk')
  })
})

describe('the budget of a daemon that is killed', () => {
  it('is not given back by the next start', async () => {
    const game = { roster_url: roster.url, resolve_fetches_per_hour: 2 }
    const repository = repositoryOf(filesWith(game))
    const start = (): Promise<Daemon> => startDaemon(['serve', '--repo', repository.path])
    let daemon = await start()
    const ask = async (query: string): Promise<string> => {
      const { status, body } = await getJson(daemon, `/players/resolve?${query}`)
      return shortOf(status, body)
    }
    try {
      equal(await ask('nick=Sowa'), '200 Sowa')
      equal(await ask('nick=Wilk'), '404 not_in_ledger_and_not_online')
      await daemon.stop('SIGKILL')
      daemon = await start()
      // The miss was remembered by the process; the fetches are on disk.
      equal(await ask('nick=Wilk'), '429 resolve_fetch_budget_exhausted')
      equal(await ask('nick=Lis'), '200 Lis')
      equal(roster.fetches(), 2)
    } finally {
      await daemon.stop('SIGKILL')
      repository.dispose()
    }
  })
})
