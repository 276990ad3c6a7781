import { dispatch, spawn, start, stop } from 'nact'

/** One incarnation's place in nact: `wake` asks for one turn; a lane that is stopped never turns again. */
export interface Lane {
  readonly wake: () => void
  readonly stop: () => void
}

export interface Engine {
  readonly spawn: (name: string, turn: () => void) => Lane
  /** Turns asked for and not yet taken. */
  readonly pendingTurns: () => number
}

/** nact takes `[a-z0-9-$_.+!*'(),]` only (D9): other letters as percent-encoding with `$` for the sign. Injective. */
export const nactName = (name: string): string =>
  encodeURIComponent(name).replace(/~/g, '%7E').replace(/%/g, '$')

/**
 * nact's dispatch with a sender, which its types leave out. Without one it makes four objects for each token, to say
 * that nobody sent it.
 */
const sendToken: (lane: object, token: string, sender: object) => void = dispatch

/**
 * The kernel over nact: of its actors only the order of turns is used. A lane's handler never throws, has no children
 * and no state, and one token at most lies in nact's mailbox, so nothing of value is lost with it.
 */
export const openEngine = (): Engine => {
  const system = start()
  let pending = 0
  const spawnLane = (name: string, turn: () => void): Lane => {
    let awake = false
    let live = true
    const lane = spawn(
      system,
      (state: null) => {
        awake = false
        pending -= 1
        turn()
        return state
      },
      nactName(name),
      { initialStateFunc: () => null, onCrash: (_message, _error, context) => context.stop },
    )
    return {
      wake: () => {
        if (awake || !live) return
        awake = true
        pending += 1
        sendToken(lane, 'turn', system)
      },
      stop: () => {
        if (!live) return
        live = false
        if (awake) pending -= 1
        awake = false
        stop(lane)
      },
    }
  }
  return { spawn: spawnLane, pendingTurns: () => pending }
}
