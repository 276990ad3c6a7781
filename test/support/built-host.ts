import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { openRuntimeDb, type RuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { hostLogins } from '#src/node/identity/tokens.js'
import { secrets } from '#test/support/secrets/secrets.js'
import { type Daemon, startDaemon } from './daemon.js'
import { openHeldClock } from './held-clock.js'
import type { Host, HostWish } from './host.js'
import { askTarget, clientOf } from './http-client.js'
import { sampleSum } from './metric-text.js'
import { type Repository, repositoryOf, temporaryFolder } from './repository.js'

export interface BuiltWish extends HostWish {
  /** The name of the host in the fleet. */
  readonly town?: string
  readonly env?: Readonly<Record<string, string>>
  /** Further arguments of `kronika serve`. */
  readonly args?: ReadonlyArray<string>
  /** Where the daemon's clock stands until the test moves it; if absent, it runs normally. */
  readonly heldAtMs?: number
  /** Prepares the repository before the daemon starts. */
  readonly ready?: (repository: Repository) => void
  /** Prepares the runtime database, and the state area at this path, before the daemon starts. */
  readonly kept?: (runtime: RuntimeDb, state: string) => Promise<void>
}

/** The built daemon over its own repository. */
export interface BuiltHost extends Host {
  readonly daemon: Daemon
  /** Moves a held clock. */
  readonly setNowMs: (atMs: number) => void
}

const sessionTtlMs = 14_400_000

/** Opens the runtime database of a host for some work, beside the daemon or before it starts. */
export const withRuntime = async <A>(
  repository: string,
  work: (runtime: RuntimeDb) => Promise<A>,
): Promise<A> => {
  const state = join(repository, '.svc/state')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const opened = openRuntimeDb(state)
  if (isLeft(opened)) throw new Error(opened.left.reason)
  try {
    return await work(opened.right)
  } finally {
    opened.right.close()
  }
}

/** Stores logins of these ids for a daemon that is not started yet: it loads them at its start. */
export const keepSessions = async (
  { logins: store }: RuntimeDb,
  gameIds: ReadonlyArray<string>,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> => {
  const mintFleet = () => Promise.resolve(null)
  const { mint } = hostLogins({ store, ttlMs: sessionTtlMs, mintFleet, bootMs: 0 })
  const kept = new Map<string, string>()
  for (const gameId of gameIds) {
    const minted = await mint({ gameId, chatId: null }, nowMs)
    if (isLeft(minted)) throw new Error(minted.left.detail)
    kept.set(gameId, minted.right.token)
  }
  return kept
}

const portOf = (url: string): number => Number(new URL(url).port)

/** Starts the built daemon; `stop` fails unless it ends in order. */
export const startBuilt = async (wish: BuiltWish): Promise<BuiltHost> => {
  const { files = {}, sessionsOf = [], env = {}, heldAtMs, town, args = [] } = wish
  const named = town === undefined ? [] : ['--town', town]
  const repository = repositoryOf(files)
  wish.ready?.(repository)
  const clockFolder = temporaryFolder()
  const clock = heldAtMs === undefined ? null : openHeldClock(join(clockFolder.path, 'now'), heldAtMs)
  const sessions = await withRuntime(repository.path, async runtime => {
    await wish.kept?.(runtime, join(repository.path, '.svc/state'))
    return keepSessions(runtime, sessionsOf, heldAtMs ?? Date.now())
  })
  const daemon = await startDaemon(['serve', '--repo', repository.path, ...named, ...args], {
    ...env,
    ...clock?.env,
  })
  const { ready, token, stdout, stderr } = daemon
  const metrics = async (): Promise<string> => (await askTarget(portOf(ready.ops), '/metrics')).text
  return {
    repository,
    daemon,
    client: clientOf({ port: portOf(ready.url), token, recorded: true }),
    setNowMs: atMs => clock?.setNowMs(atMs),
    said: () => stdout() + stderr(),
    metric: async (name, labels = {}) => sampleSum(await metrics(), name, labels),
    session: gameId => {
      const kept = sessions.get(gameId)
      return kept === undefined ? Promise.reject(new Error(`no session of ${gameId}`)) : Promise.resolve(kept)
    },
    stop: async () => {
      secrets.told('metrics of a daemon', await metrics())
      const code = await daemon.stop()
      repository.dispose()
      clockFolder.dispose()
      if (code !== 0) throw new Error(`the daemon ended with ${code ?? 'a signal'}: ${stderr()}`)
    },
  }
}
