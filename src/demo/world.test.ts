import assert from 'node:assert/strict'
import { refRows } from '#protocol/lore/ledger.js'
import { planRegistry } from '#src/domain/adoption/registry.js'
import { canonicalPath } from '#src/domain/entities/canonical-path.js'
import { placeNamed } from '#src/domain/entities/places.js'
import { integrityOfEntities } from '#src/domain/lint/integrity-of.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { day, worldOf } from '#test/support/world.js'
import type { DemoCommit } from './commit.js'
import { grammarCases, type Paradigm } from './names/grammar.js'
import type { Sizes } from './sizes.js'
import { type DemoWorld, demoWorld } from './world.js'

const on = day('2026-06-15')

const treeOf = (commits: ReadonlyArray<DemoCommit>): Readonly<Record<string, string>> =>
  Object.fromEntries(commits.flatMap(commit => commit.changes.map(change => [change.path, change.text])))

/** The number of entities of all types, including those of the contributor store. */
const entityCount = (sizes: Sizes): number =>
  sizes.lands +
  sizes.towns +
  sizes.quarters +
  sizes.buildings +
  sizes.maps +
  sizes.regions +
  sizes.groups +
  sizes.npcs +
  sizes.characters +
  sizes.players +
  sizes.stacks +
  sizes.things

interface Made {
  readonly world: DemoWorld
  readonly files: Readonly<Record<string, string>>
  readonly snapshot: Snapshot
}

const makeDemo = (scale?: number): Made => {
  const world = demoWorld({ seed: 'próba', ...(scale === undefined ? {} : { scale }) })
  const files = treeOf(world.commits)
  return { world, files, snapshot: worldOf(files, { works: treeOf(world.works) }) }
}

const sentencesOf = ({ snapshot }: Made): ReadonlyArray<string> =>
  [
    ...snapshot.sessions.all.map(session => session.body),
    ...snapshot.entities.all.flatMap(entity =>
      entity.rows.filter(row => row.tag === 'info').map(row => row.value),
    ),
  ]
    .flatMap(text => text.split(/(?<=[.!?]”?)\s+/u))
    .filter(sentence => sentence !== '')

const firstWord = (text: string): string => /^[\p{L}-]+/u.exec(text)?.[0] ?? ''

/** Oblique forms that differ from the nominative, by their first word. */
const obliqueForms = (
  paradigms: ReadonlyMap<string, ReadonlyArray<Paradigm>>,
): ReadonlyMap<string, ReadonlyArray<readonly [form: string, name: string]>> => {
  const byWord = new Map<string, Array<readonly [string, string]>>()
  for (const [name, all] of paradigms)
    for (const { forms } of all)
      for (const at of grammarCases) {
        if (at === 'nom' || at === 'voc' || forms[at] === forms.nom) continue
        const word = firstWord(forms[at])
        byWord.set(word, [...(byWord.get(word) ?? []), [forms[at], name]])
      }
  return byWord
}

const findObliqueNames = (text: string, forms: ReturnType<typeof obliqueForms>): ReadonlySet<string> => {
  const named = new Set<string>()
  for (const { 0: word, index } of text.matchAll(/[\p{L}-]+/gu))
    for (const [form, name] of forms.get(word) ?? [])
      if (text.startsWith(form, index) && !/^\p{L}/u.test(text.slice(index + form.length))) named.add(name)
  return named
}

const mostEqual = 0.02

const holds = (name: string, scale: number | undefined): void => {
  describe(name, () => {
    let one: Made
    before(() => {
      one = makeDemo(scale)
    })

    it('has as many of everything as its sizes say', () => {
      const { sizes } = one.world
      const count = (type: string): number =>
        one.snapshot.entities.all.filter(entity => entity.type === type).length
      assert.equal(one.snapshot.entities.all.length, entityCount(sizes))
      assert.equal(count('Lokacja'), sizes.lands + sizes.towns + sizes.quarters + sizes.buildings)
      assert.equal(count('Przedmiot'), sizes.stacks + sizes.things)
      assert.deepEqual(['NPC', 'Grupa', 'Mapa', 'Gracz', 'Postać', 'Region'].map(count), [
        sizes.npcs,
        sizes.groups,
        sizes.maps,
        sizes.players,
        sizes.characters,
        sizes.regions,
      ])
      assert.equal(one.snapshot.sessions.all.length, sizes.sessions)
      assert.equal(
        one.snapshot.sessions.all.filter(session => session.copies.length === 2).length,
        sizes.copies,
      )
      assert.equal(
        Object.keys(one.files).filter(path => path.startsWith('Wątki/')).length,
        sizes.sessionFiles,
      )
      assert.equal(one.snapshot.characterFiles.size, sizes.characters)
      assert.equal(one.world.commits.length, sizes.commits)
    })

    it('tells sessions of at least 2 KB that name three entities in oblique cases', () => {
      const forms = obliqueForms(one.world.paradigms)
      for (const { header, body } of one.snapshot.sessions.all) {
        assert.ok(Buffer.byteLength(body) >= 2048, header)
        assert.ok(findObliqueNames(body, forms).size >= 3, header)
      }
    })

    it('hardly repeats a sentence', () => {
      const sentences = sentencesOf(one)
      assert.ok(1 - new Set(sentences).size / sentences.length < mostEqual)
    })

    it('parses with no finding but the planned: conjunctions of narrators and copies that differ', () => {
      const { entities, sessions, people, batches, ledger, findings } = one.snapshot
      const files = [...one.snapshot.characterFiles.values()].flatMap(file => file.findings)
      const kinds = [entities, sessions, people, batches, ledger].flatMap(part =>
        part.findings.map(finding => finding.kind),
      )
      const all = new Set([...kinds, ...files.map(one => one.kind), ...findings.map(one => one.kind)])
      assert.deepEqual([...all].sort(), ['DivergentCopies', 'NarratorConjunction'])
    })

    it('keeps the rows of one group in a document, and names documents of others', () => {
      const groups = one.snapshot.entities.byType.get('Grupa') ?? []
      const referring = groups.filter(group => group.ref !== null)
      assert.deepEqual(
        referring.map(group => [group.ref?.form, group.ref?.broken]),
        [['list', null]],
      )
      assert.ok((referring[0]?.rows.length ?? 0) > 5)
      const named = groups.flatMap(group =>
        group.rows.filter(row => row.tag === 'plik').map(row => row.value),
      )
      assert.ok(named.length > 1)
      for (const path of named) assert.ok(one.snapshot.files.has(path), path)
    })

    it('nests places four deep, under roots that hang on nothing', () => {
      const places = one.snapshot.entities.byType.get('Lokacja') ?? []
      const depths = places.map(place => canonicalPath(one.snapshot.entities, place, on).ancestors.length)
      assert.equal(Math.max(...depths), 3)
      assert.equal(depths.filter(depth => depth === 0).length, one.world.sizes.lands)
    })

    it('commits the session registry that a regeneration would write', () => {
      const { entities, sessions, files } = one.snapshot
      const plan = planRegistry(entities, sessions, on, files)
      assert.equal(plan.written, 0)
      assert.ok(plan.unchanged > 0)
    })

    it('commits in the order of time', () => {
      const times = one.world.commits.map(commit => commit.at.slice(0, 10))
      assert.deepEqual(times, [...times].sort())
    })

    it('states each rule of the ledger whole, under one subject, and cites posts in Polish', () => {
      for (const { ref, cardinality } of refRows) {
        const rows = one.snapshot.ledger.transitions.get(ref) ?? []
        assert.ok(rows.length > 0, ref)
        for (const row of rows)
          for (const { quote } of row.evidence)
            assert.ok(quote?.endsWith('.') && !quote.includes(`: ${row.op}`), `${ref}: ${quote}`)
        if (cardinality !== 'value') continue
        assert.equal(new Set(rows.map(row => row.subject)).size, 1, ref)
        assert.ok(
          rows.every(row => typeof row.value === 'string' && row.value.includes(';')),
          ref,
        )
      }
    })

    it('agrees with the character, and names in a reputation places that are there', () => {
      const { entities, characterFiles } = one.snapshot
      const sexes = new Set<string>()
      for (const file of characterFiles.values()) {
        const entries = Object.values(file.reputation).flat()
        for (const { location } of entries) assert.ok(placeNamed(entities, location, on), location)
        const said = entries.flatMap(entry => entry.detail ?? []).join()
        const wrong = file.condition === 'Zdrowa.' ? /znany|znoszony|\bgo\b/u : /znana|znoszona|\bjej\b/u
        assert.doesNotMatch(said, wrong, file.name)
        sexes.add(file.condition ?? '')
      }
      assert.deepEqual([...sexes].sort(), ['Zdrowa.', 'Zdrowy.'])
    })

    it('names nobody who is not there', () => {
      const { entities } = one.snapshot
      const dangling = integrityOfEntities(entities, on).filter(each => each.kind === 'DanglingReference')
      assert.deepEqual(dangling, [])
    })

    it('has no line that a person meant and no reader uses', () => {
      const kinds = new Set(allFindings(one.snapshot).map(({ kind }) => kind))
      assert.deepEqual([...kinds].sort(), [
        'ClosedMeaningMissing',
        'DivergentCopies',
        'MissingChat',
        'NarratorConjunction',
        'StaleBalance',
        'Supply',
      ])
    })

    it('is a function of its seed', () => {
      const again = demoWorld({ seed: 'próba', ...(scale === undefined ? {} : { scale }) })
      assert.deepEqual(again.commits, one.world.commits)
      assert.deepEqual(again.works, one.world.works)
      assert.notDeepEqual(
        demoWorld({ seed: 'inna', ...(scale === undefined ? {} : { scale }) }).commits,
        one.world.commits,
      )
    })
  })
}

describe('the demo world', () => {
  holds('for a newcomer', undefined)
  holds('at scale 1', 1)

  it('has entities of 300 bytes and six tags on average at scale 1, a third with three dated rows', () => {
    const { snapshot } = makeDemo(1)
    const blocks = snapshot.entities.all.map(entity => {
      const lines = (snapshot.files.get(entity.file)?.text ?? '')
        .split('\n')
        .slice(entity.line - 1, entity.endLine)
      return {
        bytes: Buffer.byteLength(lines.join('\n')),
        rows: entity.rows.filter(row => row.source._tag === 'File'),
      }
    })
    const total = (of: (block: (typeof blocks)[number]) => number): number =>
      blocks.reduce((sum, block) => sum + of(block), 0) / blocks.length
    assert.equal(blocks.length, 2000)
    assert.ok(total(block => block.bytes) >= 300)
    assert.ok(total(block => block.rows.length) >= 6)
    const dated = total(({ rows }) =>
      rows.filter(row => row.range.from !== null || row.range.to !== null).length >= 3 ? 1 : 0,
    )
    assert.ok(dated >= 1 / 3)
  })
})
