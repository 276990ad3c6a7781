import type { RemoteLink } from '../../sim-remote.js'

/** The ways between the hosts, the remote and the forge; each direction is a way of its own. */
export interface Links {
  /** Cuts one direction. Returns the function that mends it; a way is open when every cut of it is mended. */
  readonly cut: (from: string, to: string) => () => void
  /** Loses this share of all messages. Returns the function that ends it. */
  readonly lose: (share: number) => () => void
  /** Whether every way is open, and nothing is lost. */
  readonly isClear: () => boolean
  /** Whether a message passes now. */
  readonly canPass: (from: string, to: string) => boolean
  /** A host begins a call. */
  readonly began: () => void
  /** How many calls were begun. */
  readonly calls: () => number
}

/** The places that are no host. */
export const remotePlace = 'remote'
export const forgePlace = 'forge'

/** A function that does its work once. */
const once = (work: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

export const openLinks = (happens: (share: number) => boolean): Links => {
  const cuts = new Map<string, number>()
  let calls = 0
  let losses: ReadonlyArray<{ readonly share: number }> = []
  const add = (way: string, change: number): void => void cuts.set(way, (cuts.get(way) ?? 0) + change)
  const isCut = (from: string, to: string): boolean => (cuts.get(`${from}>${to}`) ?? 0) > 0
  return {
    cut: (from, to) => {
      const way = `${from}>${to}`
      add(way, 1)
      return once(() => add(way, -1))
    },
    lose: share => {
      const loss = { share }
      losses = [...losses, loss]
      return () => {
        losses = losses.filter(one => one !== loss)
      }
    },
    isClear: () => losses.length === 0 && [...cuts.values()].every(count => count === 0),
    canPass: (from, to) => !isCut(from, to) && !losses.some(({ share }) => happens(share)),
    began: () => {
      calls += 1
    },
    calls: () => calls,
  }
}

/** The link of a host to the remote. */
export const linkThrough = (links: Links, host: string): RemoteLink => ({
  sends: () => links.canPass(host, remotePlace),
  receives: () => links.canPass(remotePlace, host),
})
