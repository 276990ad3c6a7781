import type { Strategy } from '#protocol/host/kernel.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import { type Kernel, type KernelOptions, openKernel } from '#src/kernel/kernel.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { type Counter, type CounterMessage, type CounterPorts, counter } from './counter.js'
import { entropyFromSeed } from './entropy-from-seed.js'
import { type CountingMeter, makeCountingMeter } from './kernel-meter.js'
import { type NaiveChoices, naiveAsk, openNaive } from './naive-kernel.js'
import { virtualClock } from './virtual-clock.js'

/** A kernel under test, the real one or the naive one, with ways of waiting that fit its clock. */
export interface Rig {
  readonly kernel: Kernel
  readonly meter: CountingMeter
  readonly ask: typeof ask
  readonly events: ReadonlyArray<string>
  readonly gaveUp: ReadonlyArray<number>
  /** Waits for everything that needs no time. */
  readonly quiet: () => Promise<void>
  /**
   * Whether this becomes true in time: within a virtual minute, or 150 real milliseconds for a kernel without
   * backoff.
   */
  readonly until: (isSo: () => boolean) => Promise<boolean>
  /** Waits for a second of virtual time, or 30 real milliseconds. */
  readonly pause: () => Promise<void>
  readonly run: (members: ReadonlyArray<Member>, strategy?: Strategy) => ActorTree
}

type Member = ReturnType<ReturnType<Kernel['place']>['with']>

export type OpenRig = (choices?: Partial<NaiveChoices>, options?: KernelOptions) => Rig

const rounds = async (count: number): Promise<void> => {
  for (let round = 0; round < count; round += 1) await new Promise(resolve => setImmediate(resolve))
}

const rigOf = (
  kernel: Kernel,
  meter: CountingMeter,
  events: ReadonlyArray<string>,
  waits: Pick<Rig, 'ask' | 'until' | 'pause'>,
): Rig => {
  const gaveUp: number[] = []
  return {
    kernel,
    meter,
    events,
    gaveUp,
    quiet: () => rounds(50),
    ...waits,
    run: (members, strategy = 'one_for_one') =>
      kernel.run(
        {
          id: 'root',
          strategy,
          restartsMax: 3,
          windowMs: 5_000,
          children: members.map(member => ({ id: member.name, restart: 'permanent', drainMs: 1_000 })),
        },
        Object.fromEntries(members.map(member => [member.name, member])),
        notice => gaveUp.push(notice.exitCode),
      ),
  }
}

export const realRig: OpenRig = (_choices, options = {}) => {
  const clock = virtualClock(0)
  const meter = makeCountingMeter()
  const events: string[] = []
  const kernel = openKernel({
    clock,
    meter,
    checkMessages: true,
    entropy: entropyFromSeed(1),
    log: record => events.push(record.event),
    ...options,
  })
  const until = async (isSo: () => boolean): Promise<boolean> => {
    await kernel.settle()
    for (let tick = 0; tick < 600 && !isSo(); tick += 1) await clock.advance(100, kernel.settle)
    return isSo()
  }
  return rigOf(kernel, meter, events, { ask, until, pause: () => clock.advance(1_000, kernel.settle) })
}

const naiveWaitMs = 150
const naivePauseMs = 30

export const naiveRig: OpenRig = (choices = {}, options = {}) => {
  const meter = makeCountingMeter()
  const events: string[] = []
  const kernel = openNaive(
    { meter, log: record => events.push(record.event), ...options },
    { onCrash: 'reset', initialFrom: 'value', stopsLeaves: false, ...choices },
  )
  const until = async (isSo: () => boolean): Promise<boolean> => {
    const endMs = Date.now() + naiveWaitMs
    while (!isSo() && Date.now() < endMs) await rounds(1)
    return isSo()
  }
  return rigOf(kernel, meter, events, {
    ask: naiveAsk,
    until,
    pause: () => new Promise(resolve => setTimeout(resolve, naivePauseMs)),
  })
}

/** Places a counter with the ports of its test. */
export const placeCounter = (
  rig: Rig,
  name: string,
  ports: CounterPorts,
  change: Partial<Counter> = {},
): { readonly ref: Ref<CounterMessage>; readonly member: Member } => {
  const place = rig.kernel.place({ ...counter(name, 1_000), ...change })
  return { ref: place.ref, member: place.with(ports) }
}

/**
 * Work that blocks until the test opens the gate, and counts how much of it runs for a living incarnation.
 */
export const makeWorkGate = (): {
  readonly work: CounterPorts['work']
  readonly open: () => void
  readonly fail: () => void
  readonly started: () => number
  readonly liveMax: () => number
  readonly signals: ReadonlyArray<AbortSignal>
} => {
  const waiting = new Map<AbortSignal, { readonly open: () => void; readonly fail: () => void }[]>()
  const signals: AbortSignal[] = []
  let running: ReadonlyArray<AbortSignal> = []
  let liveMax = 0
  return {
    work: (n, signal) =>
      new Promise<number>((resolve, reject) => {
        signals.push(signal)
        running = [...running, signal]
        liveMax = Math.max(liveMax, running.filter(each => !each.aborted).length)
        const leave = (): void => {
          const at = running.indexOf(signal)
          running = running.filter((_each, index) => index !== at)
        }
        const entry = {
          open: () => {
            leave()
            resolve(n)
          },
          fail: () => {
            leave()
            reject(new Error('work failed'))
          },
        }
        waiting.set(signal, [...(waiting.get(signal) ?? []), entry])
      }),
    open: () => {
      for (const entries of waiting.values()) for (const entry of entries) entry.open()
      waiting.clear()
    },
    fail: () => {
      for (const entries of waiting.values()) for (const entry of entries) entry.fail()
      waiting.clear()
    },
    started: () => signals.length,
    liveMax: () => liveMax,
    signals,
  }
}
