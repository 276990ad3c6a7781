import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { ChildEnd, RunChild } from '#src/ports/host.js'

/** Registers a child that was started with `detached: true`, and so leads a group, which ends with this process. */
export const ownGroup = (child: ChildProcess): void => {
  const { pid } = child
  if (pid === undefined) return
  if (!process.listeners('exit').includes(killAll)) process.on('exit', killAll)
  groups.set(pid, false)
  child.once('exit', () => {
    if (groups.get(pid) === false) groups.delete(pid)
  })
}

/** Whether this process started the group. */
export const isOwnGroup = (pid: number): boolean => groups.has(pid)

/**
 * Signals everything of the group that a child leads; SIGTERM first, so that git removes its locks, SIGKILL when it
 * had time for that.
 */
export const endGroup = ({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void => {
  if (pid === undefined) return
  signalGroup(pid, signal)
  if (signal === 'SIGKILL') groups.delete(pid)
  else groups.set(pid, true)
}

/**
 * Runs a command without a shell, with the streams and the environment of this process, and forwards the
 * signals that end one. Resolves with its exit code: 127 when it is not found, 126 when it cannot be started,
 * 128 and the number of the signal that ended it. Never rejects.
 */
export const runChild: RunChild = (command, args) =>
  new Promise(resolve => {
    const child = spawn(command, args, { stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    const end = (ended: ChildEnd): void => {
      for (const signal of forwarded) process.off(signal, forward)
      resolve(ended)
    }
    child.once('error', error => end(endOfStart(error)))
    child.once('exit', (code, signal) => end({ code: code ?? codeOfSignal(signal), failure: null }))
  })

/**
 * The groups of this process, by the pid of their leader, and whether they were told to end: such a group counts
 * until it was killed, since its leader may end before the others.
 */
const groups = new Map<number, boolean>()

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal)
  } catch {
    // Nothing of the group lives.
  }
}

const killAll = (): void => {
  for (const pid of groups.keys()) signalGroup(pid, 'SIGKILL')
}

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The code of a shell for a child that a signal ended. */
const codeOfSignal = (signal: NodeJS.Signals | null): number =>
  128 + (signal === null ? 0 : constants.signals[signal])

/** With the codes of a shell. */
const endOfStart = (error: Error): ChildEnd =>
  'code' in error && error.code === 'ENOENT'
    ? { code: 127, failure: 'not_found' }
    : { code: 126, failure: 'not_started' }
