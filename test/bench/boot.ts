import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryMb, processorMs, startBenchDaemon } from './daemon.js'

/** Cold boots of one world. */
export interface Boots {
  readonly readyMs: ReadonlyArray<number>
  readonly firstHealthMs: ReadonlyArray<number>
  /** Resident when ready, and at its highest until then; null where the system does not tell. */
  readonly rssMb: number | null
  readonly peakMb: number | null
  /** Processor time until ready, the least of all boots: what the load of the machine hardly changes. */
  readonly processorMs: number | null
}

const highest = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const lowest = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : Math.min(...known)
}

const once = async (folder: string, repo: string): Promise<Boots> => {
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    return {
      readyMs: [daemon.readyMs],
      firstHealthMs: [daemon.firstHealthMs],
      rssMb: await memoryMb(daemon.pid, 'VmRSS'),
      peakMb: await memoryMb(daemon.pid, 'VmHWM'),
      processorMs: await processorMs(daemon.pid),
    }
  } finally {
    await daemon.stop()
  }
}

const summary = (seen: ReadonlyArray<Boots>): Boots => ({
  readyMs: seen.flatMap(one => one.readyMs),
  firstHealthMs: seen.flatMap(one => one.firstHealthMs),
  rssMb: highest(seen.map(one => one.rssMb)),
  peakMb: highest(seen.map(one => one.peakMb)),
  processorMs: lowest(seen.map(one => one.processorMs)),
})

/** Boots nodes on two worlds in turns, each time with a new state area. */
export const boots = async (
  folder: string,
  worlds: readonly [string, string],
  times: number,
): Promise<readonly [Boots, Boots]> => {
  const seen: readonly [Array<Boots>, Array<Boots>] = [[], []]
  for (let turn = 0; turn < times; turn += 1) {
    seen[0].push(await once(folder, worlds[0]))
    seen[1].push(await once(folder, worlds[1]))
  }
  return [summary(seen[0]), summary(seen[1])]
}
