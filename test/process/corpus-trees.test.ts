import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { load } from '#actors/corpus-keeper/load.js'
import { holdCheckout } from '#src/node/start/checkout.js'
import { openHostConfig } from '#src/node/start/host-trust.js'
import { loadPorts, oneSnapshot, readCommittedConfig } from '#src/node/tree/corpus.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const transition = `${JSON.stringify({ seq: 1, op: 'enact', ref: 'statut', at: '2026-01-01', subject: 'Statut', by: 'Rada' })}\n`
const works = { 'governance/ledger/statut.jsonl': transition }

const lore = (corpora: Readonly<Record<string, string>>) => ({
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': JSON.stringify({ corpora, server: { selfheal_interval_ms: 100 } }),
  '.gitignore': 'dziela/\nlink\n.svc/state/\n',
  'encje/indeks.md': '### Orrin\n- @typ: NPC\n',
})

/** The ledger of the works tree; null where there is none. */
const ledgerText = ({ corpus, transitions, findings }: Snapshot['ledger']): string | null =>
  corpus === null ? null : JSON.stringify([...transitions, findings])

describe('a tree of corpora.* that the committed configuration names', () => {
  let repository: Repository
  let outside: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    outside = temporaryFolder()
  })
  afterEach(() => {
    repository.dispose()
    outside.dispose()
  })

  /** What a started host says of its works tree and its roster, and what its log says of refused trees. */
  const served = async (...args: ReadonlyArray<string>) => {
    const daemon = await startDaemon(['serve', '--repo', repository.path, '--port', '0', ...args])
    const corpus = (await getJson(daemon, '/governance/refs')).body
    equal((await getJson(daemon, '/entities/Orrin')).status, 200)
    const health = (await getJson(daemon, '/health')).body
    equal(await daemon.stop(), 0)
    const linesOf = (event: string): ReadonlyArray<string> =>
      daemon
        .stderr()
        .split('\n')
        .filter(line => line.includes(`"event":"${event}"`))
    return {
      corpus: JSON.stringify(corpus),
      health: JSON.stringify(health),
      refused: linesOf('corpus_refused'),
      unlisted: linesOf('corpus_unlisted'),
    }
  }
  /** What a start reads, in this process: the ledger of the works tree, if there is one, and the refused trees. */
  const read = async () => {
    const loaded = await oneSnapshot(repository.path)
    if (isLeft(loaded)) throw new Error(loaded.left.reason)
    const { ledger, entities, findings } = loaded.right
    equal(entities.all.length, 1)
    return {
      ledger: ledgerText(ledger),
      refused: findings.filter(({ kind }) => kind === 'CorpusRefused').map(({ subject }) => subject),
    }
  }
  /**
   * What `kronika serve` with --allow-tree for these folders reads at its start, in this process: whether it has the
   * ledger, and the trees that no operator allowed.
   */
  const begin = async (...allowTree: ReadonlyArray<string>) => {
    const held = await holdCheckout(repository.path, undefined, 'serve')
    if (isLeft(held)) throw new Error(held.left.reason)
    const { source, state, release } = held.right
    const setup = { repo: repository.path, state, allowTree, environment: {} }
    const settings = await openHostConfig(setup, await readCommittedConfig(source))
    if (isLeft(settings)) throw new Error(settings.left.reason)
    const ports = await loadPorts(source, settings.right)
    try {
      const loaded = await load(ports, null)
      if (loaded === null) throw new Error('a first load always loads')
      const { ledger, entities, findings } = loaded.build.snapshot
      ok(entities.all.length > 0)
      return {
        corpus: ledgerText(ledger) ?? '',
        unlisted: findings.filter(({ kind }) => kind === 'CorpusUnlisted').map(({ subject }) => subject),
      }
    } finally {
      await ports.works?.close()
      await release()
    }
  }
  const doctor = async (): Promise<string> => (await runInProcess('doctor', '--repo', repository.path)).stdout

  /** Each group is one host: the trees of a configuration are judged one by one. */
  const hostile: ReadonlyArray<Readonly<Record<string, readonly [what: string, value: string]>>> = [
    {
      dziel: ['/proc', '/proc'],
      mc: ['/dev/zero', '/dev/zero'],
      logi: ['/sys as a tree that is read by nothing yet', '/sys'],
    },
    { dziel: ['/dev', '/dev'], mc: ['the root of the disk', '/'] },
    { dziel: ['a folder above the lore', '..'], mc: ['a path of 200 KB', 'x'.repeat(200_000)] },
    { dziel: ['a folder that is not there', 'nie-ma'], mc: ['the private state area', '.svc/state'] },
    { dziel: ['a folder of git', '.git'] },
    { dziel: ['a link out of the lore', 'link'] },
    { dziel: ['a path that reads like an option', '--help'] },
  ]
  for (const [at, group] of hostile.entries()) {
    // The built host is started for one group; the others differ in the reason alone.
    const isServed = at === 0
    const keys = Object.keys(group)
    const whats = Object.values(group).map(([what]) => what)
    it(`never keeps the host from starting: ${whats.join('; ')}`, async () => {
      const paths = Object.entries(group).map(([key, [, value]]) => [key, value] as const)
      repository = repositoryOf(lore(Object.fromEntries(paths)))
      symlinkSync('/proc', join(repository.path, 'link'))
      const { ledger, refused } = await read()
      equal(ledger, null)
      deepEqual(refused.toSorted(), keys.map(key => `corpora.${key}`).toSorted())
      if (isServed) {
        const { corpus, health, refused: logged } = await served()
        match(corpus, /"refs":\[\]|\[\]/)
        match(health, /"status":"ok"/)
        equal(logged.length, keys.length)
      }
      const findings = (await doctor()).split('\n').filter(line => line.includes('CorpusRefused'))
      for (const key of keys)
        equal(findings.filter(line => line.includes(`corpora.${key}`)).length, 1, `corpora.${key}`)
    })
  }

  for (const [what, key, value] of [
    ['has a NUL', 'dziel', 'a\u{0}b'],
    ['has a megabyte', 'mc', 'x'.repeat(1_000_000)],
  ] as const)
    it(`is no configuration that the host takes where the path ${what}, and the host starts`, async () => {
      repository = repositoryOf(lore({ [key]: value }))
      deepEqual(await read(), { ledger: null, refused: [] })
      match(await doctor(), /ConfigInvalid/)
      if (key === 'mc') return
      const { corpus, health } = await served()
      match(corpus, /"refs":\[\]|\[\]/)
      match(health, /"blocked":\[\{"code":"config_broken","count":1\}\]/)
    })

  it('is read where it is a checkout that is allowed, wherever that lies, and a folder inside the lore', async () => {
    const elsewhere = repositoryOf(works)
    try {
      repository = repositoryOf(lore({ dziel: elsewhere.path }))
      const first = await served('--allow-tree', elsewhere.path)
      deepEqual([first.refused, first.unlisted], [[], []])
      match(first.corpus, /statut/)
      repository.dispose()
      repository = repositoryOf({ ...lore({ dziel: 'dziela' }) })
      mkdirSync(join(repository.path, 'dziela/governance/ledger'), { recursive: true })
      writeFileSync(join(repository.path, 'dziela/governance/ledger/statut.jsonl'), transition)
      const second = await read()
      deepEqual(second.refused, [])
      match(second.ledger ?? '', /statut/)
      repository.dispose()
      repository = repositoryOf({ ...lore({ dziel: '.' }), ...works })
      const itself = await read()
      deepEqual(itself.refused, [])
      match(itself.ledger ?? '', /statut/)
    } finally {
      elsewhere.dispose()
    }
  })

  /** A folder beside the lore with two trees, of which a test allows what it means to. */
  const withTrees = async (work: (folder: string, tree: string) => Promise<void>): Promise<void> => {
    const elsewhere = repositoryOf(works)
    const folder = temporaryFolder()
    try {
      const tree = join(folder.path, 'dziela')
      cpSync(elsewhere.path, tree, { recursive: true })
      repository = repositoryOf(lore({ dziel: tree }))
      await work(folder.path, tree)
    } finally {
      elsewhere.dispose()
      folder.dispose()
    }
  }

  it('is absent outside the lore unless the operator allows its folder, and says nothing of the machine', async () => {
    await withTrees(async (folder, tree) => {
      const refused = await served()
      deepEqual([refused.refused.length, refused.corpus.includes('statut')], [1, false])
      const whole = refused.refused.join('')
      repository.commit(lore({ dziel: join(folder, 'nie-ma') }))
      const absent = await served()
      const said = async (): Promise<string> => (await doctor()).replaceAll('dziela', 'nie-ma')
      equal(absent.refused.length, 1, whole)
      const reason = await said()
      repository.commit(lore({ dziel: tree }))
      equal(await said(), reason, 'a finding does not tell what is there')
      for (const near of [
        `${tree}-obok`,
        join(folder, 'dziel'),
        join(tree, 'governance'),
        join(folder, 'nie-ma'),
      ])
        equal((await begin(near)).corpus.includes('statut'), false, near)
    })
  })

  it('is read with --allow-tree, with kronika trust --tree, and with a warning once a host has read it', async () => {
    await withTrees(async (folder, tree) => {
      const allowed = await served('--allow-tree', outside.path, folder)
      deepEqual([allowed.unlisted, allowed.corpus.includes('statut')], [[], true])
      equal((await doctor()).includes('CorpusUnlisted'), false)
      const known = await served()
      deepEqual([known.unlisted.length, known.corpus.includes('statut')], [1, true])
      match(await doctor(), /warning: .*\[CorpusUnlisted\]/)
      equal((await runInProcess('trust', '--repo', repository.path, '--tree', folder)).code, 0)
      const trusted = await begin()
      deepEqual([trusted.unlisted, trusted.corpus.includes('statut')], [[], true])
      const forget = ['trust', '--repo', repository.path, '--forget-tree', folder, tree]
      match((await runInProcess(...forget)).stdout, /forgotten/)
      equal((await begin()).corpus.includes('statut'), false)
    })
  })

  it('is read with a warning by a state area of an earlier version, and another one is not from then on', async () => {
    await withTrees(async (folder, tree) => {
      await served()
      rmSync(join(repository.path, '.svc/state/trust.json'))
      const first = await served()
      deepEqual([first.unlisted.length, first.corpus.includes('statut')], [1, true])
      cpSync(tree, join(folder, 'inne'), { recursive: true })
      repository.commit(lore({ dziel: join(folder, 'inne') }))
      equal((await begin()).corpus.includes('statut'), false)
    })
  })

  it('is judged by its real path: links, dots and a link in its place lead nowhere', async () => {
    await withTrees(async (folder, tree) => {
      const inside = join(folder, 'wolno')
      mkdirSync(inside)
      symlinkSync(tree, join(inside, 'link'))
      for (const named of [join(inside, 'link'), `${inside}/../dziela`, `${inside}/link/../dziela`]) {
        repository.commit(lore({ dziel: named }))
        equal((await begin(inside)).corpus.includes('statut'), false, named)
      }
      repository.commit(lore({ dziel: join(folder, 'droga') }))
      symlinkSync(tree, join(folder, 'droga'))
      equal((await begin(tree)).corpus.includes('statut'), true, 'a link to an allowed tree')
      rmSync(join(folder, 'droga'))
      mkdirSync(join(folder, 'droga'))
      symlinkSync(repository.path, join(folder, 'lore'))
      repository.commit({ ...lore({ dziel: join(folder, 'lore') }), ...works })
      equal((await begin()).corpus.includes('statut'), true, 'a link to the lore itself')
    })
  })

  it('is no other repository of the machine, whatever files of git a commit has in a folder', async () => {
    const elsewhere = repositoryOf(works)
    try {
      const git = join(elsewhere.path, '.git')
      const settings = (worktree: string): string =>
        `[core]\n\tbare = false\n\tworktree = ${worktree}\n\trepositoryformatversion = 0\n`
      const tip = `${elsewhere.head()}\n`
      repository = repositoryOf({
        ...lore({ dziel: 'kopia', mc: 'linki', adnotacje: 'wspolny' }),
        'kopia/HEAD': tip,
        'kopia/config': settings('.'),
        'kopia/objects/info/alternates': `${join(git, 'objects')}\n`,
        'kopia/refs/x': '',
        'linki/HEAD': tip,
        'linki/config': settings('.'),
        'wspolny/HEAD': tip,
        'wspolny/commondir': `${git}\n`,
        'wspolny/config': settings(elsewhere.path),
      })
      for (const name of ['objects', 'refs'])
        symlinkSync(join(git, name), join(repository.path, 'linki', name))
      for (const named of ['kopia', 'linki', 'wspolny', 'linki/objects']) {
        repository.commit(lore({ dziel: named }))
        const { ledger } = await read()
        equal(ledger?.includes('statut') ?? false, false, named)
      }
      const allowed = await begin(elsewhere.path)
      equal(
        allowed.corpus.includes('statut'),
        false,
        'links/objects lies in an allowed checkout, and is none',
      )
    } finally {
      elsewhere.dispose()
    }
  })

  it('is empty where it is a pointer of LFS, a submodule that no person fetched, or the git folder of one', async () => {
    repository = repositoryOf({
      ...lore({ dziel: 'wskaznik' }),
      wskaznik: `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`,
      'inne/README.md': '',
    })
    cpSync(join(repository.path, '.git'), join(repository.path, 'dziela/.git'), { recursive: true })
    mkdirSync(join(repository.path, 'dziela/.git/governance/ledger'), { recursive: true })
    writeFileSync(join(repository.path, 'dziela/.git/governance/ledger/statut.jsonl'), transition)
    repository.git('update-index', '--add', '--cacheinfo', `160000,${repository.head()},modul`)
    for (const named of ['wskaznik', 'modul', 'dziela/.git', 'dziela/.git/refs', '.GIT']) {
      writeFileSync(join(repository.path, '.svc/config.json'), JSON.stringify({ corpora: { dziel: named } }))
      repository.git('add', '.svc/config.json')
      repository.git('commit', '-q', '--allow-empty', '-m', named)
      const { ledger } = await read()
      equal(ledger?.includes('statut') ?? false, false, named)
    }
  })

  it('is not allowed through a link of the lore, by the flag or by kronika trust', async () => {
    await withTrees(async (_, tree) => {
      const link = join(repository.path, 'przejscie')
      symlinkSync(tree, link)
      repository.commit(lore({ dziel: 'przejscie' }))
      for (const named of [link, join(link, 'governance/..')])
        equal((await begin(named)).corpus.includes('statut'), false, named)
      const refused = await runInProcess('trust', '--repo', repository.path, '--tree', link)
      deepEqual([refused.code, refused.stderr.includes('a commit can change')], [64, true])
      equal((await begin(tree)).corpus.includes('statut'), true, 'its real path is allowed')
    })
  })

  it('is not read once a link is in the place of a tree that was allowed', async () => {
    await withTrees(async (folder, tree) => {
      equal((await runInProcess('trust', '--repo', repository.path, '--tree', tree)).code, 0)
      equal((await begin()).corpus.includes('statut'), true)
      const daemon = await startDaemon(['serve', '--repo', repository.path, '--port', '0'])
      const refs = async (): Promise<string> =>
        JSON.stringify((await getJson(daemon, '/governance/refs')).body)
      match(await refs(), /statut/)
      const other = repositoryOf({
        'governance/ledger/tajne.jsonl': transition.replaceAll('statut', 'tajne'),
      })
      try {
        renameSync(tree, join(folder, 'dawne'))
        symlinkSync(other.path, tree)
        repository.commit({ 'encje/indeks.md': '### Orrin\n- @typ: NPC\n\n### Ivor\n- @typ: NPC\n' })
        await eventually(
          () => getJson(daemon, '/entities/Ivor'),
          ({ status }) => status === 200,
        )
        equal((await refs()).includes('tajne'), false)
        equal(await daemon.stop(), 0)
        equal((await begin()).corpus.includes('tajne'), false)
      } finally {
        other.dispose()
      }
    })
  })

  it('is not read through a link that a commit put in the place of a folder, while the host runs', async () => {
    await withTrees(async (_, tree) => {
      const own = 'dzieje/governance/ledger'
      const text = transition.replaceAll('statut', 'prawo')
      repository.commit({
        ...lore({ dziel: 'dzieje' }),
        [`${own}/prawo.jsonl`]: text,
        '.gitignore': '.svc/state/\n',
      })
      const daemon = await startDaemon(['serve', '--repo', repository.path, '--port', '0'])
      const refs = async (): Promise<string> =>
        JSON.stringify((await getJson(daemon, '/governance/refs')).body)
      match(await refs(), /prawo/)
      repository.git('rm', '-rq', 'dzieje')
      symlinkSync(tree, join(repository.path, 'dzieje'))
      repository.commit({ 'encje/indeks.md': '### Orrin\n- @typ: NPC\n\n### Ivor\n- @typ: NPC\n' })
      const after = await eventually(refs, body => !body.includes('prawo'))
      equal(after.includes('statut'), false)
      equal(await daemon.stop(), 0)
    })
  })

  it('is read by the names of the layout alone, past pipes, devices, links and a crowd of other files', async () => {
    repository = repositoryOf(lore({ dziel: 'dziela' }))
    const at = (path: string): string => join(repository.path, 'dziela', path)
    mkdirSync(at('governance/ledger'), { recursive: true })
    mkdirSync(at('inne'))
    execFileSync('mkfifo', [at('inne/potok.md'), at('governance/ledger/potok.jsonl')])
    symlinkSync('/dev/zero', at('governance/ledger/zero.jsonl'))
    symlinkSync('/proc', at('inne/proc'))
    symlinkSync('/dev/zero', at('governance/calendar.json'))
    writeFileSync(at('governance/ledger/statut.jsonl'), transition)
    for (let file = 0; file < 3000; file += 1) writeFileSync(at(`inne/${file}.md`), '')
    const { ledger, refused } = await read()
    deepEqual(refused, [])
    match(ledger ?? '', /statut/)
  })

  it('counts as absent with a finding where a folder of it has more files than are read', async () => {
    repository = repositoryOf(lore({ dziel: 'dziela' }))
    const folder = join(repository.path, 'dziela/governance/ledger')
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file <= 10_000; file += 1) writeFileSync(join(folder, `${file}.jsonl`), '')
    await read()
    match(await doctor(), /folder ma więcej niż 10000 nazw.*CorpusRefused/)
  })
})
