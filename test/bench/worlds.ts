import { appendFile, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { gitText } from '#src/adapters/git/git-command.js'
import { writeDemo } from '#src/demo/writer/demo-writer.js'

export const worldSeed = 'pomiar'

/** Looks at HEAD so seldom that no look falls into a measurement. */
export const seldomMs = 600_000

/** Writes a world of the demo that looks at HEAD seldom and has no search: what search costs is a group of its own. */
export const writeWorld = async (folder: string, scale: number): Promise<string> => {
  const repo = join(folder, `world-${scale}`)
  const written = await writeDemo(repo, { seed: worldSeed, scale })
  if (isLeft(written)) throw new Error(written.left.reason)
  await setServerKeys(repo, { search_index: null, selfheal_interval_ms: seldomMs })
  return repo
}

const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']

const runGit = (cwd: string, ...args: ReadonlyArray<string>): Promise<string> =>
  gitText([...author, ...args], { cwd, env: { GIT_ALLOW_PROTOCOL: 'file' } })

/** Commits every change of the work tree, new files with it. */
export const commitAll = async (repo: string, message: string): Promise<void> => {
  await runGit(repo, 'add', '--all')
  await runGit(repo, 'commit', '--quiet', '-m', message)
}

const Committed = t.record(t.string, t.record(t.string, t.unknown))

/** Sets keys of a section in the configuration of a world, removes those that are null, and commits the change. */
export const setConfigKeys = async (
  repo: string,
  section: string,
  keys: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const path = join(repo, '.svc/config.json')
  const before = await readFile(path, 'utf8')
  const config = Committed.decode(JSON.parse(before))
  if (isLeft(config)) throw new Error(`${path} has a section that is no object`)
  const merged = { ...config.right[section], ...keys }
  const set = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  const text = `${JSON.stringify({ ...config.right, [section]: set }, null, 2)}\n`
  if (text === before) return
  await writeFile(path, text)
  await commitAll(repo, `pomiar: ${Object.keys(keys).join(', ')}`)
}

/** The same for keys of `server`. */
export const setServerKeys = (
  repo: string,
  keys: Readonly<Record<string, string | number | null>>,
): Promise<void> => setConfigKeys(repo, 'server', keys)

/** An entity of the world: the first place of the index. */
export const anEntity = async (repo: string): Promise<string> => {
  const text = await readFile(join(repo, 'encje/indeks.md'), 'utf8')
  const found = /^### (.+)\n- @typ: Lokacja$/mu.exec(text)
  if (found === null) throw new Error('a world without places')
  return found[1] ?? ''
}

/** A game id that is open today, from the contributor store of a demo world. */
export const aGameId = async (repo: string): Promise<string> => {
  const text = await readFile(join(repo, 'kontrybutorzy.md'), 'utf8')
  const found = /^- @gameid: (\d+) \(\d{4}-\d{2}:\)$/mu.exec(text)?.[1]
  if (found === undefined) throw new Error('a world without players')
  return found
}

/** The path of the first session file of the last cycle. */
export const aSessionFile = async (repo: string): Promise<string> => {
  const folders = (await readdir(join(repo, 'Wątki'))).sort()
  const folder = folders[folders.length - 1] ?? ''
  const files = (await readdir(join(repo, 'Wątki', folder))).sort()
  return join(repo, 'Wątki', folder, files[0] ?? '')
}

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
