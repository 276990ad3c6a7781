import * as t from 'io-ts'
import { type Actor, end, ready, reply, stay } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { KernelWitness } from './kernel-witness.js'

/** What a simulated job does: everything that goes wrong in a real one. */
export const manners = [
  'ok',
  'slow',
  'ends',
  'throws',
  'rejects',
  'throwsAtOnce',
  'hangs',
  'losesState',
] as const
export type Manner = (typeof manners)[number]

const Manner = t.keyof({
  ok: null,
  slow: null,
  ends: null,
  throws: null,
  rejects: null,
  throwsAtOnce: null,
  hangs: null,
  losesState: null,
})

export const WorkerMessage = t.union([
  t.strict({ _tag: t.literal('Job'), id: t.number, manner: Manner, delayMs: t.number }),
  t.strict({ _tag: t.literal('Question'), id: t.number, manner: Manner, replyTo: replyTo<number>() }),
  t.strict({ _tag: t.literal('Outcome'), id: t.number, incarnation: t.string }),
])
export type WorkerMessage = t.TypeOf<typeof WorkerMessage>

interface DoJob {
  readonly _tag: 'DoJob'
  readonly id: number
  readonly manner: Manner
  readonly delayMs: number
  readonly incarnation: string
}

interface WorkerState {
  readonly done: number
  readonly owed: ReadonlyArray<ReplyTo<number>>
}

export type Worker = Actor<WorkerState, WorkerMessage, DoJob, KernelClock>

/** Work that counts how much of it runs for one living incarnation. */
const performWatched = (name: string, seen: KernelWitness): Worker['perform'] => {
  let running: ReadonlyArray<AbortSignal> = []
  const work = async (
    clock: KernelClock,
    effect: DoJob,
    signal: AbortSignal,
  ): Promise<ReadonlyArray<WorkerMessage>> => {
    running = [...running.filter(each => !each.aborted), signal]
    if (running.length > 1) seen.violation(`${name} works on ${running.length} effects at once (S32)`)
    const leave = (): void => {
      running = running.filter(each => each !== signal)
    }
    if (effect.manner === 'hangs') return new Promise(() => undefined)
    if (effect.delayMs > 0) await new Promise<void>(resolve => clock.after(effect.delayMs, resolve))
    leave()
    if (effect.manner === 'rejects') throw new Error('job failed')
    return [{ _tag: 'Outcome', id: effect.id, incarnation: effect.incarnation }]
  }
  return clock => (effect, signal) => {
    if (effect.manner === 'throwsAtOnce') throw new Error('job failed at once')
    return work(clock, effect, signal)
  }
}

const lost: { readonly state?: WorkerState } = {}

/** An actor of the simulation; it tells the witness what reaches it. */
export const worker = (name: string, mailboxMax: number, mayEnd: boolean, seen: KernelWitness): Worker => ({
  name,
  codec: WorkerMessage,
  mailboxMax,
  initial: moment => {
    seen.trace(`initial ${moment.incarnation}`)
    if (moment.chance < 0.03) throw new Error('no first step')
    return [{ done: 0, owed: [] }, [ready]]
  },
  // @ts-expect-error a job may lose the state, as a forgotten return does
  receive: (state, message, moment) => {
    if (message._tag === 'Outcome') {
      if (message.incarnation !== moment.incarnation)
        seen.violation(`${moment.incarnation} got a result of ${message.incarnation} (S32)`)
      return stay({ ...state, done: state.done + 1 })
    }
    seen.received(name, message.id, moment.incarnation)
    if (message.manner === 'throws') throw new Error('poison')
    if (message.manner === 'losesState') return [lost.state, []]
    if (message._tag === 'Question')
      return message.manner === 'ok'
        ? [state, [reply(message.replyTo, message.id)]]
        : stay({ ...state, owed: [...state.owed, message.replyTo] })
    const { id, manner, delayMs } = message
    const job: DoJob = { _tag: 'DoJob', id, manner, delayMs, incarnation: moment.incarnation }
    return [state, manner === 'ends' && mayEnd ? [job, end] : [job]]
  },
  perform: performWatched(name, seen),
})
