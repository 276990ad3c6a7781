import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { startBenchDaemon } from '../daemon.js'
import { type Figure, figureAtMost, figureWithoutBar } from '../figure.js'
import { fleetDayFigures } from './day.js'

const Towns = t.type({ port: t.number })
const Watched = t.type({ shares: t.array(t.number), grownMiB: t.number, observed: t.number })

const towns = 50
const intervalS = 5
const seconds = 10
const boots = 3

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
    const watcher = start('watch-run.ts', [port, towns, intervalS, seconds, warmUpS].map(String))
    const watched = await hear(watcher, Watched)
    if (watched.observed !== towns) throw new Error(`${watched.observed} of ${towns} towns were observed`)
    return watched
  } finally {
    served.kill()
  }
}

/** The first card of a daemon after its start, several times. */
const firstStatusMs = async (folder: string, repo: string): Promise<ReadonlyArray<number>> => {
  const seen: Array<number> = []
  for (let boot = 0; boot < boots; boot += 1) {
    const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
    seen.push(daemon.firstStatusMs)
    await daemon.stop()
  }
  return seen
}

/** What watching a fleet costs a host. */
export const fleetFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const warm = await watchTowns('honest', 6)
  // Only their memory is judged, so they may run beside each other.
  const [honest, hostile] = await Promise.all([watchTowns('honest'), watchTowns('hostile')])
  return [
    ...(await fleetDayFigures()),
    figureAtMost(
      '50 peers every 5 s, share of a processor',
      '% cpu',
      2,
      warm.shares.map(share => share * 100),
    ),
    figureAtMost('50 peers every 5 s, memory', 'MiB', 16, honest.grownMiB),
    figureAtMost('50 hostile peers every 5 s, memory', 'MiB', 64, hostile.grownMiB),
    figureWithoutBar(
      '50 hostile peers every 5 s, share of a processor',
      '% cpu',
      hostile.shares.map(share => share * 100),
    ),
    figureAtMost('first /fleet/status, scale 10', 'ms', 1_500, await firstStatusMs(folder, repo)),
  ]
}
