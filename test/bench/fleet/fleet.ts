import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Figure, figureAtMost, figureWithoutBar } from '../figure.js'
import { fleetDayFigures } from './day.js'

const Towns = t.type({ port: t.number })
const Watched = t.type({ shares: t.readonlyArray(t.number), grownMiB: t.number, observed: t.number })

const towns = 50
const intervalS = 5
/** A share of a processor is of each of so many intervals. */
const intervals = 5

const start = (file: string, args: ReadonlyArray<string>): ChildProcess =>
  fork(new URL(file, import.meta.url), [...args], { execArgv: process.execArgv })

const hear = async <A>(child: ChildProcess, codec: t.Type<A, unknown>): Promise<A> => {
  const messages: ReadonlyArray<unknown> = await once(child, 'message')
  const decoded = codec.decode(messages[0])
  if (isLeft(decoded)) throw new Error(`not a message of the bench: ${JSON.stringify(messages[0])}`)
  return decoded.right
}

/** Watches 50 towns of one manner every 5 s, in a process of its own. */
const watchTowns = async (manner: 'honest' | 'hostile', warmUpS = 0): Promise<t.TypeOf<typeof Watched>> => {
  const served = start('towns-run.ts', [manner])
  try {
    const { port } = await hear(served, Towns)
    const watcher = start('watch-run.ts', [port, towns, intervalS, intervals, warmUpS].map(String))
    const watched = await hear(watcher, Watched)
    if (watched.observed !== towns) throw new Error(`${watched.observed} of ${towns} towns were observed`)
    return watched
  } finally {
    served.kill()
  }
}

/** What watching a fleet costs a host. Its memory is measured beside the other's, its processor time alone. */
export const fleetFigures = async (): Promise<ReadonlyArray<Figure>> => {
  const warm = await watchTowns('honest', 6)
  const [honest, hostile] = await Promise.all([watchTowns('honest'), watchTowns('hostile')])
  const percents = (shares: ReadonlyArray<number>): ReadonlyArray<number> => shares.map(share => share * 100)
  return [
    ...(await fleetDayFigures()),
    figureAtMost('50 peers every 5 s, share of a processor', '% of a processor', 2, percents(warm.shares)),
    figureAtMost('50 peers every 5 s, memory', 'MiB', 16, honest.grownMiB),
    figureAtMost('50 hostile peers every 5 s, memory', 'MiB', 64, hostile.grownMiB),
    figureWithoutBar(
      '50 hostile peers every 5 s, share of a processor',
      '% of a processor',
      percents(hostile.shares),
    ),
  ]
}
