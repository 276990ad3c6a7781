import * as t from 'io-ts'
import type { Client } from '#test/support/http-client.js'
import { gitIn } from '#test/support/repository.js'
import { askOrNull, converge } from '../asks.js'
import { smallWorld } from '../lore.js'
import type { KillPlace } from '../place.js'
import { type Scenario, writing } from '../scenario.js'

/** Sync is on, and nothing converges by itself while a scenario goes on. */
const quiet = { sync_interval_min: 600, sync_max_age_min: 0, publish_mode: 'push' }

const ledger = '.svc/pu/batches.jsonl'
const people = 'encje/indeks-03.md'
const wit = '### Wit\n- @typ: Postać\n- @pu_startowe: 20\n'

const Awarded = t.type({ Applied: t.boolean, Awards: t.readonlyArray(t.type({ SumaAfter: t.number })) })

/** Settles the month: whether it granted anything; a status where it was answered otherwise, 0 without an answer. */
const award = async (client: Client): Promise<t.TypeOf<typeof Awarded> | number> => {
  const body = JSON.stringify({ month: '2026-05' })
  const reply = await askOrNull(client, '/workflows/award-pu', { method: 'POST', body })
  const answer = Awarded.decode(reply?.json)
  return reply?.status !== 200 || answer._tag === 'Left' ? (reply?.status ?? 0) : answer.right
}

/** What is wrong with the month at a commit once it is settled; null where nothing is. */
const monthViolation = (repo: string, at: string): string | null => {
  const rows = gitIn(repo, 'show', `${at}:${ledger}`)
    .split('\n')
    .filter(line => line !== '')
  if (rows.length !== 1) return `the ledger at ${at} has ${rows.length} rows for one month (S20)`
  const text = gitIn(repo, 'show', `${at}:${people}`)
  const figures: ReadonlyArray<string> = text.match(/@pu_(?:suma|zdobyte|nadmiar): \S+/gu) ?? []
  const wanted = ['@pu_suma: 21.50', '@pu_zdobyte: 1.50', '@pu_nadmiar: 0.00']
  return JSON.stringify(figures) === JSON.stringify(wanted)
    ? null
    : `the figures at ${at} are ${figures.join(', ')} (S20)`
}

/** A settled month is settled once, here and in the remote, whatever was killed. */
const settledOnce = async (client: Client, { repo, remote }: KillPlace): Promise<string | null> => {
  const first = await award(client)
  if (typeof first === 'number') return `the next award was answered ${first}`
  const again = await award(client)
  if (typeof again === 'number' || again.Applied) return 'an award that was answered is granted again (S20)'
  const unpublished = await converge(client)
  if (unpublished !== null) return unpublished
  return monthViolation(repo, 'HEAD') ?? (remote === null ? null : monthViolation(remote.bare, 'main'))
}

/** The batch of a month in mode push: its commit goes to the remote before the branch here moves. */
export const awarding: Scenario = {
  ...writing,
  name: 'award',
  files: {
    ...smallWorld(quiet),
    [people]: wit,
    'sesje/maj.md': '### 2026-05-10, Most, Solmyr\n\nOpis.\n\n- @PU:\n    - Wit: 0.5\n',
  },
  remote: 'bare',
  pointsPerWorld: 1,
  prepare: async client => {
    await converge(client)
  },
  act: async client => {
    await award(client)
  },
  next: (client, _ledger, place) => settledOnce(client, place),
}
