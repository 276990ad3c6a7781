import { gitIn } from '#test/support/repository.js'
import { converge, moveElsewhere, moveHere, patch, publishElsewhere, writeNext } from '../asks.js'
import { originViolations } from '../history.js'
import { names, smallWorld } from '../lore.js'
import { plantWork } from '../person.js'
import { type Scenario, writing } from '../scenario.js'

/** Sync is on, and nothing converges by itself while a scenario goes on. */
const quiet = { sync_interval_min: 600, sync_max_age_min: 0 }

/** Another host published beside what was written here, in the same block: the texts meet, the rows do not. */
export const merge: Scenario = {
  ...writing,
  name: 'merge',
  files: smallWorld({ ...quiet, publish_mode: 'none' }),
  remote: 'bare',
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

export const push: Scenario = {
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

/** Another host published more than a few objects: they come as a pack, and every entity has a text more. */
export const fetching: Scenario = {
  ...push,
  name: 'fetch',
  plant: repo => {
    plantWork(repo)
    gitIn(repo, 'config', 'fetch.unpackLimit', '1')
  },
  prepare: async (client, ledger, place) => {
    await converge(client)
    for (const name of names.slice(0, 6)) publishElsewhere(place, ledger, name)
  },
  act: async client => {
    await converge(client)
  },
}

/** Two hosts gave one row two values: the published one stands, and this host's word is parked (D30). */
export const parking: Scenario = {
  ...merge,
  name: 'park',
  prepare: async (client, ledger, place) => {
    await converge(client)
    await moveHere(client, ledger, names[1] ?? '')
    moveElsewhere(place, ledger, names[1] ?? '')
  },
  act: async client => {
    await converge(client)
  },
}
