import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { loginsIn } from '#src/adapters/runtime/logins.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { loginToken } from '#src/domain/identity/tokens/login-token.js'
import { tokenHash } from '#src/domain/identity/tokens/machine-token.js'
import {
  fleetHeader,
  goodClaims,
  keysFile,
  publishedKeyOf,
  signCompact,
  testHost,
} from '#test/support/identity/fleet.js'
import { rawGet } from './client.js'
import { type BenchDaemon, withDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, inPairs, median, mediansOf } from './figure.js'
import { oneByOne } from './one-by-one.js'
import { aGameId, commitAll } from './worlds.js'

const warmUp = 750
const stretches = 9
const requestsInStretch = 400
const outstanding = 10_000
const sessionBarMicros = 50
const fleetBarMicros = 100
const lifetimeMs = 14_400_000

/** Writes sessions of a game id into the runtime database of a node that does not run; answers one of the tokens. */
const seedTokens = (state: string, gameId: string, count: number): string => {
  const made = openRuntimeDb(state)
  if (isLeft(made)) throw new Error(made.left.reason)
  made.right.close()
  const database = openSqlite(join(state, 'runtime.db'), 0)
  const { keep } = loginsIn(database)
  const createdMs = Date.now()
  const tokens = Array.from({ length: count }, () => loginToken(randomBytes(32)))
  database.transaction(() => {
    for (const token of tokens)
      keep(tokenHash(token).toString('hex'), {
        gameId,
        chatId: null,
        createdMs,
        expiresMs: createdMs + lifetimeMs,
      })
  })
  database.close()
  return tokens[Math.floor(count / 2)] ?? ''
}

interface Cost {
  readonly withMs: ReadonlyArray<number>
  readonly withoutMs: ReadonlyArray<number>
}

/** One public row, asked with a token and without in turns; medians of stretches of requests. */
const costOf = async ({ url }: BenchDaemon, token: string): Promise<Cost> => {
  const bearer = { authorization: `Bearer ${token}` }
  const known = await rawGet(`${url}/capabilities`, bearer)
  if (known.status !== 200) throw new Error(`the token is not known: ${known.status}`)
  const asker = oneByOne(`${url}/schema/version`)
  const withToken = (): Promise<number> => asker.ask(bearer)
  const without = (): Promise<number> => asker.ask({})
  try {
    await inPairs(warmUp, withToken, without)
    const times = await inPairs(stretches * requestsInStretch, withToken, without)
    const of = (side: 0 | 1): ReadonlyArray<number> =>
      mediansOf(
        times.map(pair => pair[side]),
        requestsInStretch,
      )
    return { withMs: of(0), withoutMs: of(1) }
  } finally {
    asker.close()
  }
}

const withSessions = async (folder: string, repo: string, count: number): Promise<Cost> => {
  const state = await mkdtemp(join(folder, 'state-'))
  const token = seedTokens(state, await aGameId(repo), count)
  return withDaemon(folder, { repo, state }, daemon => costOf(daemon, token))
}

/** Publishes a key for fleet tokens in a commit; answers a token of a game id that it signed. */
const publishToken = async (repo: string): Promise<string> => {
  const host = testHost('Pomiar')
  await writeFile(join(repo, '.svc/fleet-keys.json'), keysFile({ epoch: 1, keys: [publishedKeyOf(host)] }))
  await commitAll(repo, 'pomiar: klucz floty')
  const claims = { ...goodClaims(host, Date.now()), sub: await aGameId(repo) }
  return `fsess_${signCompact(host.privateKey, fleetHeader(host), claims)}`
}

const withFleet = async (folder: string, repo: string): Promise<Cost> => {
  const token = await publishToken(repo)
  return withDaemon(folder, { repo }, daemon => costOf(daemon, token))
}

const note = ({ withoutMs, withMs }: Cost): string =>
  `${median(withMs).toFixed(3)} ms with it, ${median(withoutMs).toFixed(3)} ms without`

/** What the token of a sign-in costs a request: one and the same public row with it and without, in turns. */
export const tokenFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const one = await withSessions(folder, repo, 1)
  const many = await withSessions(folder, repo, outstanding)
  const fleet = await withFleet(folder, repo)
  const over = ({ withoutMs, withMs }: Cost): ReadonlyArray<number> =>
    withMs.map((ms, at) => (ms - (withoutMs[at] ?? Number.NaN)) * 1000)
  return [
    figureAtMost(
      'a request with sess_ over one without, median',
      'us',
      sessionBarMicros,
      over(one),
      note(one),
    ),
    figureAtMost('the same with 10,000 sessions outstanding', 'us', sessionBarMicros, over(many), note(many)),
    figureAtMost(
      'a request with fsess_ over one without, median',
      'us',
      fleetBarMicros,
      over(fleet),
      note(fleet),
    ),
    figureWithoutBar('what 10,000 sessions add to it', 'us', median(over(many)) - median(over(one))),
  ]
}
