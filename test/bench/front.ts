import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import * as t from 'io-ts'
import { testMachineToken } from '#test/support/front.js'

/**
 * Requests a second of the front against a bare restify route with the same bytes, in turns, so that only the ratio counts.
 * `npx tsx --conditions=source test/bench/front.ts [rounds]`
 */

const Ports = t.type({ bare: t.number, front: t.number })
const Cpu = t.type({ cpuMicros: t.number })

const rounds = Number(process.argv[2] ?? 3)
const roundSeconds = 3

const cpuMicros = async (child: ChildProcess): Promise<number> => {
  child.send('cpu')
  const messages: ReadonlyArray<unknown> = await once(child, 'message')
  const cpu = Cpu.decode(messages[0])
  return cpu._tag === 'Right' ? cpu.right.cpuMicros : Number.NaN
}

interface Round {
  readonly perSecond: number
  /** Processor time of the server for one request. */
  readonly micros: number
}

const round = async (child: ChildProcess, port: number, path: string, gzip: boolean): Promise<Round> => {
  const before = await cpuMicros(child)
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/v1/api${path}`,
    connections: 10,
    duration: roundSeconds,
    headers: {
      authorization: `Bearer ${testMachineToken}`,
      ...(gzip ? { 'accept-encoding': 'gzip' } : {}),
    },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} bad answers`)
  const micros = ((await cpuMicros(child)) - before) / result.requests.total
  return { perSecond: result.requests.average, micros }
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const of = (results: ReadonlyArray<Round>, key: keyof Round): number => median(results.map(one => one[key]))

const compare = async (child: ChildProcess, ports: t.TypeOf<typeof Ports>, path: string, gzip: boolean) => {
  const bare: Array<Round> = []
  const front: Array<Round> = []
  for (let at = 0; at < rounds; at += 1) {
    bare.push(await round(child, ports.bare, path, gzip))
    front.push(await round(child, ports.front, path, gzip))
  }
  const clock = of(front, 'perSecond') / of(bare, 'perSecond')
  const cpu = of(bare, 'micros') / of(front, 'micros')
  const figures = [
    `bare ${Math.round(of(bare, 'perSecond'))}/s ${of(bare, 'micros').toFixed(1)} us`,
    `front ${Math.round(of(front, 'perSecond'))}/s ${of(front, 'micros').toFixed(1)} us`,
  ]
  console.log(`${path}: ${figures.join(', ')}; ratio ${clock.toFixed(2)}, by processor ${cpu.toFixed(2)}`)
}

const child = fork(new URL('front-server.ts', import.meta.url), { execArgv: process.execArgv })
try {
  const messages: ReadonlyArray<unknown> = await once(child, 'message')
  const ports = Ports.decode(messages[0])
  if (ports._tag === 'Right') {
    await compare(child, ports.right, '/entities/Kupiec%20Orrin', false)
    await compare(child, ports.right, '/entities', true)
  }
} finally {
  child.kill()
}
