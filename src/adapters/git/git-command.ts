import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { constants, getPriority, setPriority } from 'node:os'
import { type GitCommand, type GitProcessResult, gitCommands } from '#protocol/host/sync.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import { endGroup, ownGroup } from '../process-groups.js'

/** The result of git: its exit code (null when a signal or a failure to start ended it) and both outputs. */
export interface GitResult {
  /** Whether `limitMs` ended it; `code` is then null. */
  readonly timedOut: boolean
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  /** Whether the binary is missing from the path. */
  readonly absent: boolean
}

export interface GitOptions {
  readonly cwd: string
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /**
   * Ends git when this process ends, even by SIGKILL (F7); `whole` also what git started. Only where `setpriv` is
   * on the path.
   */
  readonly tied?: 'alone' | 'whole'
  /** Ends the child when it has printed more; `code` is then null, and `stderr` says so. Default: 128 MiB. */
  readonly outputBytesMax?: number
  /**
   * Ends the child and all that it started after this time in ms. `code` is then null, at most `graceMs` later,
   * even where something cannot be killed or holds a pipe open.
   */
  readonly limitMs?: number
  /** Runs the child, and what it starts, at a low priority. */
  readonly background?: boolean
}

/**
 * Settings of every git that we run: durable refs and objects (F2), no hooks, no helper protocols, unquoted
 * names.
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
  // Git would show signatures with a program that the configuration names, and list refs of alternates with
  // another.
  'log.showSignature=false',
  'core.alternateRefsCommand=true',
  // A commit may have a folder with the files of a bare repository, whose links and settings lead git to another
  // repository of the machine.
  'safe.bareRepository=explicit',
]

/**
 * A minimal environment: no `GIT_*` variable of the caller reaches git, and git never asks for a password.
 */
export const gitEnvironment = (extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  LC_ALL: 'C.UTF-8',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  // No transport at all: while git reads objects, it would fetch from a promisor remote of a hostile
  // configuration.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  // A ref below `refs/replace/` would replace a committed object with another one.
  GIT_NO_REPLACE_OBJECTS: '1',
  ...extra,
})

/** Starts git in a process group of its own, and meters it. The caller handles its streams. */
export const spawnGit = (
  args: ReadonlyArray<string>,
  options: GitOptions,
): ChildProcessWithoutNullStreams => {
  const [program = 'git', ...first] = options.tied === undefined ? [] : programs[options.tied]
  const child = spawn(program, [...first, ...settings, ...args], {
    cwd: options.cwd,
    env: gitEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  ownGroup(child)
  if (options.background === true) lowerPriority(child)
  return meterGit(args, child)
}

/**
 * Runs git until it ends, its limit passes or `signal` aborts. Never rejects, and never waits for a pipe that a
 * process of the child's holds open.
 */
export const git = (args: ReadonlyArray<string>, options: GitOptions): Promise<GitResult> => {
  const { outputBytesMax = outputBytesDefault, limitMs, signal } = options
  if (signal?.aborted === true) return Promise.resolve(notStarted)
  const child = spawnGit(args, options)
  return new Promise<GitResult>(resolve => {
    let absent = false
    let timedOut = false
    let isEnding = false
    let isOver = false
    let limit: NodeJS.Timeout | undefined
    let grace: NodeJS.Timeout | undefined
    /** A child that is blocked on a dead disk ignores signals, so this does not wait for it. */
    const finish = (code: number | null): void => {
      if (isOver) return
      isOver = true
      if (isEnding) endGroup(child, 'SIGKILL')
      clearTimeout(limit)
      clearTimeout(grace)
      signal?.removeEventListener('abort', giveUp)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      child.unref()
      resolve({ code: isEnding ? null : code, ...printed(), absent, timedOut })
    }
    const giveUp = (): void => {
      if (isEnding) return
      isEnding = true
      endGroup(child, 'SIGTERM')
      clearTimeout(grace)
      grace = setTimeout(() => finish(null), graceMs)
    }
    if (limitMs !== undefined)
      limit = setTimeout(() => {
        timedOut = true
        giveUp()
      }, limitMs)
    signal?.addEventListener('abort', giveUp, { once: true })
    const printed = gatherOutput(child, outputBytesMax, giveUp)
    child.stdin.on('error', () => undefined)
    child.on('error', error => {
      absent = 'code' in error && error.code === 'ENOENT'
    })
    child.on('exit', code => {
      // What it started holds a pipe; where it died by a signal, nothing of it is of use any more.
      grace ??= setTimeout(() => {
        endGroup(child, 'SIGKILL')
        finish(code)
      }, graceMs)
    })
    child.on('close', finish)
    // Without input nothing is written: a git that has ended already would make an error of it, whose stack costs the
    // source maps of the daemon.
    if (options.input === undefined) child.stdin.end()
    else child.stdin.end(options.input)
  })
}

/** Runs git and returns its trimmed output; throws where it failed. */
export const gitText = async (args: ReadonlyArray<string>, options: GitOptions): Promise<string> => {
  const result = await git(args, options)
  if (result.code === 0) return result.stdout.toString('utf8').trim()
  throw new Error(
    `git ${args[0] ?? ''} failed (${result.code ?? 'it did not end by itself'}): ${result.stderr.trim()}`,
  )
}

/** The command among git's arguments, after any settings. */
export const gitCommandOf = (args: ReadonlyArray<string>): string => {
  const at = args.findIndex((arg, nth) => arg !== '-c' && args[nth - 1] !== '-c')
  return args[at] ?? ''
}

/**
 * Leads the group of a git that talks to a remote. Its helpers have no tie to the daemon, so the kernel sends the
 * leader USR1 when the daemon dies, and the leader ends the group as `git` below does.
 */
const leader = `trap 'trap "" TERM; kill -TERM 0; sleep 1; kill -KILL 0' USR1
exec 3<&0
git "$@" <&3 3<&- &
exec 3<&-
wait $!`

const programs: Readonly<Record<NonNullable<GitOptions['tied']>, ReadonlyArray<string>>> = {
  alone: ['setpriv', '--pdeathsig', 'SIGKILL', '--', 'git'],
  whole: ['setpriv', '--pdeathsig', 'SIGUSR1', '--', 'sh', '-c', leader, 'git'],
}

/** From the polite signal to the one that cannot be ignored: git removes its locks meanwhile. */
const graceMs = 1_000

const settings = gitSettings.flatMap(setting => ['-c', setting])

/** Lowers the priority of a child for the processor, and with it that for the disk. It may have ended by now. */
const lowerPriority = ({ pid }: ChildProcessWithoutNullStreams): void => {
  if (pid === undefined) return
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    setPriority(pid, Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL))
  } catch {
    // A system that refuses runs it as any other child.
  }
}

/** A tree of half a million files with long paths is listed in less. */
const outputBytesDefault = 128 * 1024 * 1024

/** What a child prints; `onTooMuch` is called where that is more than `bytesMax`. */
const gatherOutput = (
  child: ChildProcessWithoutNullStreams,
  bytesMax: number,
  onTooMuch: () => void,
): (() => Pick<GitResult, 'stdout' | 'stderr'>) => {
  const out: Array<Buffer> = []
  const err: Array<Buffer> = []
  let bytes = 0
  child.stdout.on('data', (part: Buffer) => {
    const isNews = bytes <= bytesMax
    out.push(part)
    bytes += part.length
    if (bytes <= bytesMax || !isNews) return
    err.push(Buffer.from(`\nerror: it printed more than ${bytesMax} bytes\n`))
    onTooMuch()
  })
  child.stderr.on('data', (part: Buffer) => err.push(part))
  return () => ({ stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') })
}

const notStarted: GitResult = {
  code: null,
  stdout: Buffer.alloc(0),
  stderr: '',
  absent: false,
  timedOut: false,
}

const labelOf = (args: ReadonlyArray<string>): GitCommand => {
  const command = gitCommandOf(args)
  return gitCommands.find(known => known === command) ?? 'other'
}

const resultOf = (child: ChildProcess, code: number | null): GitProcessResult => {
  if (child.pid === undefined) return 'not_started'
  if (code === null) return 'killed'
  return code === 0 ? 'ok' : code === 1 ? 'exit_1' : 'failed'
}

/** Meters a process of git when it ends, and returns it. */
const meterGit = <C extends ChildProcess>(args: ReadonlyArray<string>, child: C): C => {
  const sinceMs = performance.now()
  child.once('close', code => {
    const command = labelOf(args)
    processMeter.count('svc_git_commands_total', { command, result: resultOf(child, code) })
    processMeter.observe(
      'svc_git_command_duration_seconds',
      { command },
      (performance.now() - sinceMs) / 1_000,
    )
  })
  return child
}
