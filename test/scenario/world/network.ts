import { type LinkProxy, openLinkProxy } from './link-proxy.js'
import { findSocketOwner } from './socket-owner.js'

/** The place that is remote and forge. */
export const forgePlace = 'forge'

/** A daemon that runs: its process, and the port of its interface. */
export interface RunningTown {
  readonly pid: number
  readonly port: number
}

/** How the places of a world reach each other. A place is a town or `forgePlace`. */
export interface Network {
  /** The base URL of the interface of a town, as `.svc/fleet.json` has it. */
  readonly townUrl: (town: string) => string
  /** The URL of a path of the forge, as the git of a town calls it. */
  readonly remoteUrl: (town: string, path: string) => string
  /** The URL of a path of the forge, as every daemon calls it. */
  readonly forgeUrl: (path: string) => string
  /** Records that the daemon of a town runs; null: that it ended. */
  readonly attach: (town: string, running: RunningTown | null) => void
  /** Cuts the link of two places, in both directions. */
  readonly cut: (one: string, other: string) => void
  readonly restore: (one: string, other: string) => void
  /** Number of connections that were opened behind a cut link and are stalled. */
  readonly stalled: () => number
  readonly close: () => Promise<void>
}

const linkOf = (one: string, other: string): string => [one, other].sort().join(' – ')

/**
 * A network of proxies on loopback: one in front of each town and of the forge, and one for the git of each town. The
 * proxies tell daemons apart by their processes.
 */
export const openProxyNetwork = async (towns: ReadonlyArray<string>, forgePort: number): Promise<Network> => {
  const cuts = new Set<string>()
  const running = new Map<string, RunningTown>()
  const proxies = new Map<string, LinkProxy>()
  const ownerTown = (clientPort: number, proxyPort: number): string | null => {
    const pid = findSocketOwner(
      clientPort,
      proxyPort,
      [...running.values()].map(one => one.pid),
    )
    return [...running].find(([, one]) => one.pid === pid)?.[0] ?? null
  }
  const open = async (
    name: string,
    place: string,
    targetPort: () => number | null,
    caller: string | null,
  ): Promise<void> => {
    const proxy = await openLinkProxy({
      callerOf: client => caller ?? ownerTown(client.remotePort ?? 0, client.localPort ?? 0),
      targetPort,
      isCut: from => cuts.has(linkOf(from, place)),
    })
    proxies.set(name, proxy)
  }
  for (const town of towns) {
    await open(town, town, () => running.get(town)?.port ?? null, null)
    await open(`git ${town}`, forgePlace, () => forgePort, town)
  }
  await open(forgePlace, forgePlace, () => forgePort, null)
  const originOf = (name: string): string => `http://127.0.0.1:${proxies.get(name)?.port ?? 0}`
  const update = (): void => {
    for (const proxy of proxies.values()) proxy.update()
  }
  return {
    townUrl: town => `${originOf(town)}/v1/api`,
    remoteUrl: (town, path) => `${originOf(`git ${town}`)}${path}`,
    forgeUrl: path => `${originOf(forgePlace)}${path}`,
    attach: (town, one) => {
      if (one === null) running.delete(town)
      else running.set(town, one)
    },
    cut: (one, other) => {
      cuts.add(linkOf(one, other))
      update()
    },
    restore: (one, other) => {
      cuts.delete(linkOf(one, other))
      update()
    },
    stalled: () => [...proxies.values()].reduce((sum, proxy) => sum + proxy.stalled(), 0),
    close: async () => {
      await Promise.all([...proxies.values()].map(proxy => proxy.close()))
    },
  }
}
