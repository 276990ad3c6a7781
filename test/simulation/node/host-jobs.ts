import { isLeft } from 'fp-ts/lib/Either.js'
import type { JobRunnerPorts, PerformTask } from '#actors/job-runner.js'
import { jobsIn } from '#src/adapters/runtime/jobs.js'
import { migrations } from '#src/adapters/runtime/runtime-db.js'
import { migrate, openSqlite } from '#src/adapters/runtime/sqlite.js'
import type { JobStore, Publish } from '#src/ports/records.js'
import { noMeter } from '#test/support/no-meter.js'
import { fullDisk, type Life, type Weather } from './weather.js'
import type { World } from './world.js'

/** The jobs of a host as its runtime database keeps them: the real statements, in memory that outlives a process. */
export const openJobTable = (): { readonly store: JobStore; readonly close: () => void } => {
  const database = openSqlite(':memory:', 0)
  const schema = migrate(database, migrations)
  if (isLeft(schema)) throw new Error('a new database has no schema of its own')
  return { store: jobsIn(database), close: database.close }
}

/** A statement as one process writes it: a disk that may refuse, and a death before or behind it. */
export const diskStep =
  (weather: Pick<Weather, 'strike' | 'refuses'>, life: Life) =>
  <A>(what: string, work: () => A): A => {
    if (weather.strike(life, what)) throw new Error('this process is dead')
    if (weather.refuses(life.host)) throw fullDisk()
    const answer = work()
    weather.strike(life, `${what} done`)
    return answer
  }

const overWeather = (store: JobStore, { weather }: World, life: Life): JobStore => {
  const written = diskStep(weather, life)
  return {
    ...store,
    queue: (...given) => written('job queue', () => store.queue(...given)),
    begin: (...given) => written('job begin', () => store.begin(...given)),
    end: (...given) => written('job end', () => store.end(...given)),
    forget: (...given) => written('job forget', () => store.forget(...given)),
  }
}

export interface JobParts {
  readonly world: World
  readonly life: Life
  readonly table: JobStore
  readonly publish: Publish
  readonly perform: PerformTask
}

export const jobPorts = ({ world, life, table, publish, perform }: JobParts): JobRunnerPorts => ({
  store: overWeather(table, world, life),
  clock: world.clock,
  publish,
  meter: noMeter,
  perform,
  failed: what => world.trace.say(`${life.host} ${what}`),
})
