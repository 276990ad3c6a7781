import { once } from 'node:events'
import { gitText, spawnGit } from '#src/adapters/git/git-command.js'
import type { DemoCommit } from '../commit.js'

/** Called after each commit that was passed to git. */
export type Progress = (done: number, total: number) => void

const data = (text: string): string => `data ${Buffer.byteLength(text, 'utf8')}\n${text}\n`

const signature = (commit: DemoCommit): string =>
  `${commit.author.name} <${commit.author.email}> ${Math.floor(Date.parse(commit.at) / 1000)} +0000`

/** A commit in the stream format of `git fast-import`; its parent is the one before it. */
const commitText = (commit: DemoCommit, branch: string): string =>
  [
    `commit refs/heads/${branch}\n`,
    `author ${signature(commit)}\n`,
    `committer ${signature(commit)}\n`,
    data(commit.message),
    ...commit.changes.map(change => `M 100644 inline ${change.path}\n${data(change.text)}`),
    '\n',
  ].join('')

/** Streams commits into the repository's branch `main`. Rejects with git's output where it fails. */
const importCommits = async (
  directory: string,
  commits: ReadonlyArray<DemoCommit>,
  onProgress: Progress,
): Promise<void> => {
  const child = spawnGit(['-c', 'core.compression=1', 'fast-import', '--quiet', '--done', '--depth=10'], {
    cwd: directory,
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said = `${said}${part.toString('utf8')}`.slice(-2000)
  })
  child.stdout.resume()
  const ended = new Promise<number | null>(resolve => {
    child.on('error', error => {
      said = error.message
      resolve(null)
    })
    child.on('close', resolve)
  })
  // A git that dies closes the pipe: the write fails, and the exit code shows the cause.
  child.stdin.on('error', () => undefined)
  let done = 0
  for (const commit of commits) {
    const taken = child.stdin.write(commitText(commit, 'main'))
    if (
      !taken &&
      !(await Promise.race([once(child.stdin, 'drain').then(() => true), ended.then(() => false)]))
    )
      break
    done += 1
    onProgress(done, commits.length)
  }
  child.stdin.end('done\n')
  const code = await ended
  if (code !== 0) throw new Error(`git fast-import failed (${code ?? 'not started'}): ${said.trim()}`)
}

/**
 * Creates a repository with branch `main` and the given commits, and checks it out. The directory must be
 * empty.
 */
export const writeRepository = async (
  directory: string,
  commits: ReadonlyArray<DemoCommit>,
  onProgress: Progress,
): Promise<void> => {
  await gitText(['init', '--quiet', '--initial-branch=main', '--template='], { cwd: directory })
  await importCommits(directory, commits, onProgress)
  await gitText(['read-tree', '--reset', '-u', 'HEAD'], { cwd: directory })
}
