import type { ChildProcess } from 'node:child_process'

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
