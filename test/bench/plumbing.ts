import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'

const author = {
  GIT_AUTHOR_NAME: 'Pomiar',
  GIT_AUTHOR_EMAIL: 'pomiar@example.org',
  GIT_COMMITTER_NAME: 'Pomiar',
  GIT_COMMITTER_EMAIL: 'pomiar@example.org',
}

/**
 * A function that makes one commit of one changed file by bare plumbing, and returns its milliseconds: hash-object,
 * write-tree, commit-tree and update-ref with `core.fsync=all`, on a copy of the repository without a work tree. That
 * write-tree needs the file in the index is not counted.
 */
export const openPlumbing = async (
  folder: string,
  repo: string,
  path: string,
): Promise<(turn: number) => Promise<number>> => {
  const bare = await mkdtemp(join(folder, 'plumbing-'))
  await cp(join(repo, '.git'), bare, { recursive: true })
  const env = { ...author, GIT_DIR: bare, GIT_INDEX_FILE: join(bare, 'plumbing.index') }
  const run = (args: ReadonlyArray<string>, input = ''): Promise<string> =>
    gitText(args, { cwd: bare, env, input })
  await run(['read-tree', 'HEAD'])
  const text = await readFile(join(repo, path), 'utf8')
  return async turn => {
    const head = await run(['rev-parse', 'HEAD'])
    const startedMs = performance.now()
    const blob = await run(['hash-object', '-w', '--stdin'], `${text}- @info: pomiar ${turn}\n`)
    const hashedMs = performance.now()
    await run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
    const indexedMs = performance.now()
    const tree = await run(['write-tree'])
    const commit = await run(['commit-tree', tree, '-p', head, '-m', `pomiar ${turn}`])
    await run(['update-ref', 'HEAD', commit, head])
    return performance.now() - indexedMs + (hashedMs - startedMs)
  }
}
