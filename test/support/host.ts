import type { Client } from './http-client.js'
import type { Repository } from './repository.js'

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
