import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { dispatch, query, spawn, spawnStateless, start, stop } from 'nact'
import { type Actor, carryOut, type Moment, type Tagged } from '#src/kernel/actor/actor.js'
import { type AskFailure, type Ref, type ReplyTo, refOf, replyToOf } from '#src/kernel/actor/ref.js'
import type { ActorPlace, Kernel, KernelOptions } from '#src/kernel/kernel.js'
import type { Child } from '#src/kernel/supervision/child.js'

/**
 * A direct implementation over nact, without our kernel: nact's mailbox, `query`, `onCrash` and `reset*`,
 * behind the same API. Tests show that it fails where the kernel holds; it must not be used elsewhere.
 */
export interface NaiveChoices {
  /**
   * The result of `onCrash`; `none` keeps nact's own policy, `respawn` stops all and spawns them again under
   * their old names.
   */
  readonly onCrash: 'reset' | 'resetAll' | 'escalate' | 'none' | 'respawn'
  readonly isStateless?: boolean
  readonly initialFrom: 'value' | 'function'
  /** Whether the end of a tree stops its leaves one by one, which nact itself does not do. */
  readonly stopsLeaves: boolean
}

type NactRef = object
type OnCrash = (message: unknown, error: unknown, context: Record<string, symbol>) => symbol

interface Spawnable {
  readonly name: string
  readonly spawnUnder: (parent: NactRef, siblings: ReadonlyArray<Spawnable>) => void
  readonly stop: () => void
}

const living = new WeakMap<object, () => NactRef>()
const spawnables = new WeakMap<Child, Spawnable>()

const moment: Moment = { nowMs: 0, monotonicMs: 0, id: '1', chance: 0.5, incarnation: 'naive' }

const policy =
  (choices: NaiveChoices, options: KernelOptions, name: string, respawn: () => void): OnCrash =>
  (_message, error, context) => {
    options.log?.({ event: 'fault', actor: name, incarnation: name, cause: 'receive', error })
    options.meter?.restarted(name, 'receive')
    if (choices.onCrash === 'respawn') respawn()
    const action = choices.onCrash === 'respawn' || choices.onCrash === 'none' ? 'stop' : choices.onCrash
    return context[action] ?? Symbol('unknown')
  }

/** The context that nact passes to a handler. */
interface NaiveContext {
  readonly self: NactRef
  readonly parent: NactRef
}

const handlerOf =
  <S, M extends Tagged, E extends Tagged, P>(actor: Actor<S, M, E, P>, ports: P, options: KernelOptions) =>
  async (state: S, message: M, context: NaiveContext): Promise<S> => {
    const [next, effects] = actor.receive(state, message, moment)
    for (const effect of effects) {
      if (!('kernel' in effect)) {
        const tell = (message: M): void => dispatch(context.self, message)
        const outcomes = await actor.perform(ports)(effect, new AbortController().signal, tell)
        outcomes.forEach(tell)
      } else if (effect.kernel === 'end') stop(context.self)
      else if (effect.kernel === 'ready') dispatch(context.parent, 'ready')
      else carryOut(effect)
    }
    options.meter?.messageDone(actor.name, message._tag, 'ok')
    return next
  }

const spawnableOf = <S, M extends Tagged, E extends Tagged, P>(
  actor: Actor<S, M, E, P>,
  ports: P,
  options: KernelOptions,
  choices: NaiveChoices,
  became: (ref: NactRef) => void,
): Spawnable => {
  let ref: NactRef | null = null
  const spawnUnder = (parent: NactRef, siblings: ReadonlyArray<Spawnable>): void => {
    const respawn = (): void => {
      for (const each of siblings) {
        each.stop()
        each.spawnUnder(parent, siblings)
      }
    }
    const handler = handlerOf(actor, ports, options)
    const onCrash = policy(choices, options, actor.name, respawn)
    const crash = choices.onCrash === 'none' ? {} : { onCrash }
    const raw: (...args: ReadonlyArray<unknown>) => NactRef = choices.isStateless ? rawStateless : rawSpawn
    const body = choices.isStateless
      ? (message: M, context: NaiveContext) => handler(actor.initial(moment)[0], message, context)
      : handler
    const initial =
      choices.initialFrom === 'value'
        ? { initialState: actor.initial(moment)[0] }
        : { initialStateFunc: () => actor.initial(moment)[0] }
    ref = raw(parent, body, actor.name, { ...crash, ...initial })
    became(ref)
  }
  return {
    name: actor.name,
    spawnUnder,
    stop: () => {
      if (ref !== null) stop(ref)
    },
  }
}

const toUntyped = (run: unknown): ((...args: ReadonlyArray<unknown>) => NactRef) => {
  if (!isFunction(run)) throw new TypeError('not a function')
  return run
}
const isFunction = (run: unknown): run is (...args: ReadonlyArray<unknown>) => NactRef =>
  typeof run === 'function'
const rawSpawn = toUntyped(spawn)
const rawStateless = toUntyped(spawnStateless)
const rawStart = toUntyped(start)
const rawQuery = (...args: ReadonlyArray<unknown>): Promise<unknown> =>
  Promise.resolve(toUntyped(query)(...args))

const makeUnusedChild = (name: string): Child => ({
  name,
  start: () => undefined,
  supersede: () => undefined,
  close: () => [],
  drain: () => Promise.resolve([]),
})

const nodeOf = (spawnable: Spawnable): Child => {
  const node = makeUnusedChild(spawnable.name)
  spawnables.set(node, spawnable)
  return node
}

const groupOf = (id: string, nodes: ReadonlyArray<Child>): Spawnable => {
  let ref: NactRef | null = null
  return {
    name: id,
    spawnUnder: parent => {
      ref = rawSpawn(parent, (state: null) => state, id, {
        initialState: null,
        onCrash: (_message: unknown, _error: unknown, context: Record<string, symbol>) => context.resume,
      })
      const children = nodes.flatMap(node => spawnables.get(node) ?? [])
      for (const child of children) child.spawnUnder(ref, children)
    },
    stop: () => {
      if (ref !== null) stop(ref)
    },
  }
}

const place = <S, M extends Tagged, E extends Tagged, P>(
  actor: Actor<S, M, E, P>,
  options: KernelOptions,
  choices: NaiveChoices,
): ActorPlace<M, P> => {
  let nact: NactRef | null = null
  const ref: Ref<M> = refOf<M>(actor.name, {
    deliver: message => {
      if (nact !== null) dispatch(nact, message)
      return 'accepted'
    },
    enquire: () => {
      throw new Error('the naive kernel asks by query')
    },
  })
  living.set(ref, () => {
    if (nact === null) throw new Error('not spawned')
    return nact
  })
  return {
    ref,
    with: ports =>
      nodeOf(
        spawnableOf(actor, ports, options, choices, became => {
          nact = became
        }),
      ),
  }
}

export const openNaive = (options: KernelOptions, choices: NaiveChoices): Kernel => ({
  place: actor => place(actor, options, choices),
  group: (spec, members) =>
    nodeOf(
      groupOf(
        spec.id,
        spec.children.map(child => members[child.id]),
      ),
    ),
  list: () => {
    throw new Error('the naive kernel has no lists of children')
  },
  run: (spec, members) => {
    const system = rawStart()
    const root = groupOf(
      spec.id,
      spec.children.map(child => members[child.id]),
    )
    root.spawnUnder(system, [])
    const close = (): [] => {
      if (choices.stopsLeaves) for (const child of spec.children) spawnables.get(members[child.id])?.stop()
      root.stop()
      return []
    }
    return { ready: Promise.resolve(true), drain: () => Promise.resolve(close()), close }
  },
  readings: () => [],
  supervisorReadings: () => [],
  findUnbalanced: () => [],
  tallies: () => new Map(),
  settle: () => new Promise(resolve => setImmediate(resolve)),
})

/** `query` with the signature of `ask`. */
export const naiveAsk = async <M, A>(
  ref: Ref<M>,
  message: (replyTo: ReplyTo<A>) => NoInfer<M>,
  deadlineMs: number,
): Promise<Either<AskFailure, A>> => {
  const answers: A[] = []
  const build = (temporary: NactRef): M =>
    message(
      replyToOf<A>('naive', value => {
        dispatch(temporary, value)
        return true
      }),
    )
  try {
    const value = await rawQuery(living.get(ref)?.(), build, deadlineMs)
    return right(decodeAs<A>(value, answers))
  } catch {
    return left({ _tag: 'Timeout', actor: ref.name })
  }
}

/** nact's answers are untyped; the traps ask only for numbers. */
const decodeAs = <A>(value: unknown, known: A[]): A => {
  if (isAnswer<A>(value)) known.push(value)
  const last = known.at(-1)
  if (last === undefined) throw new Error('no answer')
  return last
}
const isAnswer = <A>(value: unknown): value is A => value !== undefined
