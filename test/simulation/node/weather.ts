import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Trace } from './trace.js'

/** One life of a host's process: from its start to the crash that ends it. What it does afterwards never happens. */
export interface Life {
  readonly host: string
  readonly number: number
  isOver: boolean
}

/** How a seed treats its hosts, each in [0, 1). */
export interface Climate {
  /** That a host dies between two effects. */
  readonly crash: number
  /** That a disk begins to refuse, or takes writes again. */
  readonly disk: number
  /** That a link is cut, or mended. */
  readonly link: number
  /** That an actor faults in a turn. */
  readonly fault: number
}

/** What the disks and links of the world do at this moment. */
export interface Weather {
  /** An effect that takes time: the host may die at it, in which case this never resolves. */
  readonly step: (life: Life, what: string) => Promise<void>
  /** An effect that takes none; true where the host dies at it, or is dead. */
  readonly strike: (life: Life, what: string) => boolean
  readonly refuses: (host: string) => boolean
  readonly isCut: (host: string) => boolean
  readonly between: (low: number, high: number) => number
  readonly happens: (share: number) => boolean
  /** As `happens`, for what may not go wrong any more when all is calm. */
  readonly mishap: (share: number) => boolean
  /** Changes the disks and links, by chance. */
  readonly turn: (hosts: ReadonlyArray<string>) => void
  /** Nothing goes wrong any more. */
  readonly calm: () => void
}

export interface WeatherParts {
  readonly clock: KernelClock
  readonly chance: () => number
  readonly trace: Trace
  readonly climate: Climate
  readonly onCrash: (life: Life) => void
}

const stepMsMax = 12

/** What a dead process waits for. */
const never = (): Promise<never> => new Promise(() => undefined)

export const openWeather = ({ clock, chance, trace, climate, onCrash }: WeatherParts): Weather => {
  const refusing = new Set<string>()
  const cut = new Set<string>()
  let isCalm = false
  const between = (low: number, high: number): number => low + Math.floor(chance() * (high - low + 1))
  const happens = (share: number): boolean => chance() < share
  const toggled = (places: Set<string>, host: string, what: string): void => {
    if (!places.delete(host)) places.add(host)
    trace.say(`${host} ${what} ${places.has(host) ? 'fails' : 'works'}`)
  }
  const mishap = (share: number): boolean => !isCalm && happens(share)
  const strike = (life: Life, what: string): boolean => {
    if (life.isOver) return true
    trace.say(`${life.host}.${life.number} ${what}`)
    if (!mishap(climate.crash)) return false
    trace.say(`${life.host}.${life.number} dies at ${what}`)
    onCrash(life)
    return true
  }
  return {
    step: async (life, what) => {
      await new Promise<void>(resolve => {
        clock.after(between(0, stepMsMax), resolve)
      })
      if (strike(life, what)) return never()
    },
    strike,
    refuses: host => refusing.has(host),
    isCut: host => cut.has(host),
    between,
    happens,
    mishap,
    turn: hosts => {
      if (isCalm) return
      for (const host of hosts) {
        if (happens(climate.disk)) toggled(refusing, host, 'disk')
        if (happens(climate.link)) toggled(cut, host, 'link')
      }
    },
    calm: () => {
      isCalm = true
      refusing.clear()
      cut.clear()
    },
  }
}

/** What a system call says on a full disk. */
export const fullDisk = (): Error => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
