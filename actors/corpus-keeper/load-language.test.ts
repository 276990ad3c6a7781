import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Config } from '#protocol/host/config.js'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import type { TreeSource } from '#src/ports/git.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { day, hostConfig } from '#test/support/world.js'
import { type Loaded, type LoadPorts, load } from './load.js'

describe('a load of the language data', () => {
  let repository: Repository
  let source: TreeSource
  let languageSource: TreeSource | null
  let config: Config
  const ports = (): LoadPorts => ({
    lore: source,
    works: null,
    moderators: null,
    language: languageSource,
    config,
    today: () => day('2026-06-15'),
    breathe: () => Promise.resolve(),
    bootFindings: [],
  })
  const loaded = async (before: Loaded | null): Promise<Loaded> => {
    const next = await load(ports(), before)
    if (next === null) throw new Error('a new state wanted')
    return next
  }

  beforeEach(() => {
    repository = repositoryOf({ 'encje/indeks.md': '### Orrin\n- @typ: NPC\n' })
    source = openTreeSource(repository.path)
    languageSource = null
    config = hostConfig(undefined)
  })
  afterEach(async () => {
    await source.close()
    repository.dispose()
  })

  it('reads the language data again when its repository moves, and only the file that changed', async () => {
    const words = repositoryOf({
      'odmiany.tsv': 'Orrinowi\tOrrin\n',
      'tytuly.txt': 'Kupiec\n',
      'inne.tsv': 'x',
    })
    languageSource = openTreeSource(words.path)
    config = hostConfig('{"corpora": {"lang": "../jezyk"}}')
    try {
      const before = await loaded(null)
      deepEqual([...before.build.snapshot.language.data.forms.keys()], ['orrin'])
      equal(await load(ports(), before), null)
      words.commit({ 'tytuly.txt': 'Mistrz\nzły\ttytuł\n' })
      const after = await loaded(before)
      const { language } = after.build.snapshot
      deepEqual(language.data.titles, ['Mistrz'])
      deepEqual(
        language.findings.map(found => [found.file, found.line, found.kind]),
        [['corpora.lang/tytuly.txt', 2, 'LanguageLine']],
      )
      equal(after.build.stages.languageForms, before.build.stages.languageForms)
      equal(after.build.stages.entities, before.build.stages.entities)
      notEqual(after.build.snapshot.inputs, before.build.snapshot.inputs)
    } finally {
      await languageSource.close()
      words.dispose()
    }
  })

  it('has no language data where the configured tree is absent, even if the lore has some', async () => {
    repository.commit({ 'jezyk/tytuly.txt': 'Kupiec\n' })
    deepEqual((await loaded(null)).build.snapshot.language.data.titles, ['Kupiec'])
    config = hostConfig('{"corpora": {"lang": "/nie/ma"}}')
    deepEqual((await loaded(null)).build.snapshot.language.data.titles, [])
  })

  it('keeps every other stage where a commit changes the language data of the lore', async () => {
    const before = await loaded(null)
    repository.commit({ 'jezyk/odmiany.tsv': 'Orrinowi\tOrrin\n' })
    const after = await loaded(before)
    deepEqual([...after.build.snapshot.language.data.forms.keys()], ['orrin'])
    equal(after.build.stages.entities, before.build.stages.entities)
    equal(after.build.stages.sessions, before.build.stages.sessions)
  })
})
