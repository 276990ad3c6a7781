import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { Health } from '#protocol/host/discovery.js'
import { SyncStatus } from '#protocol/host/sync.js'
import { type Daemon, eventually, getJson, patchJson, postJson, startDaemon } from '#test/support/daemon.js'
import { jsonField } from '#test/support/json-field.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const index = 'encje/indeks.md'
const config = '.svc/config.json'
const settings = (server: object): string =>
  JSON.stringify({ server: { selfheal_interval_ms: 100, ...server } })
const files = {
  '.svc/format.json': '{"format": 2}\n',
  [config]: settings({}),
  [index]: '### Orrin\n- @typ: NPC\n',
  'inne/notatka.md': 'x\n',
}

/** Whether the log has the end of each blocker whose begin it has. */
const saysTheEndOfEach = (text: string): boolean => {
  const open = new Set<string>()
  for (const line of text.split('\n')) {
    const code = /"code":"(\w+)"/.exec(line)?.[1] ?? ''
    if (/"event":"(writes_blocked|host_degraded)"/.test(line)) open.add(code)
    if (/"event":"(writes_unblocked|host_recovered)"/.test(line)) open.delete(code)
  }
  return open.size === 0
}

describe('what blocks writes is reported', () => {
  let repository: Repository
  let daemon: Daemon
  let first: string
  /** How much of the log was written before the test. */
  let loggedBefore = 0
  before(async () => {
    repository = repositoryOf(files)
    first = repository.head()
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  beforeEach(() => {
    loggedBefore = daemon.stderr().length
  })
  /** Every test ends with nothing in the way of the host, at the commit of its start. */
  afterEach(async () => {
    await postJson(daemon, '/admin/mode', { mode: 'read-write' })
    repository.git('reset', '-q', '--hard', first)
    repository.git('clean', '-qfd')
    await shows()
    // The watch may not have seen the end yet; the next test's begin of the same code would not be logged then.
    await eventually(() => Promise.resolve(log()), saysTheEndOfEach)
    await eventually(
      () => getJson(daemon, `/entities/${encodeURIComponent('Nowa')}`),
      ({ status }) => status === 404,
    )
  })
  after(async () => {
    await daemon.stop('SIGKILL')
    repository.dispose()
  })

  const log = (): string => daemon.stderr().slice(loggedBefore)

  const health = async (): Promise<Health> => {
    const decoded = Health.decode((await getJson(daemon, '/health')).body)
    if (decoded._tag === 'Left') throw new Error('no health')
    return decoded.right
  }
  const sync = async (): Promise<SyncStatus> => {
    const decoded = SyncStatus.decode((await getJson(daemon, '/sync')).body)
    if (decoded._tag === 'Left') throw new Error('no status')
    return decoded.right
  }
  const readyz = async (): Promise<number> => (await fetch(`${daemon.ready.ops}/readyz`)).status
  const shows = (...codes: ReadonlyArray<readonly [string, number]>): Promise<Health> =>
    eventually(
      health,
      ({ blocked }) =>
        JSON.stringify(blocked.map(({ code, count }) => [code, count])) === JSON.stringify(codes),
    )
  const logs = (record: RegExp): Promise<string> =>
    eventually(
      () => Promise.resolve(log()),
      text => record.test(text),
    )
  const doctor = async (): Promise<string> => (await runInProcess('doctor', '--repo', repository.path)).stdout

  it('files with changes that no commit has: the count to everybody, the names to the operator', async () => {
    deepEqual([(await shows()).status, (await sync()).blocked], ['ok', []])
    writeFiles(repository.path, { [index]: '### Orrin\n- @typ: NPC\n- @info: szkic\n' })
    const told = await shows(['work_tree_dirty', 1])
    equal(told.status, 'degraded')
    doesNotMatch(JSON.stringify(told), /indeks|kronika-/)
    deepEqual((await sync()).blocked[0]?.files, [{ path: index, line: null }])
    equal((await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: 'x' })).status, 409)
    await eventually(
      () => Promise.resolve(log()),
      text => text.includes('writes_blocked'),
    )
    match(log(), /"code":"work_tree_dirty".*"path":"encje\/indeks\.md".*"writes_blocked"/)
    match(await doctor(), /^checkout encje\/indeks\.md: warning: .*\[WorkTreeDirty\]$/m)

    repository.git('add', '-A')
    await shows(['work_tree_dirty', 1])
    repository.git('reset', '-q', '--hard')
    equal((await shows()).status, 'ok')
    await eventually(
      () => Promise.resolve(log()),
      text => text.includes('writes_unblocked'),
    )
    // What the host itself commits is never in its own way.
    equal((await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: 'x' })).status, 200)
    equal((log().match(/"writes_blocked"/g) ?? []).length, 1)
  })

  it('the lock of another git', async () => {
    const lock = join(repository.path, '.git/index.lock')
    writeFileSync(lock, '')
    await shows(['index_lock', 1])
    deepEqual((await sync()).blocked[0]?.files, [{ path: '.git/index.lock', line: null }])
    match(await doctor(), /^checkout \.git\/index\.lock: warning: .*\[IndexLocked\]$/m)
    rmSync(lock)
    await shows()
  })

  const at = (name: string): string => join(repository.path, name)
  const objectOf = (revision: string): string => {
    const id = repository.git('rev-parse', revision)
    return at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`)
  }
  const faults: Readonly<Record<string, readonly [code: string, begin: () => () => void]>> = {
    'a split index': [
      'index_unreadable',
      () => {
        repository.git('update-index', '--split-index')
        return () => void repository.git('update-index', '--no-split-index')
      },
    ],
    'a sparse checkout': [
      'index_unreadable',
      () => {
        repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'encje', '.svc')
        return () => void repository.git('sparse-checkout', 'disable')
      },
    ],
    'a sparse checkout with a whole index': [
      'index_unreadable',
      () => {
        // Git leaves files that it has not compared since they were written.
        repository.git('status')
        repository.git('sparse-checkout', 'set', '--cone', '--no-sparse-index', 'inne', '.svc')
        return () => void repository.git('sparse-checkout', 'disable')
      },
    ],
    'the lock of HEAD': [
      'ref_lock',
      () => {
        writeFileSync(at('.git/HEAD.lock'), '')
        return () => rmSync(at('.git/HEAD.lock'))
      },
    ],
    'the lock of the branch': [
      'ref_lock',
      () => {
        writeFileSync(at('.git/refs/heads/main.lock'), '')
        return () => rmSync(at('.git/refs/heads/main.lock'))
      },
    ],
    'a damaged object': [
      'object_damaged',
      () => {
        const object = objectOf(`HEAD:${index}`)
        renameSync(object, `${object}.away`)
        writeFileSync(object, '')
        return () => renameSync(`${object}.away`, object)
      },
    ],
    'a filter with a command': [
      'filter_command',
      () => {
        writeFileSync(at('.git/info/attributes'), 'encje/*.md filter=tajny\n')
        repository.git('config', 'filter.tajny.clean', 'false')
        return () => {
          repository.git('config', '--unset', 'filter.tajny.clean')
          rmSync(at('.git/info/attributes'))
        }
      },
    ],
  }
  for (const [what, [code, begin]] of Object.entries(faults))
    it(`${what}: without a request, by a code, with what to do, until it goes`, async () => {
      equal((await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: what })).status, 200)
      const end = begin()
      await shows([code, 1])
      const [blocker] = (await sync()).blocked
      ok((blocker?.mend ?? '') !== '')
      await logs(new RegExp(`"code":"${code}".*"writes_blocked"`, 'u'))
      const { stdout, stderr } = await runInProcess('doctor', '--repo', repository.path)
      match(stdout + stderr, code === 'object_damaged' ? /git fsck/u : new RegExp(`\\(${code}\\)`, 'u'))
      const refused = await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: `${what} 2` })
      ok(
        refused.status >= 400 && jsonField(refused.body, 'error') !== 'Overloaded',
        JSON.stringify(refused.body),
      )
      end()
      await shows()
      equal((await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: `${what} 3` })).status, 200)
    })

  it('a configuration that is broken, or differs from the one that is loaded', async () => {
    repository.commit({ [config]: '{\n "server": "x"\n}\n' })
    await shows(['config_broken', 1])
    await logs(/"code":"config_broken".*"host_degraded"/)
    deepEqual((await sync()).blocked[0]?.files, [{ path: config, line: 2 }])

    const lines = '{"server": {\n "selfheal_interval_ms": 100,\n "port": 8123,\n "gc_interval_min": 5}}'
    repository.commit({ [config]: lines })
    await shows(['config_differs', 2])
    doesNotMatch(log(), /"code":"config_(broken|differs)"[^\n]*"writes_blocked"/)
    equal((await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: 'x' })).status, 200)
    const [differs] = (await sync()).blocked
    match(differs?.reason ?? '', /server\.port, server\.gc_interval_min/)
    deepEqual(differs?.files, [
      { path: config, line: 3 },
      { path: config, line: 4 },
    ])

    repository.commit({ [config]: settings({}).replace('}}', '}, "schedules": {"settlement": "off"}}') })
    await shows()
  })

  it('a HEAD on no branch', async () => {
    repository.git('checkout', '-q', '--detach')
    equal((await shows(['head_detached', 1])).status, 'degraded')
    match((await sync()).blocked[0]?.mend ?? '', /git switch BRANCH/)
    equal((await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: 'x' })).status, 409)
    match(await doctor(), /\[HeadOnNoBranch\]$/m)
    await logs(/"code":"head_detached".*"writes_blocked"/)
    repository.git('checkout', '-q', '-')
    await shows()
  })

  it('a world of the legacy layout that is not adopted', async () => {
    repository.git('rm', '-q', '.svc/format.json')
    repository.commit({ 'Gracze.md': '# Gracze\n' })
    equal((await shows(['not_adopted', 1])).status, 'degraded')
    equal((await postJson(daemon, '/entities', { name: 'Nowa', type: 'NPC' })).status, 403)
    match((await sync()).blocked[0]?.mend ?? '', /kronika adopt/)
    match(await doctor(), /adopt first/)
  })

  it('a ledger that cannot be read: a link, no UTF-8, or a folder in its place', async () => {
    const path = '.svc/close/ledger.jsonl'
    const inPlace: ReadonlyArray<() => void> = [
      () => symlinkSync('../../inne/notatka.md', join(repository.path, path)),
      () => writeFileSync(join(repository.path, path), Buffer.from([0xff, 0x0a])),
      () => {
        mkdirSync(join(repository.path, path))
        writeFileSync(join(repository.path, path, 'a'), '')
      },
    ]
    for (const put of inPlace) {
      mkdirSync(join(repository.path, '.svc/close'), { recursive: true })
      put()
      repository.git('add', '-A')
      repository.git('commit', '-q', '-m', 'ledger')
      equal((await shows(['ledger_unreadable', 1])).status, 'degraded')
      const { status, body } = await patchJson(daemon, '/entities/Orrin', { tag: 'info', value: 'x' })
      equal(status, 503)
      match(JSON.stringify(body), /SnapshotStale.*ledger\.jsonl.*Commit the file again/)
      equal((await getJson(daemon, '/entities/Orrin')).status, 200)
      match(await doctor(), /ledger\.jsonl.*\[LedgerUnread\]$/m)
      repository.git('reset', '-q', '--hard', first)
      repository.git('clean', '-qfd')
      await shows()
    }
  })

  it('the mode, with its reason', async () => {
    deepEqual([(await sync()).mode, (await sync()).modeReason], ['ReadWrite', null])
    await postJson(daemon, '/admin/mode', { mode: 'read-only' })
    equal((await sync()).mode, 'ReadOnly')
    match((await sync()).modeReason ?? '', /POST \/admin\/mode/)
    repository.commit({ [config]: settings({ read_only: true }) })
    match(await doctor(), /^checkout server\.read_only: info: .*\[ReadOnlyMode\]$/m)
  })

  it('mode mr without a forge that could be called', async () => {
    const forge = { api_url: 'https://forge.example/api/v4', project: 'people/lore' }
    const commitForge = (keys: Partial<typeof forge>): void => {
      const integrations = JSON.stringify({ forge: keys })
      repository.commit({
        [config]: settings({ publish_mode: 'mr' }).replace('}}', `}, "integrations": ${integrations}}`),
      })
    }
    for (const [missing, keys] of [
      ['api_url', { project: forge.project }],
      ['project', { api_url: forge.api_url }],
    ] as const) {
      commitForge(keys)
      match(
        await doctor(),
        new RegExp(`^checkout integrations\\.forge\\.${missing}: warning: .*"mr".*\\[ForgeUnusable\\]$`, 'm'),
      )
    }
    commitForge(forge)
    doesNotMatch(await doctor(), /ForgeUnusable/)
  })

  for (const [what, replaced] of [
    ['moved', false],
    ['moved, with another one in its place', true],
  ] as const)
    it(`a repository that was ${what}: not ready, no write, and nothing is made where it was`, async () => {
      equal(await readyz(), 200)
      const moved = `${repository.path}-moved`
      renameSync(repository.path, moved)
      if (replaced) {
        mkdirSync(repository.path)
        writeFileSync(join(repository.path, 'tu.txt'), '')
      }
      await eventually(health, ({ blocked }) => blocked.some(({ code }) => code === 'repository_gone'))
      equal(await readyz(), 503)
      for (const path of ['/entities', '/entities?dryRun=true']) {
        const write = await postJson(daemon, path, { name: 'Nowa', type: 'NPC' })
        equal(write.status, 503)
        match(JSON.stringify(write.body), /"SnapshotStale".*was moved, removed or replaced.*Put it back/)
        doesNotMatch(JSON.stringify(write.body), /Commit a fix/)
      }
      equal((await postJson(daemon, '/admin/mode', { mode: 'read-write' })).status, 503)
      deepEqual(
        (await sync()).blocked.map(({ code }) => code),
        ['repository_gone'],
      )
      await postJson(daemon, '/sync', {})
      equal((await getJson(daemon, '/entities/Orrin')).status, 200)
      equal(existsSync(join(repository.path, '.git')), false)
      equal(existsSync(join(repository.path, '.svc')), false)
      ok(existsSync(join(moved, '.git')))
      await logs(/"code":"repository_gone".*"writes_blocked"/)
      doesNotMatch(log(), /"code":"snapshot_stale".*"writes_blocked"/)
      rmSync(repository.path, { recursive: true, force: true })
      renameSync(moved, repository.path)
      await eventually(readyz, status => status === 200)
      await shows()
      equal((await postJson(daemon, '/entities', { name: 'Nowa', type: 'NPC' })).status, 201)
    })
})
