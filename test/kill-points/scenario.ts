import type { Ask, Client, Reply } from '#test/support/http-client.js'
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

const block = (name: string): string => `### ${name}\n- @typ: NPC\n`
const names = Array.from({ length: 12 }, (_, at) => `Kupiec ${'abcdefghijkl'[at] ?? ''}`)

const smallWorld = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 600000}}\n',
  'encje/indeks.md': names.slice(0, 6).map(block).join('\n'),
  'encje/indeks-02.md': names.slice(6).map(block).join('\n'),
  ...personsFiles,
}

/** An answer; null when none came, as from a daemon that was killed. */
const answered = (client: Client, path: string, ask: Ask): Promise<Reply | null> =>
  client.ask(path, ask).catch(() => null)

/** Adds a text of its own to an entity and records what became of it; the status, 0 without an answer. */
const patch = async (client: Client, ledger: Ledger, name: string): Promise<number> => {
  const text = ledger.fresh()
  const body = JSON.stringify({ tag: '@info', value: text })
  const reply = await answered(client, `/entities/${encodeURIComponent(name)}`, { method: 'PATCH', body })
  const commit = String(reply?.headers['x-svc-commit'] ?? '')
  ledger.record({ text, fate: reply?.status === 200 ? { _tag: 'acked', commit } : { _tag: 'open' } })
  return reply?.status ?? 0
}

/** One more write to each file: whatever the kill left must not stand in its way. */
const writeNext = async (client: Client, ledger: Ledger): Promise<string | null> => {
  for (const name of [names[0], names[11]]) {
    const status = await patch(client, ledger, name ?? '')
    if (status !== 200) return `the next write was answered ${status}`
  }
  return null
}

const adopt = async (client: Client): Promise<number> =>
  (await answered(client, '/import', { method: 'POST', body: '{}' }))?.status ?? 0

const writing = {
  files: smallWorld,
  pointsPerWorld: 25,
  plant: plantWork,
  work: workOf,
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

export const scenarios: ReadonlyArray<Scenario> = [
  boot,
  { ...boot, name: 'boot after a kill', pointsPerWorld: 25, wound: write },
  write,
  {
    ...writing,
    name: 'batch',
    act: async (client, ledger) => {
      await Promise.all([...names, ...names].map(name => patch(client, ledger, name)))
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
    // Every adoption after the first finds nothing to do, and still asks all that it needs.
    next: async client => {
      const status = await adopt(client)
      return status === 200 ? null : `the next adoption was answered ${status}`
    },
  },
]
