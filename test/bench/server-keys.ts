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

/** Sets keys of `server` in the configuration of a world, removes those that are null, and commits the change. */
export const setServerKeys = async (
  repo: string,
  keys: Readonly<Record<string, string | number | null>>,
): Promise<void> => {
  const path = join(repo, '.svc/config.json')
  const before = await readFile(path, 'utf8')
  const config = Committed.decode(JSON.parse(before))
  if (isLeft(config)) throw new Error(`${path} has a section that is no object`)
  const server = { ...config.right['server'], ...keys }
  const set = Object.fromEntries(Object.entries(server).filter(([, value]) => value !== null))
  const text = `${JSON.stringify({ ...config.right, server: set }, null, 2)}\n`
  if (text === before) return
  await writeFile(path, text)
  await commitAll(repo, `pomiar: ${Object.keys(keys).join(', ')}`)
}
