import { deepEqual, rejects } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { route, type Table } from '#protocol/route.js'
import type { JobProgress } from '#src/ports/records.js'
import type { JobTask } from '#src/writing/command.js'
import { testCommand } from '#test/support/commands.js'
import { callerWith } from '#test/support/front.js'
import { performTaskBy, type TaskPorts } from './tasks.js'

const specimens = {
  specimen: route({
    method: 'POST',
    path: '/specimens',
    summary: 'Writes nothing.',
    capability: 'location.override',
    own: false,
    write: true,
    replica: false,
    pool: false,
    poolReason: 'mutates',
    etag: false,
    early: false,
    query: {},
    body: t.type({}),
    answers: { 200: t.strict({ count: t.number }), 201: t.strict({ name: t.string }) },
    refusals: [],
    source: 'D33',
  }),
} as const satisfies Table

const refused = left(refuse('NoRepository', 'Make one.'))
const ports: TaskPorts = {
  table: specimens,
  adopt: () => Promise.resolve(refused),
  reindex: () => Promise.resolve(refused),
  write: () => Promise.resolve(right({ status: null, body: { name: 'Wit Kłos', count: 2 }, commit: null })),
  rebuildSearch: () => Promise.resolve(right({ tiers: ['lore'] })),
  snapshot: () => null,
  admit: () => right(callerWith(['admin.all'])),
  fetchLogs: () => Promise.resolve(refused),
}

const perform = async (task: JobTask, replaced: Partial<TaskPorts> = {}) => {
  const told: Array<JobProgress> = []
  const ended = await performTaskBy({ ...ports, ...replaced })(
    task,
    'job-1',
    progress => void told.push(progress),
    new AbortController().signal,
  )
  return { ended, done: told.map(({ done }) => done) }
}

const write: JobTask = { _tag: 'Write', command: testCommand({ row: 'specimen' }) }
const author = {
  origin: { actor: { name: 'Brzoza', gracz: 'Brzoza', kind: 'session' }, route: 'POST /locations/reindex' },
  claimed: { row: 'locations.reindex', asker: { _tag: 'Host' }, grade: 'full' },
} as const

describe('the tasks of jobs', () => {
  it('make a write, with the answer of its row', async () => {
    deepEqual(await perform(write), { ended: right({ name: 'Wit Kłos' }), done: [0, 1] })
    const other = right({ status: 200, body: { name: 'Wit Kłos', count: 2 }, commit: null })
    deepEqual((await perform(write, { write: () => Promise.resolve(other) })).ended, right({ count: 2 }))
  })

  it('wait for a write themselves, so that the gate drops it for no client who left', async () => {
    let isThere = false
    await perform(write, {
      write: (_command, isCallerThere = () => true) => {
        isThere = isCallerThere()
        return Promise.resolve(refused)
      },
    })
    deepEqual(isThere, true)
  })

  it('end with the refusal of the gate', async () => {
    deepEqual(await perform(write, { write: () => Promise.resolve(refused) }), { ended: refused, done: [0] })
    deepEqual((await perform({ _tag: 'Import', ...author })).ended, refused)
  })

  it('throw for a row that there is not', async () => {
    await rejects(
      perform({ _tag: 'Write', command: testCommand({ row: 'nothing' }) }),
      /no row is named nothing/,
    )
  })

  it('rebuild the search indexes, with the answer of the row', async () => {
    deepEqual(await perform({ _tag: 'RebuildSearch' }), { ended: right({ tiers: ['lore'] }), done: [0] })
  })

  it('refuse a reindex before the first snapshot, and ask nothing', async () => {
    const reindex = () => Promise.reject(new Error('the gate was asked'))
    const { ended } = await perform({ _tag: 'Reindex', ...author }, { reindex })
    deepEqual(ended, left(refuse('Starting', 'The host is still reading the lore. Try again in a second.')))
  })
})
