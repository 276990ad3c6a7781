import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type CardRole, type LastTakeover, StatusCard } from '#protocol/fleet/peers.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import { fsckViolations } from '#test/attack/verdicts/repository.js'
import { patch } from '#test/kill-points/asks.js'
import { historyViolations } from '#test/kill-points/history.js'
import { names } from '#test/kill-points/lore.js'
import { waitUntilSettled } from '#test/push-race/settle.js'
import type { ScenarioHost } from '#test/scenario/world/host.js'
import { type FleetWorld, type TownName, towns } from '#test/scenario/world/world.js'
import { eventually } from '#test/support/daemon.js'
import type { Client, Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { gitIn } from '#test/support/repository.js'

export interface TakeoverWish {
  readonly target?: TownName
  readonly force?: boolean
}

/** Asks a host for a takeover. */
export const askTakeover = (host: ScenarioHost, wish: TakeoverWish = {}): Promise<Reply> =>
  host.ask('/fleet/takeover', {
    method: 'POST',
    body: JSON.stringify({ reason: 'A case of the scenario.', ...wish }),
  })

/** Waits until the hosts have looked at the topology that they obey: one not looked at counts as a takeover. */
export const awaitLooks = async (hosts: ReadonlyArray<ScenarioHost>): Promise<void> => {
  for (const host of hosts)
    await eventually(host.peers, ({ takeover }) =>
      takeover.refusals.every(({ error }) => error !== 'takeover_cooldown'),
    )
}

/** Asks a host for a takeover, which must be accepted. */
export const acceptTakeover = async (host: ScenarioHost, wish: TakeoverWish = {}): Promise<void> => {
  await awaitLooks([host])
  const { status, text } = await askTakeover(host, wish)
  equal(status, 202, text)
}

/** A takeover ends within ten minutes, whatever the forge does. */
const takeoverMs = 660_000

const isEnded = (job: LastTakeover | null): boolean => job?.status === 'done' || job?.status === 'failed'

/** Waits until the last takeover of a host has ended. */
export const awaitTakeover = async (host: ScenarioHost): Promise<LastTakeover> => {
  const { takeover } = await eventually(host.peers, peers => isEnded(peers.takeover.job), takeoverMs)
  if (takeover.job === null) throw new Error(`${host.town} has no takeover`)
  return takeover.job
}

const endsOf = ({ events }: FleetWorld, host: ScenarioHost): ReadonlyArray<string> =>
  events
    .of(host.town)
    .filter(({ kind, payload }) => kind === 'fleet:takeover' && jsonField(payload, 'state') !== 'queued')
    .map(({ payload }) => String(jsonField(payload, 'failure') ?? jsonField(payload, 'state')))

/** Waits until so many takeovers of a host have ended; returns how: `done`, or the failure. */
export const awaitEnds = (
  world: FleetWorld,
  host: ScenarioHost,
  count: number,
): Promise<ReadonlyArray<string>> =>
  eventually(
    () => Promise.resolve(endsOf(world, host)),
    ends => ends.length >= count,
    takeoverMs,
  )

export const hostsOf = ({ hosts }: FleetWorld): ReadonlyArray<ScenarioHost> => Object.values(hosts)
export const hostsThatRun = (world: FleetWorld): ReadonlyArray<ScenarioHost> =>
  hostsOf(world).filter(host => host.client() !== null)

/** Announces a flip to the hosts, as the program does that watches the forge. */
export const announceFlip = async (
  hosts: ReadonlyArray<ScenarioHost>,
  newPrimary: TownName,
): Promise<void> => {
  const body = JSON.stringify({ event: 'role-flip', newPrimary })
  for (const host of hosts) equal((await host.ask('/fleet/announce', { method: 'POST', body })).status, 200)
}

export const readRole = async (host: ScenarioHost): Promise<CardRole> => {
  const reply = await host.ask('/fleet/status', { token: null })
  const card = StatusCard.decode(reply.json)
  if (isLeft(card)) throw new Error(reply.text)
  return card.right.role
}

/** Waits until these hosts obey the apex, which takes writes. */
export const awaitApex = async (hosts: ReadonlyArray<ScenarioHost>, apex: TownName): Promise<void> => {
  for (const host of hosts) {
    const wanted = host.town === apex ? 'primary' : 'replica'
    await eventually(
      () => readRole(host),
      role => role === wanted,
    )
    if (host.town === apex) await eventually(host.sync, ({ mode }) => mode === 'ReadWrite')
  }
}

export const requireClient = (host: ScenarioHost): Client => {
  const client = host.client()
  if (client === null) throw new Error(`${host.town} does not run`)
  return client
}

/** Writes to the n-th entity on a host; returns the status of the answer. */
export const writeOn = async (
  { ledger, story }: FleetWorld,
  host: ScenarioHost,
  nth: number,
): Promise<number> => {
  const status = await patch(requireClient(host), ledger, names[nth] ?? '')
  story.tell(host.town, `answers a write with ${status}`)
  return status
}

/** The apex of the topology that the remote has. */
export const readApex = ({ bare }: FleetWorld): TownName => {
  const apex = jsonField(JSON.parse(gitIn(bare, 'show', `main:${topologyPath}`)), 'apex')
  const found = towns.find(town => town === apex)
  if (found === undefined) throw new Error(`${String(apex)} is no town`)
  return found
}

/** Versions of the topology that the remote has after the first one. */
export const countFlips = ({ bare }: FleetWorld): number =>
  Number(gitIn(bare, 'rev-list', '--first-parent', '--count', 'main', '--', topologyPath)) - 1

/** Claims how the requests of the forge ended, in their order, and that each merged one flipped the apex once. */
export const claimRequests = (
  world: FleetWorld,
  states: ReadonlyArray<'opened' | 'closed' | 'merged'>,
  flips = states.filter(state => state === 'merged').length,
): Promise<void> =>
  world.story.claim(`requests of the forge: ${states.join(', ')}; flips: ${flips}`, async () => {
    const requests = await world.forge.requests()
    deepEqual([requests.map(({ state }) => state), countFlips(world)], [states, flips])
  })

/** Claims that the hosts that run agree with the remote about every commit and about the apex. */
export const claimAgreed = async (world: FleetWorld, apex: TownName): Promise<void> => {
  const hosts = hostsThatRun(world)
  const { story, bare } = world
  await story.claim(`${hosts.map(({ town }) => town).join(', ')} agree, with ${apex} as apex`, async () => {
    ok(await waitUntilSettled(bare, hosts))
    await awaitApex(hosts, apex)
  })
}

/** Claims that the remote has each acknowledged write once; what was parked is on its host alone. */
export const claimKept = ({ story, bare, ledger }: FleetWorld): Promise<void> =>
  story.claim('every acknowledged write is in the history once', () => {
    const published = ledger.entries.filter(({ beside }) => beside !== 'parked')
    deepEqual(historyViolations(bare, ledger, published), [])
    deepEqual(fsckViolations(bare), [])
  })

export const claimConverged = async (world: FleetWorld, apex: TownName): Promise<void> => {
  await claimAgreed(world, apex)
  await claimKept(world)
}

/** Claims that a host refuses writes, because it is a replica. */
export const claimRefuses = (world: FleetWorld, host: ScenarioHost): Promise<void> =>
  world.story.claim(`${host.town} refuses writes as a replica`, async () => {
    equal(await writeOn(world, host, 0), 403)
  })

/** Claims that a host takes a write. */
export const claimWrites = (world: FleetWorld, host: ScenarioHost, nth: number): Promise<void> =>
  world.story.claim(`${host.town} takes writes`, async () => {
    equal(await writeOn(world, host, nth), 200)
  })
