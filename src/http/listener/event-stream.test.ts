import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import fc from 'fast-check'
import { afterEach, describe, it } from 'mocha'
import { eventFeed } from '#actors/event-journal.js'
import type { EventFeed } from '#src/ports/records.js'
import { eventually } from '#test/support/daemon.js'
import {
  callerWith,
  nodeView,
  quietMeter,
  type TestFront,
  testFront,
  testMachineToken,
} from '#test/support/front.js'
import { makeKeptEvents } from '#test/support/kept-events.js'
import type { StreamEnd } from '../records/meter.js'

interface Told {
  readonly id: number
  readonly event: string
  readonly data: unknown
}

/** The events in the text of a stream, without the opening block and comments. */
const parseEvents = (text: string): ReadonlyArray<Told> =>
  text.split('\n\n').flatMap(block => {
    const found = /^event: (.*)\nid: (\d+)\ndata: (.*)$/.exec(block)
    return found === null
      ? []
      : [{ event: String(found[1]), id: Number(found[2]), data: JSON.parse(String(found[3])) as unknown }]
  })

interface Follower {
  readonly res: IncomingMessage
  readonly text: () => string
  readonly leave: () => void
}

describe('the live stream', () => {
  let front: TestFront
  let ends: Array<StreamEnd>
  const start = async (feed: EventFeed): Promise<void> => {
    ends = []
    front = await testFront({
      node: nodeView({ events: feed }),
      callers: { reader: callerWith(['events.subscribe']), other: callerWith(['log.read']) },
      meter: { ...quietMeter, streamEnded: reason => void ends.push(reason) },
    })
  }
  const follow = (target = '', headers: Readonly<Record<string, string>> = {}): Promise<Follower> =>
    new Promise((resolve, reject) => {
      const req = request(
        {
          host: '127.0.0.1',
          port: front.front.apiPort,
          path: `/v1/api/events${target}`,
          headers: { Authorization: `Bearer ${testMachineToken}`, Accept: 'text/event-stream', ...headers },
          agent: false,
        },
        res => {
          let text = ''
          res.setEncoding('utf8')
          res.on('data', (part: string) => {
            text += part
          })
          res.on('error', () => undefined)
          resolve({ res, text: () => text, leave: () => res.destroy() })
        },
      )
      req.on('error', reject)
      req.end()
    })
  const numbers = (follower: Follower): ReadonlyArray<number> =>
    parseEvents(follower.text()).map(({ id }) => id)
  const reaches = (follower: Follower, head: number): Promise<unknown> =>
    eventually(
      () => Promise.resolve(numbers(follower).at(-1)),
      last => last === head,
    )
  afterEach(() => front.close())

  it('is refused before it opens: 401 to nobody, 403 without events.subscribe, 400 for a bad number', async () => {
    await start(makeKeptEvents().feed)
    equal((await front.client.ask('/events', { token: null })).status, 401)
    equal((await front.client.ask('/events', { token: 'other' })).status, 403)
    equal((await front.client.ask('/events', { token: 'reader' })).status, 200)
    equal((await front.client.ask('/events?since=x')).status, 400)
    equal((await front.client.ask('/events', { headers: { 'Last-Event-ID': 'x' } })).status, 400)
  })

  it('tells what is published from now on, each event as the journal has it', async () => {
    const { feed, add } = makeKeptEvents()
    await add(2)
    await start(feed)
    const follower = await follow()
    await eventually(
      () => Promise.resolve(follower.text()),
      text => text === 'retry: 3000\nid: 2\n\n',
    )
    equal(follower.res.headers['content-type'], 'text/event-stream')
    await add(1)
    await reaches(follower, 3)
    const journal = await front.client.ask('/events/journal?since=2')
    deepEqual(parseEvents(follower.text()), [
      {
        id: 3,
        event: 'snapshot:published',
        data: (journal.json as { items: ReadonlyArray<unknown> }).items[0],
      },
    ])
    follower.leave()
    await eventually(
      () => Promise.resolve(ends),
      told => told.length === 1,
    )
    deepEqual(ends, ['client'])
  })

  it('resumes behind Last-Event-ID, which goes before since; what is gone is a gap', async () => {
    const { feed, log, add } = makeKeptEvents()
    await add(9)
    log.drop(seq => seq <= 4)
    const next = eventFeed(log)
    next.opened(feed.head() + 1)
    await start(next)
    const resumed = await follow('?since=1', { 'Last-Event-ID': '6' })
    await reaches(resumed, 9)
    deepEqual(numbers(resumed), [7, 8, 9])
    const late = await follow('?since=1')
    await reaches(late, 9)
    deepEqual(parseEvents(late.text())[0], {
      id: 4,
      event: 'gap',
      data: { from: 2, to: 4, reason: 'pruned' },
    })
    deepEqual(numbers(late), [4, 5, 6, 7, 8, 9])
    const ahead = await follow('?since=50')
    await reaches(ahead, 9)
    deepEqual(parseEvents(ahead.text())[0]?.data, { from: 10, to: 50, reason: 'ahead' })
    for (const one of [resumed, late, ahead]) one.leave()
  })

  it('gives a reader that is slow, leaves and resumes at random every event once, in order', async () => {
    const { feed, add } = makeKeptEvents()
    await start(feed)
    let published = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ events: fc.integer({ min: 1, max: 40 }), pause: fc.boolean() }), {
          minLength: 1,
          maxLength: 6,
        }),
        async rounds => {
          const from = feed.head()
          const seen: Array<number> = []
          for (const { events, pause } of rounds) {
            const follower = await follow('', { 'Last-Event-ID': String(seen.at(-1) ?? from) })
            if (pause) follower.res.pause()
            await add(events)
            published += events
            if (pause) follower.res.resume()
            await eventually(
              () => Promise.resolve(numbers(follower).length),
              count => count > 0,
            )
            follower.leave()
            seen.push(...numbers(follower))
          }
          const last = await follow(`?since=${seen.at(-1) ?? from}`)
          if ((seen.at(-1) ?? from) < feed.head()) await reaches(last, feed.head())
          last.leave()
          seen.push(...numbers(last))
          deepEqual(
            seen,
            Array.from({ length: feed.head() - from }, (_, at) => from + at + 1),
          )
        },
      ),
      { numRuns: 25 },
    )
    ok(published > 25)
  })

  it('ends at the drain of its front, and the client can tell', async () => {
    const { feed } = makeKeptEvents()
    await start(feed)
    const follower = await follow()
    const ended = new Promise(resolve => follower.res.once('end', resolve))
    // Far above the time limit of a test: a drain that waits for its limit would fail it.
    await front.front.close(3_600_000)
    await ended
    deepEqual(ends, ['shutdown'])
  })

  it('is 503 for the journal of a host that keeps none', async () => {
    await start(eventFeed(null))
    const reply = await front.client.ask('/events/journal')
    equal(reply.status, 503)
    match(reply.text, /JournalDisabled/)
  })

  it('gives the journal in pages whose next leads through all of it', async () => {
    const { feed, add } = makeKeptEvents()
    await add(25)
    await start(feed)
    const seen: Array<number> = []
    let since = 0
    while (since < 25) {
      const page = (await front.client.ask(`/events/journal?since=${since}&limit=7`)).json as {
        readonly items: ReadonlyArray<{ readonly seq: number }>
        readonly next: number
        readonly head: number
      }
      seen.push(...page.items.map(({ seq }) => seq))
      equal(page.head, 25)
      since = page.next
    }
    deepEqual(
      seen,
      Array.from({ length: 25 }, (_, at) => at + 1),
    )
  })
})
