import { deepEqual, equal } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { replyToOf } from '#src/kernel/actor/ref.js'
import type { LogRequest, TakenLog } from '#src/ports/log-fetching.js'
import { flightsMax, flightsPerHostMax, type LogFetcherMessage, logFetcher } from './log-fetcher.js'

const request = (address: string): LogRequest => ({ address, name: 'a', headers: null, archived: null })
const failed: TakenLog = { _tag: 'Failed', reason: 'status', status: 503 }
const text: TakenLog = { _tag: 'Text', text: 'a', sidecar: '{}', over: null }

describe('the log fetcher', () => {
  const moment = (id: string) => ({ nowMs: 0, monotonicMs: 0, id, chance: 0, incarnation: 'log-fetcher.1' })
  const world = () => {
    const answers: Array<readonly [id: string, answer: unknown]> = []
    let [state] = logFetcher.initial(moment('start'))
    let count = 0
    /** What a message leads to: the fetches that begin, and the marks, by their addresses. */
    const send = (message: LogFetcherMessage): ReadonlyArray<string> => {
      const [next, effects] = logFetcher.receive(state, message, moment(`f${(count += 1)}`))
      state = next
      return effects.flatMap(effect => {
        if ('_tag' in effect)
          return effect._tag === 'Mark' ? [`mark ${effect.address} ${effect.failure?.reason ?? 'taken'}`] : []
        if (effect.kernel === 'reply') answers.push(['reply', effect.answer])
        return effect.kernel === 'beside' && effect.effect._tag === 'Fetch'
          ? [effect.effect.request.address]
          : []
      })
    }
    const take = (address: string, isKept = true) =>
      send({ _tag: 'Take', request: request(address), isKept, replyTo: replyToOf(address, () => true) })
    const end = (flight: string, taken: TakenLog = text) => send({ _tag: 'Ended', flight, taken })
    return { answers, take, end }
  }

  it('asks a host for two transcripts at a time, in the order of asking, and other hosts meanwhile', () => {
    equal(flightsPerHostMax, 2)
    const { take, end } = world()
    deepEqual(take('https://a.example/1'), ['https://a.example/1'])
    deepEqual(take('https://a.example/2'), ['https://a.example/2'])
    deepEqual(take('https://a.example/3'), [])
    deepEqual(take('https://a.example/4'), [])
    deepEqual(take('http://b.example/1'), ['http://b.example/1'])
    deepEqual(end('f1'), ['mark https://a.example/1 taken', 'https://a.example/3'])
    deepEqual(end('f3'), ['mark https://a.example/3 taken', 'https://a.example/4'])
  })

  it('begins no more than its share over all hosts', () => {
    const { take, end } = world()
    for (let at = 0; at < flightsMax; at += 1) equal(take(`https://h${at}.example/1`).length, 1)
    deepEqual(take('https://z.example/1'), [])
    deepEqual(end('f1'), ['mark https://h0.example/1 taken', 'https://z.example/1'])
  })

  it('marks a failure before it answers, and none for an asker who keeps nothing', () => {
    const { take, end, answers } = world()
    take('https://a.example/1')
    deepEqual(end('f1', failed), ['mark https://a.example/1 status'])
    deepEqual(answers, [['reply', right(failed)]])
    take('https://a.example/2', false)
    deepEqual(end('f3', failed), [])
    equal(answers.length, 2)
  })

  it('ignores the end of a fetch that it does not know', () => {
    const { end, answers } = world()
    deepEqual([end('nothing'), answers], [[], []])
  })
})
