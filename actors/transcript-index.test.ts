import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { replyToOf } from '#src/kernel/actor/ref.js'
import { type IndexReading, transcriptIndex } from './transcript-index.js'

const reading: IndexReading = { stamp: 'a', logs: 1, lines: 3 }
const moment = { nowMs: 0, monotonicMs: 0, chance: 0.5, incarnation: 'x.1', id: 'x' }

type Message = Parameters<typeof transcriptIndex.receive>[1]
type State = Parameters<typeof transcriptIndex.receive>[0]

const tagOf = (effect: object): string => ('_tag' in effect ? String(effect._tag) : 'kernel')

/** The tags of the effects of each message, from the start on, and the last state. */
const run = (messages: ReadonlyArray<Message>) => {
  const [initial, first] = transcriptIndex.initial(moment)
  let state: State = initial
  const tags: Array<ReadonlyArray<string>> = [first.map(tagOf)]
  const effects: Array<unknown> = [...first]
  for (const message of messages) {
    const [next, more] = transcriptIndex.receive(state, message, moment)
    state = next
    tags.push(more.map(tagOf))
    effects.push(...more)
  }
  return { tags, effects, state }
}

const opened = (saved: boolean, thread = 1): Message => ({
  _tag: 'Opened',
  thread,
  reading: saved ? reading : null,
  trouble: null,
  hasContent: true,
})
const fed = (thread = 1): Message => ({ _tag: 'Fed', thread, reading, isWorn: false })

describe('the transcript index', () => {
  it('opens the saved index, feeds it what changed, and nothing more until the snapshot changes', () => {
    const { tags } = run([opened(true), fed(), { _tag: 'Changed' }, { _tag: 'Changed' }, fed(), fed()])
    deepEqual(tags.slice(1), [
      ['Publish', 'Feed'],
      ['Publish'],
      ['Feed'],
      [],
      ['Publish', 'Feed'],
      ['Publish'],
    ])
  })

  it('builds from nothing where none is saved, and answers only then', () => {
    const { effects } = run([opened(false), fed()])
    deepEqual(
      effects.filter(one => JSON.stringify(one).includes('Publish')),
      [
        { _tag: 'Publish', reading: null },
        { _tag: 'Publish', reading: null },
        { _tag: 'Publish', reading },
      ],
    )
    deepEqual(
      effects.filter(one => JSON.stringify(one).includes('"Feed"')),
      [{ _tag: 'Feed', thread: 1, isFresh: true }],
    )
  })

  it('waits for the first snapshot', () => {
    const early: Message = { _tag: 'Opened', thread: 1, reading, trouble: null, hasContent: false }
    deepEqual(run([early, { _tag: 'Changed' }]).tags.slice(1), [['Publish'], ['Feed']])
  })

  it('starts another thread after one that ended, and hears nothing of the old one', () => {
    const ended: Message = { _tag: 'Ended', thread: 1, reason: 'x' }
    const { tags } = run([opened(true), ended, { _tag: 'StartDue' }, fed(1), opened(true, 2)])
    deepEqual(tags.slice(2), [['Note', 'Publish', 'kernel'], ['Start'], [], ['Publish', 'Feed']])
  })

  it('tries a failed feed again after a pause', () => {
    const failed: Message = { _tag: 'FeedFailed', thread: 1, reason: 'x' }
    const { tags } = run([opened(true), failed, { _tag: 'FeedDue' }])
    equal(tags[2]?.[0], 'Note')
    deepEqual(tags[3], ['Feed'])
  })

  it('answers a rebuild once the new index answers, and at a failure or the end', () => {
    const asker = () => replyToOf('asker', () => true)
    const ask = (): Message => ({ _tag: 'Rebuild', replyTo: asker() })
    const { tags, effects } = run([opened(true), ask(), fed(), fed()])
    deepEqual(tags[2], [])
    deepEqual(tags[3], ['Publish', 'Feed'])
    equal(tags[4]?.length, 2)
    equal(JSON.stringify(effects).includes('"isFresh":true'), true)
    const lost = run([opened(true), fed(), ask(), { _tag: 'Ended', thread: 1, reason: 'x' }])
    equal(lost.tags[4]?.length, 4)
    const drained = run([opened(true), fed(), ask(), { _tag: 'Drain' }])
    equal(drained.tags[4]?.at(-1), 'Close')
    equal(drained.tags[4].length, 2)
  })
})
