import { isLeft } from 'fp-ts/lib/Either.js'
import { migrations } from '#src/adapters/runtime/runtime-db.js'
import { migrate, openSqlite, type Sqlite } from '#src/adapters/runtime/sqlite.js'
import { openObeyedTopology, takeoversIn } from '#src/adapters/runtime/takeovers.js'
import type { ObeyedTopologyStore } from '#src/ports/host.js'
import type { TakeoverStore } from '#src/ports/records.js'
import { diskStep } from '#test/simulation/node/host-jobs.js'
import type { Life, Weather } from '#test/simulation/node/weather.js'

/** The runtime database of a host: the real statements, in memory that outlives its processes. */
export interface FleetDisk {
  /** The takeovers as one process writes them: a disk that may refuse, and a death before or behind each statement. */
  readonly takeovers: (weather: Weather, life: Life) => TakeoverStore
  readonly obeyed: (weather: Weather, life: Life) => ObeyedTopologyStore
  /** The takeovers as they are on the disk. */
  readonly look: () => TakeoverStore
  readonly lookObeyed: () => ReturnType<ObeyedTopologyStore['find']>
}

interface OpenDisk {
  readonly database: Sqlite
  readonly takeovers: TakeoverStore
  readonly obeyed: ObeyedTopologyStore
}

/** Databases and their statements are kept for the next world: SQLite's objects live as long as the process. */
const pool: Array<OpenDisk> = []

const openEmpty = (at: number): OpenDisk => {
  const known = pool[at]
  if (known !== undefined) {
    known.database.exec('DELETE FROM takeovers; DELETE FROM announcements; DELETE FROM obeyed_topology')
    return known
  }
  const database = openSqlite(':memory:', 0)
  if (isLeft(migrate(database, migrations))) throw new Error('a new database has no schema of its own')
  const disk = { database, takeovers: takeoversIn(database), obeyed: openObeyedTopology(database) }
  pool[at] = disk
  return disk
}

/** The disk of the host with this number; empty. */
export const openFleetDisk = (at: number): FleetDisk => {
  const { database, takeovers: seen, obeyed } = openEmpty(at)
  let active: ReturnType<TakeoverStore['active']> | null = null
  return {
    takeovers: (weather, life) => {
      const store = takeoversIn(database)
      const writtenBy = diskStep(weather, life)
      const written = <A>(what: string, work: () => A): A => {
        active = null
        return writtenBy(what, work)
      }
      return {
        ...store,
        enqueue: (...given) => written('takeover queue', () => store.enqueue(...given)),
        begin: (...given) => written('takeover begin', () => store.begin(...given)),
        noteRequest: (...given) => written('takeover note', () => store.noteRequest(...given)),
        end: (...given) => written('takeover end', () => store.end(...given)),
        settle: (...given) => written('takeover settle', () => store.settle(...given)),
        announce: (...given) => written('announcement', () => store.announce(...given)),
      }
    },
    obeyed: (weather, life) => {
      const written = diskStep(weather, life)
      return { ...obeyed, keep: topology => written('obeyed topology', () => obeyed.keep(topology)) }
    },
    look: () => ({
      ...seen,
      active: () => {
        active ??= seen.active()
        return active
      },
    }),
    lookObeyed: () => obeyed.find(),
  }
}
