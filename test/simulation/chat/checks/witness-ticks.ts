import type {
  DispatchQueueMessage,
  DispatchQueuePorts,
  Effect,
  State,
  TickRules,
} from '#actors/chat/dispatch-queue.js'
import type { Actor } from '#src/kernel/actor/actor.js'
import type { Trace } from '#test/simulation/node/trace.js'

/** Watches the ticks of one process. */
export interface TickWitness {
  readonly begin: (id: string) => void
  readonly end: (id: string) => void
}

type Queue = Actor<State, DispatchQueueMessage, Effect, DispatchQueuePorts>

/**
 * Holds S25 against the queue of a process: a step that opens no tick belongs to that of the step before. In a living process no attempt begins while another one is under way.
 */
export const witnessTicks = (
  actor: Queue,
  { attemptsMax, budgetMs }: TickRules,
  host: string,
  { violation }: Pick<Trace, 'violation'>,
): { readonly actor: Queue; readonly ticks: TickWitness } => {
  const underWay: Array<string> = []
  let [attempts, beganMs] = [0, 0]
  const ticks: TickWitness = {
    begin: id => {
      attempts += 1
      if (attempts > attemptsMax) violation(`${host} makes ${attempts} attempts in one tick (S25)`)
      const [other] = underWay
      if (other !== undefined) violation(`${host} begins an attempt of ${id} during one of ${other} (S25)`)
      underWay.push(id)
    },
    end: id => void underWay.splice(underWay.indexOf(id), 1),
  }
  const witnessed: Queue = {
    ...actor,
    receive: (state, message, moment) => {
      const step = actor.receive(state, message, moment)
      const begun = step[1].find(effect => '_tag' in effect && effect._tag === 'Step')
      if (begun === undefined) return step
      if (begun.opensTick) [attempts, beganMs] = [0, moment.monotonicMs]
      else if (moment.monotonicMs - beganMs > budgetMs)
        violation(`${host} goes on with a tick after ${moment.monotonicMs - beganMs} ms (S25)`)
      return step
    },
  }
  return { actor: witnessed, ticks }
}
