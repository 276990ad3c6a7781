import assert from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import { type Ref as NactRef, start } from 'nact'
import { nactName, openEngine } from '../nact.js'
import { answerAsk, ask, isAwaited, type Ref, type ReplyTo, refOf, replyTo, tell } from './ref.js'

interface Add {
  readonly _tag: 'Add'
  readonly n: number
}
interface Get {
  readonly _tag: 'Get'
  readonly replyTo: ReplyTo<number>
}

const makeClosedRef = <M>(name: string): Ref<M> =>
  refOf<M>(name, {
    deliver: () => 'gone',
    enquire: (_message, ticket) => ticket.fail({ _tag: 'Gone', actor: name }),
  })

describe('a ref', () => {
  it('takes only what its actor understands; these lines are checked by the compiler', () => {
    const adder = makeClosedRef<Add>('adder')
    const both = makeClosedRef<Add | Get>('both')
    const narrowed: Ref<Add> = both
    // @ts-expect-error an actor of one message is no actor of two
    const widened: Ref<Add | Get> = adder
    // @ts-expect-error no such message
    assert.equal(tell(adder, { _tag: 'Get' }), 'gone')
    // @ts-expect-error no such field
    assert.equal(tell(adder, { _tag: 'Add', n: 'one' }), 'gone')
    const build = (to: ReplyTo<string>): { readonly _tag: 'Get'; readonly replyTo: ReplyTo<string> } => ({
      _tag: 'Get',
      replyTo: to,
    })
    // @ts-expect-error the answer is a number
    void ask(both, build, 10)
    assert.deepEqual([narrowed.name, widened.name], ['both', 'adder'])
  })

  it('is stricter than those of nact, where any ref is a ref of anything', () => {
    // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- that nact's Ref is `{}` is the point
    const wrong: NactRef<string> = start()
    assert.ok(wrong)
  })

  it('of an answer passes by a nominal codec: nothing that looks like it does', () => {
    assert.equal(replyTo<number>().is({ askId: 'ask-1' }), false)
  })
})

describe('an asker', () => {
  /** A ref that keeps the `replyTo` of each ask, and the function that fails it. */
  const openRef = () => {
    const asked: Array<ReplyTo<number>> = []
    const failures: Array<() => void> = []
    const ref: Ref<Get> = refOf<Get>('kept', {
      deliver: () => 'accepted',
      enquire: (message, ticket) => {
        asked.push(message(ticket).replyTo)
        failures.push(() => ticket.fail({ _tag: 'Timeout', actor: 'kept' }))
      },
    })
    const get = (replyTo: ReplyTo<number>): Get => ({ _tag: 'Get', replyTo })
    const askOnce = (isStillThere?: () => boolean) => {
      const answer = ask(ref, get, 10, isStillThere)
      const [to, fail] = [asked.at(-1), failures.at(-1)]
      if (to === undefined || fail === undefined) throw new Error('the ask was not delivered')
      return { answer, to, fail }
    }
    return askOnce
  }

  it('waits until it has an answer or a failure', () => {
    const askOnce = openRef()
    const [answered, failed] = [askOnce(), askOnce()]
    assert.deepEqual([isAwaited(answered.to), isAwaited(failed.to)], [true, true])
    answerAsk(answered.to, 1)
    failed.fail()
    assert.deepEqual([isAwaited(answered.to), isAwaited(failed.to)], [false, false])
  })

  it('that has left waits no more, and gets the answer nevertheless', async () => {
    let isThere = true
    const { answer, to } = openRef()(() => isThere)
    isThere = false
    assert.equal(isAwaited(to), false)
    assert.equal(answerAsk(to, 7), true)
    assert.deepEqual(await answer, right(7))
  })
})

describe('the lanes of nact', () => {
  it('take any name, and no two names become one', () => {
    const names = ['żółw.1', 'a~b', 'a$7Eb', 'a/b', 'a%2Fb', 'a#1', 'peer.Toruń (2)', "it's!*"]
    const encoded = names.map(nactName)
    assert.equal(new Set(encoded).size, names.length)
    for (const name of encoded) assert.match(name, /^[a-z0-9-$_.+!*'(),]+$/i)
  })

  it('turn once for each wake, and never after a stop', async () => {
    const engine = openEngine()
    let turns = 0
    const lane = engine.spawn('lane', () => {
      turns += 1
    })
    lane.wake()
    lane.wake()
    assert.equal(engine.pendingTurns(), 1)
    await new Promise(resolve => setImmediate(resolve))
    lane.wake()
    lane.stop()
    lane.wake()
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual([turns, engine.pendingTurns()], [1, 0])
  })
})
