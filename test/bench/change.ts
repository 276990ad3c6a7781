import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { rawGet } from './bare.js'
import { type BenchDaemon, processorMs } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar } from './figure.js'

const commit = async (repo: string, message: string): Promise<void> => {
  const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']
  await gitText([...author, 'commit', '--quiet', '--all', '-m', message], { cwd: repo })
}

/** Makes the node look at HEAD before each request, so that the next request tells the keeper of a commit. */
export const lookAlways = async (repo: string): Promise<void> => {
  const path = join(repo, '.svc/config.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/"selfheal_interval_ms": \d+/u, '"selfheal_interval_ms": 0'))
  await commit(repo, 'pomiar: HEAD przed każdym zapytaniem')
}

const aSessionFile = async (repo: string): Promise<string> => {
  const folders = (await readdir(join(repo, 'Wątki'))).sort()
  const folder = folders[folders.length - 1] ?? ''
  const files = (await readdir(join(repo, 'Wątki', folder))).sort()
  return join(repo, 'Wątki', folder, files[0] ?? '')
}

/**
 * Commits a change of one session file beside the node, then asks: the node is told by the request itself, so the time of
 * that request is from the keeper being told to the first answer with the new ETag.
 */
export const changeFigures = async (
  daemon: BenchDaemon,
  repo: string,
  entity: string,
  times: number,
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
  for (let turn = 0; turn < times; turn += 1) {
    const [before, quietMs] = await timed()
    quiet.push(quietMs)
    const text = await readFile(file, 'utf8')
    await writeFile(file, `${text}\nDopisek numer ${turn + 1}.\n`)
    await commit(repo, `pomiar: dopisek ${turn + 1}`)
    const [after, toldMs] = await timed()
    if (after === before) throw new Error('the answer after the commit has the ETag of the one before')
    told.push(toldMs)
  }
  const usedAfter = await processorMs(daemon.pid)
  const used = usedBefore === null || usedAfter === null ? null : (usedAfter - usedBefore) / times
  return [
    figureAtMost(
      'one changed session file, scale 10: told to answered',
      'ms',
      150,
      told,
      `worst ${Math.round(Math.max(...told))} ms`,
    ),
    figureWithoutBar('the same request with nothing changed', 'ms', quiet),
    figureWithoutBar('processor time of a change and two requests', 'ms', used),
  ]
}
