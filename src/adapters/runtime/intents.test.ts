import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { commitId } from '#test/support/commit-id.js'
import { intentOf } from '#test/support/intent.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

describe('intents', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('come back as they were told, oldest first, after a reopen', () => {
    const batch = [
      intentOf('a', { atMs: 20 }),
      intentOf('b', { atMs: 10, parent: null }),
      intentOf('c', { atMs: 20 }),
    ]
    runtime.db().intents.prepare(batch)
    runtime.reopen()
    deepEqual(
      runtime
        .db()
        .intents.prepared()
        .map(intent => intent.id),
      ['b', 'a', 'c'],
    )
    deepEqual(runtime.db().intents.find('b'), batch[1])
  })

  it('prove that a row can be written, and leave none', () => {
    runtime.db().intents.prove()
    runtime.db().intents.prove()
    equal(runtime.db().intents.find('probe'), null)
  })

  it('end once: what has ended stays as it ended', () => {
    runtime.db().intents.prepare([intentOf('a'), intentOf('b')])
    equal(runtime.db().intents.settle(['a', 'strange'], 'done'), 1)
    equal(runtime.db().intents.settle(['a', 'b'], 'lost'), 1)
    equal(runtime.db().intents.find('a')?.state, 'done')
    equal(runtime.db().intents.find('b')?.state, 'lost')
    deepEqual(runtime.db().intents.prepared(), [])
  })

  it('are done when the commit of a lost one is found, and owe its audit lines from then on', () => {
    const { intents, owedAudit, deliveries } = runtime.db()
    const line = (intent: string) => ({ action: 'write', actor: 'Brzoza', intent }) as const
    const ids = ['found', 'gone', 'unmade', 'landed']
    intents.prepare(ids.map(id => intentOf(id, { audit: [line(id)] })))
    intents.settle(['found', 'gone'], 'lost')
    intents.settle(['unmade'], 'unmade')
    intents.settle(['landed'], 'done')
    const waiting = () => deliveries.owing().map(({ intent, state }) => `${intent} ${state}`)
    const owed = () => owedAudit.before().map(({ key }) => key)
    deepEqual([waiting(), owed(), intents.forget(5)], [['found lost', 'gone lost'], [], 2])
    equal(intents.settle(['found', 'landed'], 'done'), 1)
    intents.settle(['gone'], 'unmade')
    deepEqual([waiting(), owed(), intents.find('found')?.state], [[], ['write found'], 'done'])
    runtime.reopen()
    deepEqual(
      runtime
        .db()
        .owedAudit.before()
        .map(({ key }) => key),
      ['write found'],
    )
  })

  it('follow the commit that took the place of theirs, and no other', () => {
    const { intents } = runtime.db()
    intents.prepare([intentOf('a'), intentOf('b')])
    const [from, to] = [intentOf('a').commit, commitId('f'.repeat(40))]
    intents.follow([
      { intent: 'a', from, to },
      { intent: 'b', from: commitId('e'.repeat(40)), to },
      { intent: null, from, to },
    ])
    deepEqual([intents.find('a')?.commit, intents.find('b')?.commit], [to, intentOf('b').commit])
  })

  it('are forgotten only when they have ended', () => {
    runtime
      .db()
      .intents.prepare([
        intentOf('old', { atMs: 1 }),
        intentOf('open', { atMs: 1 }),
        intentOf('new', { atMs: 9 }),
      ])
    runtime.db().intents.settle(['old', 'new'], 'done')
    equal(runtime.db().intents.forget(5), 1)
    equal(runtime.db().intents.find('old'), null)
    deepEqual(
      runtime
        .db()
        .intents.prepared()
        .map(intent => intent.id),
      ['open'],
    )
    equal(runtime.db().intents.find('new')?.state, 'done')
  })

  it('are of a tree, and of the lore where an earlier build recorded them', () => {
    const { intents } = runtime.db()
    intents.prepare([intentOf('a'), intentOf('b', { tree: 'logi' })])
    const idsOf = (tree?: 'lore' | 'logi' | 'adnotacje') => intents.prepared(tree).map(({ id }) => id)
    deepEqual([idsOf('lore'), idsOf('logi'), idsOf('adnotacje'), idsOf()], [['a'], ['b'], [], ['a', 'b']])
    equal(intents.find('b')?.tree, 'logi')
    runtime.execute(`
      ALTER TABLE intents DROP COLUMN tree;
      DELETE FROM schema_steps WHERE number = 3;`)
    runtime.reopen()
    deepEqual(
      runtime
        .db()
        .intents.prepared('lore')
        .map(({ id, tree }) => [id, tree]),
      [
        ['a', 'lore'],
        ['b', 'lore'],
      ],
    )
  })
})
