import { readFileSync } from 'node:fs'

/** Node raises its soft limit to the hard one at its start, so this is the real limit of the process. */
const line = /^Max open files +(\d{1,15}|unlimited) /m

/** The limit of open files in the text of `/proc/<pid>/limits`; null where the text does not have it. */
export const openFilesIn = (limits: string): number | null => {
  const soft = line.exec(limits)?.[1]
  if (soft === undefined) return null
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft)
}

/** The limit of open files of this process; null where the system does not tell. */
export const openFilesMax = (): number | null => {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}
