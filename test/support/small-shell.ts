import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs short commands from a shell that stays open, and waits for each. Starting a process copies the memory tables of
 * the process that starts it: 2 ms from a shell, 10 to 50 ms from a process of a test run. One shell serves this process,
 * and ends with it.
 */
interface Shell {
  readonly commands: number
  readonly results: number
  readonly folder: string
}

export interface Finished {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Runs the file `command` for each line that it reads, until its input ends, which it does when this process ends. */
const loop = 'exec 3>results <commands; while read -r line; do . ./command; echo $? >&3; done'

let opened: Shell | null = null

const openShell = (env: NodeJS.ProcessEnv): Shell => {
  const folder = mkdtempSync(join(tmpdir(), 'kronika-shell-'))
  execFileSync('mkfifo', [join(folder, 'commands'), join(folder, 'results')])
  const child = spawn('sh', ['-c', loop], { cwd: folder, env, stdio: 'ignore', detached: true })
  child.unref()
  // Each waits for the other end. A test that ends the whole process group of its own process leaves the shell alone.
  const results = openSync(join(folder, 'results'), 'r')
  const commands = openSync(join(folder, 'commands'), 'w')
  process.once('exit', () => {
    closeSync(commands)
    rmSync(folder, { recursive: true, force: true })
  })
  return { commands, results, folder }
}

/** Runs a program in a folder and returns how it ended. The environment is that of the first call. */
export const runInShell = (
  env: NodeJS.ProcessEnv,
  cwd: string,
  program: string,
  args: ReadonlyArray<string>,
): Finished => {
  opened ??= openShell(env)
  const { folder, commands, results } = opened
  const words = [program, ...args].map(quote).join(' ')
  writeFileSync(join(folder, 'command'), `(cd ${quote(cwd)} && exec ${words}) >out 2>err </dev/null\n`)
  writeSync(commands, '\n')
  const answer = Buffer.alloc(16)
  const length = readSync(results, answer)
  const status = Number(answer.toString('latin1', 0, length))
  return {
    status,
    stdout: readFileSync(join(folder, 'out'), 'utf8'),
    stderr: readFileSync(join(folder, 'err'), 'utf8'),
  }
}
