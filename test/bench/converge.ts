import { appendFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { rawGet } from './bare.js'
import { type BenchDaemon, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { loopWatchArgs, type Stall, stallsIn } from './loop-watch.js'

const files = 200
const rounds = 5
const local = { GIT_ALLOW_PROTOCOL: 'file' }
const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']

const git = (cwd: string, ...args: ReadonlyArray<string>): Promise<string> =>
  gitText([...author, ...args], { cwd, env: local })

/** Files of the lore, spread over the whole tree: sessions, index files, characters. */
const pickSpreadFiles = async (repo: string): Promise<ReadonlyArray<string>> => {
  const all = (await git(repo, 'ls-files', '-z', 'encje', 'Wątki', 'Postaci'))
    .split('\0')
    .filter(path => path.endsWith('.md'))
  return Array.from({ length: files }, (_, at) => all[Math.floor((at * all.length) / files)] ?? '')
}

const textFor = (path: string, round: number): string =>
  path.startsWith('encje/') ? `- @info: Dopisek ${round}.\n` : `\nDopisek ${round}.\n`

/** Another host changes the files, each at its end, and publishes them. */
const publishByOther = async (
  other: string,
  paths: ReadonlyArray<string>,
  round: number,
): Promise<string> => {
  for (const path of paths) await appendFile(join(other, path), textFor(path, round))
  await git(other, 'commit', '--quiet', '--all', '-m', `pomiar: ${files} plików, ${round}`)
  await git(other, 'push', '--quiet', 'origin', 'HEAD')
  return git(other, 'rev-parse', 'HEAD')
}

const converge = async (daemon: BenchDaemon): Promise<string> => {
  const answer = await fetch(`${daemon.url}/sync`, {
    method: 'POST',
    body: '{}',
    headers: { ...daemon.headers, 'content-type': 'application/json' },
  })
  return await answer.text()
}

/** A converge that brings many files at scale 10 (N2 "Speed"): until readers have it, and what it does to the loop. */
export const convergeFigures = async (folder: string, world: string): Promise<ReadonlyArray<Figure>> => {
  const place = await mkdtemp(join(folder, 'converge-'))
  const [bare, mine, other, log] = ['bare.git', 'mine', 'other', 'stalls'].map(name => join(place, name))
  if (bare === undefined || mine === undefined || other === undefined || log === undefined) return []
  await git(place, 'clone', '--quiet', '--bare', world, bare)
  for (const clone of [mine, other]) await git(place, 'clone', '--quiet', bare, clone)
  const daemon = await startBenchDaemon({ repo: mine, state: join(place, 'state'), node: loopWatchArgs(log) })
  try {
    const paths = await pickSpreadFiles(other)
    await converge(daemon)
    const times: Array<number> = []
    const stalls: Array<Stall> = []
    for (let round = 0; round < rounds; round += 1) {
      const commit = await publishByOther(other, paths, round)
      const [fromMs, startedMs] = [Date.now(), performance.now()]
      const answer = await converge(daemon)
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
        median(times),
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
