import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

interface Child {
  readonly pid: number
  readonly args: string
}

const childAt = (pid: string, cwd: string): Child | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(parent) !== process.pid || state === 'Z' || readlinkSync(`/proc/${pid}/cwd`) !== cwd)
      return null
    return { pid: Number(pid), args: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ') }
  } catch {
    // The process ended meanwhile: it is no longer a child.
    return null
  }
}

/** Children of this process that work in a directory. */
export const childrenIn = (cwd: string): ReadonlyArray<Child> =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => childAt(pid, cwd) ?? [])
