import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { FleetPeers } from '#protocol/fleet/peers.js'
import { SyncStatus } from '#protocol/host/sync.js'
import { type Daemon, eventually, startDaemon } from '#test/support/daemon.js'
import { type Client, clientOf, type Reply } from '#test/support/http-client.js'
import { cloneOf, gitIn, headIn } from '#test/support/repository.js'
import type { Network } from './network.js'

export interface HostAddress {
  readonly port: number
  readonly token: string
}

/** A town of the world: a clone of the remote, and the built daemon over it. */
export interface ScenarioHost {
  readonly town: string
  readonly path: string
  /** Null while the daemon does not run. */
  readonly client: () => Client | null
  /** The port of loopback under which the daemon is reached, and its machine token; throws where it does not run. */
  readonly address: () => HostAddress
  /** Asks the daemon; rejects where it does not run. */
  readonly ask: Client['ask']
  /** Starts the daemon, and waits until it has converged. */
  readonly start: () => Promise<void>
  /** Ends the daemon as `kill -9` does. */
  readonly kill: () => Promise<void>
  /** Stops the process without ending it, until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  readonly sync: () => Promise<SyncStatus>
  readonly peers: () => Promise<FleetPeers>
  readonly head: () => string
  /** What its daemons logged. */
  readonly log: () => string
}

const readStatus = (reply: Reply): SyncStatus => {
  const status = SyncStatus.decode(reply.json)
  if (isLeft(status)) throw new Error(`GET /sync answers ${reply.status}: ${reply.text}`)
  return status.right
}

export interface HostPlace {
  /** The folder of the clone. */
  readonly folder: string
  readonly town: string
  /** The bare repository that is cloned. */
  readonly bare: string
  /** The URL of that repository for this town. */
  readonly remoteUrl: string
  readonly network: Network
  /** More arguments of `kronika serve`. */
  readonly serveArgs?: ReadonlyArray<string>
}

/** Clones the remote; `env` is added to the environment of the daemon. */
export const scenarioHost = (
  { folder, town, bare, remoteUrl, network, serveArgs = [] }: HostPlace,
  env: Readonly<Record<string, string>>,
): ScenarioHost => {
  const path = join(folder, town)
  let daemon: Daemon | null = null
  let client: Client | null = null
  let address: HostAddress | null = null
  let isPaused = false
  let logBefore = ''
  cloneOf(bare, path)
  gitIn(path, 'remote', 'set-url', 'origin', remoteUrl)
  for (const [key, value] of Object.entries(network.gitConfig)) gitIn(path, 'config', key, value)
  const ask: Client['ask'] = (target, wish) =>
    client === null ? Promise.reject(new Error(`${town} does not run`)) : client.ask(target, wish)
  const sync = async (): Promise<SyncStatus> => readStatus(await ask('/sync'))
  const signal = (name: NodeJS.Signals): void => void daemon?.process.kill(name)
  return {
    town,
    path,
    client: () => (isPaused ? null : client),
    address: () => {
      if (address === null) throw new Error(`${town} does not run`)
      return address
    },
    ask,
    start: async () => {
      const args = [
        'serve',
        '--repo',
        path,
        '--town',
        town,
        '--port',
        String(network.portOf(town)),
        ...serveArgs,
      ]
      daemon = await startDaemon(args, { ...env, ...network.env }, { within: network.within(town) })
      const running = { pid: daemon.ready.pid, port: Number(new URL(daemon.ready.url).port) }
      network.attach(town, running)
      address = { port: network.storyPort(town, running), token: daemon.token }
      client = clientOf({ ...address, recorded: true })
      await eventually(sync, status => status.lastConvergeOkUtc !== null)
    },
    kill: async () => {
      client = null
      address = null
      network.attach(town, null)
      await daemon?.stop('SIGKILL')
      logBefore += daemon?.stderr() ?? ''
      daemon = null
    },
    pause: () => {
      isPaused = true
      signal('SIGSTOP')
    },
    resume: () => {
      signal('SIGCONT')
      isPaused = false
    },
    sync,
    peers: async () => {
      const reply = await ask('/fleet/peers')
      const peers = FleetPeers.decode(reply.json)
      if (isLeft(peers)) throw new Error(`GET /fleet/peers of ${town} answers ${reply.status}: ${reply.text}`)
      return peers.right
    },
    head: () => headIn(path, 'refs/heads/main'),
    log: () => logBefore + (daemon?.stderr() ?? ''),
  }
}

/** The end of a log that is printed. */
const logChars = 3_000

/** Prints the end of what the daemons of a host logged. */
export const printLog = (host: Pick<ScenarioHost, 'town' | 'log'>, print: (text: string) => void): void =>
  print(`\nlog of ${host.town}:\n${host.log().slice(-logChars)}\n`)
