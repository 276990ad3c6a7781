import type { Ask, Client } from '#test/support/http-client.js'
import { legacyWorld } from '#test/support/legacy-world.js'
import type { Ledger } from './ledger.js'
import { changedIn, personsFiles, plantWork, workOf } from './person.js'

/** What the daemon is doing when it is killed. */
export interface Scenario {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Points that one world bears before it is made anew. */
  readonly pointsPerWorld: number
  /** Puts uncommitted work of a person into the world. */
  readonly plant: (repo: string) => void
  /** What of the person and of the work tree must be the same before and after. */
  readonly work: (repo: string) => string
  /** Null: the boot itself is what is killed. */
  readonly act: ((client: Client, ledger: Ledger) => Promise<void>) | null
  /** A scenario that was killed first, so that the boot has something to mend. */
  readonly wound: Scenario | null
  /** A write after the recovery: 2xx, or nothing is recovered. */
  readonly next: (client: Client, ledger: Ledger) => Promise<string | null>
}

const smallWorld = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 600000}}\n',
  'encje/indeks.md': '### Orrin\n- @typ: NPC\n\n### Erathia\n- @typ: Lokacja\n',
  ...personsFiles,
}

/** The status of an answer; 0 when none came, as from a daemon that was killed. */
const statusOf = (client: Client, path: string, ask: Ask): Promise<number> =>
  client.ask(path, ask).then(
    reply => reply.status,
    () => 0,
  )

const adopt = (client: Client): Promise<number> => statusOf(client, '/import', { method: 'POST', body: '{}' })

/** Every adoption after the first finds nothing to do, and still asks all that it needs. */
const adoptNext = async (client: Client): Promise<string | null> => {
  const status = await adopt(client)
  return status === 200 ? null : `the next adoption was answered ${status}`
}

export const scenarios: ReadonlyArray<Scenario> = [
  {
    name: 'boot',
    files: smallWorld,
    pointsPerWorld: 1,
    plant: plantWork,
    work: workOf,
    act: null,
    wound: null,
    next: async client => {
      const { status } = await client.ask('/entities/Orrin')
      return status === 200 ? null : `an entity was answered ${status}`
    },
  },
  {
    name: 'adoption',
    files: legacyWorld,
    pointsPerWorld: 1,
    plant: () => undefined,
    work: changedIn,
    act: async client => {
      await adopt(client)
    },
    wound: null,
    next: adoptNext,
  },
]
