import { join } from 'node:path'
import { topologyPath } from '#src/domain/fleet/topology.js'
import { openLedger, type WriteLedger } from '#test/kill-points/ledger.js'
import { smallWorld } from '#test/kill-points/lore.js'
import { eventually } from '#test/support/daemon.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { type ForgeProcess, startForgeProcess } from '#test/support/forge/forge-process.js'
import { openPerson, type PersonClone } from '#test/support/person.js'
import { temporaryFolder } from '#test/support/repository.js'
import { type Cleanup, openCleanup } from './cleanup.js'
import { followEvents, type JournalFeed } from './event-feed.js'
import { type ScenarioHost, scenarioHost } from './host.js'
import { forgeName, type Network } from './network.js'
import { openProxyNetwork } from './proxy-network.js'
import type { Story } from './story.js'

/** The first apex, and the others by rank. */
export const towns = ['Erathia', 'Bracada', 'Deyja'] as const
export type TownName = (typeof towns)[number]

/** The failed probes in a row that corroborate a takeover, and the seconds between two probes. */
export const afterSweeps = 3
export const sweepSeconds = 2

export interface FleetWorldOptions {
  readonly story: Story
  /** Flags of `npm run forge-double`. */
  readonly forgeFlags?: ReadonlyArray<string>
  /** 24 unless set. */
  readonly cooldownHours?: number
  /** The network of the hosts, which may use the folder; proxies on loopback unless given. */
  readonly openNetwork?: (towns: ReadonlyArray<string>, folder: string) => Promise<Network>
  /** Whether the hosts ask for a takeover by themselves. */
  readonly isAutomatic?: boolean
  /** `server` of the configuration beside that of every world. */
  readonly server?: object
  /** More arguments of `kronika serve` for a town. */
  readonly serveArgs?: (town: TownName) => ReadonlyArray<string>
  /** Files of the lore beside those of every world. */
  readonly files?: Readonly<Record<string, string>>
  /** `integrations` of the configuration beside the forge. */
  readonly integrations?: object
  /** Variables of the daemons beside the token of the forge. */
  readonly env?: Readonly<Record<string, string>>
}

/** Three built daemons over one remote, the links between them, and one process that is remote and forge. */
export interface FleetWorld {
  readonly story: Story
  readonly forge: ForgeProcess
  readonly network: Network
  readonly hosts: Readonly<Record<TownName, ScenarioHost>>
  readonly events: JournalFeed
  /** Writes that were asked for, with their fate. */
  readonly ledger: WriteLedger
  readonly bare: string
  /** A person with a clone, who commits and pushes. */
  readonly person: PersonClone
  /** The text of a topology of this world. */
  readonly topology: (apex: TownName, term: number, changes?: Readonly<Record<string, object>>) => string
  readonly close: () => Promise<void>
}

const configText = (forge: ForgeProcess, network: Network, options: FleetWorldOptions): string =>
  JSON.stringify({
    server: {
      publish_mode: 'push',
      sync_interval_min: 1,
      selfheal_interval_ms: 600_000,
      ...options.server,
    },
    fleet: {
      watch_interval_min: sweepSeconds / 60,
      auto_failover: {
        enabled: options.isAutomatic ?? false,
        after_sweeps: afterSweeps,
        cooldown_hours: options.cooldownHours ?? 24,
      },
    },
    integrations: {
      ...options.integrations,
      forge: { api_url: network.forgeUrl(new URL(forge.apiUrl).pathname), project: forge.project },
    },
  })

/** Starts the hosts, and waits until every one has seen every other one. */
const startHosts = async (hosts: ReadonlyArray<ScenarioHost>): Promise<void> => {
  // A start that is still under way when another one fails would leave its daemon behind.
  const starts = await Promise.allSettled(hosts.map(host => host.start()))
  for (const start of starts) if (start.status === 'rejected') throw start.reason
  for (const host of hosts)
    await eventually(host.peers, ({ count, items }) => count === 2 && items.every(one => one.reachable))
}

const buildFleetWorld = async (options: FleetWorldOptions, cleanup: Cleanup): Promise<FleetWorld> => {
  const folder = temporaryFolder()
  cleanup.add(folder.dispose)
  const bare = join(folder.path, 'lore.git')
  const network = await (options.openNetwork ?? openProxyNetwork)(towns, folder.path)
  cleanup.add(network.close)
  const forge = await startForgeProcess(bare, {
    flags: ['--port', String(network.portOf(forgeName)), ...(options.forgeFlags ?? [])],
    within: network.within(forgeName),
    attach: running => {
      network.attach(forgeName, running)
      return network.storyPort(forgeName, running)
    },
  })
  cleanup.add(forge.stop)
  const urls = Object.fromEntries(towns.map(town => [town, { url: network.townUrl(town) }]))
  const topology: FleetWorld['topology'] = (apex, term, changes = {}) =>
    fleetText(
      apex,
      term,
      towns,
      Object.fromEntries(towns.map(town => [town, { ...urls[town], ...changes[town] }])),
    )
  const person = openPerson(bare, {
    ...smallWorld(),
    ...options.files,
    '.svc/config.json': configText(forge, network, options),
    [topologyPath]: topology('Erathia', 1),
  })
  cleanup.add(person.dispose)
  const hostOf = (town: TownName): ScenarioHost => {
    const remoteUrl = network.remoteUrl(town, new URL(forge.remote).pathname)
    const serveArgs = options.serveArgs?.(town) ?? []
    const place = { folder: folder.path, town, bare, remoteUrl, network, serveArgs }
    const host = scenarioHost(place, { SVC_FORGE_TOKEN: forge.token, ...options.env })
    cleanup.add(host.kill)
    return host
  }
  const hosts = { Erathia: hostOf('Erathia'), Bracada: hostOf('Bracada'), Deyja: hostOf('Deyja') }
  const all = Object.values(hosts)
  const events = followEvents(all, options.story)
  cleanup.add(events.close)
  await startHosts(all)
  return {
    story: options.story,
    forge,
    network,
    hosts,
    events,
    ledger: openLedger(),
    bare,
    person,
    topology,
    close: cleanup.run,
  }
}

/**
 * Opens a world whose daemons run, see each other, and have obeyed the first topology; the caller closes it. Where a part
 * fails to open, those before it are closed.
 */
export const openFleetWorld = async (options: FleetWorldOptions): Promise<FleetWorld> => {
  const cleanup = openCleanup()
  try {
    return await buildFleetWorld(options, cleanup)
  } catch (error) {
    // The failure that comes first explains more than one of the cleanup.
    await cleanup.run().catch(() => undefined)
    throw error
  }
}
