import type { Howto } from './howto.js'

const actor = `import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type RefusalTag, refusals } from '#protocol/refusal.js'
import { type Actor, after, cancel, end, ready, reply, type Step, stay } from '#src/kernel/actor/actor.js'
import { replyTo } from '#src/kernel/actor/ref.js'

/**
 * The refusal tally owns the counts of refused requests, by refusal, and logs them a minute after the first. It logs
 * each request once. A new incarnation starts at zero: the metrics keep the totals, so nothing is recovered.
 */

/** A request was refused. */
const Refused = t.type({ _tag: t.literal('Refused'), refusal: t.keyof(refusals) })
/** Log the counts now, and answer with their sum. */
const Report = t.type({ _tag: t.literal('Report'), replyTo: replyTo<number>() })
/** To self: a minute has passed since the first refusal. */
const Due = t.type({ _tag: t.literal('Due') })
const Drain = t.type({ _tag: t.literal('Drain') })
export const RefusalTallyMessage = t.union([Refused, Report, Due, Drain], 'RefusalTallyMessage')
export type RefusalTallyMessage = t.TypeOf<typeof RefusalTallyMessage>
export type Refused = t.TypeOf<typeof Refused>

export type Counts = ReadonlyMap<RefusalTag, number>

export type State = { readonly _tag: 'Empty' } | { readonly _tag: 'Counting'; readonly counts: Counts }

export interface Effect {
  readonly _tag: 'Log'
  readonly counts: Counts
}

export interface RefusalTallyPorts {
  readonly log: (counts: Counts) => void
}

type Stepped = Step<State, Effect, RefusalTallyMessage>

/** How long refusals are counted before they are logged. */
export const windowMs = 60_000

const empty: State = { _tag: 'Empty' }
const countsOf = (state: State): Counts => (state._tag === 'Empty' ? new Map() : state.counts)
const logOf = (state: State): Effect => ({ _tag: 'Log', counts: countsOf(state) })

const onRefused = (state: State, refusal: RefusalTag): Stepped => {
  const counts = countsOf(state)
  return [
    { _tag: 'Counting', counts: new Map([...counts, [refusal, (counts.get(refusal) ?? 0) + 1]]) },
    state._tag === 'Empty' ? [after('due', windowMs, { _tag: 'Due' })] : [],
  ]
}

export const refusalTally: Actor<State, RefusalTallyMessage, Effect, RefusalTallyPorts> = {
  name: 'refusal-tally',
  codec: RefusalTallyMessage,
  mailboxMax: 1024,
  initial: () => [empty, [ready]],
  receive: (state, message) => {
    switch (message._tag) {
      case 'Refused':
        return onRefused(state, message.refusal)
      case 'Report': {
        const sum = [...countsOf(state).values()].reduce((total, count) => total + count, 0)
        return [empty, [cancel('due'), logOf(state), reply(message.replyTo, sum)]]
      }
      case 'Due':
        return state._tag === 'Empty' ? stay(state) : [empty, [logOf(state)]]
      case 'Drain':
        return [empty, state._tag === 'Empty' ? [end] : [logOf(state), end]]
      default:
        return absurd(message)
    }
  },
  perform: ports => (effect, signal) => {
    if (!signal.aborted) ports.log(effect.counts)
    return Promise.resolve([])
  },
  drain: { _tag: 'Drain' },
}
`

const test = `import { deepEqual } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { after, cancel, reply } from '#src/kernel/actor/actor.js'
import { ask, type ReplyTo, replyToOf, tell } from '#src/kernel/actor/ref.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { type RefusalTallyMessage, refusalTally, type State, windowMs } from './refusal-tally.js'

const refused: RefusalTallyMessage = { _tag: 'Refused', refusal: 'NameTaken' }
const report = (replyTo: ReplyTo<number>): RefusalTallyMessage => ({ _tag: 'Report', replyTo })
const moment = { nowMs: 0, monotonicMs: 0, id: '1', chance: 0, incarnation: 'refusal-tally.1' }
const one: State = { _tag: 'Counting', counts: new Map([['NameTaken', 1]]) }

describe('the refusal tally', () => {
  it('waits a minute from the first refusal, and answers a report behind its log', () => {
    const { receive } = refusalTally
    const [counting, effects] = receive({ _tag: 'Empty' }, refused, moment)
    deepEqual([counting, effects], [one, [after('due', windowMs, { _tag: 'Due' })]])
    const replyTo = replyToOf<number>('asker', () => true)
    deepEqual(receive(one, report(replyTo), moment), [
      { _tag: 'Empty' },
      [cancel('due'), { _tag: 'Log', counts: one.counts }, reply(replyTo, 1)],
    ])
  })

  it('logs each refusal once: after a minute, at a report, at its drain', async () => {
    const world = kernelWorld()
    const logged: Array<object> = []
    const { ref, tree } = await world.alone(refusalTally, {
      log: counts => void logged.push(Object.fromEntries(counts)),
    })
    for (const message of [refused, { _tag: 'Refused', refusal: 'BodyInvalid' } as const, refused])
      tell(ref, message)
    await world.advance(windowMs)
    deepEqual(logged, [{ NameTaken: 2, BodyInvalid: 1 }])
    tell(ref, refused)
    const answer = ask(ref, report, 1_000)
    await world.settle()
    deepEqual([await answer, logged.at(-1)], [right(1), { NameTaken: 1 }])
    tell(ref, refused)
    const drained = tree.drain(1_000)
    await world.settle()
    deepEqual([await drained, logged.length], [[], 3])
  })
})
`

const row = `  tally: actorRow({
    name: 'refusal-tally',
    supervisor: 'store',
    task: 'counts refused requests, and logs the counts',
    policy: {
      restart: 'permanent',
      drainMs: 500,
      restartsMax: 5,
      windowMs: 300_000,
      onGiveUp: 'abandon',
    },
    behaviour: () => refusalTally,
    ports: ({ log }) => ({
      log: counts => log.info('requests_refused', { counts: Object.fromEntries(counts) }),
    }),
  }),
`

/** An actor of one file, whose ports fit in its row: it counts the refused requests and logs the counts. */
export const addAnActor: Howto = {
  page: 'add-an-actor',
  edits: [
    {
      of: [1, 2, 3, 4, 5, 6, 7].map(step => ({ step })),
      path: 'actors/refusal-tally.ts',
      isNew: true,
      text: actor,
    },
    { of: [{ step: 8 }], path: 'actors/refusal-tally.test.ts', isNew: true, text: test },
    {
      of: [{ step: 9 }],
      path: 'src/node/tree/actors.ts',
      after: "import { readerPool } from '#actors/reader-pool/reader-pool.js'\n",
      text: "import { refusalTally } from '#actors/refusal-tally.js'\n",
    },
    {
      of: [{ step: 9 }],
      path: 'src/node/tree/actors.ts',
      after: '    ports: ({ records }) => records.streams.work,\n  }),\n',
      text: row,
    },
    {
      of: [{ step: 10 }],
      path: 'src/node/tree/refs.ts',
      after: "import type { Wake } from '#actors/recorder.js'\n",
      text: "import type { Refused } from '#actors/refusal-tally.js'\n",
    },
    {
      of: [{ step: 10 }],
      path: 'src/node/tree/refs.ts',
      after: '  readonly streams: Wake\n',
      text: '  readonly tally: Refused\n',
    },
    {
      of: [{ step: 11 }],
      path: 'test/support/ordinary-messages.ts',
      after: "  streams: { _tag: 'Wake', urgent: true },\n",
      text: "  tally: { _tag: 'Report', replyTo: replyToOf('of nobody', () => true) },\n",
    },
  ],
  scripts: [{ of: [{ step: 12 }], script: 'docs' }],
  idle: [],
  slowTests: [
    { path: 'src/node/tree/tree.test.ts' },
    { path: 'test/process/faults.test.ts', grep: 'every actor|refusal-tally' },
  ],
  filesMax: 5,
}
