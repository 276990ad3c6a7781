import { appendFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import type { BenchDaemon } from './daemon.js'

const local = { GIT_ALLOW_PROTOCOL: 'file' }
const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']

const runGit = (cwd: string, ...args: ReadonlyArray<string>): Promise<string> =>
  gitText([...author, ...args], { cwd, env: local })

/** A remote with two clones: the checkout of a node, and that of another host. */
export interface TwoClones {
  readonly place: string
  readonly bare: string
  readonly mine: string
  readonly other: string
}

export const cloneTwice = async (folder: string, name: string, world: string): Promise<TwoClones> => {
  const place = await mkdtemp(join(folder, `${name}-`))
  const [bare, mine, other] = [join(place, 'bare.git'), join(place, 'mine'), join(place, 'other')]
  await runGit(place, 'clone', '--quiet', '--bare', world, bare)
  for (const clone of [mine, other]) await runGit(place, 'clone', '--quiet', bare, clone)
  return { place, bare, mine, other }
}

/** Files of the lore, spread over the whole tree: sessions, index files, characters. */
export const pickSpreadFiles = async (repo: string, count: number): Promise<ReadonlyArray<string>> => {
  const all = (await runGit(repo, 'ls-files', '-z', 'encje', 'Wątki', 'Postaci'))
    .split('\0')
    .filter(path => path.endsWith('.md'))
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? '')
}

const textFor = (path: string, round: number): string =>
  path.startsWith('encje/') ? `- @info: Dopisek ${round}.\n` : `\nDopisek ${round}.\n`

/** Changes the files of a clone, each at its end, and commits them; returns the commit. */
export const commitTo = async (
  clone: string,
  paths: ReadonlyArray<string>,
  round: number,
): Promise<string> => {
  for (const path of paths) await appendFile(join(clone, path), textFor(path, round))
  await runGit(clone, 'commit', '--quiet', '--all', '-m', `pomiar: ${paths.length} plików, ${round}`)
  return runGit(clone, 'rev-parse', 'HEAD')
}

/** Another host changes the files and publishes them; returns the commit. */
export const publishByOther = async (
  { other }: TwoClones,
  paths: ReadonlyArray<string>,
  round: number,
): Promise<string> => {
  await runGit(other, 'pull', '--quiet', '--ff-only')
  const commit = await commitTo(other, paths, round)
  await runGit(other, 'push', '--quiet', 'origin', 'HEAD')
  return commit
}

/** Asks a node to converge; returns the text of its answer. */
export const askToConverge = async ({ url, headers }: BenchDaemon): Promise<string> => {
  const answer = await fetch(`${url}/sync`, {
    method: 'POST',
    body: '{}',
    headers: { ...headers, 'content-type': 'application/json' },
  })
  return await answer.text()
}
