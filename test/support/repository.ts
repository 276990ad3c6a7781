import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of one test, gone when `dispose` is called. */
export const temporaryFolder = (): { readonly path: string; readonly dispose: () => void } => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'kronika-')))
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) }
}

/** What git reads of who runs the tests: neither their configuration nor the repository that a hook of theirs is in. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** Runs git in a test repository and returns what it printed, trimmed. */
export const gitIn = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    cwd,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

export const writeFiles = (root: string, files: Readonly<Record<string, string | Buffer>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

export interface Repository {
  readonly path: string
  /** Writes files and commits them with everything else; returns the commit id. */
  readonly commit: (files: Readonly<Record<string, string | Buffer>>, message?: string) => string
  readonly git: (...args: ReadonlyArray<string>) => string
  readonly dispose: () => void
}

/** A real git repository with one commit of `files`; with no files, a repository without a commit. */
export const repositoryOf = (files: Readonly<Record<string, string | Buffer>>): Repository => {
  const { path, dispose } = temporaryFolder()
  gitIn(path, 'init', '-q', '-b', 'main')
  const commit = (changed: Readonly<Record<string, string | Buffer>>, message = 'test'): string => {
    writeFiles(path, changed)
    gitIn(path, 'add', '-A')
    gitIn(path, 'commit', '-q', '-m', message)
    return gitIn(path, 'rev-parse', 'HEAD')
  }
  if (Object.keys(files).length > 0) commit(files)
  return { path, commit, git: (...args) => gitIn(path, ...args), dispose }
}
