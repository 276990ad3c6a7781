import { execFileSync, spawnSync } from 'node:child_process'

const ip = (...args: ReadonlyArray<string>): void => {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Network namespaces, one for each place, and a cable between each two of them. */
export interface Namespaces {
  readonly addressOf: (place: string) => string
  readonly within: (place: string) => ReadonlyArray<string>
  /** Pulls the cable of two places at the side of the first. */
  readonly unplug: (one: string, other: string) => void
  readonly plug: (one: string, other: string) => void
  readonly close: () => void
}

const withinOf = (name: string): ReadonlyArray<string> => ['ip', 'netns', 'exec', name]

/** Whether this process may make a namespace and run a program in it. */
export const canMakeNamespaces = (): boolean => {
  const name = `kronika-${process.pid}-try`
  if (spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' }).status !== 0) return false
  const [program = '', ...args]: ReadonlyArray<string> = [...withinOf(name), 'true']
  const isRun = spawnSync(program, args, { stdio: 'ignore' }).status === 0
  spawnSync('ip', ['netns', 'delete', name], { stdio: 'ignore' })
  return isRun
}

/**
 * Makes the namespaces. A place has a private address, which is on its loopback, and a route to each other place over the
 * cable between the two. Nothing leads out of the namespaces; closing removes them with their cables.
 */
export const makeNamespaces = (places: ReadonlyArray<string>): Namespaces => {
  const numberOf = (place: string): number => places.indexOf(place) + 1
  const nameOf = (place: string): string => `kronika-${process.pid}-${numberOf(place)}`
  const addressOf = (place: string): string => `10.213.0.${numberOf(place)}`
  /** The end of the cable to the other place. */
  const endOf = (one: string, other: string): string => `v${numberOf(one)}-${numberOf(other)}`
  const raise = (one: string, other: string): void => {
    const [name, end] = [nameOf(one), endOf(one, other)]
    ip('-n', name, 'link', 'set', end, 'up')
    ip('-n', name, 'route', 'replace', `${addressOf(other)}/32`, 'dev', end, 'src', addressOf(one))
  }
  const close = (): void => {
    for (const place of places) spawnSync('ip', ['netns', 'delete', nameOf(place)], { stdio: 'ignore' })
  }
  try {
    for (const place of places) {
      ip('netns', 'add', nameOf(place))
      ip('-n', nameOf(place), 'link', 'set', 'lo', 'up')
      ip('-n', nameOf(place), 'address', 'add', `${addressOf(place)}/32`, 'dev', 'lo')
    }
    for (const [at, one] of places.entries())
      for (const other of places.slice(at + 1)) {
        const [here, there] = [endOf(one, other), endOf(other, one)]
        const peer = ['peer', 'name', there, 'netns', nameOf(other)]
        ip('link', 'add', here, 'netns', nameOf(one), 'type', 'veth', ...peer)
        raise(one, other)
        raise(other, one)
      }
  } catch (error) {
    close()
    throw error
  }
  return {
    addressOf,
    within: place => withinOf(nameOf(place)),
    unplug: (one, other) => ip('-n', nameOf(one), 'link', 'set', endOf(one, other), 'down'),
    plug: raise,
    close,
  }
}
