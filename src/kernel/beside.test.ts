import { deepEqual } from 'node:assert/strict'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { type Actor, beside, ready, stay } from './actor/actor.js'
import { type Ref, tell } from './actor/ref.js'
import type { ActorTree } from './run-tree.js'

const Fly = t.type({ _tag: t.literal('Fly') })
const Note = t.type({ _tag: t.literal('Note') })
const Heard = t.type({ _tag: t.literal('Heard'), what: t.string })
const Message = t.union([Fly, Note, Heard])
type Message = t.TypeOf<typeof Message>

type Effect = { readonly _tag: 'Call' } | { readonly _tag: 'Write'; readonly what: string }

interface Ports {
  readonly call: (hear: (what: string) => void, signal: AbortSignal) => Promise<string>
  readonly write: (what: string) => void
}

/** Calls another host beside its other effects, and writes down each message in its turn. */
const pilot: Actor<null, Message, Effect, Ports> = {
  name: 'pilot',
  codec: Message,
  mailboxMax: 16,
  initial: () => [null, [ready]],
  receive: (state, message) => {
    switch (message._tag) {
      case 'Fly':
        return [state, [beside({ _tag: 'Call' }), { _tag: 'Write', what: 'begun' }]]
      case 'Note':
        return [state, [{ _tag: 'Write', what: 'noted' }]]
      case 'Heard':
        return message.what === '' ? stay(state) : [state, [{ _tag: 'Write', what: message.what }]]
    }
  },
  perform: ports => async (effect, signal, say) => {
    if (effect._tag === 'Write') ports.write(effect.what)
    else return [{ _tag: 'Heard', what: await ports.call(what => say({ _tag: 'Heard', what }), signal) }]
    return []
  },
}

describe('an effect beside the others', () => {
  let world: KernelWorld
  let tree: ActorTree
  let ref: Ref<Message>
  let calls: ReadonlyArray<{
    readonly hear: (what: string) => void
    readonly end: (what: string) => void
    readonly fail: (error: Error) => void
    readonly signal: AbortSignal
  }>
  let written: ReadonlyArray<string>

  beforeEach(async () => {
    world = kernelWorld()
    calls = []
    written = []
    const placed = await world.alone(pilot, {
      call: (hear, signal) =>
        new Promise((end, fail) => {
          calls = [...calls, { hear, end, fail, signal }]
        }),
      write: what => {
        written = [...written, what]
      },
    })
    tree = placed.tree
    ref = placed.ref
  })
  afterEach(() => void tree.close())

  const send = async (...tags: ReadonlyArray<'Fly' | 'Note'>): Promise<void> => {
    for (const _tag of tags) tell(ref, { _tag })
    await world.settle()
  }
  const events = (): ReadonlyArray<string> =>
    world.log.map(({ event }) => event).filter(event => !['started', 'ready', 'stopped'].includes(event))

  it('holds no other effect up, and its end is a message to the actor', async () => {
    await send('Fly', 'Note', 'Fly')
    deepEqual([written, calls.length], [['begun', 'noted', 'begun'], 2])
    calls[1]?.end('second')
    await world.settle()
    calls[0]?.end('first')
    await world.settle()
    deepEqual(written.slice(3), ['second', 'first'])
  })

  it('may tell the actor more before and after its end', async () => {
    await send('Fly')
    calls[0]?.hear('early')
    calls[0]?.end('end')
    await world.settle()
    calls[0]?.hear('late')
    await world.settle()
    deepEqual(written, ['begun', 'early', 'end', 'late'])
  })

  it('faults its actor where it throws, and quarantines no message', async () => {
    await send('Fly')
    calls[0]?.fail(new Error('a fault of the test'))
    await world.settle()
    deepEqual([events().slice(0, 2), calls[0]?.signal.aborted], [['fault', 'restarting'], true])
  })

  it('reaches no later incarnation with what it brings', async () => {
    await send('Fly', 'Fly')
    calls[0]?.fail(new Error('a fault of the test'))
    await world.advance(60_000)
    calls[1]?.hear('stale')
    calls[1]?.end('stale')
    await send('Note')
    deepEqual(
      [written, events().slice(2)],
      [
        ['begun', 'begun', 'noted'],
        ['late_result', 'late_result'],
      ],
    )
  })

  it('does not delay the drain of its actor, and its signal aborts', async () => {
    await send('Fly')
    deepEqual(await tree.drain(1_000), [])
    deepEqual([events(), calls[0]?.signal.aborted], [[], true])
  })
})
