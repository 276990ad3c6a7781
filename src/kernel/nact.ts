import { dispatch, spawn, start, stop } from 'nact'

/** One incarnation's actor in nact: `wake` asks for one turn; a stopped lane takes no more turns. */
export interface Lane {
  readonly wake: () => void
  readonly stop: () => void
}

export interface Engine {
  readonly spawn: (name: string, turn: () => void) => Lane
  /** Turns asked for and not yet taken. */
  readonly pendingTurns: () => number
}

/**
 * nact accepts only `[a-z0-9-$_.+!*'(),]` in a name (D9): this percent-encodes other letters, with `$` for
 * `%`. Injective.
 */
export const nactName = (name: string): string =>
  encodeURIComponent(name).replace(/~/g, '%7E').replace(/%/g, '$')

/**
 * The kernel over nact, of which it uses only the order of turns. A lane's handler never throws, has no
 * children and no state, and nact's mailbox holds at most one token for it, so a lane that nact drops loses
 * nothing.
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

/**
 * nact's `dispatch` with a sender, which its types leave out. Without a sender it creates four objects for
 * each token.
 */
const sendToken: (lane: object, token: string, sender: object) => void = dispatch
