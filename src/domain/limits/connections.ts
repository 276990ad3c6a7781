/** How many connections each listener accepts at once. */
export interface ConnectionLimits {
  readonly api: number
  readonly ops: number
}

/** The default limit of open files of a POSIX process. */
export const openFilesDefault = 1024

/** Most descriptors reserved for git children, SQLite, streams on disk and files of a commit. */
const keptMax = 256
const opsMax = 32

/**
 * Divides the file descriptors of a process: half of them, 256 at most, are reserved for its own files and
 * children; an eighth of the rest, 32 at most, is for the operations listener; connections of the API get
 * what is left.
 */
export const connectionLimits = (openFilesMax: number): ConnectionLimits => {
  const forConnections = openFilesMax - Math.min(keptMax, Math.ceil(openFilesMax / 2))
  const ops = Math.max(1, Math.min(opsMax, Math.floor(forConnections / 8)))
  return { ops, api: Math.max(1, forConnections - ops) }
}
