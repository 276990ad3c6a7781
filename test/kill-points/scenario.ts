import type { Client } from '#test/support/http-client.js'
import { writeNext } from './asks.js'
import type { WriteLedger } from './ledger.js'
import { smallWorld } from './lore.js'
import { plantWork, workOf } from './person.js'
import type { KillPlace } from './place.js'

export type Deed = (client: Client, ledger: WriteLedger, place: KillPlace) => Promise<void>

/** What the daemon is doing when it is killed. */
export interface Scenario {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly remote: 'none' | 'bare' | 'forge'
  /** Whether the daemon calls a chat platform. */
  readonly hasChat: boolean
  /** Targets of calls that are no points: of answers, where the scenario asks how far the daemon is. */
  readonly uncounted: RegExp | null
  /** Points that one world bears before it is made anew. */
  readonly pointsPerWorld: number
  /** Puts uncommitted work of a person into the world. */
  readonly plant: (repo: string) => void
  /** What of the person and of the work tree must be the same before and after. */
  readonly work: (repo: string) => string
  /** Done before anybody is killed, so that `act` has something to do. */
  readonly prepare: Deed | null
  /** Null: the boot itself is what is killed. */
  readonly act: Deed | null
  /** A scenario that was killed first, so that the boot has something to mend. */
  readonly wound: Scenario | null
  /** What is asked after the recovery: null where it went well, or nothing is recovered. */
  readonly next: (client: Client, ledger: WriteLedger, place: KillPlace) => Promise<string | null>
}

/** What every scenario has that writes into the small world. */
export const writing = {
  files: smallWorld(),
  remote: 'none',
  hasChat: false,
  uncounted: null,
  pointsPerWorld: 25,
  plant: plantWork,
  work: workOf,
  prepare: null,
  wound: null,
  next: writeNext,
} satisfies Partial<Scenario>
