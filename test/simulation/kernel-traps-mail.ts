import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { ready, reply, stay } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo, tell } from '#src/kernel/actor/ref.js'
import { type Counter, type CounterMessage, idlePorts } from '#test/support/kernel/counter.js'
import { makeWorkGate, placeCounter } from '#test/support/kernel/kernel-rig.js'
import { comesToSay, counterValueOf, type Trap } from './kernel-trap.js'

const mail: ReadonlyArray<Trap> = [
  {
    id: 'F8 c',
    says: 'who tells a stopped actor is told so, and the message is counted',
    holds: async open => {
      const rig = open()
      const stopped = placeCounter(rig, 'stopped', idlePorts)
      const tree = rig.run([stopped.member])
      await rig.quiet()
      tree.close()
      return (
        tell(stopped.ref, { _tag: 'Add', n: 1 }) === 'gone' && rig.meter.count('stopped/dead/stopped') === 1
      )
    },
  },
  {
    id: 'second answer',
    says: 'a second answer is noticed and goes nowhere',
    holds: async open => {
      const rig = open()
      const twice = placeCounter(rig, 'twice', idlePorts)
      rig.run([twice.member])
      await rig.quiet()
      const message = (to: ReplyTo<number>): CounterMessage => ({ _tag: 'AnswerTwice', replyTo: to })
      const answer = await rig.ask(twice.ref, message, 1_000)
      await rig.quiet()
      return isRight(answer) && rig.events.includes('late_reply')
    },
  },
  {
    id: 'F8 h',
    says: 'a mailbox holds what it may and refuses the rest at the door',
    holds: async open => {
      const rig = open()
      const small = placeCounter(rig, 'small', idlePorts, { mailboxMax: 10 })
      rig.run([small.member])
      await rig.quiet()
      let full = 0
      for (let n = 0; n < 1_000; n += 1) if (tell(small.ref, { _tag: 'Add', n }) === 'full') full += 1
      return full === 990
    },
  },
  {
    id: 'F8 i',
    says: 'answers find their askers without luck: chance repeats itself here',
    holds: async open => {
      const chance = Math.random
      Math.random = () => 0.5
      try {
        const rig = open()
        const slow = makeWorkGate()
        const busy = placeCounter(rig, 'busy', {
          work: n => (n < 3 ? slow.work(n, never) : Promise.resolve(n)),
        })
        rig.run([busy.member])
        await rig.quiet()
        const work = (n: number) => (to: ReplyTo<number>) =>
          ({ _tag: 'WorkThenAnswer', n, replyTo: to }) satisfies CounterMessage
        const asks = [rig.ask(busy.ref, work(1), 100), rig.ask(busy.ref, work(2), 100)]
        let settled: ReadonlyArray<number | null> | null = null
        void Promise.all(asks).then(answers => {
          settled = answers.map(answer => (isRight(answer) ? answer.right : null))
        })
        for (let round = 0; round < 2; round += 1) {
          await rig.quiet()
          slow.open()
        }
        await rig.until(() => settled !== null)
        return JSON.stringify(settled) === '[1,2]'
      } finally {
        Math.random = chance
      }
    },
  },
  {
    id: 'F8 k',
    says: 'what was accepted before a drain is handled or accounted for',
    holds: async open => {
      const rig = open({ stopsLeaves: true })
      const drained = placeCounter(rig, 'drained', idlePorts)
      const tree = rig.run([drained.member])
      await rig.quiet()
      for (let n = 0; n < 10; n += 1) tell(drained.ref, { _tag: 'Add', n })
      void tree.drain(1_000)
      await rig.quiet()
      return rig.meter.settled('drained') === 10
    },
  },
  {
    id: 'D8',
    says: 'what the codec refuses never reaches the actor and is counted',
    holds: async open => {
      const rig = open()
      const strict = placeCounter(rig, 'strict', idlePorts)
      rig.run([strict.member])
      await rig.quiet()
      // @ts-expect-error what no type would let pass, as a record read from a file might hold
      tell(strict.ref, { _tag: 'Add', n: 'two' })
      await rig.quiet()
      return (await counterValueOf(rig, strict.ref)) === 0 && rig.meter.count('strict/dead/undecodable') === 1
    },
  },
  {
    id: 'D9',
    says: 'a name may have any letters',
    holds: async open => {
      const rig = open()
      const town = placeCounter(rig, 'sąsiad/Żółw #1 ~', idlePorts)
      rig.run([town.member])
      return comesToSay(rig, town.ref, 0)
    },
  },
]

const never = new AbortController().signal

interface Items {
  readonly items: string[]
}

const ListMessage = t.union([
  t.strict({ _tag: t.literal('Put'), item: t.string }),
  t.strict({ _tag: t.literal('Forget') }),
  t.strict({ _tag: t.literal('Poison') }),
  t.strict({ _tag: t.literal('Size'), replyTo: replyTo<number>() }),
])
type ListMessage = t.TypeOf<typeof ListMessage>

const size = (to: ReplyTo<number>): ListMessage => ({ _tag: 'Size', replyTo: to })

const states: ReadonlyArray<Trap> = [
  {
    id: 'state anew',
    says: 'a restart begins with a new first state, even if the old one was changed in place',
    holds: async open => {
      const rig = open()
      const place = rig.kernel.place({
        name: 'list',
        codec: ListMessage,
        mailboxMax: 10,
        initial: () => [{ items: [] }, [ready]],
        receive: (state: Items, message: ListMessage) => {
          if (message._tag === 'Poison') throw new Error('poison')
          if (message._tag === 'Put') state.items.push(message.item)
          if (message._tag === 'Size') return [state, [reply(message.replyTo, state.items.length)]]
          return stay(state)
        },
        perform: () => () => Promise.resolve([]),
      })
      rig.run([place.with(null)])
      await rig.quiet()
      tell(place.ref, { _tag: 'Put', item: 'a' })
      tell(place.ref, { _tag: 'Poison' })
      await rig.quiet()
      await rig.until(() => rig.kernel.readings()[0]?.state === 'running')
      const answer = await rig.ask(place.ref, size, 1_000)
      return isRight(answer) && answer.right === 0
    },
  },
  {
    id: 'lost state',
    says: 'a step that lost its state is a fault, not an empty state',
    holds: async open => {
      const rig = open()
      const lost: { readonly state?: number } = {}
      // @ts-expect-error what a forgotten return amounts to
      const receive: Counter['receive'] = (state, message) => {
        if (message._tag === 'Get') return [state, [reply(message.replyTo, state)]]
        return [lost.state, []]
      }
      const place = placeCounter(rig, 'forgetful', idlePorts, { receive })
      rig.run([place.member])
      await rig.quiet()
      tell(place.ref, { _tag: 'Add', n: 1 })
      await rig.quiet()
      return comesToSay(rig, place.ref, 0)
    },
  },
  {
    id: 'changed message',
    says: 'a message does not change after it was sent',
    holds: async open => {
      const rig = open()
      const counter = placeCounter(rig, 'counter', idlePorts)
      rig.run([counter.member])
      await rig.quiet()
      const message = { _tag: 'Add' as const, n: 1 }
      tell(counter.ref, message)
      try {
        message.n = 99
      } catch {
        // The sender of a frozen message learns of its mistake here.
      }
      await rig.quiet()
      return (await counterValueOf(rig, counter.ref)) === 1
    },
  },
]

export const mailTraps: ReadonlyArray<Trap> = [...mail, ...states]
