import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { clonePlainly, commitPlainly, initPlainly, readCommit, type Signature } from './plain-git.js'
import { runInShell } from './small-shell.js'

/** Creates a folder for one test; `dispose` removes it. */
export const temporaryFolder = (): { readonly path: string; readonly dispose: () => void } => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'kronika-')))
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * The environment that keeps git from reading the configuration of the user who runs the tests, or the
 * repository of a hook.
 */
export const testGitEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

const run = (cwd: string, program: string, args: ReadonlyArray<string>): string => {
  const { status, stdout, stderr } = runInShell(testGitEnvironment, cwd, program, args)
  if (status === 0) return stdout.trim()
  const error = new Error(`Command failed: ${[program, ...args].join(' ')}\n${stderr}`)
  throw Object.assign(error, { status, stdout, stderr })
}

/** Who makes the commits of fixtures, at this moment. */
export const testPerson = (): Signature => ({ name: 'Test', email: 'test@example.org', atMs: Date.now() })

/** The settings of the git of fixtures. A commit starts no maintenance of its own. */
const settings = [
  `user.name=${testPerson().name}`,
  `user.email=${testPerson().email}`,
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap(setting => ['-c', setting])

/** Runs git in a test repository and returns its trimmed output. */
export const gitIn = (cwd: string, ...args: ReadonlyArray<string>): string =>
  run(cwd, 'git', [...settings, ...args])

/** Commits what was added and, with `all`, everything else; returns the commit id. */
export const commitIn = (cwd: string, message: string, all = true): string => {
  const commit = all ? commitPlainly(cwd, message, testPerson()) : null
  if (commit !== null) return commit
  if (all) gitIn(cwd, 'add', '-A')
  gitIn(cwd, 'commit', '-q', '-m', message)
  return headIn(cwd)
}

/** Clones a bare repository into a folder that does not exist yet. */
export const cloneOf = (bare: string, folder: string): void => {
  if (!clonePlainly(bare, folder)) gitIn(dirname(folder), 'clone', '-q', bare, folder)
}

/** The commit of HEAD, or of a full name such as `refs/heads/main`. */
export const headIn = (cwd: string, ref = 'HEAD'): string =>
  readCommit(cwd, ref) ?? gitIn(cwd, 'rev-parse', ref)

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
  /** The commit of HEAD. */
  readonly head: () => string
  readonly git: (...args: ReadonlyArray<string>) => string
  readonly dispose: () => void
}

/** A real git repository with one commit of `files`; with no files, a repository without a commit. */
export const repositoryOf = (files: Readonly<Record<string, string | Buffer>>): Repository => {
  const { path, dispose } = temporaryFolder()
  writeFiles(path, files)
  initPlainly(path)
  if (Object.keys(files).length > 0) commitIn(path, 'test')
  const commit = (changed: Readonly<Record<string, string | Buffer>>, message = 'test'): string => {
    writeFiles(path, changed)
    return commitIn(path, message)
  }
  return { path, commit, head: () => headIn(path), git: (...args) => gitIn(path, ...args), dispose }
}
