import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { ownerOn } from '#src/domain/entities/entity.js'
import { servedFiguresOn } from '#src/domain/lore/figures.js'
import { adoptionDay, planOf } from '#test/support/legacy/adoption.js'
import { legacyWorld, type WorldTexts } from '#test/support/legacy/legacy-world.js'
import { applyAdoption, findLostWords } from '#test/support/legacy/lost-words.js'
import { sharedLegacy, textsIn } from '#test/support/texts-in.js'
import { day, worldOf } from '#test/support/world.js'

/** The word for the game in `ID <word>:` and `@<word>id`: format 2 says `@gameid`. */
const isLabel = (texts: WorldTexts, word: string): boolean =>
  /^\p{L}+id$/u.test(word) || Object.values(texts).some(text => text.toLowerCase().includes(`- id ${word}:`))

const holdsForEveryWorld = (texts: WorldTexts): void => {
  const { changes, report, refused } = planOf(texts)
  deepEqual(refused, [])
  deepEqual(
    findLostWords(texts, changes, report).filter(word => !isLabel(texts, word)),
    [],
  )
  const after = applyAdoption(texts, changes)
  const again = planOf(after)
  deepEqual(again.changes, [])
  deepEqual(again.report.Entities, report.Entities)
  equal(again.report.SessionsObserved, report.SessionsObserved)
  equal(again.report.SessionRegistry.Files.Unchanged, report.SessionRegistry.Files.Written)
  ok(!/api\/webhooks/u.test(JSON.stringify([changes, report])))
  const parity = report.Parity ?? []
  deepEqual(
    parity.filter(row => !row.equal),
    [],
  )
  const snapshot = worldOf(after, { day: adoptionDay })
  equal(snapshot.format.state, 'Current')
  equal(snapshot.people.all.length, report.Entities.players)
  equal(snapshot.entities.byType.get('Postać')?.length ?? 0, report.Entities.characters)
  equal(snapshot.sessions.all.length, report.SessionsObserved)
  equal(snapshot.closeLedger.entries.length, report.SessionsObserved)
  for (const row of parity) {
    const postac = snapshot.entities.byType.get('Postać')?.find(one => one.name === row.character)
    ok(postac !== undefined, row.character)
    equal(ownerOn(postac, day(adoptionDay)), row.player)
    equal(servedFiguresOn(postac.rows, day(adoptionDay)).PuSuma, row.legacy.suma)
  }
}

describe('adoption of the world of the predecessor', () => {
  const world = textsIn(join(sharedLegacy, 'world'))
  const test = (name: string, body: (texts: WorldTexts) => void): void => {
    it(name, function () {
      if (world === null) {
        process.stdout.write('    no legacy world beside this repository, skipped\n')
        return this.skip()
      }
      body(world)
    })
  }

  test('keeps every word, PU and session, and is done after one run', holdsForEveryWorld)

  test('counts what it found', world_ => {
    const { report } = planOf(world_)
    deepEqual(report.Entities, { players: 3, characters: 3, npc: 4, locations: 6, maps: 0, preserved: 0 })
    equal(report.SessionsObserved, 20)
    deepEqual(report.SessionRegistry.Sessions, { Total: 20, Placed: 16 })
  })

  test('tells the fractions that the predecessor cut off', world_ => {
    const cut = planOf(world_).report.Findings.filter(({ kind }) => kind === 'PuTruncated')
    deepEqual(
      cut.map(({ line }) => line),
      [13, 13, 13],
    )
  })
})

/** The path at which the predecessor would have looked for a fixture. */
const placeFixture = (name: string): string => {
  if (name.startsWith('Gracze')) return 'Gracze.md'
  if (name.startsWith('pu-sessions')) return '.robot/res/pu-sessions.md'
  if (name.startsWith('charfile')) return `Postaci/Gracze/${name}`
  return /^(?:entities|minimal)/u.test(name) ? 'entities.md' : name
}

describe('adoption of each fixture of the predecessor', () => {
  const fixtures = textsIn(join(sharedLegacy, 'fixtures'))
  if (fixtures === null) {
    it('has no fixtures beside this repository', function () {
      process.stdout.write('    no legacy fixtures here, skipped\n')
      this.skip()
    })
    return
  }
  for (const [name, text] of Object.entries(fixtures).filter(([path]) => path.endsWith('.md')))
    it(`${name} loses nothing`, () => holdsForEveryWorld({ [placeFixture(name)]: text }))
})

describe('adoption of a legacy repository', () => {
  const plan = planOf(legacyWorld)
  const after = applyAdoption(legacyWorld, plan.changes)
  const blocks = (path: string): ReadonlyMap<string, string> =>
    new Map(
      (after[path] ?? '')
        .split(/^### /mu)
        .slice(1)
        .map(text => [text.split('\n')[0] ?? '', text.split('\n').slice(1).join('\n').trim()]),
    )
  const index = blocks('encje/indeks.md')

  it('keeps every word, PU and session, and is done after one run', () => holdsForEveryWorld(legacyWorld))

  it('writes people without credentials, with old ids and topics from every place', () => {
    equal(
      blocks('kontrybutorzy.md').get('Wierzba'),
      [
        '- @gameid: 4100 (:2022-12)',
        '- @gameid: 4101 (2023-01:)',
        '- @tematy: pająki, głód, utonięcie, Zamknięcie w ciemności; także we śnie.',
        '- @info: Gra od pierwszej edycji.',
      ].join('\n'),
    )
  })

  it('closes the older of two overlapping rows the day before the newer', () => {
    ok(
      index
        .get('Kowal Jaromir')
        ?.includes('- @lokacja: Dolny Młyn (2023-01:2023-03)\n- @lokacja: Górny Młyn (2023-04:)'),
    )
    ok(index.get('Miech')?.includes('- @ilość: 3 (2023-02:2023-08)\n- @ilość: 2 (2023-09:)'))
  })

  it('turns @zawiera round, free types into @info and the game id of a map into @gameid', () => {
    equal(index.get('Dolny Młyn'), '- @typ: Lokacja\n- @info: młyn wodny\n- @lokacja: Kotlina')
    equal(index.get('Kotlina'), '- @typ: Lokacja\n- @zawiera: Zaginiona Wieża')
    equal(index.get('Mapa Kotliny'), '- @typ: Mapa\n- @gameid: 615')
    equal(index.get('Cech Kowali'), '- @typ: Grupa\n- @alias: Kowale (2022:)\n- @alias: Młoty')
  })

  it('lets the registry win over the roster, the lowest shard over all', () => {
    ok(index.get('Bogna Ruczaj')?.includes('- @pu_suma: 34\n- @pu_startowe: 20\n- @pu_zdobyte: 11.25'))
    ok(index.get('Mirko')?.includes('- @należy_do: Wierzba (2024-02:)'))
    ok(index.get('Cichy Jar')?.includes('- @pu_suma: 22.5\n- @pu_startowe: 18\n- @pu_zdobyte: 4.5'))
  })

  it('files roster notes and @info under Dodatkowe informacje and touches nothing else', () => {
    equal(
      after['Postaci/Gracze/Bogna Ruczaj.md'],
      legacyWorld['Postaci/Gracze/Bogna Ruczaj.md']?.replace(
        '- Brak.\n\n**Opisane',
        '- Ma kuzyna w Dolnym Młynie.\n- Nosi zielony płaszcz.\n\n**Opisane',
      ),
    )
    ok(after['Postaci/Gracze/Mirko.md']?.startsWith('**Karta Postaci:**\n'))
    equal(after['Postaci/Gracze/Dagna.md'], undefined)
    ok(index.get('Dagna')?.includes('- @plik: Archiwum/stara-dagna.md'))
  })

  it('keeps the time of a settled run and the sessions it settled', () => {
    const [batch] = worldOf(after).batches.all
    ok(batch !== undefined)
    equal(batch.id, 'legacy 2024-04-03 20:15 (UTC+02:00)')
    equal(batch.at, '2024-04-03T18:15:00.000Z')
    equal(batch.month, '2024-03')
    ok(batch.sessions.includes('2024-03-20, Powrót z moczarów, Olcha'))
  })

  it('lays the session registry out as the tree of places', () => {
    deepEqual(
      Object.keys(after).filter(path => path.startsWith('Lokacje/')),
      [
        'Lokacje/Kotlina/Dolny Młyn/Sesje.md',
        'Lokacje/Kotlina/Sesje.md',
        'Lokacje/Wysoczyzna/Górny Młyn/Sesje.md',
      ],
    )
    equal(
      after['Lokacje/Kotlina/Sesje.md'],
      '<!-- generated from sessions; do not edit -->\n- 2024-03-02, Noc na moczarach, Wierzba (Wątki/moczary.md)\n',
    )
  })

  it('tells each thing that a person has to look at', () => {
    const kinds = new Set(plan.report.Findings.map(({ kind }) => kind))
    for (const kind of [
      ...['WebhookToRevoke', 'PuTruncated', 'MovedOwner', 'OrphanCharacter', 'pu-niespójne', 'UnknownStatus'],
      ...[
        'UnknownTag',
        'FreeTextType',
        'OverlapClosed',
        'ContainsContradicted',
        'UntypedEntity',
        'MisplacedTag',
      ],
      ...[
        'UnresolvedCharacter',
        'UnresolvedPlace',
        'StaleHistoryHeader',
        'CharacterFileElsewhere',
        'NotBold',
      ],
    ])
      ok(kinds.has(kind), kind)
    ok(!plan.report.Findings.some(({ subject }) => subject === 'na zewnątrz'))
  })
})
