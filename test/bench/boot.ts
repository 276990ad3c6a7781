import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryMb, processorMs, startDaemon } from './daemon.js'
import { median } from './figure.js'

/** Cold boots of one world: medians of several, memory of the highest. */
export interface Boots {
  readonly readyMs: number
  readonly firstHealthMs: number
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

/** Boots a node on the world again and again, each time with a new state area. */
export const boots = async (folder: string, repo: string, times: number): Promise<Boots> => {
  const seen: Array<Boots> = []
  for (let turn = 0; turn < times; turn += 1) {
    const daemon = await startDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
    const [rssMb, peakMb] = [await memoryMb(daemon.pid, 'VmRSS'), await memoryMb(daemon.pid, 'VmHWM')]
    const used = await processorMs(daemon.pid)
    seen.push({
      readyMs: daemon.readyMs,
      firstHealthMs: daemon.firstHealthMs,
      rssMb,
      peakMb,
      processorMs: used,
    })
    await daemon.stop()
  }
  return {
    readyMs: median(seen.map(one => one.readyMs)),
    firstHealthMs: median(seen.map(one => one.firstHealthMs)),
    rssMb: highest(seen.map(one => one.rssMb)),
    peakMb: highest(seen.map(one => one.peakMb)),
    processorMs: lowest(seen.map(one => one.processorMs)),
  }
}
