import { type LinkProxy, openLinkProxy } from '#test/scenario/world/link-proxy.js'
import { forgeName, type Network } from '#test/scenario/world/network.js'
import { type Caddy, startCaddy } from './caddy.js'
import { makeAuthority, makeCertificate } from './certificates.js'
import { makeNamespaces } from './namespaces.js'

/** Where the program of a place listens, on the loopback of its namespace. */
const programPort = 7_070

/**
 * A network of namespaces. Each place is behind a caddy, whose certificate is signed by an authority of this run, and the
 * story reaches it over a socket of that caddy, which no cable carries.
 */
export const openNamespaceNetwork = async (
  towns: ReadonlyArray<string>,
  folder: string,
): Promise<Network> => {
  const places = [...towns, forgeName]
  const authority = makeAuthority(folder)
  const namespaces = makeNamespaces(places)
  const caddies: Array<Caddy> = []
  const doors = new Map<string, LinkProxy>()
  const open = async (place: string): Promise<void> => {
    const address = namespaces.addressOf(place)
    const certificate = makeCertificate(folder, authority, address)
    const within = namespaces.within(place)
    const caddy = await startCaddy(folder, { name: place, address, port: programPort, certificate, within })
    caddies.push(caddy)
    const target = () => ({ path: caddy.socket })
    doors.set(place, await openLinkProxy({ callerOf: () => 'story', target, isCut: () => false }))
  }
  const close = async (): Promise<void> => {
    await Promise.all([...doors.values()].map(door => door.close()))
    await Promise.all(caddies.map(caddy => caddy.stop()))
    namespaces.close()
  }
  try {
    for (const place of places) await open(place)
  } catch (error) {
    await close()
    throw error
  }
  const urlOf = (place: string, path: string): string => `https://${namespaces.addressOf(place)}${path}`
  return {
    townUrl: town => urlOf(town, '/v1/api'),
    remoteUrl: (_town, path) => urlOf(forgeName, path),
    forgeUrl: path => urlOf(forgeName, path),
    within: namespaces.within,
    portOf: () => programPort,
    storyPort: place => doors.get(place)?.port ?? 0,
    env: { NODE_EXTRA_CA_CERTS: authority.certificate },
    gitConfig: { 'http.sslCAInfo': authority.certificate },
    // The programs are known by their namespaces.
    attach: () => undefined,
    cut: namespaces.unplug,
    restore: namespaces.plug,
    stalled: () => 0,
    close,
  }
}
