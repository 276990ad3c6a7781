import { absurd } from 'fp-ts/lib/function.js'
import type { FleetWorkload } from '#protocol/config.js'
import { type Actor, after, ready, type Step } from '#src/kernel/actor/actor.js'
import type { WorkloadRunner } from '#src/ports/host.js'
import { WorkloadTickerMessage } from './messages.js'
import { type TickPorts, tickWorkload } from './tick-workload.js'

/**
 * The workload ticker gives each workload that this host can run its ticks, one tick at a time. A tick is due an
 * interval after the one before has ended, so the ticks of a workload never overlap. The ticker owns nothing: an
 * incarnation that starts waits a whole interval for each workload.
 */
export interface State {
  readonly _tag: 'Ticking'
}

export interface Effect {
  readonly _tag: 'Tick'
  readonly workload: FleetWorkload
}

/** The workloads that this host can run; without one the ticker has no timer. */
export type TickedWorkloads = ReadonlyMap<FleetWorkload, Pick<WorkloadRunner, 'intervalMs'>>

type Message = WorkloadTickerMessage
type Turn = Step<State, Effect, Message>

/** The longest tick: a runner that hangs is stopped then, and the ticks begin again. */
const stuckMs = 600_000

const rest = (workload: FleetWorkload, { intervalMs }: Pick<WorkloadRunner, 'intervalMs'>) =>
  after<Message>(workload, intervalMs, { _tag: 'Due', workload })

const receive =
  (ticked: TickedWorkloads) =>
  (state: State, { _tag, workload }: Message): Turn => {
    switch (_tag) {
      case 'Due':
        return [state, [{ _tag: 'Tick', workload }]]
      case 'Ticked': {
        const runner = ticked.get(workload)
        return [state, runner === undefined ? [] : [rest(workload, runner)]]
      }
      default:
        return absurd(_tag)
    }
  }

export const workloadTicker = (ticked: TickedWorkloads): Actor<State, Message, Effect, TickPorts> => ({
  name: 'workload-ticker',
  codec: WorkloadTickerMessage,
  mailboxMax: 16,
  stuckMs,
  initial: () => [
    { _tag: 'Ticking' },
    [ready, ...[...ticked].map(([workload, runner]) => rest(workload, runner))],
  ],
  receive: receive(ticked),
  perform:
    ports =>
    async ({ workload }, signal) => {
      await tickWorkload(ports, workload, signal)
      return [{ _tag: 'Ticked', workload }]
    },
})
