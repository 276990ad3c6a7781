import { dispatch, spawn, start } from 'nact'
import { tell } from '#src/kernel/actor/ref.js'
import { openKernel } from '#src/kernel/kernel.js'
import { type CounterMessage, counter, idlePorts } from '#test/support/kernel/counter.js'
import { type Figure, figureAtMost, figureWithoutBar, inPairs, ratiosOf } from './figure.js'

const messages = 20_000
const rounds = 25
const warmUps = 5

/** One side: `send` sends a message, and `onHandled` is called for each one handled. */
interface Side {
  readonly send: (message: CounterMessage) => void
  readonly close: () => void
}

/** nact alone: its dispatch to a handler that adds. */
const openBare = (onHandled: () => void): Side => {
  const system = start()
  const adder = spawn(
    system,
    (state: number, message: CounterMessage) => {
      onHandled()
      return message._tag === 'Add' ? state + message.n : state
    },
    'adder',
    { initialStateFunc: () => 0 },
  )
  return { send: message => dispatch(adder, message), close: () => undefined }
}

/** The kernel as a host runs it, with one actor that adds. */
const openActor = async (onHandled: () => void): Promise<Side> => {
  const adder = counter('adder', messages)
  const kernel = openKernel()
  const place = kernel.place({
    ...adder,
    receive: (state, message, moment) => {
      onHandled()
      return adder.receive(state, message, moment)
    },
  })
  const tree = kernel.run(
    {
      id: 'root',
      strategy: 'one_for_one',
      restartsMax: 1,
      windowMs: 1_000,
      children: [{ id: 'adder', restart: 'permanent', drainMs: 1_000 }],
    },
    { adder: place.with(idlePorts) },
    () => undefined,
  )
  await tree.ready
  return { send: message => void tell(place.ref, message), close: () => void tree.close() }
}

/** Runs rounds of a side: each sends all messages, waits for the last, and returns the microseconds of a message. */
const measureSide = async (
  open: (onHandled: () => void) => Side | Promise<Side>,
): Promise<{ readonly round: () => Promise<number>; readonly close: () => void }> => {
  let left = 0
  let finish: () => void = () => undefined
  const side = await open(() => {
    left -= 1
    if (left === 0) finish()
  })
  const round = async (): Promise<number> => {
    const before = process.cpuUsage()
    await new Promise<void>(resolve => {
      left = messages
      finish = resolve
      for (let n = 0; n < messages; n += 1) side.send({ _tag: 'Add', n })
    })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / messages
  }
  return { round, close: side.close }
}

/** Tell to handled, the kernel against nact's own dispatch. */
export const kernelFigures = async (): Promise<ReadonlyArray<Figure>> => {
  const [actor, bare] = [await measureSide(openActor), await measureSide(openBare)]
  // The first rounds warm the code up.
  const pairs = (await inPairs(rounds + warmUps, actor.round, bare.round)).slice(warmUps)
  bare.close()
  actor.close()
  return [
    figureAtMost("tell to handled, against nact's own dispatch", 'x', 1.3, ratiosOf(pairs)),
    figureWithoutBar(
      'tell to handled',
      'us of processor',
      pairs.map(pair => pair[0]),
    ),
    figureWithoutBar(
      "nact's own dispatch to handled",
      'us of processor',
      pairs.map(pair => pair[1]),
    ),
  ]
}
