import { deepEqual, equal } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Draft, LandingSession } from '#src/ports/landing.js'
import {
  changedText,
  first,
  type LandingRig,
  makeLandingRig,
  readHeadIds,
  repoPathOf,
  textIn,
} from '#test/support/landing-rig.js'
import { type OpenLanding, openLanding } from './landing.js'

const never = new AbortController().signal
const path = repoPathOf('encje/a.md')
const draft: Draft = {
  intent: 'intent-1',
  actor: 'machine',
  route: 'PATCH /x',
  author: { name: 'Kronika', email: 'kronika@kronika.invalid' },
  message: 'zmiana\n\nSvc-Intent: intent-1\n',
  after: new Map([[path, Buffer.from(changedText)]]),
}
const batch = { drafts: [draft], atMs: 1_700_000_000_000 }
const tagOf = (outcome: { readonly _tag: string; readonly left?: { readonly _tag: string } }): string =>
  outcome.left?._tag ?? outcome._tag

describe('a session of a landing', () => {
  let rig: LandingRig
  let landing: OpenLanding
  beforeEach(() => {
    rig = makeLandingRig()
    landing = openLanding({ repo: rig.repository.path, intents: rig.intents, lockWaitsMs: [] })
  })
  afterEach(() => {
    landing.close()
    rig.dispose()
  })
  const opened = async (): Promise<LandingSession> => {
    const session = await landing.open(readHeadIds(rig.repository).base, never)
    if (isLeft(session)) throw new Error(JSON.stringify(session.left))
    return session.right
  }
  const touched = () => [{ path, before: readHeadIds(rig.repository).before }]

  it('commits what it found clean, and gives the lock back', async () => {
    const session = await opened()
    equal(tagOf(await session.inspect(touched())), 'Right')
    equal(isRight(await session.commit(batch)), true)
    await session.close()
    equal(textIn(rig.repository, 'encje/a.md'), changedText)
    await (await opened()).close()
  })

  it('commits nothing of a file that was not inspected, or holds a draft of a person', async () => {
    const session = await opened()
    equal(tagOf(await session.commit(batch)), 'Failed')
    const draftOfPerson = [{ path: repoPathOf('b.md'), before: readHeadIds(rig.repository).before }]
    await session.inspect(draftOfPerson)
    const after = new Map([[repoPathOf('b.md'), Buffer.from('x')]])
    equal(tagOf(await session.commit({ ...batch, drafts: [{ ...draft, after }] })), 'Failed')
    await session.close()
    deepEqual([textIn(rig.repository, 'encje/a.md'), textIn(rig.repository, 'b.md')], [first, 'szkic\n'])
    deepEqual(rig.intents.prepared(), [])
  })

  it('makes another session fail while it is open, and answers a look with Busy', async () => {
    const { base } = readHeadIds(rig.repository)
    const session = await opened()
    equal(tagOf(await landing.open(base, never)), 'Failed')
    equal(tagOf(await landing.look(base, touched())), 'Busy')
    const ended = landing.ended()
    await session.close()
    await ended
    equal(tagOf(await landing.look(base, touched())), 'Right')
  })

  it('tells a look that it came in between', async () => {
    const { base } = readHeadIds(rig.repository)
    const look = landing.look(base, touched())
    await (await opened()).close()
    equal(tagOf(await look), 'Busy')
  })

  it('is not opened for a gate that was superseded', async () => {
    const over = new AbortController()
    over.abort()
    equal(tagOf(await landing.open(readHeadIds(rig.repository).base, over.signal)), 'Failed')
    await (await opened()).close()
  })

  it('keeps a recovery waiting until it is closed', async () => {
    const session = await opened()
    let isRecovered = false
    const recovery = landing.recover().then(() => {
      isRecovered = true
    })
    await new Promise(resolve => setImmediate(resolve))
    equal(isRecovered, false)
    await session.close()
    await recovery
  })
})
