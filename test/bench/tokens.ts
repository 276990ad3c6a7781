import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { loginsIn } from '#src/adapters/runtime/logins.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { loginToken, tokenHash } from '#src/domain/identity/credentials/tokens.js'
import {
  fleetHeader,
  goodClaims,
  keysFile,
  publishedKeyOf,
  signCompact,
  testHost,
} from '#test/support/identity/fleet.js'
import { rawGet } from './bare.js'
import { type BenchDaemon, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { aGameId } from './game-id.js'
import { oneByOne } from './one-by-one.js'

const warmUp = 1_500
const pairs = 3_000
const pairsInBlock = 300
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
  readonly withoutMs: number
  readonly withMs: number
  /** What the token adds, by the medians of each block of turns. */
  readonly overMicros: ReadonlyArray<number>
}

/** One public row, asked without and with a token in turns. */
const costOf = async ({ url }: BenchDaemon, token: string): Promise<Cost> => {
  const bearer = { authorization: `Bearer ${token}` }
  const known = await rawGet(`${url}/capabilities`, bearer)
  if (known.status !== 200) throw new Error(`the token is not known: ${known.status}`)
  const asker = oneByOne(`${url}/schema/version`)
  const without: Array<number> = []
  const withToken: Array<number> = []
  try {
    for (let at = 0; at < warmUp; at += 1) await asker.ask(at % 2 === 0 ? {} : bearer)
    for (let at = 0; at < pairs; at += 1) {
      if (at % 2 === 0) without.push(await asker.ask({}))
      withToken.push(await asker.ask(bearer))
      if (at % 2 !== 0) without.push(await asker.ask({}))
    }
  } finally {
    asker.close()
  }
  const overMicros = Array.from({ length: pairs / pairsInBlock }, (_, block) => {
    const [from, to] = [block * pairsInBlock, (block + 1) * pairsInBlock]
    return (median(withToken.slice(from, to)) - median(without.slice(from, to))) * 1000
  })
  return { withoutMs: median(without), withMs: median(withToken), overMicros }
}

const withSessions = async (folder: string, repo: string, count: number): Promise<Cost> => {
  const state = await mkdtemp(join(folder, 'state-'))
  const token = seedTokens(state, await aGameId(repo), count)
  const daemon = await startBenchDaemon({ repo, state })
  try {
    return await costOf(daemon, token)
  } finally {
    await daemon.stop()
  }
}

/** Publishes a key for fleet tokens in a commit; answers a token of a game id that it signed. */
const publishToken = async (repo: string): Promise<string> => {
  const host = testHost('Pomiar')
  await writeFile(join(repo, '.svc/fleet-keys.json'), keysFile({ epoch: 1, keys: [publishedKeyOf(host)] }))
  const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']
  await gitText(['add', '--all'], { cwd: repo })
  await gitText([...author, 'commit', '--quiet', '-m', 'pomiar: klucz floty'], { cwd: repo })
  const claims = { ...goodClaims(host, Date.now()), sub: await aGameId(repo) }
  return `fsess_${signCompact(host.privateKey, fleetHeader(host), claims)}`
}

const withFleet = async (folder: string, repo: string): Promise<Cost> => {
  const token = await publishToken(repo)
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    return await costOf(daemon, token)
  } finally {
    await daemon.stop()
  }
}

const note = ({ withoutMs, withMs }: Cost): string =>
  `${withMs.toFixed(3)} ms with it, ${withoutMs.toFixed(3)} ms without`

/** What the token of a sign-in costs a request: one and the same public row with it and without, in turns. */
export const tokenFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const one = await withSessions(folder, repo, 1)
  const many = await withSessions(folder, repo, outstanding)
  const fleet = await withFleet(folder, repo)
  return [
    figureAtMost(
      'a request with sess_ over one without, median',
      'us',
      sessionBarMicros,
      one.overMicros,
      note(one),
    ),
    figureAtMost(
      'the same with 10,000 sessions outstanding',
      'us',
      sessionBarMicros,
      many.overMicros,
      note(many),
    ),
    figureAtMost(
      'a request with fsess_ over one without, median',
      'us',
      fleetBarMicros,
      fleet.overMicros,
      note(fleet),
    ),
    figureWithoutBar(
      'what 10,000 sessions add to it',
      'us',
      median(many.overMicros) - median(one.overMicros),
    ),
  ]
}
