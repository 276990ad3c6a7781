import assert from 'node:assert/strict'
import { type Ref as NactRef, start } from 'nact'
import { nactName, openEngine } from '../nact.js'
import { ask, type Ref, type ReplyTo, refField, refOf, replyTo, tell } from './ref.js'

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

  it('and a replyTo pass by nominal codecs: nothing that looks like them does', () => {
    assert.equal(refField<Add>().is(makeClosedRef<Add>('a')), true)
    assert.equal(refField<Add>().is({ name: 'a' }), false)
    assert.equal(replyTo<number>().is({ askId: 'ask-1' }), false)
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
