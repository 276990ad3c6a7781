import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A program that ended otherwise than with 0, with what it printed. */
const failureOf = (program: string, args: ReadonlyArray<string>, said: string): Error =>
  new Error(`${[program, ...args].join(' ')} failed:\n${said}`)

/** Runs a program to its end and returns its stdout; throws what it printed where it fails. */
export const runProgram = (
  program: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return stdout
  throw failureOf(program, args, error?.message ?? `${stdout}${stderr}`)
}

/** How long a demo may take to be written and served on a busy machine. */
const startMs = 120_000

const urlOf = (line: string): string | null => {
  if (!line.startsWith('{')) return null
  const ready: unknown = JSON.parse(line)
  const url: unknown = Reflect.get(Object(ready), 'url')
  return typeof url === 'string' ? url : null
}

/**
 * Serves a demo world with the `kronika` of a path until `/health` answers, and ends it with SIGTERM. Returns what
 * `/health` answered; rejects where the program ends early, answers otherwise than 200 or does not end with 0.
 */
export const serveDemo = async (folder: string, env: NodeJS.ProcessEnv): Promise<unknown> => {
  const args = ['demo', 'world', '--serve', '--port', '0', '--ops-port', '0']
  const child = spawn('kronika', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString('utf8')
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), startMs)
  const ready = new Promise<string>(resolve => {
    createInterface(child.stdout).on('line', line => {
      const url = urlOf(line)
      if (url !== null) resolve(url)
    })
  })
  try {
    const url = await Promise.race([ready, ended])
    if (typeof url !== 'string') throw failureOf('kronika', args, said)
    const answer = await fetch(`${url}/health`)
    if (answer.status !== 200) throw new Error(`GET ${url}/health answered ${answer.status}`)
    const health: unknown = await answer.json()
    child.kill('SIGTERM')
    const code = await ended
    if (code !== 0) throw failureOf('kronika', args, `it ended with ${code ?? 'a signal'}\n${said}`)
    return health
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
