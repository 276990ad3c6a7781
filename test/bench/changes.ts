import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askToConverge, rawGet } from './client.js'
import { type BenchDaemon, processorMs, withDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, worstOf } from './figure.js'
import { loopWatchArgs, type Stall, stallsIn } from './loop-watch.js'
import {
  anEntity,
  aSessionFile,
  cloneTwice,
  commitAll,
  pickSpreadFiles,
  publishByOther,
  seldomMs,
  setServerKeys,
} from './worlds.js'

const changes = 15

/** What a change of the lore costs a node that looks at HEAD before each request; the world looks seldom again afterwards. */
export const changeFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  await setServerKeys(repo, { selfheal_interval_ms: 0 })
  try {
    const entity = await anEntity(repo)
    return await withDaemon(folder, { repo }, daemon => timeChanges(daemon, repo, entity))
  } finally {
    await setServerKeys(repo, { selfheal_interval_ms: seldomMs })
  }
}

/**
 * Commits a change of one session file beside the node, then asks: the node is told by the request itself, so the time of
 * that request is from the keeper being told to the first answer with the new ETag.
 */
const timeChanges = async (
  daemon: BenchDaemon,
  repo: string,
  entity: string,
): Promise<ReadonlyArray<Figure>> => {
  const url = `${daemon.url}/entities/${encodeURIComponent(entity)}`
  const file = await aSessionFile(repo)
  const [told, quiet]: [Array<number>, Array<number>] = [[], []]
  const timed = async (): Promise<readonly [etag: string, ms: number]> => {
    const startedMs = performance.now()
    const answer = await rawGet(url, daemon.headers)
    return [answer.headers['etag'] ?? '', performance.now() - startedMs]
  }
  const usedBefore = await processorMs(daemon.pid)
  for (let turn = 1; turn <= changes; turn += 1) {
    const [before, quietMs] = await timed()
    quiet.push(quietMs)
    const text = await readFile(file, 'utf8')
    await writeFile(file, `${text}\nDopisek numer ${turn}.\n`)
    await commitAll(repo, `pomiar: dopisek ${turn}`)
    const [after, toldMs] = await timed()
    if (after === before) throw new Error('the answer after the commit has the ETag of the one before')
    told.push(toldMs)
  }
  const usedAfter = await processorMs(daemon.pid)
  const used = usedBefore === null || usedAfter === null ? null : (usedAfter - usedBefore) / changes
  const worst = `worst ${Math.round(Math.max(...told))} ms`
  return [
    figureAtMost('one changed session file, scale 10: told to answered', 'ms', 150, told, worst),
    figureWithoutBar('the same request with nothing changed', 'ms', quiet),
    figureWithoutBar('processor time of a change and two requests', 'ms of processor', used),
  ]
}

const files = 200
const converges = 5

/** A converge that brings many files at scale 10 (N2 "Speed"): until readers have it, and what it does to the loop. */
export const convergeFigures = async (folder: string, world: string): Promise<ReadonlyArray<Figure>> => {
  const clones = await cloneTwice(folder, 'converge', world)
  const { place, mine, other } = clones
  const log = join(place, 'stalls')
  const node = loopWatchArgs(log)
  return withDaemon(folder, { repo: mine, node }, async daemon => {
    const paths = await pickSpreadFiles(other, files)
    await askToConverge(daemon)
    const times: Array<number> = []
    const stalls: Array<ReadonlyArray<Stall>> = []
    for (let round = 0; round < converges; round += 1) {
      const commit = await publishByOther(clones, paths, round)
      const [fromMs, startedMs] = [Date.now(), performance.now()]
      const answer = await askToConverge(daemon)
      times.push(performance.now() - startedMs)
      const { headers } = await rawGet(`${daemon.url}/entities?limit=1`, daemon.headers)
      if (!answer.includes('"pulled"') || headers['x-svc-commit'] !== commit)
        throw new Error(`the converge did not bring ${commit}: ${answer}`)
      stalls.push(await stallsIn(log, fromMs, Date.now()))
    }
    const longest = (key: 'lengthMs' | 'processorMs') =>
      worstOf(stalls.map(each => Math.max(0, ...each.map(stall => stall[key]))))
    const worst = `worst ${Math.round(Math.max(...times))} ms`
    return [
      figureAtMost(`a converge that brings ${files} files, scale 10`, 'ms', 2000, times, worst),
      figureAtMost('longest stall of the loop meanwhile', 'ms', 50, longest('lengthMs')),
      figureWithoutBar(
        'most of a stall that was its own processor time',
        'ms of processor',
        longest('processorMs'),
      ),
      figureWithoutBar('stalls of more than 15 ms a converge', 'stalls', stalls.flat().length / converges),
    ]
  })
}
