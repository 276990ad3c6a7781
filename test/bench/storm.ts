import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { machineToken } from '#src/adapters/state/state-area.js'
import { tell } from '#src/kernel/actor/ref.js'
import { counter, idlePorts } from '#test/support/kernel/counter.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { type Figure, figureAtLeast, figureAtMost, figureTable, holds, median } from './figure.js'

/**
 * A crash storm in one actor of the whole node: 1,000 messages a second for 10 s, each of which throws, while the others
 * are read at a low rate; against the same reads before it. Three storms, three victims, about 70 s.
 * `npx tsx --conditions=source test/bench/storm.ts [--json]`
 */

const rounds = 3
const stormSeconds = 10
const stormRate = 1_000
const readsPerSecond = 100
const tickMs = 10

const Up = t.type({ up: t.literal(true), port: t.number, token: t.string })
/** What became of one storm: `settled` and `waiting` are the books of the victim (S33). */
const Storm = t.type({
  offered: t.number,
  settled: t.number,
  waiting: t.number,
  restarts: t.number,
  crashes: t.number,
  state: t.string,
})
type Storm = t.TypeOf<typeof Storm>

const entities = Array.from({ length: 300 }, (_, at) => `### Byt ${at}\n- @typ: NPC\n- @info: zapis ${at}\n`)

/** Storms a fresh victim that stands beside the groups of the node, in the same kernel. */
const storm = async (node: TestNode, round: number): Promise<Storm> => {
  const name = `victim-${round}`
  const kernel = node.faults.kernel()
  const victim = kernel.place(counter(name, 256))
  const tree = kernel.run(
    {
      id: `storm-${round}`,
      strategy: 'one_for_one',
      restartsMax: 5,
      windowMs: 60_000,
      children: [{ id: name, restart: 'transient', drainMs: 0, onGiveUp: 'abandon' }],
    },
    { [name]: victim.with(idlePorts) },
    () => undefined,
  )
  const startedMs = performance.now()
  let offered = 0
  while (offered < stormRate * stormSeconds) {
    const due = Math.min(stormRate * stormSeconds, ((performance.now() - startedMs) * stormRate) / 1000)
    for (; offered < due; offered += 1) tell(victim.ref, { _tag: 'Poison' })
    await new Promise(resolve => setTimeout(resolve, tickMs))
  }
  const reading = kernel.readings().find(one => one.actor === name)
  const tally = kernel.tallies().get(name)
  tree.close()
  if (reading === undefined || tally === undefined) throw new Error('the victim is gone')
  const { rejected, ok, error, timeout, stale, deadLetters } = tally
  return {
    offered,
    settled: rejected + ok + error + timeout + stale + deadLetters,
    waiting: reading.waiting,
    restarts: reading.restarts,
    crashes: error,
    state: reading.state,
  }
}

/** The process with the node: storms when it is told the number of a round. */
const serveNode = async (): Promise<void> => {
  const node = await startNode({ files: { ...nodeFiles, 'encje/indeks-01.md': entities.join('\n') } })
  const token = machineToken(node.host.checkout.state)
  process.on('message', (round: number) => {
    void storm(node, round).then(seen => process.send?.(seen))
  })
  process.once('disconnect', () => void node.stop())
  process.send?.({ up: true, port: node.running.listeners.current()?.apiPort ?? 0, token })
}

const p99 = async (up: t.TypeOf<typeof Up>, path: string): Promise<number> => {
  const result = await autocannon({
    url: `http://127.0.0.1:${up.port}/v1/api${path}`,
    headers: { authorization: `Bearer ${up.token}` },
    connections: 2,
    overallRate: readsPerSecond,
    duration: stormSeconds,
  })
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0 || result['2xx'] === 0) throw new Error(`${path}: ${bad} bad answers`)
  return result.latency.p99
}

const readBoth = async (up: t.TypeOf<typeof Up>): Promise<readonly [number, number]> =>
  Promise.all([p99(up, '/health'), p99(up, '/entities')])

const decodeOrFail = <A>(codec: t.Type<A, unknown>, value: unknown): A => {
  const result = codec.decode(value)
  if (isLeft(result)) throw new Error(`the node said ${JSON.stringify(value)}`)
  return result.right
}

/** A p99 of a few milliseconds is mostly the scheduler of the machine: below 5 ms the bar is 5 ms above it. */
const noiseMs = 5

const latency = (what: string, idle: ReadonlyArray<number>, during: ReadonlyArray<number>): Figure => {
  const base = median(idle)
  const bar = base < noiseMs ? base + noiseMs : base * 2
  const why = base < noiseMs ? 'idle + 5 ms, since twice so little is noise' : 'twice idle'
  const shown = (values: ReadonlyArray<number>): string => values.join(', ')
  return figureAtMost(
    `p99 of ${what} during a crash storm`,
    'ms',
    bar,
    median(during),
    `${why}; idle ${shown(idle)}, storm ${shown(during)}`,
  )
}

/** The next thing that the node says; rejects when it leaves first. */
const nextMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const left = (code: number | null): void => reject(new Error(`the node left with ${code ?? 'a signal'}`))
    child.once('exit', left)
    child.once('message', message => {
      child.off('exit', left)
      resolve(message)
    })
  })

const measure = async (child: ChildProcess): Promise<ReadonlyArray<Figure>> => {
  const up = decodeOrFail(Up, await nextMessage(child))
  await p99(up, '/entities')
  const [idle, during]: [Array<readonly [number, number]>, Array<readonly [number, number]>] = [[], []]
  const storms: Array<Storm> = []
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await readBoth(up))
    const ended = nextMessage(child)
    child.send(round)
    during.push(await readBoth(up))
    storms.push(decodeOrFail(Storm, await ended))
  }
  const each = (of: (one: Storm) => number | string): string => storms.map(of).join(', ')
  return [
    latency(
      '/health',
      idle.map(pair => pair[0]),
      during.map(pair => pair[0]),
    ),
    latency(
      'a memoised read',
      idle.map(pair => pair[1]),
      during.map(pair => pair[1]),
    ),
    figureAtLeast(
      'messages that crash, offered in a storm',
      '',
      stormRate * stormSeconds,
      median(storms.map(one => one.offered)),
    ),
    figureAtMost(
      'messages of a storm not accounted for',
      '',
      0,
      Math.max(...storms.map(one => Math.abs(one.offered - one.settled - one.waiting))),
    ),
    figureAtMost(
      'restarts of the victim in a storm',
      '',
      5,
      Math.max(...storms.map(one => one.restarts)),
      `at the end ${each(one => one.state)}; crashes ${each(one => one.crashes)}`,
    ),
    figureAtMost('exits of the node', '', 0, child.exitCode === null && child.signalCode === null ? 0 : 1),
  ]
}

export const stormFigures = async (): Promise<ReadonlyArray<Figure>> => {
  const child = fork(fileURLToPath(import.meta.url), ['node'], { execArgv: process.execArgv })
  try {
    return await measure(child)
  } finally {
    const gone = child.exitCode === null ? once(child, 'exit') : null
    if (child.connected) child.disconnect()
    await gone
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.send !== undefined && process.argv[2] === 'node') await serveNode()
  else {
    const figures = await stormFigures()
    process.stdout.write(
      process.argv.includes('--json') ? `${JSON.stringify(figures)}\n` : `${figureTable(figures)}\n`,
    )
    process.exitCode = figures.every(holds) ? 0 : 1
  }
}
