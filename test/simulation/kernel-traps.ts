import * as t from 'io-ts'
import { ready } from '#src/kernel/actor/actor.js'
import { type ReplyTo, tell } from '#src/kernel/actor/ref.js'
import { type CounterMessage, idlePorts } from '#test/support/kernel/counter.js'
import { makeWorkGate, placeCounter } from '#test/support/kernel/kernel-rig.js'
import { comesToSay, counterValueOf, type Trap } from './kernel-trap.js'

const concurrency: ReadonlyArray<Trap> = [
  {
    id: 'F8 a',
    says: 'a sibling that works when its group restarts never works on two messages at once',
    holds: async open => {
      const rig = open({ onCrash: 'resetAll' })
      const slow = makeWorkGate()
      const faulty = placeCounter(rig, 'faulty', idlePorts)
      const busy = placeCounter(rig, 'busy', slow)
      rig.run([faulty.member, busy.member], 'one_for_all')
      await rig.quiet()
      tell(busy.ref, { _tag: 'Work', n: 1 })
      tell(busy.ref, { _tag: 'Work', n: 2 })
      await rig.quiet()
      tell(faulty.ref, { _tag: 'Poison' })
      tell(busy.ref, { _tag: 'Work', n: 3 })
      await rig.until(() => slow.started() > 1)
      return slow.liveMax() === 1
    },
  },
  {
    id: 'F8 b, S32',
    says: 'what an old incarnation still finds out never reaches the new one',
    holds: async open => {
      const rig = open({ onCrash: 'respawn' })
      const slow = makeWorkGate()
      const faulty = placeCounter(rig, 'faulty', idlePorts)
      const busy = placeCounter(rig, 'busy', slow)
      rig.run([faulty.member, busy.member], 'one_for_all')
      await rig.quiet()
      tell(busy.ref, { _tag: 'Work', n: 100 })
      await rig.quiet()
      tell(faulty.ref, { _tag: 'Poison' })
      await rig.quiet()
      await comesToSay(rig, busy.ref, 0)
      slow.open()
      await rig.quiet()
      return (await counterValueOf(rig, busy.ref)) === 0
    },
  },
  {
    id: 'signal of a stop',
    says: 'work that runs when its actor is stopped is told so by its signal',
    holds: async open => {
      const rig = open()
      const slow = makeWorkGate()
      const busy = placeCounter(rig, 'busy', slow)
      const tree = rig.run([busy.member])
      await rig.quiet()
      tell(busy.ref, { _tag: 'Work', n: 1 })
      await rig.quiet()
      tree.close()
      return slow.signals[0]?.aborted === true
    },
  },
  {
    id: 'stuck work',
    says: 'work that never ends blocks its actor only until the watchdog looks',
    holds: async open => {
      const rig = open()
      const stuck = placeCounter(rig, 'stuck', {
        work: n => (n === 1 ? new Promise(() => undefined) : Promise.resolve(n)),
      })
      rig.run([stuck.member])
      await rig.quiet()
      tell(stuck.ref, { _tag: 'Work', n: 1 })
      await rig.until(() => rig.meter.count('stuck/restarted/stuck') === 1)
      tell(stuck.ref, { _tag: 'Work', n: 2 })
      return comesToSay(rig, stuck.ref, 2)
    },
  },
  {
    id: 'end of a tree',
    says: 'the end of a tree is the end of every actor in it',
    holds: async open => {
      const rig = open()
      const inner = placeCounter(rig, 'inner', idlePorts)
      const group = rig.kernel.group(
        {
          id: 'group',
          strategy: 'one_for_one',
          restartsMax: 1,
          windowMs: 1_000,
          children: [{ id: 'inner', restart: 'permanent', drainMs: 100 }],
        },
        { inner: inner.member },
      )
      const tree = rig.run([group])
      await rig.quiet()
      for (let n = 0; n < 100; n += 1) tell(inner.ref, { _tag: 'Add', n })
      tree.close()
      await rig.quiet()
      return rig.meter.count('inner/done/ok') === 0
    },
  },
]

const faults: ReadonlyArray<Trap> = [
  {
    id: 'F8 f',
    says: 'the fault of an actor without state is reported as any other',
    holds: async open => {
      const rig = open({ isStateless: true })
      const place = rig.kernel.place({
        name: 'stateless',
        codec: t.strict({ _tag: t.literal('Go') }),
        mailboxMax: 10,
        initial: () => [null, [ready]],
        receive: () => {
          throw new Error('fault')
        },
        perform: () => () => Promise.resolve([]),
      })
      rig.run([place.with(null)])
      await rig.quiet()
      tell(place.ref, { _tag: 'Go' })
      return rig.until(() => rig.events.includes('fault') && rig.meter.count('stateless/restarted') === 1)
    },
  },
  {
    id: 'F8 d',
    says: 'who asks an actor that faults hears of it at once, not after the deadline',
    holds: async open => {
      const rig = open()
      const asked = placeCounter(rig, 'asked', idlePorts)
      rig.run([asked.member])
      await rig.quiet()
      let isSettled = false
      const poison = (replyTo: ReplyTo<number>): CounterMessage => ({ _tag: 'PoisonAsk', replyTo })
      void rig.ask(asked.ref, poison, 10_000).then(() => {
        isSettled = true
      })
      await rig.quiet()
      return isSettled
    },
  },
  {
    id: 'F8 e: policy',
    says: 'a log that throws while a fault is handled neither ends the process nor keeps the actor down',
    isDeadly: true,
    holds: async open => {
      const rig = open({}, { log: () => throwError('the log is broken') })
      const faulty = placeCounter(rig, 'faulty', idlePorts)
      rig.run([faulty.member])
      await rig.quiet()
      tell(faulty.ref, { _tag: 'Poison' })
      tell(faulty.ref, { _tag: 'Add', n: 1 })
      await rig.quiet()
      return comesToSay(rig, faulty.ref, 1)
    },
  },
  {
    id: 'F8 e: late rejection',
    says: 'work that fails after its actor was stopped is nobody’s unhandled rejection',
    isDeadly: true,
    holds: async open => {
      const rig = open({ onCrash: 'escalate', stopsLeaves: true })
      const slow = makeWorkGate()
      const busy = placeCounter(rig, 'busy', slow)
      const tree = rig.run([busy.member])
      await rig.quiet()
      tell(busy.ref, { _tag: 'Work', n: 1 })
      await rig.quiet()
      tree.close()
      slow.fail()
      await rig.quiet()
      return rig.events.includes('late_result')
    },
  },
  {
    id: 'F8 e: self-stop',
    says: 'an actor that ends and then fails in one step does not end the process',
    isDeadly: true,
    holds: async open => {
      const rig = open({ onCrash: 'escalate' })
      const failing = placeCounter(rig, 'failing', { work: () => Promise.reject(new Error('work failed')) })
      rig.run([failing.member])
      await rig.quiet()
      tell(failing.ref, { _tag: 'FinishThenWork' })
      await rig.quiet()
      return comesToSay(rig, failing.ref, 0)
    },
  },
  {
    id: 'F8 g',
    says: 'an actor directly under the root comes back after a fault',
    holds: async open => {
      const rig = open({ onCrash: 'none' })
      const faulty = placeCounter(rig, 'faulty', idlePorts)
      rig.run([faulty.member])
      await rig.quiet()
      tell(faulty.ref, { _tag: 'Poison' })
      await rig.quiet()
      tell(faulty.ref, { _tag: 'Add', n: 1 })
      return comesToSay(rig, faulty.ref, 1)
    },
  },
  {
    id: 'F8 j',
    says: 'an actor that goes on faulting is restarted a few times, with pauses, and no more',
    holds: async open => {
      const rig = open()
      const faulty = placeCounter(rig, 'faulty', idlePorts)
      rig.run([faulty.member])
      await rig.quiet()
      for (let n = 0; n < 20; n += 1) tell(faulty.ref, { _tag: 'Poison' })
      await rig.until(() => rig.gaveUp.length > 0)
      return rig.meter.count('faulty/restarted') === 3 && rig.gaveUp.length === 1
    },
  },
  {
    id: 'escalation',
    says: 'a child whose fault escalates works again after its group was restarted',
    holds: async open => {
      const rig = open({ onCrash: 'escalate' })
      const inner = placeCounter(rig, 'inner', idlePorts)
      const group = rig.kernel.group(
        {
          id: 'group',
          strategy: 'one_for_one',
          restartsMax: 0,
          windowMs: 1_000,
          children: [{ id: 'inner', restart: 'permanent', drainMs: 100 }],
        },
        { inner: inner.member },
      )
      rig.run([group])
      await rig.quiet()
      tell(inner.ref, { _tag: 'Poison' })
      tell(inner.ref, { _tag: 'Add', n: 1 })
      await rig.quiet()
      return comesToSay(rig, inner.ref, 1)
    },
  },
  {
    id: 'first step',
    says: 'an actor whose first step throws is tried again',
    holds: async open => {
      const rig = open({ initialFrom: 'function', onCrash: 'none' })
      let attempts = 0
      const late = placeCounter(rig, 'late', idlePorts, {
        initial: () => {
          attempts += 1
          if (attempts < 3) throw new Error('not yet')
          return [7, [ready]]
        },
      })
      rig.run([late.member])
      return comesToSay(rig, late.ref, 7)
    },
  },
]

const throwError = (message: string): never => {
  throw new Error(message)
}

/** Every trap but those of mailbox and state, which stand in kernel-traps-mail.ts. */
export const lifeTraps: ReadonlyArray<Trap> = [...concurrency, ...faults]
