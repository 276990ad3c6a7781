import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { buildSync } from 'esbuild'
import * as t from 'io-ts'
import { machineToken } from '#test/support/front.js'
import { type Figure, median, most } from './figure.js'

const Ports = t.type({ recorded: t.number, silent: t.number })
const Cpu = t.type({ cpuMicros: t.number })

const rounds = 9
const connections = 8
const requestsARound = 6_000

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

/** Processor time of the server for one request, in microseconds. */
const microsOf = async (child: ChildProcess, port: number): Promise<number> => {
  const before = await cpuMicros(child)
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/v1/api/entities/Kupiec%20Orrin`,
    connections,
    amount: requestsARound,
    headers: { authorization: `Bearer ${machineToken}` },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers`)
  return ((await cpuMicros(child)) - before) / result.requests.total
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
 * What the record of a request costs: two fronts of one process, of which one writes records, in turns. Told by the
 * processor time of the server, which bounds its throughput and which the load of the machine changes less.
 */
export const recordFigures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const state = await mkdtemp(join(folder, 'records-'))
  const file = bundle()
  const child = fork(file, [state], { execArgv: [] })
  try {
    const { recorded, silent } = await messageOf(child, Ports)
    for (const port of [recorded, silent]) await microsOf(child, port)
    const pairs: Array<readonly [withRecord: number, without: number]> = []
    for (let round = 0; round < rounds; round += 1) {
      const first = round % 2 === 0
      const one = await microsOf(child, first ? recorded : silent)
      const other = await microsOf(child, first ? silent : recorded)
      pairs.push(first ? [one, other] : [other, one])
    }
    const [withRecord, without] = [median(pairs.map(pair => pair[0])), median(pairs.map(pair => pair[1]))]
    const note = `${withRecord.toFixed(1)} us a request with it, ${without.toFixed(1)} us without`
    const cost = 100 * (1 - median(pairs.map(([one, other]) => other / one)))
    return [most('throughput that the record of a request costs', '%', 5, cost, note)]
  } finally {
    child.kill()
    await rm(dirname(file), { recursive: true, force: true })
  }
}
