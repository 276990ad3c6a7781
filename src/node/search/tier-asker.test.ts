import { deepEqual, equal } from 'node:assert/strict'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, it } from 'mocha'
import type { TierState } from '#src/domain/search/search-page.js'
import { questionOf } from '#test/support/search/documents.js'
import type { AskOnLine } from './threads/messages.js'
import { type TierAsker, tierAsker } from './tier-asker.js'

const live: TierState = { _tag: 'Live', engine: 'wink', stamp: 'one', documents: 3 }

describe('the asker of the search tiers', () => {
  let ports: ReadonlyArray<MessagePort> = []
  /** Gives the asker a line; the returned end of it is that of the thread. */
  const connect = (asker: TierAsker): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    asker.notice({ tier: 'lore', state: live, port: port2 })
    ports = [...ports, port1]
    return port1
  }
  /** Resolves to the id of the next question on a line. */
  const nextQuestion = (port: MessagePort): Promise<number> =>
    new Promise(resolve => port.once('message', ({ id }: AskOnLine) => resolve(id)))
  const answer = (port: MessagePort, id: number): void =>
    port.postMessage({ id, stamp: 'one', hits: [], total: 7, totalIsLowerBound: false })
  afterEach(() => {
    for (const port of ports) port.close()
    ports = []
  })

  it('asks the next thread where one ended, and gives up a question that ended two', async () => {
    const asker = tierAsker()
    const [first, asked] = [connect(asker), asker.rank('lore', questionOf('most'))]
    await nextQuestion(first)
    first.close()
    const second = connect(asker)
    await nextQuestion(second)
    second.close()
    deepEqual(await asked, { _tag: 'Failed', reason: 'ended' })
  })

  it('takes the answer of a thread that was replaced meanwhile, and then closes its line', async () => {
    const asker = tierAsker()
    const [first, asked] = [connect(asker), asker.rank('lore', questionOf('most'))]
    const id = await nextQuestion(first)
    const second = connect(asker)
    const other = asker.rank('lore', questionOf('las'))
    answer(second, await nextQuestion(second))
    const closed = new Promise(resolve => first.once('close', resolve))
    answer(first, id)
    const ranked = await asked
    equal(ranked._tag === 'Ranked' && ranked.total, 7)
    equal((await other)._tag, 'Ranked')
    await closed
  })

  it('answers Starting to who waits, where no index is left', async () => {
    const asker = tierAsker()
    const first = connect(asker)
    const asked = asker.rank('lore', questionOf('most'))
    await nextQuestion(first)
    first.close()
    asker.notice({ tier: 'lore', state: { _tag: 'Starting' }, port: null })
    deepEqual(await asked, { _tag: 'Starting' })
  })

  it('refuses more questions than it may have open, and fails one that is late', async () => {
    const asker = tierAsker({ lateMs: 1, openMax: 1 })
    connect(asker)
    const asked = asker.rank('lore', questionOf('most'))
    deepEqual(await asker.rank('lore', questionOf('las')), { _tag: 'Failed', reason: 'full' })
    deepEqual(await asked, { _tag: 'Failed', reason: 'late' })
  })
})
