import { deepEqual, equal, ok } from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { eventFeed } from '#actors/event-journal.js'
import { capabilities } from '#protocol/atoms.js'
import { queryOf, type Route } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { viewOf } from '#src/domain/identity/grade.js'
import { openLineageEvidence } from '#src/node/transcripts/lineage-evidence.js'
import { type AnySample, requestTargetOf } from '#test/contract/bench.js'
import { samples } from '#test/contract/samples.js'
import {
  callerWith,
  nodeView,
  type TestFront,
  type TestFrontOptions,
  testFront,
} from '#test/support/front.js'
import { historyOf } from '#test/support/history.js'
import { memoryLog } from '#test/support/kept-events.js'
import { transcriptsInMemory } from '#test/support/transcripts.js'
import { worldOf } from '#test/support/world.js'
import { makeWritingWorld } from '#test/support/writing-world.js'
import {
  canary,
  closedFiles,
  oldFiles,
  topicFiles,
  topicHeader,
  topicHistory,
  topicNames,
} from './restricted-topics-world.js'

const carriesTopics = (capability: string): boolean => viewOf(new Set([capability])).mayReadRestricted

/** Everything that does not carry `player.restricted.read` with it. */
const withoutTopics = capabilities.filter(one => !carriesTopics(one))

const callers = {
  reader: callerWith(withoutTopics),
  owner: callerWith(
    withoutTopics.flatMap(one => [one, `${one}.own`]),
    'Łucja',
  ),
  topics: callerWith([...withoutTopics, 'player.restricted.read']),
}

/** Rows of events, which say what changed and never how (see src/domain/events). */
const streams: ReadonlySet<string> = new Set(['events.stream', 'events.journal.list'])

const gets: ReadonlyArray<readonly [string, Route, AnySample]> = Object.entries(routes).flatMap(
  ([id, row]) => {
    const sample = samples[id]
    return row.method !== 'GET' || streams.has(id) || sample === undefined ? [] : [[id, row, sample] as const]
  },
)

/** The same rows under a session that is not closed. */
const openHeader = topicHeader.replace('05-20', '05-21')
const headers = [topicHeader, openHeader]

const valuesOf = (key: string, value: string): ReadonlyArray<string> =>
  key === 'name' ? topicNames : key === 'header' ? headers : key === 'nick' ? ['Narr'] : [value]

const pathsOf = ({ path }: AnySample): ReadonlyArray<AnySample['path']> =>
  Object.entries(path).reduce<ReadonlyArray<AnySample['path']>>(
    (made, [key, value]) =>
      made.flatMap(one => valuesOf(key, value).map(other => ({ ...one, [key]: other }))),
    [{}],
  )

const queriesOf = (row: Route): ReadonlyArray<ReadonlyArray<readonly [string, string]>> => {
  const known = queryOf(row)
  return [
    'player' in known ? [['player', 'Łucja']] : [],
    ...('fields' in known ? [[['fields', 'Description,PU'] as const]] : []),
    ...('name' in known ? [[['name', 'Żbik'] as const]] : []),
    ...('fresh' in known ? [[['fresh', 'true'] as const]] : []),
    ...('lint' in known ? [[['lint', 'true'] as const]] : []),
  ]
}

const targets: ReadonlyArray<string> = gets.flatMap(([id, row, sample]) =>
  pathsOf(sample).flatMap(path =>
    queriesOf(row).map(query => requestTargetOf({ id, row, sample: { ...sample, path } }, query)),
  ),
)

const around = (text: string): string => {
  const at = text.indexOf(canary)
  return text.slice(Math.max(0, at - 80), at + 40)
}

describe('restricted topics', () => {
  let front: TestFront

  before(async () => {
    const snapshot = worldOf(topicFiles)
    const transcripts = transcriptsInMemory(snapshot, topicFiles)
    const evidence = openLineageEvidence(transcripts, () => Promise.resolve())
    const node = nodeView({ history: historyOf(topicHistory), transcripts, evidence })
    front = await testFront({ snapshot, callers, node })
  })
  after(() => front.close())

  const told = async (token: keyof typeof callers): Promise<ReadonlyArray<string>> => {
    const found: Array<string> = []
    for (const target of targets) {
      const { status, text } = await front.client.ask(target, { token })
      ok(status < 500, `${target}: ${status} ${text.slice(0, 200)}`)
      if (text.includes(canary)) found.push(`${target} … ${around(text)}`)
    }
    return found
  }

  for (const token of ['reader', 'owner'] as const)
    it(`are in no answer of a GET row to the ${token} without the right`, async () => {
      deepEqual(await told(token), [])
    })

  it('are in the answers of those who hold the right', async () => {
    const found = (await told('topics')).map(one => decodeURIComponent(one.split(' … ')[0] ?? ''))
    for (const target of [
      '/characters/Żbik',
      '/people/Łucja',
      '/entities/Żbik/file',
      `/sessions/${topicHeader}`,
      '/sessions',
      '/sessions/divergence',
    ])
      ok(
        found.some(one => one.endsWith(target)),
        `${target} of ${found.join('\n')}`,
      )
  })

  it('are not in sessions that are asked for together', async () => {
    const body = JSON.stringify({ headers })
    const ask = async (token: string) => front.client.ask('/sessions/batch', { method: 'POST', body, token })
    const [closed, open] = [await ask('reader'), await ask('topics')]
    deepEqual([closed.status, closed.text.includes(canary)], [200, false], around(closed.text))
    ok(open.text.includes(canary))
  })

  it('are not served out of a file of the old layout or a generated one, which is a finding', async () => {
    for (const [at, file] of oldFiles.entries())
      for (const token of ['reader', 'topics'])
        equal((await front.client.ask(`/entities/Ry%C5%9B%20${at}/file`, { token })).status, 404, file)
    const { text } = await front.client.ask('/entities/integrity', { token: 'reader' })
    equal(text.split('"UnservableFile"').length - 1, oldFiles.length + closedFiles.length)
  })

  it('are not served out of the file of another Postać or an index', async () => {
    for (const [at, file] of closedFiles.entries())
      for (const token of ['reader', 'topics'])
        equal((await front.client.ask(`/entities/Kuna%20${at}/file`, { token })).status, 404, file)
  })

  it('cannot be reached by writing such a file into a row', async () => {
    for (const value of [...oldFiles, ...closedFiles]) {
      const body = JSON.stringify({ tag: 'plik', value })
      const reply = await front.client.ask('/entities/Wskazany', { method: 'PATCH', body })
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [422, 'ValueRefused'], value)
    }
  })

  const patchSession = async (header: string, token: keyof typeof callers, body: object) => {
    const path = `/sessions/${encodeURIComponent(header)}?dryRun=true`
    const { status, text, json } = await front.client.ask(path, {
      method: 'PATCH',
      token,
      body: JSON.stringify(body),
    })
    return { status, text, required: Reflect.get(Object(json), 'required') as unknown }
  }

  it('stay in a session that is patched by who does not see them', async () => {
    const change = { entity: 'Żbik', tags: [{ tag: 'stan', value: 'Zdrów' }] }
    for (const body of [
      { metadata: { changes: [change] } },
      { metadata: { changes: [] } },
      { metadata: { preserved: [] } },
      { metadata: { locations: ['Port'], changes: [change] } },
    ]) {
      const { status, text, required } = await patchSession(openHeader, 'reader', body)
      deepEqual([status, required], [403, 'player.restricted.read'], text)
      ok(!text.includes(canary), around(text))
    }
    const others = await patchSession(openHeader, 'reader', { metadata: { locations: ['Port'] } })
    equal(others.status, 200, others.text)
    const seen = await patchSession(openHeader, 'topics', { metadata: { changes: [change] } })
    equal(seen.status, 200, seen.text)
  })

  it('are in no answer to the worker of the chat', async () => {
    const chat = { chatId: '777', guildId: '900' }
    const asked: ReadonlyArray<readonly [string, object]> = [
      ['people-by-chat', { prefix: '' }],
      ['people-by-chat', { prefix: 'łu' }],
      ['register-by-chat', { ...chat, gameId: '71001' }],
      ['whoami-by-chat', chat],
      ['assign-by-chat', { ...chat, targetChatId: '778', gameId: '71001', roles: ['77'] }],
    ]
    for (const [row, body] of asked) {
      const path = `/workflows/${row}`
      const reply = await front.client.ask(path, {
        method: 'POST',
        token: 'reader',
        body: JSON.stringify(body),
      })
      ok(reply.status < 500, `${row}: ${reply.text}`)
      ok(!reply.text.includes(canary), `${row}: ${around(reply.text)}`)
    }
  })

  it('are not in the diff of a dry run that touches them', async () => {
    const patch = JSON.stringify({ metadata: { changes: [] } })
    const asked = [
      [`/sessions/${encodeURIComponent(openHeader)}?dryRun=true`, 'PATCH', patch],
      ['/entities/%C5%BBbik?dryRun=true', 'DELETE', undefined],
    ] as const
    for (const [path, method, body] of asked) {
      const reply = await front.client.ask(path, { method, ...(body === undefined ? {} : { body }) })
      ok(reply.status === 200 || reply.status === 422, reply.text)
      ok(!reply.text.includes(canary), around(reply.text))
    }
  })
})

/** Puts what writes say of themselves into a journal, as the gate does. */
const startJournaledFront = async () => {
  const log = memoryLog()
  const feed = eventFeed(log)
  let current = worldOf(topicFiles)
  const write: TestFrontOptions['write'] = async (command, plan) => {
    const { actor, route } = command
    const world = makeWritingWorld(current, { nowMs: Date.UTC(2026, 5, 15), keeps: true, commit: null, plan })
    const planned = plan(command, current, Date.UTC(2026, 5, 15))
    if (isRight(planned)) {
      const { subject, touches } = planned.right
      const payload = { commit: 'c'.repeat(40), route, actor: actor.name, intent: 'i', subject, touches }
      const event = { at: '2026-06-15T12:00:00.000Z', kind: 'write:committed', payload }
      feed.give(await log.append([JSON.stringify(event)], true))
    }
    const written = await world.write(command)
    current = world.snapshot()
    return written
  }
  return testFront({ snapshot: current, callers, write, node: nodeView({ events: feed }) })
}

describe('events of writes that change restricted topics', () => {
  it('do not say them', async () => {
    const front = await startJournaledFront()
    const topic = `${canary}nowy`
    const writes = [
      ['/entities/%C5%BBbik', 'PATCH', { tag: 'tematy_zastrzezone', value: topic }],
      ['/characters/%C5%BBbik', 'PATCH', { tag: 'tematy_zastrzezone', value: topic }],
      ['/characters/%C5%BBbik/info', 'POST', { text: `Tematy zastrzeżone: ${topic}` }],
      [`/sessions/${encodeURIComponent(openHeader)}`, 'PATCH', { metadata: { changes: [] } }],
      ['/entities/%C5%BBbik', 'DELETE', undefined],
    ] as const
    try {
      for (const [path, method, body] of writes) {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        const reply = await front.client.ask(path, { method, token: 'topics', ...sent })
        equal(reply.status, 200, `${path}: ${reply.text}`)
      }
      const { status, text } = await front.client.ask('/events/journal?since=0', { token: 'reader' })
      deepEqual([status, text.split('"write:committed"').length - 1], [200, writes.length], text)
      ok(!text.includes(canary), around(text))
    } finally {
      await front.close()
    }
  })
})
