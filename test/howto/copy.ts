import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '#test/tidy/sources.js'

/** A copy of the tree, as a repository of its own. */
export interface Copy {
  /** The text of a file, null where there is none. */
  readonly read: (path: string) => string | null
  readonly write: (path: string, text: string) => void
  /** Runs a program in the copy; answers what it printed where it failed, else null. */
  readonly failureOf: (program: string, ...args: ReadonlyArray<string>) => string | null
  /** Commits what changed since the last call, and answers the paths. */
  readonly commit: (subject: string) => ReadonlyArray<string>
  readonly remove: () => void
}

const outputBytesMax = 64 * 1024 * 1024
const settings = ['user.name=howto', 'user.email=howto@localhost', 'commit.gpgSign=false']

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', [...settings.flatMap(setting => ['-c', setting]), ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: outputBytesMax,
  })

const pathsOf = (listing: string): ReadonlyArray<string> => listing.split('\0').filter(path => path !== '')

/** Copies what git tracks or would track to a temporary folder; `node_modules` is linked. */
export const openCopy = (): Copy => {
  const folder = mkdtempSync(join(tmpdir(), 'howto-'))
  for (const path of pathsOf(git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  git(folder, 'init', '-q')
  const commit = (subject: string): ReadonlyArray<string> => {
    git(folder, 'add', '-A')
    const touched = pathsOf(git(folder, 'diff', '--cached', '--name-only', '-z'))
    if (touched.length > 0) git(folder, 'commit', '-q', '-m', subject)
    return touched
  }
  commit('copy')
  return {
    read: path => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null),
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    failureOf: (program, ...args) => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
        encoding: 'utf8',
        maxBuffer: outputBytesMax,
      })
      return status === 0 ? null : `${program} ${args.join(' ')}\n${stdout}${stderr}`
    },
    commit,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
