import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { askAdopt, askMode, patch, readEvents, writeNext } from './asks.js'
import { dispatch, dispatchRecovery } from './chat/dispatch.js'
import { outbox, outboxNotice, outboxRecovery } from './chat/outbox.js'
import { apiKey } from './groups/api-keys.js'
import { fetching, merge, parking, push } from './groups/converging.js'
import { enacting } from './groups/enacting.js'
import { takeover } from './groups/takeover.js'
import { names } from './lore.js'
import { gitStatusOf } from './person.js'
import { type Scenario, writing } from './scenario.js'

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
  work: gitStatusOf,
  act: async client => {
    await askAdopt(client)
  },
  // Every adoption after the first finds nothing to do, and still asks all that it needs.
  next: async client => {
    const status = await askAdopt(client)
    return status === 200 ? null : `the next adoption was answered ${status}`
  },
}

const journal: Scenario = {
  ...writing,
  name: 'journal',
  act: async (client, ledger) => {
    for (const mode of ['read-only', 'read-write', 'read-only', 'read-write']) {
      await askMode(client, mode)
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
  fetching,
  parking,
  ...enacting,
  apiKey,
  journal,
  adoption,
  takeover,
  dispatch,
  dispatchRecovery,
  outbox,
  outboxRecovery,
  outboxNotice,
]
