import { readFileSync } from 'node:fs'

/** Node raises its soft limit to the hard one as it starts, so this is what the process really has. */
const line = /^Max open files +(\d{1,15}|unlimited) /m

/** How many files a process may have open by the text of `/proc/<pid>/limits`; null where it does not say. */
export const openFilesIn = (limits: string): number | null => {
  const soft = line.exec(limits)?.[1]
  if (soft === undefined) return null
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft)
}

/** How many files this process may have open; null where the system does not tell. */
export const openFilesMax = (): number | null => {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}
