import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Day } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import { fileBytesMax } from '#src/domain/lore/layout.js'
import type { TreeSource } from '#src/ports/git.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { day, hostConfig } from '#test/support/world.js'
import { type Loaded, type LoadPorts, load } from './load.js'

const files = {
  'encje/indeks.md': '### Orrin\n- @typ: NPC\n',
  'encje/indeks-02.md': '### Erathia\n- @typ: Lokacja\n',
  'Wątki/sesje.md': '### 2024-05-03, Próba, Solmyr\n\nTreść.\n',
  '.svc/format.json': '{"format": 2}',
}

describe('a load of the corpus', () => {
  let repository: Repository
  let source: TreeSource
  let today: Day
  let roster: TreeSource | null
  let config: Config
  const ports = (): LoadPorts => ({
    lore: source,
    works: null,
    moderators: roster,
    language: null,
    config,
    today: () => today,
    breathe: () => Promise.resolve(),
    bootFindings: [],
  })
  const loaded = async (before: Loaded | null): Promise<Loaded> => {
    const next = await load(ports(), before)
    if (next === null) throw new Error('a new state wanted')
    return next
  }
  const kinds = (state: Loaded) => state.build.snapshot.findings.map(finding => finding.kind)

  beforeEach(() => {
    repository = repositoryOf(files)
    source = openTreeSource(repository.path)
    today = day('2026-06-15')
    roster = null
    config = hostConfig(undefined)
  })
  afterEach(async () => {
    await source.close()
    repository.dispose()
  })

  it('is null when neither commit nor day changed', async () => {
    equal(await load(ports(), await loaded(null)), null)
  })

  it('parses the changed file alone and keeps every other parse', async () => {
    const before = await loaded(null)
    repository.commit({ 'Wątki/sesje.md': '### 2024-05-03, Inny tytuł, Solmyr\n\nTreść.\n' })
    const after = await loaded(before)
    const changed = [...after.lore]
      .filter(([path, file]) => before.lore.get(path) !== file)
      .map(([path]) => path)
    deepEqual(changed, ['Wątki/sesje.md'])
    equal(after.build.stages.entities, before.build.stages.entities)
    notEqual(after.build.snapshot.inputs, before.build.snapshot.inputs)
    equal(after.build.snapshot.generation, before.build.snapshot.generation + 1)
  })

  it('drops a removed file', async () => {
    const before = await loaded(null)
    repository.git('rm', '-q', 'encje/indeks-02.md')
    repository.commit({})
    equal((await loaded(before)).lore.has('encje/indeks-02.md'), false)
  })

  it('publishes another day over the same commit without parsing', async () => {
    const before = await loaded(null)
    today = day('2026-06-16')
    const after = await loaded(before)
    equal(after.build.snapshot.day, '2026-06-16')
    ok([...after.lore].every(([path, file]) => before.lore.get(path) === file))
  })

  it('has the configuration of the host at every load, and not the one of its commit', async () => {
    config = hostConfig('{"server": {"time_zone": "Asia/Tokyo"}}')
    const zone = (of: Loaded) => of.build.snapshot.config['server.time_zone']
    const before = await loaded(null)
    repository.commit({ '.svc/config.json': '{"server": {' })
    const after = await loaded(before)
    deepEqual([zone(before), zone(after)], ['Asia/Tokyo', 'Asia/Tokyo'])
    const [asTokyo, other] = [after.build.snapshot.inputs, hostConfig('{"sessions": {"staged": true}}')]
    config = other
    notEqual((await loaded(null)).build.snapshot.inputs, asTokyo)
  })

  it('reports a file that is too large, and serves the rest', async () => {
    repository.commit({ 'Wątki/wielki.md': Buffer.alloc(fileBytesMax + 1, 'a') })
    const state = await loaded(null)
    deepEqual(kinds(state), ['FileTooLarge'])
    ok(state.lore.has('encje/indeks.md'))
  })

  it('reports bytes that are no UTF-8, again at every load', async () => {
    repository.commit({ 'Wątki/zły.md': Buffer.from([0x23, 0xff, 0xfe, 0x0a]) })
    const before = await loaded(null)
    deepEqual(kinds(before), ['FileNotUtf8'])
    repository.commit({ 'inny.md': 'x' })
    deepEqual(kinds(await loaded(before)), ['FileNotUtf8'])
  })

  it('reports a folder of lore that is a link, and a pointer of Git LFS', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n'
    repository.commit({ 'encje/indeks-03.md': pointer })
    deepEqual(kinds(await loaded(null)), ['FileIsLfsPointer'])
    repository.git('rm', '-rqf', 'encje')
    symlinkSync('Wątki', join(repository.path, 'encje'))
    symlinkSync('Wątki', join(repository.path, 'mapy'))
    repository.commit({})
    const [finding, ...others] = (await loaded(null)).build.snapshot.findings
    deepEqual([finding?.kind, finding?.subject, others], ['FileSkipped', 'encje', []])
  })

  it('serves nothing of a repository without a commit, and says so', async () => {
    const bare = repositoryOf({})
    const empty = openTreeSource(bare.path)
    const state = await load({ ...ports(), lore: empty }, null)
    if (state === null) throw new Error('a first load always loads')
    deepEqual(
      state.build.snapshot.findings.map(finding => finding.kind),
      ['NoCommit'],
    )
    equal(state.build.snapshot.format.state, 'SchemaTooOld')
    await empty.close()
    bare.dispose()
  })

  it('gives the rights of HEAD ahead of a tree that cannot be listed, over the tree of before', async () => {
    const before = await loaded(null)
    const roles = '{"roles": {"gracz": ["pu.read"]}}'
    repository.commit({ '.svc/roles.json': roles, 'encje/indeks.md': '### Xeron\n- @typ: NPC\n' })
    const broken: TreeSource = { ...source, list: () => Promise.reject(new Error('too many paths')) }
    const seen: Array<Loaded> = []
    const watch = { onIdentity: (one: Loaded) => void seen.push(one), failureOf: () => null }
    await rejects(load({ ...ports(), lore: broken }, before, watch), /too many paths/)
    const [ahead] = seen
    if (ahead === undefined) throw new Error('rights ahead of the tree wanted')
    deepEqual([...ahead.build.snapshot.roles.bundles.values()], [['pu.read']])
    equal(ahead.build.snapshot.commit, before.build.snapshot.commit)
    equal(ahead.build.stages.entities, before.build.stages.entities)
    notEqual(ahead.build.snapshot.inputs, before.build.snapshot.inputs)
    await rejects(load({ ...ports(), lore: broken }, ahead, watch), /too many paths/)
    equal(seen.length, 1)
    const mended = await loaded(ahead)
    equal(mended.build.stages.roles, ahead.build.stages.roles)
    ok(mended.build.snapshot.entities.all.some(({ name }) => name === 'Xeron'))
  })

  it('reads a tree no further than its watcher lets it', async () => {
    const before = await loaded(null)
    repository.commit({ 'inny.md': 'x' })
    const unlisted: TreeSource = { ...source, list: () => Promise.reject(new Error('listed')) }
    const watch = { onIdentity: () => undefined, failureOf: () => 'known to fail' }
    await rejects(load({ ...ports(), lore: unlisted }, before, watch), /known to fail/)
  })

  for (const [what, put] of [
    [
      'is above the bound of a file',
      () => repository.commit({ '.svc/roles.json': Buffer.alloc(fileBytesMax + 1, ' ') }),
    ],
    [
      'is a link',
      () => {
        symlinkSync('inny.json', join(repository.path, '.svc/roles.json'))
        repository.commit({})
      },
    ],
    ['is a folder', () => repository.commit({ '.svc/roles.json/x.md': '{}' })],
  ] as const)
    it(`lets no role give anything where the table ${what}: it is there, and is not the built-in one`, async () => {
      put()
      const { roles } = (await loaded(null)).build.snapshot
      deepEqual([roles.source, roles.bundles.size], ['unreadable', 0])
    })

  it('fails where the object of a file of identity is lost, gives nobody anything by it, and recovers', async () => {
    const before = await loaded(null)
    repository.commit({ '.svc/roles.json': '{"roles": {"gracz": ["log.read"]}}' })
    const id = repository.git('rev-parse', 'HEAD:.svc/roles.json')
    const object = join(repository.path, '.git/objects', id.slice(0, 2), id.slice(2))
    renameSync(object, `${object}.away`)
    const seen: Array<Loaded> = []
    const watch = { onIdentity: (one: Loaded) => void seen.push(one), failureOf: () => null }
    const told = new RegExp(`^Error: \\.svc/roles\\.json: its object ${id} is missing or damaged`)
    await rejects(load(ports(), before, watch), told)
    const [held] = seen
    if (held === undefined) throw new Error('the rights of HEAD are published first')
    deepEqual([held.ahead, held.build.snapshot.roles.source], [true, 'unreadable'])
    equal(held.build.snapshot.roles.bundles.size, 0)
    await rejects(load(ports(), held, watch), told)
    await rejects(load(ports(), null), told)
    renameSync(`${object}.away`, object)
    equal((await loaded(held)).build.snapshot.roles.source, 'committed')
  })

  it('takes a tree of corpora.* whose object is lost for absent, and says so', async () => {
    const moderators = repositoryOf({ 'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n' })
    roster = openTreeSource(moderators.path)
    try {
      const id = moderators.git('rev-parse', 'HEAD:kontrybutorzy.md')
      rmSync(join(moderators.path, '.git/objects', id.slice(0, 2), id.slice(2)))
      const state = await loaded(null)
      deepEqual([kinds(state), state.build.snapshot.moderators.all.length], [['CorpusRefused'], 0])
      match(state.build.snapshot.findings[0]?.reason ?? '', new RegExp(`kontrybutorzy.md: its object ${id}`))
    } finally {
      await roster.close()
      moderators.dispose()
    }
  })

  it('fails whole when a read fails: no snapshot with holes is ever made', async () => {
    const broken: TreeSource = { ...source, read: () => Promise.reject(new Error('the child died')) }
    await rejects(load({ ...ports(), lore: broken }, null), /the child died/)
  })

  it('when the repository of the moderator roster moves, reads the roster and nothing else again, and changes the id of the inputs', async () => {
    const moderators = repositoryOf({ 'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n' })
    roster = openTreeSource(moderators.path)
    try {
      const before = await loaded(null)
      deepEqual(
        before.build.snapshot.moderators.all.map(person => person.name),
        ['Solmyr'],
      )
      equal(await load(ports(), before), null)
      moderators.commit({ 'kontrybutorzy.md': '## Gracz\n### Xeron\n- @klucz_api: jawny\n' })
      const after = await loaded(before)
      deepEqual(
        after.build.snapshot.moderators.findings.map(found => [found.file, found.kind]),
        [
          ['corpora.mc/kontrybutorzy.md', 'MissingGameId'],
          ['corpora.mc/kontrybutorzy.md', 'RawApiKeyValue'],
        ],
      )
      equal(after.build.stages.people, before.build.stages.people)
      notEqual(after.build.snapshot.inputs, before.build.snapshot.inputs)
    } finally {
      await roster.close()
      moderators.dispose()
    }
  })

  it('knows no moderators where their repository has no roster', async () => {
    const moderators = repositoryOf({ 'inne.md': 'x' })
    roster = openTreeSource(moderators.path)
    try {
      equal((await loaded(null)).build.snapshot.moderators.all.length, 0)
    } finally {
      await roster.close()
      moderators.dispose()
    }
  })
})
