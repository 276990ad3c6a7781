import type { Actor, Tagged } from '#src/kernel/actor/actor.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { type Kernel, type KernelOptions, openKernel } from '#src/kernel/kernel.js'

/** Where an actor is made to fail. */
export type Where = 'receive' | 'perform'

/** The real kernel whose actors can be made to throw or hang. Their behaviour is otherwise unchanged. */
export interface FaultyKernel {
  readonly openKernel: (options: KernelOptions) => Kernel
  readonly kernel: () => Kernel
  /** Makes the next `times` steps of this kind throw. */
  readonly fail: (actor: string, where: Where, times?: number) => void
  /** Blocks the actor's effects until the returned function is called. */
  readonly hold: (actor: string) => () => void
  /** Sends a message without type checks. */
  readonly send: (actor: string, message: object) => unknown
  /** The number of blocked effects. */
  readonly held: (actor: string) => number
}

interface Hold {
  readonly released: Promise<void>
  waiting: number
}

export interface FaultyOptions {
  readonly heartbeatMs?: number
  /** Replaces every actor's own limit. */
  readonly stuckMs?: number
}

export const faultyKernel = (options: FaultyOptions): FaultyKernel => {
  const due = new Map<string, number>()
  const holds = new Map<string, Hold>()
  const doors = new Map<string, (message: object) => unknown>()
  let opened: Kernel | null = null

  const strike = (actor: string, where: Where): void => {
    const key = `${actor} ${where}`
    const left = due.get(key) ?? 0
    if (left === 0) return
    due.set(key, left - 1)
    throw new Error(`made to fail in ${where}`)
  }

  const wait = async (actor: string): Promise<void> => {
    const hold = holds.get(actor)
    if (hold === undefined) return
    hold.waiting += 1
    await hold.released
    hold.waiting -= 1
  }

  const faulty = <S, M extends Tagged, E extends Tagged, P>(actor: Actor<S, M, E, P>): Actor<S, M, E, P> => ({
    ...actor,
    ...(options.stuckMs === undefined ? {} : { stuckMs: options.stuckMs }),
    receive: (state, message, moment) => {
      strike(actor.name, 'receive')
      return actor.receive(state, message, moment)
    },
    perform: ports => {
      const perform = actor.perform(ports)
      return async (effect, signal, tell) => {
        strike(actor.name, 'perform')
        await wait(actor.name)
        return perform(effect, signal, tell)
      }
    },
  })

  const rigged = (kernel: Kernel): Kernel => ({
    ...kernel,
    place: actor => {
      const place = kernel.place(faulty(actor))
      doors.set(actor.name, tellUntyped(place.ref))
      return place
    },
  })

  return {
    openKernel: given => {
      const { heartbeatMs } = options
      opened = rigged(
        openKernel({ ...given, checkMessages: true, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) }),
      )
      return opened
    },
    kernel: () => {
      if (opened === null) throw new Error('no kernel was opened')
      return opened
    },
    fail: (actor, where, times = 1) => due.set(`${actor} ${where}`, times),
    hold: actor => {
      let release: () => void = () => undefined
      const released = new Promise<void>(resolve => {
        release = resolve
      })
      holds.set(actor, { released, waiting: 0 })
      return () => {
        holds.delete(actor)
        release()
      }
    },
    send: (actor, message) => doors.get(actor)?.(message),
    held: actor => holds.get(actor)?.waiting ?? 0,
  }
}

/** Sends what an untyped sender could send. */
const tellUntyped =
  <M>(ref: Ref<M>) =>
  (message: object): unknown =>
    Reflect.apply(tell, null, [ref, message])
