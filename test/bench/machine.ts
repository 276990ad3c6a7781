import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Machine, median, type Pace } from './figure.js'

/** How long the fixed piece of work took. */
export interface MachineReading {
  readonly wallMs: number
  readonly processorMs: number
  /** One small write with its fsync: shown, and scales nothing, since no bar of a time is mostly the disk. */
  readonly fsyncMs: number
}

/** What a Node program does: it starts, makes objects, sorts texts and turns them to JSON and back. Tells what it used. */
const work = `
  let [n, rows] = [1, []]
  for (let at = 0; at < 20000; at += 1) {
    n = (n * 48271) % 2147483647
    rows.push({ name: 'Byt ' + n.toString(36), n })
  }
  for (let turn = 0; turn < 3; turn += 1) {
    rows.sort((one, other) => (one.name < other.name ? -1 : 1))
    rows = JSON.parse(JSON.stringify(rows)).reverse()
  }
  const { user, system } = process.cpuUsage()
  process.stdout.write(String((user + system) / 1000))`

const run = promisify(execFile)
const turns = 3
/** A bench has two processes that work: the node and its client. */
const processes = 2
const writes = 10

const workOnce = async (): Promise<{ readonly wallMs: number; readonly processorMs: number }> => {
  const startedMs = performance.now()
  const used = await Promise.all(
    Array.from({ length: processes }, async () =>
      Number((await run(process.execPath, ['--eval', work])).stdout),
    ),
  )
  return { wallMs: performance.now() - startedMs, processorMs: median(used) }
}

const fsyncOnce = async (path: string, at: number): Promise<number> => {
  const file = await open(path, 'a')
  try {
    const startedMs = performance.now()
    await file.write(`${at}`.padEnd(4096))
    await file.sync()
    return performance.now() - startedMs
  } finally {
    await file.close()
  }
}

/** Does the fixed piece of work several times; the medians. Takes less than a second. */
export const readMachine = async (folder: string): Promise<MachineReading> => {
  const works: Array<Awaited<ReturnType<typeof workOnce>>> = []
  for (let turn = 0; turn < turns; turn += 1) works.push(await workOnce())
  const syncs: Array<number> = []
  for (let at = 0; at < writes; at += 1) syncs.push(await fsyncOnce(join(folder, 'fsync'), at))
  return {
    wallMs: median(works.map(one => one.wallMs)),
    processorMs: median(works.map(one => one.processorMs)),
    fsyncMs: median(syncs),
  }
}

export const reference: Pick<MachineReading, 'wallMs' | 'processorMs'> = { wallMs: 200, processorMs: 150 }

const paceOf = (beforeMs: number, afterMs: number, referenceMs: number): Pace => ({
  times: (beforeMs + afterMs) / 2 / referenceMs,
  swing: Math.abs(afterMs - beforeMs) / (beforeMs + afterMs),
})

/** The machine between two readings. */
export const machineBetween = (before: MachineReading, after: MachineReading): Machine => ({
  wall: paceOf(before.wallMs, after.wallMs, reference.wallMs),
  processor: paceOf(before.processorMs, after.processorMs, reference.processorMs),
})

const paceText = ({ times, swing }: Pace): string =>
  `${times.toFixed(2)} (swing ${(swing * 100).toFixed(0)} %)`

/** One line: how the machine went. */
export const machineText = ({ wall, processor }: Machine): string =>
  `of the reference, wall time ${paceText(wall)}, processor time ${paceText(processor)}`
