import { fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import * as t from 'io-ts'
import { machineToken } from '#test/support/front.js'

/**
 * Requests a second of the front against a bare restify route with the same bytes, in turns, so that only the ratio counts.
 * `npx tsx --conditions=source test/bench/front.ts [rounds]`
 */

const Ports = t.type({ bare: t.number, front: t.number })

const rounds = Number(process.argv[2] ?? 3)
const roundSeconds = 3

const rate = async (port: number, path: string, gzip: boolean): Promise<number> => {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/v1/api${path}`,
    connections: 10,
    duration: roundSeconds,
    headers: {
      authorization: `Bearer ${machineToken}`,
      ...(gzip ? { 'accept-encoding': 'gzip' } : {}),
    },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} bad answers`)
  return result.requests.average
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const compare = async (ports: t.TypeOf<typeof Ports>, path: string, gzip: boolean): Promise<string> => {
  const bare: Array<number> = []
  const front: Array<number> = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await rate(ports.bare, path, gzip))
    front.push(await rate(ports.front, path, gzip))
  }
  const ratio = (median(front) / median(bare)).toFixed(2)
  return `${path} bare ${Math.round(median(bare))}/s front ${Math.round(median(front))}/s ratio ${ratio}`
}

const child = fork(new URL('front-server.ts', import.meta.url), { execArgv: process.execArgv })
try {
  const [message] = await once(child, 'message')
  const ports = Ports.decode(message)
  if (ports._tag === 'Right') {
    console.log(await compare(ports.right, '/entities/Kupiec%20Orrin', false))
    console.log(await compare(ports.right, '/entities', true))
  }
} finally {
  child.kill()
}
