import { join } from 'node:path'
import { rawGet } from './bare.js'
import { startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar } from './figure.js'
import { loopWatchArgs, type Stall, stallsIn } from './loop-watch.js'
import { askToConverge, cloneTwice, pickSpreadFiles, publishByOther } from './two-clones.js'

const files = 200
const rounds = 5
/** A converge that brings many files at scale 10 (N2 "Speed"): until readers have it, and what it does to the loop. */
export const convergeFigures = async (folder: string, world: string): Promise<ReadonlyArray<Figure>> => {
  const clones = await cloneTwice(folder, 'converge', world)
  const { place, mine, other } = clones
  const log = join(place, 'stalls')
  const daemon = await startBenchDaemon({ repo: mine, state: join(place, 'state'), node: loopWatchArgs(log) })
  try {
    const paths = await pickSpreadFiles(other, files)
    await askToConverge(daemon)
    const times: Array<number> = []
    const stalls: Array<Stall> = []
    for (let round = 0; round < rounds; round += 1) {
      const commit = await publishByOther(clones, paths, round)
      const [fromMs, startedMs] = [Date.now(), performance.now()]
      const answer = await askToConverge(daemon)
      times.push(performance.now() - startedMs)
      const { headers } = await rawGet(`${daemon.url}/entities?limit=1`, daemon.headers)
      if (!answer.includes('"pulled"') || headers['x-svc-commit'] !== commit)
        throw new Error(`the converge did not bring ${commit}: ${answer}`)
      stalls.push(...(await stallsIn(log, fromMs, Date.now())))
    }
    return [
      figureAtMost(
        `a converge that brings ${files} files, scale 10`,
        'ms',
        2000,
        times,
        `worst ${Math.round(Math.max(...times))} ms`,
      ),
      figureAtMost(
        'longest stall of the loop meanwhile',
        'ms',
        50,
        Math.max(0, ...stalls.map(one => one.lengthMs)),
      ),
      figureWithoutBar(
        'most of a stall that was its own processor time',
        'ms',
        Math.max(0, ...stalls.map(one => one.processorMs)),
      ),
      figureWithoutBar('stalls of more than 15 ms a converge', 'stalls', stalls.length / rounds),
    ]
  } finally {
    await daemon.stop()
  }
}
