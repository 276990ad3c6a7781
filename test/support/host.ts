import type { Client } from './http-client.js'
import type { Repository } from './repository.js'

/** A whole node under test, in this process or built and spawned, with what a table of requests needs. */
export interface Host {
  readonly repository: Repository
  readonly client: Client
  /** The sum of the samples of a metric with these labels. */
  readonly metric: (name: string, labels?: Readonly<Record<string, string>>) => Promise<number>
  /** Everything that it has logged so far. */
  readonly said: () => string
  /** The token of a session of a game id, whichever person has the id now. */
  readonly session: (gameId: string) => Promise<string>
  readonly stop: () => Promise<void>
}

export interface HostWish {
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** Game ids whose sessions the test will use. */
  readonly sessionsOf?: ReadonlyArray<string>
}

export type StartHost = (wish: HostWish) => Promise<Host>
