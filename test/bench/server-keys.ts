import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { gitText } from '#src/adapters/git/git-command.js'

const Committed = t.record(t.string, t.record(t.string, t.unknown))

const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']

/** Commits every change of the work tree. */
export const commitAll = async (repo: string, message: string): Promise<void> => {
  await gitText([...author, 'commit', '--quiet', '--all', '-m', message], { cwd: repo })
}

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
