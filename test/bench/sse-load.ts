import { type ChildProcess, fork } from 'node:child_process'
import { eventually } from '#test/support/daemon.js'
import { temporaryFolder } from '#test/support/repository.js'
import { type StreamClient, streamClient } from './sse-client.js'
import type { Holds } from './sse-server.js'

export interface SseLoad {
  readonly clients: number
  readonly stalled: number
  readonly events: number
  readonly eventBytes: number
}

export interface SseFigures {
  readonly closedAsSlow: number
  readonly openAtTheEnd: number
  /** Bytes of resident memory more than before the first client, at the end and at the most. */
  readonly moreBytes: number
  /** Holes and disorder that a client saw. */
  readonly faults: number
  /** Events that a client did not get after all resumed. */
  readonly missing: number
  readonly head: number
}

const nextMessage = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the server left'))
    child.once('exit', onExit)
    child.once('message', message => {
      child.off('exit', onExit)
      resolve(message as A)
    })
  })

const sendOrder = (child: ChildProcess, order: object): Promise<Holds> => {
  const answer = nextMessage<Holds>(child)
  child.send(order)
  return answer
}

const server = (state: string): ChildProcess =>
  fork(new URL('./sse-server.ts', import.meta.url), [state], {
    execArgv: ['--import', 'tsx', '--conditions=source', '--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

const follow = (port: number, count: number): Promise<ReadonlyArray<StreamClient>> =>
  Promise.all(Array.from({ length: count }, () => streamClient(port, null)))

/** The most that the server held while `work` ran. */
const peakOf = async (
  child: ChildProcess,
  rounds: number,
  order: object,
): Promise<Holds & { peak: number }> => {
  let peak = 0
  let last = await sendOrder(child, {})
  for (let round = 0; round < rounds; round += 1) {
    last = await sendOrder(child, order)
    peak = Math.max(peak, last.rssBytes)
  }
  return { ...last, peak }
}

const warmUpEvents = 40

const measureStreams = async (child: ChildProcess, load: SseLoad): Promise<SseFigures> => {
  const { port } = await nextMessage<{ port: number }>(child)
  // What the first client and the first events cost is no cost of the many.
  const first = await streamClient(port, null)
  await sendOrder(child, { events: warmUpEvents, bytes: load.eventBytes })
  first.socket.destroy()
  const before = (await sendOrder(child, {})).rssBytes
  const live = await follow(port, load.clients - load.stalled)
  const stalled = await follow(port, load.stalled)
  for (const { socket } of stalled) socket.pause()
  const rounds = 10
  const { peak } = await peakOf(child, rounds, { events: load.events / rounds, bytes: load.eventBytes })
  const held = await eventually(
    () => sendOrder(child, {}),
    // The head is of what is on disk, so it may come after the last stalled client went.
    ({ slow, head }) => slow === load.stalled && head >= warmUpEvents + load.events,
    40_000,
  )
  await eventually(
    () => Promise.resolve(live.filter(client => client.last() < held.head).length),
    behind => behind === 0,
    20_000,
  )
  for (const { socket } of stalled) socket.resume()
  await eventually(
    () => Promise.resolve(stalled.every(client => client.isClosed())),
    all => all,
  )
  const resumed = await Promise.all(stalled.map(client => streamClient(port, client.last())))
  await eventually(
    () => Promise.resolve(resumed.map(client => client.last()).filter(last => last !== held.head)),
    behind => behind.length === 0,
    20_000,
  )
  const all = [...live, ...stalled, ...resumed]
  const missing = [
    ...live.map(client => held.head - client.start() - client.seen()),
    ...stalled.map((client, at) => held.head - client.start() - client.seen() - (resumed[at]?.seen() ?? 0)),
  ]
  for (const { socket } of all) socket.destroy()
  return {
    closedAsSlow: held.slow,
    openAtTheEnd: held.clients,
    moreBytes: Math.max(peak, held.rssBytes) - before,
    faults: all.reduce((sum, client) => sum + client.faults(), 0),
    missing: missing.reduce((sum, count) => sum + Math.abs(count), 0),
    head: held.head,
  }
}

/** Runs clients against a front in a process of its own; the stalled ones read nothing after the stream opened. */
export const sseLoad = async (load: SseLoad): Promise<SseFigures> => {
  const folder = temporaryFolder()
  const child = server(folder.path)
  try {
    return await measureStreams(child, load)
  } finally {
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill()
    await gone
    folder.dispose()
  }
}
