import * as t from 'io-ts'
import { type Actor, after, end, ready, reply, stay } from '#src/kernel/actor/actor.js'
import { replyTo } from '#src/kernel/actor/ref.js'

/** An actor for tests: adds, answers, works through a port, and throws on request. */
export const CounterMessage = t.union(
  [
    t.strict({ _tag: t.literal('Add'), n: t.number }),
    t.strict({ _tag: t.literal('Get'), replyTo: replyTo<number>() }),
    t.strict({ _tag: t.literal('Work'), n: t.number }),
    t.strict({ _tag: t.literal('Worked'), n: t.number }),
    t.strict({ _tag: t.literal('WorkThenAnswer'), n: t.number, replyTo: replyTo<number>() }),
    t.strict({ _tag: t.literal('Hold'), replyTo: replyTo<number>() }),
    t.strict({ _tag: t.literal('Poison') }),
    t.strict({ _tag: t.literal('PoisonAsk'), replyTo: replyTo<number>() }),
    t.strict({ _tag: t.literal('AnswerTwice'), replyTo: replyTo<number>() }),
    t.strict({ _tag: t.literal('FinishThenWork') }),
    t.strict({ _tag: t.literal('Later'), delayMs: t.number, n: t.number }),
    t.strict({ _tag: t.literal('Finish') }),
  ],
  'CounterMessage',
)
export type CounterMessage = t.TypeOf<typeof CounterMessage>

export interface CounterEffect {
  readonly _tag: 'DoWork'
  readonly n: number
}

export interface CounterPorts {
  /** Throws, rejects, hangs or resolves, as the test needs. */
  readonly work: (n: number, signal: AbortSignal) => Promise<number>
}

export const idlePorts: CounterPorts = { work: n => Promise.resolve(n) }

export type Counter = Actor<number, CounterMessage, CounterEffect, CounterPorts>

export const counter = (name: string, mailboxMax = 100): Counter => ({
  name,
  codec: CounterMessage,
  mailboxMax,
  initial: () => [0, [ready]],
  receive: (state, message) => {
    switch (message._tag) {
      case 'Add':
      case 'Worked':
        return stay(state + message.n)
      case 'Get':
        return [state, [reply(message.replyTo, state)]]
      case 'Work':
        return [state, [{ _tag: 'DoWork', n: message.n }]]
      case 'WorkThenAnswer':
        return [state, [{ _tag: 'DoWork', n: message.n }, reply(message.replyTo, message.n)]]
      case 'Hold':
        return stay(state)
      case 'Poison':
      case 'PoisonAsk':
        throw new Error('poison')
      case 'AnswerTwice':
        return [state, [reply(message.replyTo, state), reply(message.replyTo, state)]]
      case 'FinishThenWork':
        return [state, [end, { _tag: 'DoWork', n: 0 }]]
      case 'Later':
        return [state, [after('later', message.delayMs, { _tag: 'Add', n: message.n })]]
      case 'Finish':
        return [state, [end]]
    }
  },
  perform: ports => async (effect, signal) => [{ _tag: 'Worked', n: await ports.work(effect.n, signal) }],
})
