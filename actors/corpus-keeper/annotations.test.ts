import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import { type LemmaBudget, lemmaBudget } from '#src/domain/search/texts/lemma-sidecar.js'
import type { TreeSource } from '#src/ports/git.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { day, hostConfig } from '#test/support/world.js'
import { type Loaded, type LoadPorts, load } from './load.js'

const texts = { a: '# A\n\nLudzie z gór.\n', b: '# B\n\nPsy śpią.\n', c: '# C\n\nDwór.\n' }
type TextName = keyof typeof texts

const words = /\p{L}+/gu

/** A sidecar in which each word is its own lemma in capitals. */
const sidecarOf = (text: string): string =>
  JSON.stringify({
    sha256: createHash('sha256').update(text).digest('hex'),
    lemmas: [...text.matchAll(words)].map(({ 0: word, index }) => [
      index,
      index + word.length,
      word.toUpperCase(),
    ]),
  })

const sidecarPathOf = (name: string): string => `lematy/lore/Opisy/${name}.md.json`

describe('the sidecars of the annotation tree', () => {
  let repository: Repository
  let annotations: Repository
  let lore: TreeSource
  let tree: TreeSource

  const ports = (lemmas?: LemmaBudget): LoadPorts => ({
    lore,
    works: null,
    moderators: null,
    language: null,
    annotations: tree,
    config: hostConfig(undefined),
    today: () => day('2026-06-15'),
    breathe: () => Promise.resolve(),
    bootFindings: [],
    ...(lemmas === undefined ? {} : { lemmas }),
  })
  const loaded = async (budget?: LemmaBudget, before: Loaded | null = null): Promise<Loaded> => {
    const next = await load(ports(budget), before)
    if (next === null) throw new Error('a new state wanted')
    return next
  }
  const tagOf = ({ annotations: { known } }: Loaded, name: TextName) =>
    known.get(`lore/Opisy/${name}.md`)?.read._tag
  const tags = (state: Loaded) => (['a', 'b', 'c'] as const).map(name => tagOf(state, name))
  const lemmasAbove = (state: Loaded) =>
    state.build.snapshot.findings.filter(({ kind }) => kind === 'LemmasAboveBudget')

  beforeEach(() => {
    repository = repositoryOf(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [`Opisy/${name}.md`, text])),
    )
    annotations = repositoryOf(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [sidecarPathOf(name), sidecarOf(text)])),
    )
    lore = openTreeSource(repository.path)
    tree = openTreeSource(annotations.path)
  })
  afterEach(async () => {
    await lore.close()
    await tree.close()
    repository.dispose()
    annotations.dispose()
  })

  it('are read, and their forms are in the lexicon', async () => {
    const state = await loaded()
    deepEqual(tags(state), ['Read', 'Read', 'Read'])
    deepEqual(state.annotations.lexicon?.text.split('\n'), ['gór\tGÓR', 'z\tZ', 'śpią\tŚPIĄ', ''])
    deepEqual(lemmasAbove(state), [])
  })

  it('are left out with a finding where those before them use the lemmas up', async () => {
    const state = await loaded({ ...lemmaBudget, lemmas: 7 })
    deepEqual(tags(state), ['Read', 'Read', 'AboveBudget'])
    const [finding, ...others] = lemmasAbove(state)
    deepEqual(others, [])
    deepEqual(
      [finding?.file, finding?.severity, finding?.subject],
      [`corpora.adnotacje/${sidecarPathOf('c')}`, 'warning', sidecarPathOf('c')],
    )
    equal(
      finding?.reason,
      'Plik lematów nie jest używany: wszystkie razem mogą mieć najwyżej 67108864 bajty i 7 lematów, a te przed nim zajmują resztę.',
    )
  })

  it('are not read where their bytes are too many together', async () => {
    const bytes = Buffer.byteLength(sidecarOf(texts.a)) + Buffer.byteLength(sidecarOf(texts.b))
    const state = await loaded({ ...lemmaBudget, bytes })
    deepEqual(tags(state), ['Read', 'Read', 'AboveBudget'])
    equal(lemmasAbove(state).length, 1)
    deepEqual(tags(await loaded({ ...lemmaBudget, bytes: bytes - 1 })), ['Read', 'AboveBudget', 'Read'])
  })

  it('are read once others leave room for them, and the unchanged are not read again', async () => {
    const budget = { ...lemmaBudget, lemmas: 7 }
    const before = await loaded(budget)
    annotations.git('rm', '-q', sidecarPathOf('a'))
    annotations.commit({})
    const after = await loaded(budget, before)
    deepEqual(tags(after), [undefined, 'Read', 'Read'])
    equal(after.annotations.known.get('lore/Opisy/b.md'), before.annotations.known.get('lore/Opisy/b.md'))
    notEqual(after.annotations.lexicon, before.annotations.lexicon)
    annotations.commit({ [sidecarPathOf('a')]: sidecarOf(texts.a) })
    deepEqual(tags(await loaded(budget, after)), ['Read', 'Read', 'AboveBudget'])
  })

  it('stay the same objects, with their lexicon, when only the lore changes', async () => {
    const before = await loaded()
    repository.commit({ 'Opisy/d.md': '# D\n' })
    const after = await loaded(undefined, before)
    equal(after.annotations.known.get('lore/Opisy/a.md'), before.annotations.known.get('lore/Opisy/a.md'))
    equal(after.annotations.lexicon, before.annotations.lexicon)
    repository.commit({ 'Opisy/a.md': `${texts.a}Nowy.\n` })
    deepEqual(tags(await loaded(undefined, after)), ['Outdated', 'Read', 'Read'])
  })
})
