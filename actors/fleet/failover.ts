import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  type FailoverInput,
  type FailoverMemory,
  freshFailover,
  passAsk,
  passLook,
  passSweep,
  type RequestView,
  seeRequests,
  whyNoFailover,
} from '#src/domain/fleet/failover.js'
import { takeoverBranch } from '#src/domain/fleet/role.js'
import { describeOutcome } from '#src/domain/forge/merge-request.js'
import { type Actor, ready, type Step, stay } from '#src/kernel/actor/actor.js'
import type { ForgePort } from '#src/ports/fleet.js'

/** A probe of the apex has changed its misses. */
const Swept = t.type({ _tag: t.literal('Swept') })
/** To self: what this host knows does not call for a takeover. `isTooEarly`: the apex is not dark for long enough. */
const Passed = t.type({ _tag: t.literal('Passed'), isTooEarly: t.boolean })

const fenceCommit = t.string

/** To self: what this host knows calls for a takeover of this version of the topology. */
const Called = t.type({ _tag: t.literal('Called'), fenceCommit })
/** To self: what the forge shows of the requests for this version. */
const Looked = t.type({
  _tag: t.literal('Looked'),
  fenceCommit,
  sight: t.type({
    seen: t.keyof({ none: null, open: null, merged: null, vetoed: null, unknown: null }),
    iid: t.union([t.number, t.null]),
  }),
})
/** To self: the takeover was asked for, or is not called for any more. */
const Asked = t.type({ _tag: t.literal('Asked'), isQueued: t.boolean })

export const FailoverMessage = t.union([Swept, Passed, Called, Looked, Asked], 'FailoverMessage')
export type FailoverMessage = t.TypeOf<typeof FailoverMessage>

export interface FailoverPorts {
  /** What this host knows now. */
  readonly read: () => FailoverInput
  /** The forge; asked for the requests of one branch. */
  readonly forge: ForgePort
  /** The branch that takeovers are merged into; null where the remote names it. */
  readonly targetBranch: string | null
  /** Asks for the takeover by this town, and returns whether a job was queued. */
  readonly ask: () => boolean
  /** Reports a look that keeps this host from asking; `detail` says how a failed one ended. */
  readonly report: (sight: RequestView, detail: string) => void
}

const callLimitMs = 20_000

const rest = (memory: FailoverMemory): Turn => stay({ memory, isDeciding: false })
const goOn = (memory: FailoverMemory, effect: Effect): Turn => [{ memory, isDeciding: true }, [effect]]

const receive = (state: State, message: Message): Turn => {
  const { memory, isDeciding } = state
  switch (message._tag) {
    case 'Swept':
      return isDeciding ? stay(state) : goOn(memory, { _tag: 'Judge' })
    case 'Passed':
      return rest(message.isTooEarly ? freshFailover : memory)
    case 'Called': {
      const { fenceCommit } = message
      const passed = passSweep(memory, fenceCommit)
      return passed.isDue ? goOn(passed.memory, { _tag: 'Look', fenceCommit }) : rest(passed.memory)
    }
    case 'Looked': {
      const { fenceCommit, sight } = message
      const passed = passLook(memory, sight)
      return passed.asks ? goOn(passed.memory, { _tag: 'Ask', fenceCommit }) : rest(passed.memory)
    }
    case 'Asked':
      return rest(message.isQueued ? passAsk(memory) : memory)
    default:
      return absurd(message)
  }
}

/** Whether what this host knows still calls for a takeover of this version. */
const isCalledFor = ({ read }: FailoverPorts, fenceCommit: string): boolean => {
  const input = read()
  return input.fence?.commit === fenceCommit && whyNoFailover(input) === null
}

const judge = ({ read }: FailoverPorts): Message => {
  const input = read()
  const why = whyNoFailover(input)
  return why === null && input.fence !== null
    ? { _tag: 'Called', fenceCommit: input.fence.commit }
    : { _tag: 'Passed', isTooEarly: why === 'too_early' }
}

const look = async (
  { read, forge, targetBranch, report }: FailoverPorts,
  fenceCommit: string,
  signal: AbortSignal,
): Promise<Message> => {
  const { fence, facts } = read()
  if (fence?.commit !== fenceCommit || facts.fleet === null) return { _tag: 'Passed', isTooEarly: false }
  const sourceBranch = takeoverBranch(facts.fleet.topology.term, fence)
  const { outcome } = await forge({ _tag: 'ListRequests', sourceBranch }, callLimitMs, signal)
  const sight = seeRequests(outcome, fenceCommit, targetBranch)
  if (sight.seen !== 'none') report(sight, describeOutcome(outcome))
  return { _tag: 'Looked', fenceCommit, sight }
}

const perform =
  (ports: FailoverPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    switch (effect._tag) {
      case 'Judge':
        return [judge(ports)]
      case 'Look':
        return [await look(ports, effect.fenceCommit, signal)]
      case 'Ask':
        return [{ _tag: 'Asked', isQueued: isCalledFor(ports, effect.fenceCommit) && ports.ask() }]
      default:
        return absurd(effect)
    }
  }

export const failover: Actor<State, Message, Effect, FailoverPorts> = {
  name: 'failover',
  codec: FailoverMessage,
  mailboxMax: 16,
  stuckMs: 60_000,
  initial: () => [{ memory: freshFailover, isDeciding: false }, [ready]],
  receive,
  perform,
}

/**
 * The failover actor asks for a takeover when the apex stays dark (D48). Each sweep that finds the apex dark makes
 * it decide by what this host knows; where that calls for a takeover, it looks at the requests of the forge and
 * then asks, at most once in a sweep. Nothing is on disk: the jobs are in `runtime.db`.
 */
interface State {
  readonly memory: FailoverMemory
  /** Whether the decision about a sweep is under way. */
  readonly isDeciding: boolean
}

type Effect =
  | { readonly _tag: 'Judge' }
  | { readonly _tag: 'Look'; readonly fenceCommit: string }
  | { readonly _tag: 'Ask'; readonly fenceCommit: string }

type Message = FailoverMessage
type Turn = Step<State, Effect, Message>
