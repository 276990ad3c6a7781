import { isRight } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, ready, reply, type Step } from '#src/kernel/actor.js'
import { replyTo } from '#src/kernel/ref.js'
import { type AdoptOutcome, type AdoptPorts, adopt } from './adopt.js'

/**
 * The write gate is the single writer of the lore. It owns nothing that a restart could lose: a write is answered after
 * its commit stands, and one that was not answered left a whole commit or none.
 */

const isOutcome = (u: unknown): u is AdoptOutcome =>
  typeof u === 'object' && u !== null && '_tag' in u && (u._tag === 'Left' || u._tag === 'Right')

/** Passed by reference from `perform`, which made it. */
const Outcome = new t.Type<AdoptOutcome, AdoptOutcome, unknown>(
  'AdoptOutcome',
  isOutcome,
  (u, context) => (isOutcome(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

const Adopt = t.type({ _tag: t.literal('Adopt'), dryRun: t.boolean, replyTo: replyTo<AdoptOutcome>() })
const Adopted = t.type({ _tag: t.literal('Adopted'), replyTo: replyTo<AdoptOutcome>(), outcome: Outcome })
const Message = t.union([Adopt, Adopted], 'WriteGateMessage')
type Message = t.TypeOf<typeof Message>
export type Adopt = t.TypeOf<typeof Adopt>

interface State {
  readonly adoptions: number
}
interface Effect {
  readonly _tag: 'Adopt'
  readonly ask: Adopt
}

const receive = (state: State, message: Message): Step<State, Effect, Message> => {
  switch (message._tag) {
    case 'Adopt':
      return [state, [{ _tag: 'Adopt', ask: message }]]
    case 'Adopted':
      return [
        { adoptions: state.adoptions + (isRight(message.outcome) ? 1 : 0) },
        [reply(message.replyTo, message.outcome)],
      ]
    default:
      return absurd(message)
  }
}

export const writeGate: Actor<State, Message, Effect, AdoptPorts> = {
  name: 'write-gate',
  codec: Message,
  mailboxMax: 256,
  stuckMs: 300_000,
  initial: () => [{ adoptions: 0 }, [ready]],
  receive,
  perform: ports => async (effect, signal) => {
    const outcome = await adopt(ports, effect.ask.dryRun, signal)
    return [{ _tag: 'Adopted', replyTo: effect.ask.replyTo, outcome }]
  },
}
