import type { Socket } from 'node:net'
import { type LinkProxy, openLinkProxy } from './link-proxy.js'
import { forgeName, type Network, nameLink, type RunningPlace } from './network.js'
import { openSocketOwners } from './socket-owner.js'

/**
 * A network of proxies on loopback: one in front of each town and of the forge, and one for the git of each town. The
 * proxies tell daemons apart by their processes.
 */
export const openProxyNetwork = async (towns: ReadonlyArray<string>): Promise<Network> => {
  const cuts = new Set<string>()
  const running = new Map<string, RunningPlace>()
  const proxies = new Map<string, LinkProxy>()
  const ownerOf = openSocketOwners(() => [...running.values()].map(one => one.pid))
  const ownerTown = async (client: Socket): Promise<string | null> => {
    const { remotePort: clientPort = 0, localPort: serverPort = 0 } = client
    const pid = await ownerOf({ clientPort, serverPort })
    return [...running].find(([, one]) => one.pid === pid)?.[0] ?? null
  }
  const open = async (name: string, place: string, caller: string | null): Promise<void> => {
    const proxy = await openLinkProxy({
      callerOf: client => caller ?? ownerTown(client),
      target: () => running.get(place) ?? null,
      isCut: from => cuts.has(nameLink(from, place)),
    })
    proxies.set(name, proxy)
  }
  for (const town of towns) {
    await open(town, town, null)
    await open(`git ${town}`, forgeName, town)
  }
  await open(forgeName, forgeName, null)
  const originOf = (name: string): string => `http://127.0.0.1:${proxies.get(name)?.port ?? 0}`
  const update = (): void => {
    for (const proxy of proxies.values()) proxy.update()
  }
  return {
    townUrl: town => `${originOf(town)}/v1/api`,
    remoteUrl: (town, path) => `${originOf(`git ${town}`)}${path}`,
    forgeUrl: path => `${originOf(forgeName)}${path}`,
    within: () => [],
    portOf: () => 0,
    storyPort: (_place, { port }) => port,
    env: {},
    gitConfig: {},
    attach: (town, one) => {
      if (one === null) running.delete(town)
      else running.set(town, one)
    },
    cut: (one, other) => {
      cuts.add(nameLink(one, other))
      update()
    },
    restore: (one, other) => {
      cuts.delete(nameLink(one, other))
      update()
    },
    stalled: () => [...proxies.values()].reduce((sum, proxy) => sum + proxy.stalled(), 0),
    close: async () => {
      await Promise.all([...proxies.values()].map(proxy => proxy.close()))
    },
  }
}
