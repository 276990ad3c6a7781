import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { isOwnGroup } from '../process-groups.js'

/** A git process that works in a repository and that this process did not start. */
export interface LivingGit {
  readonly pid: number
  readonly args: string
}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'latin1')
  } catch {
    return ''
  }
}

const readWorkingFolder = async (pid: string): Promise<string | null> => {
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** The group comes after the name, which is in parentheses and may contain any character. */
const groupOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])

const isBelow = (path: string, repo: string): boolean => path === repo || path.startsWith(`${repo}/`)

const inspectGitProcess = async (repo: string, pid: string): Promise<LivingGit | null> => {
  const args = (await textOf(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ')
  if (!basename(args.split(' ')[0] ?? '').startsWith('git')) return null
  const cwd = await readWorkingFolder(pid)
  if (cwd === null || !isBelow(cwd, repo)) return null
  return isOwnGroup(groupOf(await textOf(`/proc/${pid}/stat`))) ? null : { pid: Number(pid), args }
}

/**
 * Other git processes in a checkout, including children that a killed daemon left (F7); null where the system
 * does not tell.
 */
export const listLivingGits = async (repo: string): Promise<ReadonlyArray<LivingGit> | null> => {
  const names = await readdir('/proc').catch(() => null)
  if (names === null) return null
  const found = await Promise.all(
    names.filter(name => /^\d+$/.test(name)).map(pid => inspectGitProcess(repo, pid)),
  )
  return found.flatMap(one => one ?? [])
}
