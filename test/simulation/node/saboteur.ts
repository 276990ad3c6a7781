import * as t from 'io-ts'
import { type Actor, ready } from '#src/kernel/actor/actor.js'

const Fault = t.type({ _tag: t.literal('Fault') }, 'Fault')
export type Fault = t.TypeOf<typeof Fault>

/** Stands before the others and faults when told: they begin anew while their effects are still under way. */
export const saboteur: Actor<null, Fault, never, null> = {
  name: 'saboteur',
  codec: Fault,
  mailboxMax: 8,
  initial: () => [null, [ready]],
  receive: () => {
    throw new Error('a planted fault')
  },
  perform: () => () => Promise.resolve([]),
}
