import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { left } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { recordListText } from '#src/domain/lore/changes.js'
import { gitIn } from '#test/support/repository.js'
import { areWhole } from '#test/support/runs.js'
import { type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const index = 'encje/indeks.md'
const orrin = '### Orrin\n- @typ: NPC\n- @lokacja: Erathia (2024-01:)\n- @info: Kupiec.\n'
const zoe = '\n### Zoe\n- @typ: NPC\n'
const adam = '\n### Adam\n- @typ: NPC\n'

describe('a converge over real git', () => {
  let world: SyncWorld
  beforeEach(() => {
    world = syncWorld({ [index]: orrin, 'inne.md': 'Raz.\n' })
  })
  afterEach(() => world.dispose())

  const parkedRefs = (path: string) => gitIn(path, 'for-each-ref', '--format=%(refname)', 'refs/svc/parked')

  it('publishes, takes over, and has nothing to do the second time', async () => {
    const [one, two] = [await world.host('a'), await world.host('b')]
    const commit = one.write({ [index]: orrin + zoe })
    const report = await one.sync()
    deepEqual([report.lastAction, report.head, report.unpublished], ['pushed', commit, 0])
    equal(world.remoteHead(), commit)
    equal((await two.sync()).lastAction, 'pulled')
    equal(two.head(), commit)
    equal((await two.sync()).lastAction, 'up_to_date')
    ok((await two.sync()).lastOk !== null)
  })

  it('merges blocks that two hosts appended; both commits stay ancestors', async () => {
    const [one, two] = [await world.host('a'), await world.host('b')]
    const commits = [one.write({ [index]: orrin + zoe }), two.write({ [index]: orrin + adam })]
    await one.sync()
    equal((await two.sync()).lastAction, 'merged')
    await one.sync()
    equal(one.head(), two.head())
    equal(`${one.file(index)}\n`, orrin + adam + zoe)
    for (const commit of commits) gitIn(world.bare, 'merge-base', '--is-ancestor', commit, 'main')
    equal(parkedRefs(two.path), '')
    match(two.git('log', '-1', '--format=%B'), /Svc-Route: sync/)
  })

  it('merges grants by record, also where git sees no conflict of lines', async () => {
    const [one, two] = [await world.host('a'), await world.host('b')]
    const binding = (chatId: string, hour: number) => ({
      chatId,
      gameId: `g${hour}`,
      since: `2026-06-15T0${hour}:00:00Z`,
      by: 'x',
    })
    const list = (...records: ReadonlyArray<object>) => recordListText({}, 'bindings', records)
    const path = '.svc/bindings.json'
    const base = [1, 2, 3, 4, 5, 6].map(hour => binding(`c${hour}`, hour))
    one.write({ [path]: list(...base) })
    await one.sync()
    await two.sync()
    // The same account twice, at both ends of the file, so that their lines do not conflict.
    const [early, late] = [binding('c9', 7), binding('c9', 8)]
    one.write({ [path]: list(early, ...base.slice(1)) })
    two.write({ [path]: list(...base, late) })
    await one.sync()
    equal((await two.sync()).lastAction, 'merged')
    await one.sync()
    equal(`${one.file(path)}\n`, list(...base.slice(1), late))
    equal(one.head(), two.head())
    equal(parkedRefs(two.path), '')
  })

  for (const [what, base] of [
    ['that two hosts added', '# Sesje\n'],
    ['of the base', '# Sesje\n\n### 2026-05-10, Most, N\n- @PU:\n    - A: 1\n\nOpis.\n\nDalej.\n\nKoniec.\n'],
  ] as const)
    it(`merges the lists of a session ${what}, also where git sees no conflict of lines`, async () => {
      const path = 'sesje/2026.md'
      const [one, two] = [await world.host('a'), await world.host('b')]
      one.write({ [path]: base })
      await one.sync()
      await two.sync()
      const title = '### 2026-05-10, Most, N\n'
      const top = '- @Transfer: 5 koron, A -> B\n'
      const body = base.includes(title) ? base : `${base}\n${title}- @PU:\n    - A: 1\n\nKoniec.\n`
      one.write({ [path]: body.replace(title, title + top) })
      two.write({ [path]: body.replace('Koniec.\n', `Koniec.\n\n${top}- @PU:\n    - B: 1\n`) })
      await one.sync()
      equal((await two.sync()).lastAction, 'merged')
      await one.sync()
      equal(one.head(), two.head())
      const merged = one.file(path)
      const counts = ['### 2026', '@Transfer', 'A: 1', 'B: 1'].map(part => merged.split(part).length - 1)
      deepEqual(counts, [1, 1, 1, 1])
      equal(parkedRefs(two.path), '')
    })

  it('parks one of two values of a character, and the other stands once', async () => {
    const path = 'sesje/2026.md'
    const [one, two] = [await world.host('a'), await world.host('b')]
    const points = (value: string) => `### 2026-05-10, Most, N\n- @PU:\n    - A: ${value}\n    - B: 1\n`
    one.write({ [path]: points('1') })
    two.write({ [path]: points('2') })
    await one.sync()
    const report = await two.sync()
    equal(report.lastAction, 'conflict_parked')
    equal(`${two.file(path)}\n`, points('1'))
    equal(two.git('show', `refs/svc/parked/b/1:${path}`), points('2').trim())
  })

  it('parks the own word of a conflict and lets the published one stand', async () => {
    const [one, two] = [await world.host('a'), await world.host('Łódź')]
    one.write({ [index]: orrin.replace('Kupiec', 'Piekarz') })
    const own = two.write({ [index]: orrin.replace('Kupiec', 'Kowal') + zoe })
    await one.sync()
    const report = await two.sync()
    equal(report.lastAction, 'conflict_parked')
    deepEqual(
      report.parked.map(one => one.ref),
      ['refs/svc/parked/%c5%81%c3%b3d%c5%ba/1'],
    )
    equal(`${two.file(index)}\n`, orrin.replace('Kupiec', 'Piekarz') + zoe)
    const kept = report.parked[0]?.commit ?? ''
    equal(`${two.git('cat-file', 'blob', `${kept}:${index}`)}\n`, orrin.replace('Kupiec', 'Kowal') + zoe)
    gitIn(world.bare, 'merge-base', '--is-ancestor', own, 'main')
    deepEqual(two.ended.at(-1)?.run.parked[0]?.files, [index])
    equal((await two.sync()).parked.length, 1)
    equal((await one.sync()).lastAction, 'pulled')
  })

  it('parks a file that is no lore and that both changed, and what one removed', async () => {
    const [one, two] = [await world.host('a'), await world.host('b')]
    one.write({ 'obraz.bin': 'a\u0000b', 'inne.md': 'Dwa.\n' })
    two.write({ 'obraz.bin': 'a\u0000c' })
    two.git('rm', '-q', 'inne.md')
    two.write({ [index]: orrin + zoe })
    await one.sync()
    const report = await two.sync()
    equal(report.lastAction, 'conflict_parked')
    deepEqual(two.ended.at(-1)?.run.parked[0]?.files, ['inne.md', 'obraz.bin'])
    equal(two.file('inne.md'), 'Dwa.')
    equal(two.file('obraz.bin'), 'a\u0000b')
  })

  it('parks a submodule that both changed, and asks for no commit of it', async () => {
    const [one, two] = [await world.host('a'), await world.host('b')]
    for (const [host, commit] of [
      [one, 'a'.repeat(40)],
      [two, 'b'.repeat(40)],
    ] as const) {
      host.git('update-index', '--add', '--cacheinfo', `160000,${commit},moduł`)
      host.git('commit', '-qm', 'module')
    }
    await one.sync()
    equal((await two.sync()).lastAction, 'conflict_parked')
    deepEqual(two.ended.at(-1)?.run.parked[0]?.files, ['moduł'])
    equal(two.git('rev-parse', 'HEAD:moduł'), 'a'.repeat(40))
    const kept = two.reports.at(-1)?.parked[0]?.commit ?? ''
    equal(two.git('rev-parse', `${kept}:moduł`), 'b'.repeat(40))
  })

  it('tries again when others publish between its fetch and its push', async () => {
    const other = await world.host('b')
    let races = 0
    const one = await world.host('a', {
      remote: remote => ({
        ...remote,
        push: async (branch, commit, signal) => {
          if (races < 2) {
            races += 1
            other.write({ [`b${races}.md`]: 'x\n' })
            await other.sync()
          }
          return remote.push(branch, commit, signal)
        },
      }),
    })
    const commit = one.write({ [index]: orrin + zoe })
    equal((await one.sync()).lastAction, 'merged')
    equal(one.ended.at(-1)?.run.attempt, 3)
    gitIn(world.bare, 'merge-base', '--is-ancestor', commit, 'main')
  })

  it('gives up after six races, keeps its age, and lands at the next converge', async () => {
    let open = false
    const one = await world.host('a', {
      remote: remote => ({
        ...remote,
        push: (branch, commit, signal) =>
          open ? remote.push(branch, commit, signal) : Promise.resolve({ _tag: 'Behind' }),
      }),
    })
    one.write({ [index]: orrin + zoe })
    const report = await one.sync()
    equal(report.lastAction, 'push_race')
    equal(one.ended.at(-1)?.run.attempt, 6)
    open = true
    equal((await one.sync()).lastAction, 'pushed')
  })

  it('looks for its own commit when the answer of a push was lost', async () => {
    let pushes = 0
    const one = await world.host('a', {
      remote: remote => ({
        ...remote,
        push: async (branch, commit, signal) => {
          pushes += 1
          await remote.push(branch, commit, signal)
          return { _tag: 'Unknown', detail: 'lost' }
        },
      }),
    })
    const commit = one.write({ [index]: orrin + zoe })
    ok((await one.sync()).lastOk !== null)
    deepEqual([pushes, world.remoteHead()], [1, commit])
  })

  it('pushes again when a push without an answer did not arrive', async () => {
    let pushes = 0
    const one = await world.host('a', {
      remote: remote => ({
        ...remote,
        push: (branch, commit, signal) => {
          pushes += 1
          return pushes === 1
            ? Promise.resolve({ _tag: 'Unknown', detail: 'lost' })
            : remote.push(branch, commit, signal)
        },
      }),
    })
    const commit = one.write({ [index]: orrin + zoe })
    const report = await one.sync()
    deepEqual([report.lastAction, report.unpublished], ['pushed', 0])
    deepEqual([pushes, world.remoteHead()], [2, commit])
  })

  it('merges again, with the write in it, when a write moves the branch during a merge', async () => {
    const other = await world.host('b')
    let written = ''
    const one = await world.host('a', {
      advance: advance => (from, to, reason) => {
        if (written === '') written = one.write({ 'a.md': 'x\n' })
        return advance(from, to, reason)
      },
    })
    const published = other.write({ [index]: orrin + zoe })
    await other.sync()
    const before = one.write({ 'c.md': 'x\n' })
    equal((await one.sync()).lastAction, 'merged')
    equal(world.remoteHead(), one.head())
    for (const commit of [published, before, written])
      gitIn(world.bare, 'merge-base', '--is-ancestor', commit, 'main')
  })

  it('says that the remote is away, and goes on when it is back', async () => {
    const one = await world.host('a')
    const commit = one.write({ [index]: orrin + zoe })
    renameSync(world.bare, `${world.bare}.away`)
    const { lastOk } = one.reports.at(-1) ?? {}
    const away = await one.sync()
    deepEqual([away.lastAction, away.lastOk, away.unpublished], ['unreachable', lastOk, 1])
    renameSync(`${world.bare}.away`, world.bare)
    const back = await one.sync()
    deepEqual([back.lastAction, back.unpublished], ['pushed', 0])
    equal(world.remoteHead(), commit)
  })

  it('publishes nothing and counts nothing while HEAD is on no branch, and goes on when it is back', async () => {
    const one = await world.host('a')
    const before = one.head()
    one.git('checkout', '-q', '--detach')
    const commit = one.write({ [index]: orrin + zoe })
    const away = await one.sync()
    deepEqual([away.lastAction, away.unpublished, world.remoteHead()], ['failed', null, before])
    match(away.lastDetail ?? '', /^HEAD is on no branch: end the rebase/)
    one.git('checkout', '-q', '-B', 'main')
    const back = await one.sync()
    deepEqual([back.lastAction, back.unpublished, world.remoteHead()], ['pushed', 0, commit])
  })

  it('takes away what a killed git of ours left, and touches nothing of a person', async () => {
    const one = await world.host('a')
    const seen = one.git('rev-parse', 'refs/remotes/origin/main')
    const own = [
      '.git/refs/svc/fetched.lock',
      '.git/svc-state/sync-index-0a.lock',
      '.git/svc-state/sync-index-0a',
      '.git/svc-state/sync-merge-0b',
      '.git/objects/tmp_obj_sync_0c',
    ]
    const persons = '.git/refs/remotes/origin/main.lock'
    for (const path of [...own, persons]) writeFileSync(join(one.path, path), '')
    one.write({ [index]: orrin + zoe })
    equal((await one.sync()).lastAction, 'pushed')
    deepEqual(
      [...own, persons].map(path => existsSync(join(one.path, path))),
      [false, false, false, false, false, true],
    )
    equal(one.git('rev-parse', 'refs/remotes/origin/main'), seen)
  })

  it('never runs a helper, and shows no password', async () => {
    const one = await world.host('a')
    one.git('remote', 'set-url', 'origin', `ext::sh -c "touch ${one.path}/ran"`)
    equal((await one.sync()).lastAction, 'transport_refused')
    equal(existsSync(join(one.path, 'ran')), false)
    one.git('remote', 'set-url', 'origin', 'https://user:tajne@127.0.0.1:1/x.git')
    const report = await one.sync()
    equal(report.lastAction, 'unreachable')
    equal(JSON.stringify([one.reports, one.ended]).includes('tajne'), false)
  })

  it('merges nothing with another history', async () => {
    let other = ''
    const one = await world.host('a', {
      whenCloned: () => {
        other = gitIn(world.bare, 'commit-tree', 'main^{tree}', '-m', 'other')
        gitIn(world.bare, 'update-ref', 'refs/heads/main', other)
      },
    })
    equal(one.ended[0]?.action, 'no_common_history')
    equal(world.remoteHead(), other)
  })

  it('leaves what is edited, and tells of it', async () => {
    const other = await world.host('b')
    const one = await world.host('a', {
      advance: () => () => Promise.resolve(left({ _tag: 'Dirty', files: [index] })),
    })
    other.write({ [index]: orrin + zoe })
    await other.sync()
    writeFileSync(join(one.path, index), 'w połowie zdania')
    const head = one.head()
    const { lastOk } = one.reports.at(-1) ?? {}
    const report = await one.sync()
    deepEqual([report.lastAction, report.lastOk], ['work_tree_dirty', lastOk])
    ok(report.lastDetail?.includes(index))
    equal(one.head(), head)
    equal(readFileSync(join(one.path, index), 'utf8'), 'w połowie zdania')
  })

  it('publishes nothing in mode none, nor in mode mr without a forge', async () => {
    const one = await world.host('a', { setup: { publishMode: 'none' } })
    const two = await world.host('b', { setup: { publishMode: 'mr' } })
    const before = world.remoteHead()
    for (const host of [one, two]) host.write({ [index]: orrin + zoe })
    deepEqual([(await one.sync()).lastAction, (await one.sync()).unpublished], ['up_to_date', 1])
    equal((await two.sync()).lastAction, 'forge_refused')
    equal(world.remoteHead(), before)
  })

  it('brings several hosts with many writes into one file to one head', async () => {
    const [names, rounds] = areWhole ? [['a', 'b', 'c', 'd', 'e'], 3] : [['a', 'b', 'c'], 2]
    const writes = names.length * rounds
    const hosts = await Promise.all(names.map(name => world.host(name)))
    for (let round = 0; round < rounds; round += 1) {
      for (const host of hosts) {
        const name = `${host.path.at(-1) ?? ''}${round}`
        host.write({ [index]: `${host.file(index)}\n\n### Nowa ${name}\n- @typ: NPC\n` }, name)
      }
      await Promise.all(hosts.map(host => host.sync()))
    }
    for (let last = 0; last < 2; last += 1) for (const host of hosts) await host.sync()
    equal(new Set(hosts.map(host => host.head())).size, 1)
    const intents = gitIn(world.bare, 'log', '--format=%(trailers:key=Svc-Intent,valueonly)', 'main')
      .split('\n')
      .filter(line => line !== '')
    equal(intents.length, writes)
    equal(new Set(intents).size, writes)
    equal(hosts[0]?.file(index).match(/^### Nowa/gm)?.length, writes)
    for (const host of hosts) equal(parkedRefs(host.path), '')
    gitIn(world.bare, 'fsck', '--strict')
  })
})
