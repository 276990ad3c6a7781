import { FleetPeers, type LastTakeover, StatusCard } from '#protocol/fleet/peers.js'
import type { Client } from '#test/support/http-client.js'
import { gitIn } from '#test/support/repository.js'
import { askOrNull, converge, writeNext } from '../asks.js'
import { ownTown } from '../forge-place.js'
import { originViolations } from '../history.js'
import type { WriteLedger } from '../ledger.js'
import { smallWorld } from '../lore.js'
import type { KillPlace } from '../place.js'
import { type Scenario, writing } from '../scenario.js'

const path = '.svc/fleet.json'
const darkTown = 'Erathia'
const endLimitMs = 240_000
const pauseMs = 150

interface Flip {
  readonly apex: string
  readonly term: number
}

/** Port 1: nothing listens there. */
const fileOf = ({ apex, term }: Flip): string => {
  const towns = Object.fromEntries(
    [ownTown, darkTown].map(name => [name, { url: 'http://127.0.0.1:1/v1/api', eligible: true }]),
  )
  return `${JSON.stringify({ apex, term, towns })}\n`
}

const bareOf = ({ remote }: KillPlace): string => {
  if (remote === null) throw new Error('the scenario has no remote')
  return remote.bare
}

const readFlip = (place: KillPlace): Flip => JSON.parse(gitIn(bareOf(place), 'show', `main:${path}`)) as Flip

/** The last version of the file that no takeover made: the one that the takeover under test replaces. */
interface Round {
  readonly commit: string
  readonly term: number
  readonly branch: string
}

const findRound = (place: KillPlace): Round => {
  const bare = bareOf(place)
  const byHand = ['log', '-1', '--format=%H', '--invert-grep', '--grep=^Svc-Takeover:', 'main', '--', path]
  const commit = gitIn(bare, ...byHand)
  const { term } = JSON.parse(gitIn(bare, 'show', `${commit}:${path}`)) as Flip
  const blob = gitIn(bare, 'rev-parse', `${commit}:${path}`)
  return { commit, term, branch: `fleet/takeover/${term}-${blob.slice(0, 12)}` }
}

const reasonOf = ({ term }: Round): string => `${darkTown} is dark, term ${term}`

/** The last job, or null without one; undefined where the daemon is gone. */
const readJob = async (client: Client): Promise<LastTakeover | null | undefined> => {
  const reply = await askOrNull(client, '/fleet/peers', {})
  return FleetPeers.is(reply?.json) ? reply.json.takeover.job : undefined
}

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, pauseMs))

/** Waits until the job with this reason has ended; returns it, or null where it is not there, or the daemon is gone. */
const awaitEnd = async (client: Client, reason: string): Promise<LastTakeover | null> => {
  const untilMs = performance.now() + endLimitMs
  for (;;) {
    const job = await readJob(client)
    if (job?.reason !== reason) return null
    if (job.status === 'done' || job.status === 'failed' || performance.now() > untilMs) return job
    await pause()
  }
}

/** Asks for the takeover; it is forced, so no probe of the apex has to fail before. Returns the status, 0 without an answer. */
const ask = async (client: Client, ledger: WriteLedger, reason: string): Promise<number> => {
  const body = JSON.stringify({ reason, force: true })
  const reply = await askOrNull(client, '/fleet/takeover', { method: 'POST', body })
  if (reply?.status === 202) ledger.takeovers.add(reason)
  return reply?.status ?? 0
}

/** Asks until the host has looked at the version of the file: before that it counts as just taken over. */
const askAgain = async (client: Client, ledger: WriteLedger, reason: string): Promise<number> => {
  const untilMs = performance.now() + endLimitMs
  for (;;) {
    const status = await ask(client, ledger, reason)
    if (status !== 409 || performance.now() > untilMs) return status
    await pause()
  }
}

/** What is wrong with the flips and requests of a round that has ended well: each is there once. */
const roundViolation = async (place: KillPlace, { commit, term, branch }: Round): Promise<string | null> => {
  const bare = bareOf(place)
  const flips = gitIn(bare, 'rev-list', '--no-merges', '--count', `${commit}..main`, '--', path)
  const now = readFlip(place)
  const requests = (await place.forge?.requests()) ?? []
  const own = requests.filter(({ source }) => source === branch).map(({ state }) => state)
  if (flips !== '1') return `${flips} commits flipped the apex`
  if (now.apex !== ownTown || now.term !== term + 1) return `the file names ${now.apex} with term ${now.term}`
  if (own.join() !== 'merged') return `the requests of ${branch} are: ${own.join(', ') || 'none'}`
  const open = requests.filter(({ state }) => state !== 'merged').map(({ iid }) => iid)
  return open.length === 0 ? null : `requests that are not merged: ${open.join(', ')}`
}

/** Waits until the host has a role. */
const awaitRole = async (client: Client, role: string): Promise<string | null> => {
  const untilMs = performance.now() + endLimitMs
  for (;;) {
    const reply = await askOrNull(client, '/fleet/status', {})
    const card = StatusCard.is(reply?.json) ? reply.json : null
    if (card?.role === role) return null
    if (reply === null || performance.now() > untilMs)
      return `the role is ${card?.role ?? 'unknown'}, not ${role}`
    await pause()
  }
}

const finishRound = async (client: Client, ledger: WriteLedger, place: KillPlace): Promise<string | null> => {
  const round = findRound(place)
  const reason = reasonOf(round)
  if ((await readJob(client))?.reason !== reason) {
    if (ledger.takeovers.has(reason)) return 'a takeover was accepted, and its job is not there'
    // A host without a converge since its start knows no age of its sync, so it is no candidate.
    const trouble = await converge(client)
    if (trouble !== null) return trouble
    const status = await askAgain(client, ledger, reason)
    if (status !== 202) return `the next takeover was answered ${status}`
  }
  const job = await awaitEnd(client, reason)
  if (job?.status !== 'done') return `the job is ${job?.status ?? 'gone'}: ${job?.detail ?? ''}`
  return (await roundViolation(place, round)) ?? (await awaitRole(client, 'primary'))
}

/**
 * The host takes over, and is killed behind each call that changes something or asks the forge. After
 * the next start the job ends by itself: one request, one flip. Then a person flips the apex back.
 */
export const takeover: Scenario = {
  ...writing,
  name: 'takeover',
  files: {
    ...smallWorld(),
    '.svc/config.json': `${JSON.stringify({
      server: {
        selfheal_interval_ms: 600_000,
        sync_interval_min: 600,
        sync_max_age_min: 0,
        publish_mode: 'push',
      },
      // No takeover but the one that is asked for.
      fleet: { watch_interval_min: 600, auto_failover: { after_sweeps: 1_000, cooldown_hours: 0 } },
    })}\n`,
    [path]: fileOf({ apex: darkTown, term: 1 }),
  },
  remote: 'forge',
  uncounted: /^answer |\/streams\/request-/u,
  prepare: async (client, _ledger, place) => {
    const { apex, term } = readFlip(place)
    if (apex !== darkTown) place.remote?.publish(path, () => fileOf({ apex: darkTown, term: term + 1 }))
    const trouble = (await converge(client)) ?? (await awaitRole(client, 'replica'))
    if (trouble !== null) throw new Error(`the takeover was not prepared: ${trouble}`)
  },
  act: async (client, ledger, place) => {
    const reason = reasonOf(findRound(place))
    const status = await askAgain(client, ledger, reason)
    if (status === 202) await awaitEnd(client, reason)
  },
  // An apex is ReadOnly until the first converge of its start.
  next: async (client, ledger, place) =>
    (await finishRound(client, ledger, place)) ??
    (await converge(client)) ??
    (await writeNext(client, ledger)) ??
    (await converge(client)) ??
    originViolations(place, ledger),
}
