import { spawnSync } from 'node:child_process'
import { type Figure, figureAtMost, median } from './figure.js'

const times = 9

const runMs = (args: ReadonlyArray<string>): number => {
  const startedMs = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} left with ${status ?? 'a signal'}`)
  return performance.now() - startedMs
}

/** What a command costs that does nothing, beside node alone; each started in turns, from start to end. */
export const commandFigures = (): ReadonlyArray<Figure> => {
  const program: Array<number> = []
  const alone: Array<number> = []
  for (let at = 0; at < times; at += 1) {
    program.push(runMs(['dist/src/main.js', '--version']))
    alone.push(runMs(['--eval', '0']))
  }
  return [figureAtMost('kronika --version', 'ms', 300, program, `node alone ${median(alone).toFixed(0)} ms`)]
}
