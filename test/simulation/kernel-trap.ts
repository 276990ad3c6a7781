import { isRight } from 'fp-ts/lib/Either.js'
import { type Ref, type ReplyTo, tell } from '#src/kernel/actor/ref.js'
import type { CounterMessage } from '#test/support/kernel/counter.js'
import { type OpenRig, placeCounter, type Rig } from '#test/support/kernel/kernel-rig.js'

/** One trap of nact: `holds` answers whether the kernel it is given keeps clear of it. */
export interface Trap {
  readonly id: string
  readonly says: string
  /** Whether raw nact would end the process here. */
  readonly isDeadly?: true
  readonly holds: (open: OpenRig) => Promise<boolean>
}

export const get = (replyTo: ReplyTo<number>): CounterMessage => ({ _tag: 'Get', replyTo })

/** What the counter says within the time of the rig, or null. */
export const counterValueOf = async (rig: Rig, ref: Ref<CounterMessage>): Promise<number | null> => {
  let value: number | null = null
  let isSettled = false
  void rig.ask(ref, get, 50).then(answer => {
    isSettled = true
    value = isRight(answer) ? answer.right : null
  })
  await rig.until(() => isSettled)
  return value
}

/** Whether the counter says `expected` before the rig's patience ends. */
export const comesToSay = async (rig: Rig, ref: Ref<CounterMessage>, expected: number): Promise<boolean> => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if ((await counterValueOf(rig, ref)) === expected) return true
    await rig.pause()
  }
  return false
}

/** No trap: plain use, in which the naive kernel must hold too, or its failures would say nothing. */
export const control: Trap = {
  id: 'control',
  says: 'what is told, worked and asked comes out right',
  holds: async open => {
    const rig = open()
    const plain = placeCounter(rig, 'plain', { work: n => Promise.resolve(n * 10) })
    rig.run([plain.member])
    await rig.quiet()
    tell(plain.ref, { _tag: 'Add', n: 1 })
    tell(plain.ref, { _tag: 'Work', n: 2 })
    await rig.quiet()
    return (await counterValueOf(rig, plain.ref)) === 21
  },
}
