import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { buildSync } from 'esbuild'
import * as t from 'io-ts'
import { testMachineToken } from '#test/support/front.js'
import { type Figure, figureAtMost, figureWithoutBar, inPairs, median } from './figure.js'
import type { PairPlan } from './reads.js'

const Ports = t.type({ recorded: t.number, silent: t.number })
const Cpu = t.type({ cpuMicros: t.number })

const connections = 8
const sampleMs = 50
const warmUpSeconds = 2

const messageOf = async <A>(child: ChildProcess, codec: t.Type<A, unknown, unknown>): Promise<A> => {
  const messages: ReadonlyArray<unknown> = await once(child, 'message')
  const decoded = codec.decode(messages[0])
  if (decoded._tag === 'Left') throw new Error('the server of the bench said something else')
  return decoded.right
}

const cpuMicros = async (child: ChildProcess): Promise<number> => {
  child.send('cpu')
  return (await messageOf(child, Cpu)).cpuMicros
}

interface Round {
  readonly perSecond: number
  /** Processor time of the server for one request. */
  readonly micros: number
}

const rateOf = async (child: ChildProcess, port: number, seconds: number): Promise<Round> => {
  const before = await cpuMicros(child)
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/v1/api/entities/Kupiec%20Orrin`,
    connections,
    duration: seconds,
    sampleInt: sampleMs,
    headers: { authorization: `Bearer ${testMachineToken}` },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers`)
  const { total } = result.requests
  return { perSecond: total / result.duration, micros: ((await cpuMicros(child)) - before) / total }
}

/** The server as one file below the checkout, built as the program is: the loader of TypeScript slows functions down. */
const bundle = (): string => {
  const outfile = `var/bench-records-${process.pid}/server.mjs`
  buildSync({
    entryPoints: [fileURLToPath(new URL('record-server.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    conditions: ['source'],
    logLevel: 'error',
  })
  return outfile
}

/**
 * What the record of a request costs: two fronts of one process, of which one writes records, in turns. The processor
 * time of the server is shown beside: a client on another processor hides a part of it.
 */
export const recordFigures = async (
  folder: string,
  { pairs, seconds }: PairPlan,
): Promise<ReadonlyArray<Figure>> => {
  const state = await mkdtemp(join(folder, 'records-'))
  const file = bundle()
  const child = fork(file, [state], { execArgv: [] })
  try {
    const { recorded, silent } = await messageOf(child, Ports)
    for (const port of [recorded, silent]) await rateOf(child, port, warmUpSeconds)
    const measured = await inPairs(
      pairs,
      () => rateOf(child, recorded, seconds),
      () => rateOf(child, silent, seconds),
    )
    const of = (side: 0 | 1, key: keyof Round): number => median(measured.map(pair => pair[side][key]))
    const percent = (share: (withRecord: Round, without: Round) => number): ReadonlyArray<number> =>
      measured.map(([one, other]) => 100 * (1 - share(one, other)))
    return [
      figureAtMost(
        'throughput that the record of a request costs',
        '%',
        5,
        percent((one, other) => one.perSecond / other.perSecond),
        `${Math.round(of(0, 'perSecond'))} against ${Math.round(of(1, 'perSecond'))} requests/s`,
      ),
      figureWithoutBar(
        'processor time that the record of a request costs',
        '%',
        percent((one, other) => other.micros / one.micros),
        `${of(0, 'micros').toFixed(1)} us a request with it, ${of(1, 'micros').toFixed(1)} us without`,
      ),
    ]
  } finally {
    child.kill()
    await rm(dirname(file), { recursive: true, force: true })
  }
}
