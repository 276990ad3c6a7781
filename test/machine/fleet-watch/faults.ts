import { equal, ok } from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moveHere } from '#test/kill-points/asks.js'
import { lorePathOf, names } from '#test/kill-points/lore.js'
import { playerQuery } from '#test/scenario/dispatch/chat-side.js'
import { awaitEvent, claimAnswered } from '#test/scenario/dispatch/steps.js'
import { acceptTakeover, requireClient } from '#test/scenario/failover/steps.js'
import type { ScenarioHost } from '#test/scenario/world/host.js'
import { forgeName } from '#test/scenario/world/network.js'
import { eventually } from '#test/support/daemon.js'
import { gitIn } from '#test/support/repository.js'
import { type ExpectedAlert, isFiring } from './alert-claims.js'
import { damageQueue, mendQueue } from './damaged-row.js'
import { chatTown, type WatchedFleet } from './watched-fleet.js'

/** What happens to the running fleet, the alerts that it must raise, and how an operator ends it. */
export interface FleetFault {
  readonly about: string
  readonly raises: ReadonlyArray<ExpectedAlert>
  readonly begin: (fleet: WatchedFleet) => Promise<void>
  /** Absent where the alerts end by themselves. */
  readonly end?: (fleet: WatchedFleet) => Promise<void>
}

const askSync = async (host: ScenarioHost): Promise<void> => {
  equal((await host.ask('/sync', { method: 'POST', body: '{}' })).status, 200)
}

const vetoedTakeover: FleetFault = {
  about: 'a person closes the request of a takeover',
  raises: [{ name: 'KronikaTakeoverFailed', labels: { instance: 'Bracada', status: 'failed' } }],
  begin: async ({ world: { forge, hosts } }) => {
    await forge.disturb({ on: 'open', do: 'veto' })
    await acceptTakeover(hosts.Bracada, { target: 'Bracada', force: true })
  },
}

const query = playerQuery('900100200300400701')
const restarts: ExpectedAlert = { name: 'KronikaActorRestarts', labels: { instance: chatTown } }
const recentRestarts = `increase(svc_actor_restarts_total{instance="${chatTown}"}[15s]) > 0`

/**
 * Waits until the host has abandoned the queue for the nth time, after five restarts. Returns whether they raise the alert,
 * for a Prometheus that is late may see too few of them within the window of the rule.
 */
const awaitRestarts = async (fleet: WatchedFleet, nth: number): Promise<boolean> => {
  await awaitEvent(fleet.world.hosts[chatTown], 'abandoned', nth)
  const ends = await eventually(
    async () => ({
      fires: await isFiring(fleet, restarts),
      isOver: (await fleet.prometheus.query(recentRestarts)).length === 0,
    }),
    ({ fires, isOver }) => fires || isOver,
  )
  return ends.fires
}

const crashingActor: FleetFault = {
  about: 'a row of the queue of interactions is damaged on the disk',
  raises: [restarts],
  begin: async fleet => {
    const host = fleet.world.hosts[chatTown]
    damageQueue(host)
    equal(await fleet.side.worker.forward({ ...query, sentAtEpochMs: Date.now() }), 'accepted')
    for (let nth = 1; !(await awaitRestarts(fleet, nth)); nth += 1) {
      await host.kill()
      await host.start()
    }
  },
  end: async ({ world, side }) => {
    const host = world.hosts[chatTown]
    await host.kill()
    mendQueue(host)
    await host.start()
    await claimAnswered(side, query)
  },
}

const cutHost: FleetFault = {
  about: 'a host loses its remote',
  raises: [{ name: 'KronikaSyncOld', labels: { instance: 'Deyja' } }],
  begin: ({ world: { network } }) => Promise.resolve(network.cut('Deyja', forgeName)),
  end: async ({ world: { hosts, network } }) => {
    network.restore('Deyja', forgeName)
    await askSync(hosts.Deyja)
  },
}

const hookOf = (bare: string): string => join(bare, 'hooks/pre-receive')

/** The forge takes no push to `main`, as where a person protected the branch. */
const protectMain = (bare: string): void => {
  mkdirSync(join(bare, 'hooks'), { recursive: true })
  writeFileSync(
    hookOf(bare),
    '#!/bin/sh\nif grep -q refs/heads/main; then echo "main is protected" >&2; exit 1; fi\n',
  )
  chmodSync(hookOf(bare), 0o755)
}

const disputed = names[2] ?? ''

const protectedBranch: FleetFault = {
  about: 'a person publishes what the apex changes too, and protects the branch',
  raises: [
    { name: 'KronikaParkedRefs', labels: { instance: 'Erathia' } },
    { name: 'KronikaIntentsPending', labels: { instance: 'Erathia' } },
  ],
  begin: async ({ world: { bare, hosts, ledger, network, person } }) => {
    const { Erathia } = hosts
    network.cut('Erathia', forgeName)
    await moveHere(requireClient(Erathia), ledger, disputed)
    const path = lorePathOf(disputed)
    const head = `### ${disputed}\n- @typ: NPC\n`
    const published = `${gitIn(bare, 'show', `main:${path}`)}\n`
    person.publish({ [path]: published.replace(head, `${head}- @lokacja: Gdzie indziej\n`) })
    protectMain(bare)
    network.restore('Erathia', forgeName)
  },
  end: async ({ world: { bare, hosts } }) => {
    const { Erathia } = hosts
    rmSync(hookOf(bare))
    const { parked } = await Erathia.sync()
    for (const { ref } of parked) {
      ok(gitIn(Erathia.path, 'diff', 'main', ref).includes('@lokacja'), ref)
      gitIn(Erathia.path, 'update-ref', '-d', ref)
    }
    await askSync(Erathia)
  },
}

const killedApex: FleetFault = {
  about: 'the apex is killed, and no host may take over by itself',
  raises: [
    { name: 'KronikaFleetNoPrimary', labels: { job: 'kronika' } },
    { name: 'KronikaPeerDark', labels: { instance: 'Bracada', town: 'Erathia' } },
    { name: 'KronikaPeerDark', labels: { instance: 'Deyja', town: 'Erathia' } },
  ],
  begin: ({ world: { hosts } }) => hosts.Erathia.kill(),
  end: ({ world: { hosts } }) => hosts.Erathia.start(),
}

/** The faults by waves: those of one wave last at the same time. */
export const faultWaves: ReadonlyArray<ReadonlyArray<FleetFault>> = [
  [cutHost, protectedBranch, vetoedTakeover, crashingActor],
  [killedApex],
]
