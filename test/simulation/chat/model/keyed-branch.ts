import type { Trace } from '../../node/trace.js'
import type { Weather } from '../../node/weather.js'

/** The effect of a key: the commit that makes `version` out of the one before it. */
export interface PushedEffect {
  readonly version: number
  readonly key: string
}

/** The branch of the remote, as far as interactions concern it: which effects it has, by the keys in their commits. */
export interface KeyedBranch {
  readonly version: () => number
  /** Who made the effect of a key; undefined where the branch has none. */
  readonly makerOf: (key: string) => string | undefined
  /** The effects that were pushed behind version `from`, up to version `to`. */
  readonly pushed: (from: number, to: number) => ReadonlyArray<PushedEffect>
  /** A plain fast-forward from a version that was fetched: false where the branch has moved since. */
  readonly push: (maker: string, key: string, from: number) => boolean
  /** Another host pushes something else. */
  readonly move: () => void
}

export const openBranch = ({ say, violation }: Trace): KeyedBranch => {
  const effects = new Map<string, string>()
  const pushes: Array<PushedEffect> = []
  let version = 0
  return {
    version: () => version,
    makerOf: key => effects.get(key),
    pushed: (from, to) => pushes.filter(one => one.version > from && one.version <= to),
    push: (maker, key, from) => {
      if (from !== version) return false
      version += 1
      const before = effects.get(key)
      if (before !== undefined) violation(`the effect of ${key} is made by ${maker} after ${before} (S23)`)
      effects.set(key, maker)
      pushes.push({ version, key })
      say(`${maker} pushes the effect of ${key}`)
      return true
    },
    move: () => {
      version += 1
    },
  }
}

const triesMax = 20

/** The pipeline: enacts a close or a report that no host accepted, unless the branch has its effect. */
export const enactByPipeline = async (
  {
    branch,
    weather: { between },
    trace: { mark },
    sleep,
  }: {
    readonly branch: KeyedBranch
    readonly weather: Weather
    readonly trace: Trace
    readonly sleep: (ms: number) => Promise<void>
  },
  key: string,
): Promise<void> => {
  await sleep(between(1_000, 60_000))
  for (let tries = 0; tries < triesMax; tries += 1) {
    const from = branch.version()
    const maker = branch.makerOf(key)
    if (maker !== undefined) {
      if (maker !== 'pipeline') mark('the pipeline found the effect of a host')
      return
    }
    await sleep(between(500, 8_000))
    if (branch.push('pipeline', key, from)) return
  }
}
