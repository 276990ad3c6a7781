import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { left } from 'fp-ts/lib/Either.js'
import { after, afterEach, before, describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { eventually } from '#test/support/daemon.js'
import { nodeView, testFront } from '#test/support/front.js'
import { jsonFields } from '#test/support/json-field.js'
import { nodeFiles, orrin, restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { publishPlainly } from '#test/support/plain-git.js'
import { cloneOf, gitIn, headIn, temporaryFolder } from '#test/support/repository.js'
import { checkRefused, fieldOf } from './bench.js'

const index = 'encje/indeks.md'
const run = { method: 'POST', body: '{}' }

let at: TestNode
let folder: ReturnType<typeof temporaryFolder>
let bare = ''
let other = ''
let first = ''

const config = (server: object) => ({
  ...nodeFiles,
  '.svc/config.json': JSON.stringify({ server: { selfheal_interval_ms: 100, ...server } }),
})

const pushFile = (path: string, text: string): string => {
  writeFileSync(join(other, path), text)
  gitIn(other, 'add', '-A')
  gitIn(other, 'commit', '-q', '-m', 'other')
  gitIn(other, 'push', '-q', 'origin', 'main')
  return headIn(other)
}
const writeEntity = async (name: string): Promise<string> => {
  const reply = await at.client.ask('/entities', {
    method: 'POST',
    body: JSON.stringify({ name, type: 'NPC' }),
  })
  equal(reply.status, 201, reply.text)
  return String(reply.headers['x-svc-commit'])
}

/** Sets the node, the remote and the clone of the other person back to the first commit, and converges. */
const restore = async (): Promise<void> => {
  if (existsSync(`${bare}.away`)) renameSync(`${bare}.away`, bare)
  at.repository.git('checkout', '-q', '-f', 'main')
  // With what the host saw of the remote: to wind the remote back is a rewrite.
  for (const ref of at.repository.git('for-each-ref', '--format=%(refname)', 'refs/svc').split('\n'))
    if (ref !== '') at.repository.git('update-ref', '-d', ref)
  gitIn(other, 'push', '-q', '-f', 'origin', `${first}:main`)
  gitIn(other, 'reset', '-q', '--hard', first)
  await restoreCommit(at, first)
  equal((await at.client.ask('/sync', run)).status, 200)
}

/** One node whose repository was pushed to a bare one, and a clone of another person. */
const shareNode = (server: object): void => {
  before(async () => {
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    other = join(folder.path, 'other')
    at = await startNode({ files: config(server) })
    first = at.repository.head()
    publishPlainly(at.repository.path, bare)
    at.repository.git('remote', 'add', 'origin', bare)
    cloneOf(bare, other)
  })
  afterEach(restore)
  after(async () => {
    await at.stop()
    folder.dispose()
  })
}

describe('POST /sync without a remote', () => {
  it('is refused, and the state says that sync is off', async () => {
    const node = await startNode()
    try {
      const refused = await node.client.ask('/sync', run)
      checkRefused(refused, 409, 'SyncDisabled')
      match(refused.text, /git remote add origin URL.*no restart/)
      const state = await node.client.ask('/sync')
      deepEqual(
        ['enabled', 'git', 'stale', 'remote'].map(name => fieldOf(state, name)),
        [false, true, false, null],
      )
      const bare = join(node.repository.path, '.git/bare.git')
      gitIn(node.repository.path, 'init', '-q', '--bare', '-b', 'main', bare)
      node.repository.git('remote', 'add', 'origin', bare)
      equal(fieldOf(await node.client.ask('/sync', run), 'lastAction'), 'up_to_date')
    } finally {
      await node.stop()
    }
  })

  it('publishes commits that waited when the mode became push and the remote was away at the start', async () => {
    const folder = temporaryFolder()
    const bare = join(folder.path, 'bare.git')
    const at = await startNode({ files: config({ publish_mode: 'push' }) })
    try {
      at.repository.git('remote', 'add', 'origin', bare)
      const failed = await at.client.ask('/sync', run)
      deepEqual([failed.status, fieldOf(failed, 'lastAction')], [503, 'unreachable'])
      gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', bare)
      const there = () =>
        Promise.resolve(gitIn(bare, 'for-each-ref', '--format=%(objectname)', 'refs/heads/main'))
      const head = at.repository.head()
      equal(await eventually(there, commit => commit === head), head)
      const action = async () => fieldOf(await at.client.ask('/sync'), 'lastAction')
      equal(await eventually(action, said => said === 'pushed'), 'pushed')
    } finally {
      await at.stop()
      folder.dispose()
    }
  })

  it('is refused while the actor is away', async () => {
    const away = left(refuse('Overloaded', 'The sync is away.'))
    const front = await testFront({ node: nodeView({ converge: () => Promise.resolve(away) }) })
    checkRefused(await front.client.ask('/sync', run), 503, 'Overloaded')
    await front.close()
  })
})

describe('sync of a node that publishes', () => {
  shareNode({ publish_mode: 'push' })

  it('serves what others pushed, publishes what was written, and leaves drafts and edits alone', async () => {
    writeFileSync(join(at.repository.path, 'szkic.md'), 'niczyj szkic')
    const theirs = pushFile(index, `${orrin}\n### Adam\n- @typ: NPC\n`)
    const mine = await writeEntity('Zoe')
    const state = await at.client.ask('/sync', run)
    // A write is published by itself after a second: on a slow machine that converge comes before this one.
    ok(['merged', 'up_to_date'].includes(String(fieldOf(state, 'lastAction'))), state.text)
    deepEqual(
      [fieldOf(state, 'enabled'), fieldOf(state, 'stale'), fieldOf(state, 'unpublished')],
      [true, false, 0],
    )
    equal((await at.client.ask('/entities/Adam')).status, 200)
    equal((await at.client.ask('/entities/Zoe')).status, 200)
    for (const commit of [mine, theirs]) gitIn(bare, 'merge-base', '--is-ancestor', commit, 'main')
    equal(headIn(bare, 'refs/heads/main'), at.repository.head())
    equal(at.repository.git('status', '--porcelain'), '?? szkic.md')
    match(readFileSync(join(at.repository.path, index), 'utf8'), /### Adam[\s\S]*### Zoe/)
    const health = await at.client.ask('/health')
    match(health.text, /"lastAction":"(?:merged|up_to_date)"/)
    ok((await at.metric('svc_sync_runs_total', { result: 'merged' })) > 0)
    const converge = { tick: 'converge' }
    ok((await at.metric('svc_tick_duration_seconds_count', converge)) > 0)
    equal(await at.metric('svc_tick_overruns_total', converge), 0)
  })

  it('stops at a remote that was rewritten, and takes its history when the operator accepts it', async () => {
    equal(fieldOf(await at.client.ask('/sync', run), 'lastAction'), 'up_to_date')
    const purged = gitIn(bare, 'commit-tree', `${first}^{tree}`, '-m', 'after the purge')
    gitIn(bare, 'update-ref', 'refs/heads/main', purged)
    const commit = await writeEntity('Zoe')
    const refused = await at.client.ask('/sync', run)
    checkRefused(refused, 503, 'ConvergeFailed')
    equal(fieldOf(refused, 'lastAction'), 'history_rewritten')
    match(
      refused.text,
      new RegExp(`"code":"history_rewritten","count":1,"reason":"The remote had ${first} and has ${purged} `),
    )
    match((await at.client.ask('/health')).text, /"blocked":\[\{"code":"history_rewritten","count":1\}\]/)
    match((await at.client.ask('/claims/lint')).text, /"kind":"przepisana-historia","severity":"error"/)

    const accept = { ...run, body: '{"acceptRewrite":true}' }
    const refs = at.repository.git('for-each-ref')
    const shown = await at.client.ask('/sync?dryRun=true', accept)
    deepEqual(fieldOf(shown, 'rewrite'), {
      seen: first,
      tip: purged,
      commits: [{ id: commit, subject: 'entities: Zoe, a new NPC' }],
      removed: [],
      // The purge went back to the first commit.
      related: false,
    })
    deepEqual([fieldOf(shown, 'accepted'), at.repository.git('for-each-ref')], [false, refs])

    const done = await at.client.ask('/sync', accept)
    deepEqual(
      [done.status, fieldOf(done, 'accepted'), fieldOf(done, 'unpublished'), fieldOf(done, 'parked')],
      [200, true, 0, [{ ref: 'refs/svc/parked/host/1', commit }]],
    )
    equal(headIn(bare, 'refs/heads/main'), at.repository.head())
    deepEqual(
      [at.repository.git('rev-parse', 'main^'), at.repository.git('status', '--porcelain')],
      [purged, ''],
    )
    match((await at.client.ask('/health')).text, /"blocked":\[\]/)
    // A caller that waits for the commit as it was answered before is served.
    const headers = { 'x-svc-min-commit': commit }
    equal((await at.client.ask('/entities/Zoe', { headers })).status, 200)
    const changes = fieldOf(await at.client.ask('/audit/changes?name=Zoe'), 'items')
    const ofFirst = (name: string) => jsonFields(changes, name)[0]
    deepEqual([ofFirst('commit'), ofFirst('verified')], [at.repository.head(), true])
    equal(fieldOf(await at.client.ask('/sync', accept), 'rewrite'), null)
  })

  it('says that HEAD is on no branch, with unpublished null, and counts again when it is back', async () => {
    equal(fieldOf(await at.client.ask('/sync', run), 'unpublished'), 0)
    at.repository.git('checkout', '-q', '--detach')
    checkRefused(await at.client.ask('/sync', run), 503, 'ConvergeFailed')
    const away = await at.client.ask('/sync')
    deepEqual([fieldOf(away, 'lastAction'), fieldOf(away, 'unpublished')], ['failed', null])
    match(String(fieldOf(away, 'lastDetail')), /^HEAD is on no branch: /)
    at.repository.git('checkout', '-q', 'main')
    const back = await at.client.ask('/sync', run)
    deepEqual([fieldOf(back, 'lastAction'), fieldOf(back, 'unpublished')], ['up_to_date', 0])
  })

  it('publishes a write by itself, and never says up_to_date before its push', async () => {
    await at.client.ask('/sync', run)
    const commit = await writeEntity('Zoe')
    const actions: Array<unknown> = []
    const action = async () => {
      const said = fieldOf(await at.client.ask('/sync'), 'lastAction')
      actions.push(said)
      return said
    }
    equal(await eventually(action, said => said === 'pushed'), 'pushed')
    equal(actions.includes('up_to_date'), false)
    equal(headIn(bare, 'refs/heads/main'), commit)
  })

  it('parks a conflict and lists it', async () => {
    at.repository.commit({ [index]: orrin.replace('Orrin\n- @typ: NPC', 'Orrin\n- @typ: Grupa') })
    pushFile(index, orrin.replace('Orrin\n- @typ: NPC', 'Orrin\n- @typ: Lokacja'))
    const state = await at.client.ask('/sync', run)
    equal(fieldOf(state, 'lastAction'), 'conflict_parked', state.text)
    match(state.text, /refs\/svc\/parked\/host\/1/)
    const journal = await eventually(
      () => at.client.ask('/events/journal'),
      reply => reply.text.includes('sync:parked'),
    )
    equal(journal.status, 200)
    equal(await at.metric('svc_sync_parked_refs'), 1)
  })
})

describe('sync of a node that publishes nothing', () => {
  shareNode({ publish_mode: 'none', reader_threads: 1, sync_max_age_min: 60 })

  it('counts what is not published while the remote is away', async () => {
    equal(fieldOf(await at.client.ask('/sync', run), 'unpublished'), 0)
    renameSync(bare, `${bare}.away`)
    for (const name of ['Zoe', 'Adam']) await writeEntity(name)
    const counted = async () => fieldOf(await at.client.ask('/sync'), 'unpublished')
    equal(await eventually(counted, count => count === 2), 2)
    const state = await at.client.ask('/sync', run)
    deepEqual([fieldOf(state, 'lastAction'), fieldOf(state, 'unpublished')], ['unreachable', 2])
    match(
      String(fieldOf(state, 'lastDetail')),
      /^fatal: '.*bare\.git' does not appear to be a git repository$/,
    )
  })

  it('answers a converge that failed with ConvergeFailed and the status, in each mode, and a good one with 200', async () => {
    await writeEntity('Zoe')
    const good = await at.client.ask('/sync', run)
    deepEqual(
      [good.status, fieldOf(good, 'lastAction'), fieldOf(good, 'unpublished')],
      [200, 'up_to_date', 1],
    )
    renameSync(bare, `${bare}.away`)
    const failed = await at.client.ask('/sync', run)
    checkRefused(failed, 503, 'ConvergeFailed')
    const status = await at.client.ask('/sync')
    equal(status.status, 200)
    const shared = 'lastAction lastDetail unpublished lastConvergeOkUtc publishMode remote'
    for (const name of shared.split(' ')) deepEqual(fieldOf(failed, name), fieldOf(status, name), name)
    renameSync(`${bare}.away`, bare)
    equal((await at.client.ask('/sync', run)).status, 200)
  })

  it('leaves the uncommitted work of a person and says so', async () => {
    writeFileSync(join(at.repository.path, index), 'w połowie zdania')
    pushFile(index, `${orrin}\n### Adam\n- @typ: NPC\n`)
    const state = await at.client.ask('/sync', run)
    equal(readFileSync(join(at.repository.path, index), 'utf8'), 'w połowie zdania')
    equal(fieldOf(state, 'lastAction'), 'work_tree_dirty', state.text)
    match(String(fieldOf(state, 'lastDetail')), /indeks.md/)
    at.repository.git('checkout', '-q', '--', '.')
  })

  it('records the lint of each converge, with changes of robot files that came from elsewhere', async () => {
    await at.client.ask('/sync', run)
    const before = await at.client.ask('/claims/lint')
    match(before.text, /"fresh":false/)
    const commit = pushFile(index, orrin.replace('- @alias', '- @pu_suma: 7\n- @alias'))
    await at.client.ask('/sync', run)
    const lint = await at.client.ask('/claims/lint')
    ok(lint.text.includes('obca-zmiana-pliku-robota') && lint.text.includes(commit), lint.text)
    await at.client.ask('/sync', run)
    ok((await at.client.ask('/claims/lint')).text.includes(commit))
    const kept = readFileSync(join(at.repository.path, '.svc/state/converge-lint.json'), 'utf8')
    ok(kept.includes(commit))
  })

  it('lists each settled session that is now read differently once in the lint of a converge', async () => {
    const header = '2024-05-03, Most, Brzoza'
    const row = { header, op: 'close', at: '2024-06-01T00:00:00Z', by: 'a', source: 'adoption' }
    mkdirSync(join(other, '.svc/close'), { recursive: true })
    writeFileSync(join(other, '.svc/close/ledger.jsonl'), `${JSON.stringify(row)}\n`)
    pushFile('rozliczona.md', `### ${header} ###\n\n- @PU:\n    - Ola: 1/2\n`)
    for (const _ of [1, 2]) {
      await at.client.ask('/sync', run)
      const lint = await at.client.ask('/claims/lint')
      equal(lint.text.split('SettledReadingDiffers').length, 2, lint.text)
      ok(lint.text.includes(`"entity":"${header}"`), lint.text)
    }
  })

  it('closes the gate when the last converge is too old, and the next one opens it', async () => {
    await at.client.ask('/sync', run)
    const { report } = at.host.sync
    const known = report.get()
    if (known === null || known.lastOk === null) throw new Error('nothing is known of the converge')
    const lastOk = { ...known.lastOk, monotonicMs: known.lastOk.monotonicMs - 3_600_500 }
    report.set({ ...known, lastOk })
    const body = JSON.stringify({ name: 'Zoe', type: 'NPC' })
    checkRefused(await at.client.ask('/entities', { method: 'POST', body }), 403, 'SyncStale')
    equal(fieldOf(await at.client.ask('/sync'), 'stale'), true)
    match((await at.client.ask('/health')).text, /"stale":true/)
    equal(fieldOf(await at.client.ask('/sync', run), 'stale'), false)
    await writeEntity('Zoe')
  })

  it('reads again only the files that a converge changed', async () => {
    await at.client.ask('/sync', run)
    const before = at.host.held.get()
    pushFile('encje/indeks-02.md', '### Adam\n- @typ: NPC\n')
    equal(fieldOf(await at.client.ask('/sync', run), 'lastAction'), 'pulled')
    const after = at.host.held.get()
    equal(after?.build.snapshot.generation, (before?.build.snapshot.generation ?? 0) + 1)
    ok(after.lore.has('encje/indeks-02.md'))
    for (const [path, file] of before?.lore ?? []) equal(after.lore.get(path), file, path)
  })

  it('takes no file of a remote that would lie in .git', async () => {
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: other, input: '#!/bin/sh\n' })
    const tree = (line: string): string =>
      execFileSync('git', ['mktree'], { cwd: other, input: line, encoding: 'utf8' }).trim()
    const inner = tree(`100755 blob ${String(blob).trim()}\tpost-merge\n`)
    const hooks = tree(`040000 tree ${inner}\thooks\n`)
    const listed = gitIn(other, 'ls-tree', 'HEAD')
    const outer = tree(`${listed}\n040000 tree ${hooks}\t.git\n`)
    const commit = gitIn(other, 'commit-tree', outer, '-p', 'HEAD', '-m', 'planted')
    gitIn(other, 'push', '-q', 'origin', `${commit}:main`)
    const head = at.repository.head()
    const state = await at.client.ask('/sync', run)
    equal(fieldOf(state, 'lastAction'), 'failed', state.text)
    equal(state.text.includes(at.repository.path), false, state.text)
    equal(at.repository.head(), head)
    equal(existsSync(join(at.repository.path, '.git/hooks/post-merge')), false)
    equal((await at.client.ask('/health')).status, 200)
    await writeEntity('Zoe')
  })
})
