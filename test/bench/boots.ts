import { spawnSync } from 'node:child_process'
import { memoryMb, processorMs, withDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, inPairs, median, ratiosOf } from './figure.js'

const rounds = 5
const commandTimes = 9

/** One cold boot, with a new state area. */
interface Boot {
  readonly readyMs: number
  readonly firstHealthMs: number
  readonly firstStatusMs: number
  /** Resident when ready, and at its highest until then; null where the system does not tell. */
  readonly rssMb: number | null
  readonly peakMb: number | null
  /** Processor time until ready. */
  readonly processorMs: number | null
}

const boot = (folder: string, repo: string): Promise<Boot> =>
  withDaemon(folder, { repo }, async ({ pid, readyMs, firstHealthMs, firstStatusMs }) => ({
    readyMs,
    firstHealthMs,
    firstStatusMs,
    rssMb: await memoryMb(pid, 'VmRSS'),
    peakMb: await memoryMb(pid, 'VmHWM'),
    processorMs: await processorMs(pid),
  }))

const highest = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const measured = (values: ReadonlyArray<number | null>): ReadonlyArray<number> | null => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known
}

/** Cold boots of two worlds in turns. */
export const bootFigures = async (
  folder: string,
  one: string,
  ten: string,
): Promise<ReadonlyArray<Figure>> => {
  const pairs = await inPairs(
    rounds,
    () => boot(folder, one),
    () => boot(folder, ten),
  )
  const [small, large] = [pairs.map(pair => pair[0]), pairs.map(pair => pair[1])]
  const growth = ratiosOf(pairs.map(([left, right]) => [right.readyMs, left.readyMs]))
  const of = <K extends keyof Boot>(boots: ReadonlyArray<Boot>, key: K): ReadonlyArray<Boot[K]> =>
    boots.map(each => each[key])
  const used = (boots: ReadonlyArray<Boot>) => measured(of(boots, 'processorMs'))
  return [
    figureAtMost('cold boot to the ready line, scale 1', 'ms', 2000, of(small, 'readyMs')),
    figureAtMost('cold boot to the ready line, scale 10', 'ms', 8000, of(large, 'readyMs')),
    figureAtMost('growth of the boot from scale 1 to 10', 'x', 12, growth),
    figureAtMost('first /health, scale 1', 'ms', 700, of(small, 'firstHealthMs')),
    figureAtMost('first /health, scale 10', 'ms', 700, of(large, 'firstHealthMs')),
    figureAtMost('first /fleet/status, scale 10', 'ms', 1_500, of(large, 'firstStatusMs')),
    figureAtMost('resident memory when ready, scale 10', 'MB', 700, highest(of(large, 'rssMb'))),
    figureWithoutBar('highest resident memory of the boot, scale 10', 'MB', highest(of(large, 'peakMb'))),
    figureWithoutBar('resident memory when ready, scale 1', 'MB', highest(of(small, 'rssMb'))),
    figureWithoutBar('processor time of the boot, scale 1', 'ms of processor', used(small)),
    figureWithoutBar('processor time of the boot, scale 10', 'ms of processor', used(large)),
  ]
}

const runMs = (args: ReadonlyArray<string>): number => {
  const startedMs = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} left with ${status ?? 'a signal'}`)
  return performance.now() - startedMs
}

/** What a command costs that does nothing, beside node alone; each started in turns, from start to end. */
export const commandFigures = async (): Promise<ReadonlyArray<Figure>> => {
  const pairs = await inPairs(
    commandTimes,
    () => runMs(['dist/src/main.js', '--version']),
    () => runMs(['--eval', '0']),
  )
  const note = `node alone ${median(pairs.map(pair => pair[1])).toFixed(0)} ms`
  const program = pairs.map(pair => pair[0])
  return [figureAtMost('kronika --version', 'ms', 300, program, note)]
}
