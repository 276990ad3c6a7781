import type { Client } from '#test/support/http-client.js'
import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { adopt, converge, patch, publishElsewhere, readEvents, setMode, writeNext } from './asks.js'
import { originViolations } from './history.js'
import type { Ledger } from './ledger.js'
import { names, smallWorld } from './lore.js'
import { changedIn, plantWork, workOf } from './person.js'
import type { Place } from './place.js'

type Deed = (client: Client, ledger: Ledger, place: Place) => Promise<void>

/** What the daemon is doing when it is killed. */
export interface Scenario {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly hasRemote: boolean
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
  readonly next: (client: Client, ledger: Ledger, place: Place) => Promise<string | null>
}

const writing = {
  files: smallWorld(),
  hasRemote: false,
  pointsPerWorld: 25,
  plant: plantWork,
  work: workOf,
  prepare: null,
  wound: null,
  next: writeNext,
} satisfies Partial<Scenario>

const write: Scenario = {
  ...writing,
  name: 'write',
  act: async (client, ledger) => {
    await patch(client, ledger, names[1] ?? '')
  },
}

const boot: Scenario = { ...writing, name: 'boot', pointsPerWorld: 1, act: null }

const batch: Scenario = {
  ...writing,
  name: 'batch',
  act: async (client, ledger) => {
    await Promise.all([...names, ...names].map(name => patch(client, ledger, name)))
  },
}

const adoption: Scenario = {
  ...writing,
  name: 'adoption',
  files: legacyWorld,
  pointsPerWorld: 1,
  plant: () => undefined,
  work: changedIn,
  act: async client => {
    await adopt(client)
  },
  // Every adoption after the first finds nothing to do, and still asks all that it needs.
  next: async client => {
    const status = await adopt(client)
    return status === 200 ? null : `the next adoption was answered ${status}`
  },
}

/** Sync is on, and nothing converges by itself while a scenario goes on. */
const quiet = { sync_interval_min: 600, sync_max_age_min: 0 }

/** Another host published beside what was written here, in the same block: the texts meet, the rows do not. */
const merge: Scenario = {
  ...writing,
  name: 'merge',
  files: smallWorld({ ...quiet, publish_mode: 'none' }),
  hasRemote: true,
  prepare: async (client, ledger, place) => {
    await converge(client)
    await patch(client, ledger, names[1] ?? '')
    publishElsewhere(place, ledger, names[1] ?? '')
  },
  act: async client => {
    await converge(client)
  },
  next: async (client, ledger) => (await writeNext(client, ledger)) ?? (await converge(client)),
}

const push: Scenario = {
  ...merge,
  name: 'push',
  files: smallWorld({ ...quiet, publish_mode: 'push' }),
  prepare: async client => {
    await converge(client)
  },
  act: async (client, ledger) => {
    await patch(client, ledger, names[1] ?? '')
    await converge(client)
  },
  next: async (client, ledger, place) =>
    (await writeNext(client, ledger)) ?? (await converge(client)) ?? originViolations(place, ledger),
}

const journal: Scenario = {
  ...writing,
  name: 'journal',
  act: async (client, ledger) => {
    for (const mode of ['read-only', 'read-write', 'read-only', 'read-write']) {
      await setMode(client, mode)
      await readEvents(client, ledger, ledger.lastSeen())
    }
  },
  next: async (client, ledger) => (await readEvents(client, ledger, 0)) ?? (await writeNext(client, ledger)),
}

export const scenarios: ReadonlyArray<Scenario> = [
  boot,
  { ...boot, name: 'boot after a kill', pointsPerWorld: 25, wound: write },
  write,
  batch,
  merge,
  push,
  journal,
  adoption,
]
