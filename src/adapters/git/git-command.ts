import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** What ended: exit code (null when a signal or a failure to start ended it), both outputs. */
export interface GitResult {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  /** The binary is not on the path. */
  readonly absent: boolean
}

export interface GitOptions {
  readonly cwd: string
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Ends the child with this process, however it ends (F7). Only where `setpriv` is on the path. */
  readonly tied?: boolean
  /** Ends the child when it has printed more; `code` is null then. Default: whatever it prints is kept. */
  readonly outputBytesMax?: number
  /** Ends the child after so many ms; `code` is null then, at once, even where the child cannot be ended. */
  readonly limitMs?: number
}

const tie = ['--pdeathsig', 'SIGKILL', '--', 'git']

/**
 * Settings that hold for every git of ours: durable refs and objects (F2), no hooks, no helper protocols,
 * names as they are.
 */
export const gitSettings: ReadonlyArray<string> = [
  'core.fsync=all',
  'core.fsyncMethod=fsync',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
  'protocol.ext.allow=never',
  'gc.auto=0',
  'commit.gpgSign=false',
  'core.fsmonitor=false',
  // A signature is shown by a program that the configuration names, and refs of alternates by another.
  'log.showSignature=false',
  'core.alternateRefsCommand=true',
]

const settings = gitSettings.flatMap(setting => ['-c', setting])

/** A minimal environment: nothing of the caller's `GIT_*` reaches git, and nobody is ever asked for a password. */
export const gitEnvironment = (extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  LC_ALL: 'C.UTF-8',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  // No transport at all: a promisor remote of a hostile configuration would be fetched from while objects are read.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  // A ref below `refs/replace/` would put another object in the place of a committed one.
  GIT_NO_REPLACE_OBJECTS: '1',
  ...extra,
})

/** Starts git without a shell. The caller minds its streams. */
export const spawnGit = (args: ReadonlyArray<string>, options: GitOptions): ChildProcessWithoutNullStreams =>
  spawn(
    options.tied === true ? 'setpriv' : 'git',
    [...(options.tied === true ? tie : []), ...settings, ...args],
    {
      cwd: options.cwd,
      env: gitEnvironment(options.env),
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
  )

/** Runs git to its end. Never rejects. */
export const git = (args: ReadonlyArray<string>, options: GitOptions): Promise<GitResult> => {
  const child = spawnGit(args, options)
  return new Promise<GitResult>(resolve => {
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    let absent = false
    let bytes = 0
    const end = (code: number | null): void => {
      clearTimeout(timer)
      resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8'), absent })
    }
    /** A child that waits for a dead disk takes no signal: nobody waits for it. */
    const giveUp = (): void => {
      child.kill('SIGKILL')
      child.unref()
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      end(null)
    }
    const timer = options.limitMs === undefined ? undefined : setTimeout(giveUp, options.limitMs)
    child.stdout.on('data', (part: Buffer) => {
      out.push(part)
      bytes += part.length
      if (bytes > (options.outputBytesMax ?? Number.POSITIVE_INFINITY)) giveUp()
    })
    child.stderr.on('data', (part: Buffer) => err.push(part))
    child.stdin.on('error', () => undefined)
    child.on('error', error => {
      absent = 'code' in error && error.code === 'ENOENT'
    })
    child.on('close', end)
    child.stdin.end(options.input ?? '')
  })
}

/** The text of a git that had to succeed. */
export const gitText = async (args: ReadonlyArray<string>, options: GitOptions): Promise<string> => {
  const result = await git(args, options)
  if (result.code === 0) return result.stdout.toString('utf8').trim()
  throw new Error(`git ${args[0] ?? ''} failed (${result.code ?? 'not started'}): ${result.stderr.trim()}`)
}
