import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { hostSessions } from '#src/boot/identity/sessions.js'
import { secrets } from '#test/support/secrets/secrets.js'
import { type Daemon, startDaemon } from './daemon.js'
import { askTarget, type Client, clientOf } from './http-client.js'
import { sampleSum } from './metric-text.js'
import { type Repository, repositoryOf } from './repository.js'

/** A whole node under test, in this process or built and spawned: what a table of requests needs of either. */
export interface Host {
  readonly repository: Repository
  readonly client: Client
  /** The sum of the samples of a metric that carry these labels. */
  readonly metric: (name: string, labels?: Readonly<Record<string, string>>) => Promise<number>
  /** All that it has logged so far. */
  readonly said: () => string
  /** A session of a game id, whoever has it now. */
  readonly session: (gameId: string) => Promise<string>
  readonly stop: () => Promise<void>
}

export interface HostWish {
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** Game ids whose sessions will be asked for. */
  readonly sessionsOf?: ReadonlyArray<string>
}

export type StartHost = (wish: HostWish) => Promise<Host>

const sessionTtlMs = 14_400_000

/** Sessions of these ids in the state area of a host that is not running: it takes them up when it begins. */
const keptSessions = async (
  state: string,
  gameIds: ReadonlyArray<string>,
): Promise<ReadonlyMap<string, string>> => {
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const opened = openRuntimeDb(state)
  if (isLeft(opened)) throw new Error(opened.left)
  const { sessions: store, close } = opened.right
  const mintFleet = () => Promise.resolve(null)
  const { mint } = hostSessions({ store, ttlMs: sessionTtlMs, mintFleet, bootMs: 0 })
  const kept = new Map<string, string>()
  for (const gameId of gameIds) {
    const minted = await mint({ gameId, chatId: null }, Date.now())
    if (isLeft(minted)) throw new Error(minted.left.detail)
    kept.set(gameId, minted.right.token)
  }
  close()
  return kept
}

const portOf = (url: string): number => Number(new URL(url).port)

/** What is asked of a daemon that runs, as of any host. */
const asked = ({ ready, token, stdout, stderr }: Daemon) => ({
  client: clientOf({ port: portOf(ready.url), token, recorded: true }),
  said: () => stdout() + stderr(),
  metric: async (name: string, labels: Readonly<Record<string, string>> = {}) =>
    sampleSum((await askTarget(portOf(ready.ops), '/metrics')).text, name, labels),
})

/** Starts the built daemon over a repository of its own; its end must be an orderly one. */
export const startBuilt: StartHost = async ({ files = {}, sessionsOf = [] }) => {
  const repository = repositoryOf(files)
  const sessions = await keptSessions(join(repository.path, '.svc/state'), sessionsOf)
  const daemon = await startDaemon(['serve', '--repo', repository.path])
  return {
    ...asked(daemon),
    repository,
    session: gameId => {
      const token = sessions.get(gameId)
      return token === undefined
        ? Promise.reject(new Error(`no session of ${gameId}`))
        : Promise.resolve(token)
    },
    stop: async () => {
      secrets.told('metrics of a daemon', (await askTarget(portOf(daemon.ready.ops), '/metrics')).text)
      const code = await daemon.stop()
      repository.dispose()
      if (code !== 0) throw new Error(`the daemon ended with ${code ?? 'a signal'}: ${daemon.stderr()}`)
    },
  }
}
