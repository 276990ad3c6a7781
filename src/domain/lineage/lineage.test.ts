import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { depositSamples, readSamples } from '#src/domain/samples/samples.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { day, sourceFile, worldOf } from '#test/support/world.js'
import {
  depositOf,
  type EvidenceLine,
  indexWitnesses,
  type LineageTick,
  membershipsOf,
  planLineage,
  retractionsOf,
  statedLineage,
} from './lineage.js'
import { witnessesIn } from './witness.js'

const { names, entities } = worldOf({
  'encje/indeks.md': [
    '### Orrin\n- @typ: NPC\n- @grupa: Czeladnik',
    '### Maela\n- @typ: NPC\n- @grupa: Gwardia (auto)\n- @pochodzenie: 2024-01-01, Próba, Solmyr (auto)',
    '### Gwardia\n- @typ: Grupa',
    '### Gildia Kupców\n- @typ: Grupa',
    '### Torek\n- @typ: Lokacja',
  ].join('\n'),
})
const entityNamed = (name: string): Entity => {
  const [found] = entities.byHeading.get(nameKey(name)) ?? []
  if (found === undefined) throw new Error(`no block ${name}`)
  return found
}
const read = (text: string, speaker: string | null = null): ReadonlyArray<string> =>
  witnessesIn(text, { names, speaker: speaker === null ? null : entityNamed(speaker) }).map(
    ({ kind, person, group }) =>
      `${kind}: ${person.entity?.name ?? `?${person.text}`} > ${group.entity.name} (${text.slice(group.start, group.end)})`,
  )

describe('witnesses of membership', () => {
  for (const [text, ...found] of [
    ['Widziałem Orrina z Gwardii.', 'from: Orrin > Gwardia (Gwardii)'],
    ['Przyszła Maela, członkini Gildii Kupców.', 'role: Maela > Gildia Kupców (Gildii Kupców)'],
    ['Nic. Maela należy do Gwardii!', 'belongs: Maela > Gwardia (Gwardii)'],
    ['Orrin służył w Gwardii', 'serves: Orrin > Gwardia (Gwardii)'],
    ['Maela wstąpiła do Gildii Kupców', 'joined: Maela > Gildia Kupców (Gildii Kupców)'],
    ['Spotkali wtedy Borzymira z Gwardii', 'from: ?Borzymira > Gwardia (Gwardii)'],
    ['Orrin z Torka'],
    ['Orrin z Gwardią poszedł na rynek.'],
    ['Orrin wyszedł. Z Gwardii nikt nie przyszedł.'],
    ['Orrin, a z Gwardii nikt.'],
    ['Człowiek z Gwardii'],
    [''],
  ] as const)
    it(`reads ${JSON.stringify(text)} as ${found.length === 0 ? 'none' : found.join()}`, () => {
      deepEqual(read(text), found)
    })

  it('takes the first person for the speaker, where one is known', () => {
    deepEqual(read('Jestem z Gwardii, wpuść mnie.', 'Orrin'), ['i-am: Orrin > Gwardia (Gwardii)'])
    deepEqual(read('Należę do Gildii Kupców.', 'Maela'), ['i-belong: Maela > Gildia Kupców (Gildii Kupców)'])
    deepEqual(read('Jestem strażniczką Gwardii.', 'Maela'), ['role: Maela > Gwardia (Gwardii)'])
    deepEqual(read('Jestem z Gwardii, wpuść mnie.'), [])
  })
})

const line = (at: number, log: string | null, text: string): EvidenceLine => ({
  sessions: [{ header: `2024-0${at}-01, Próba, Solmyr`, date: day(`2024-0${at}-01`) }],
  log,
  line: at,
  text,
  speaker: null,
})
const lines = [
  line(1, 'a', 'Orrin z Gwardii stoi przy bramie.'),
  line(2, 'b', 'To Orrin z Gwardii.'),
  line(3, 'c', 'Orrin należy do Gildii Kupców.'),
  line(4, null, 'Maela z Gwardii milczy.'),
  line(5, 'd', 'Borzymir z Gwardii? Był tu Borzymir z Gwardii.'),
]
const indexed = () => atOnce(indexWitnesses(lines, names))
const lore = (samples = readSamples([])) => ({ names, samples, day: day('2024-06-01') })
const statesOf = (name: string, samples = readSamples([])): ReadonlyArray<string> => {
  const person = entityNamed(name)
  return membershipsOf(person, indexed().byPerson.get(person) ?? [], lore(samples)).map(
    ({ group, state, sessions, logs }) => `${group.name}: ${state}, ${sessions} sessions, ${logs} logs`,
  )
}

/** The rows that the machine would deposit for Orrin, as a person who rules on them writes them. */
const ruledFile = (change: Readonly<Record<string, unknown>>) => {
  const person = entityNamed('Orrin')
  const [shown] = membershipsOf(person, indexed().byPerson.get(person) ?? [], lore())
  const deposits = (shown?.witnesses ?? []).map(one =>
    depositOf(one, { tag: 'grupa', subject: 'Orrin', value: 'Gwardia' }),
  )
  const [appended] = depositSamples(readSamples([]), new Map(), 'entity-span', deposits)
  const rows = (appended?.text ?? '')
    .trim()
    .split('\n')
    .map(text => JSON.stringify({ ...JSON.parse(text), grade: 'confirmed', ...change }))
  return sourceFile('samples/lineage/entity-span.jsonl', rows.join('\n'))
}

describe('memberships', () => {
  it('pass from two sessions and two transcripts on', () => {
    deepEqual(statesOf('Orrin'), [
      'Gwardia: candidate, 2 sessions, 2 logs',
      'Gildia Kupców: thin, 1 sessions, 1 logs',
    ])
  })
  it('are of the lore where a block states them, whatever the corpus shows', () => {
    deepEqual(statesOf('Maela'), ['Gwardia: lore, 1 sessions, 0 logs'])
  })
  it('collect what is said of somebody whom no block names', () => {
    deepEqual([...indexed().unknown.keys()], ['Borzymir'])
    equal(indexed().unknown.get('Borzymir')?.length, 1)
  })
  it('are ruled out by confirmed rows that name another referent, or none', () => {
    const ruled = 'Gwardia: ruled, 0 sessions, 0 logs'
    for (const change of [
      { verdict: 'denied' },
      { label: 'none' },
      { fields: { referent: 'Gildia Kupców', scope: 'corpus' } },
      { fields: { referent: 'undeclared', scope: 'corpus' } },
    ])
      equal(statesOf('Orrin', readSamples([ruledFile(change)])).includes(ruled), true, JSON.stringify(change))
  })
  it('stay if the confirmed rows name the same group, or the rows are only proposed', () => {
    for (const change of [{ verdict: 'affirmed' }, { grade: 'proposed', verdict: 'denied' }])
      equal(
        statesOf('Orrin', readSamples([ruledFile(change)]))[0],
        'Gwardia: candidate, 2 sessions, 2 logs',
        JSON.stringify(change),
      )
  })
  it("take back the machine's own line once it is ruled out, and no other", () => {
    const maela = entityNamed('Maela')
    const [shown] = indexed().byPerson.get(maela) ?? []
    if (shown === undefined) throw new Error('no witness')
    const deposit = depositOf(shown, { tag: 'grupa', subject: 'Maela', value: 'Gwardia' })
    const row = { id: 'x/entity-span/1', class: 'entity-span', grade: 'confirmed', ...deposit }
    const denied = { ...row, verdict: 'denied', provenance: { project: 'x' } }
    const samples = readSamples([sourceFile('samples/x/entity-span.jsonl', JSON.stringify(denied))])
    const taken = (known: typeof samples) =>
      retractionsOf(maela, membershipsOf(maela, [shown], lore(known)), names, day('2024-06-01')).map(
        one => one.row.value,
      )
    deepEqual([taken(samples), taken(readSamples([]))], [['Gwardia'], []])
  })
  it('tell an organisation from a tier, and the mark of the machine', () => {
    deepEqual(statedLineage(entityNamed('Orrin'), names, day('2024-06-01')), {
      pochodzenie: null,
      grupa: [{ value: 'Czeladnik', auto: false, kind: 'tier' }],
    })
    deepEqual(statedLineage(entityNamed('Maela'), names, day('2024-06-01')), {
      pochodzenie: { value: '2024-01-01, Próba, Solmyr', auto: true },
      grupa: [{ value: 'Gwardia', auto: true, kind: 'organisation' }],
    })
  })
})

const tickOf = (change: Partial<LineageTick> = {}) => {
  const { lines: planned, deposits } = planLineage({
    witnesses: indexed(),
    origins: new Map(),
    lore: lore(),
    speakerNamed: () => null,
    wasRemoved: () => false,
    linesMax: 10,
    ...change,
  })
  return { lines: planned.map(one => `${one._tag} ${one.name} @${one.tag}: ${one.value}`), deposits }
}

describe('a tick of the lineage autopilot', () => {
  it('adds what passes the guard, with a deposit for each witness', () => {
    const { lines: added, deposits } = tickOf()
    deepEqual(added, ['Add Orrin @grupa: Gwardia'])
    deepEqual(
      deposits.map(({ locator, fields }) => [locator.document, locator.text, fields['lineage']]),
      [
        ['log/a', 'Gwardii', { tag: 'grupa', subject: 'Orrin', value: 'Gwardia' }],
        ['log/b', 'Gwardii', { tag: 'grupa', subject: 'Orrin', value: 'Gwardia' }],
      ],
    )
  })

  it('adds nothing that a person removed, and nothing above its cap', () => {
    deepEqual(tickOf({ wasRemoved: (...line) => line.join() === 'Orrin,grupa,Gwardia' }), {
      lines: [],
      deposits: [],
    })
    deepEqual(tickOf({ linesMax: 0 }), { lines: [], deposits: [] })
  })

  it('states an origin once it is shown in two sessions and two transcripts', () => {
    const [first] = lines
    if (first === undefined) throw new Error('no line')
    const origin = (sessions: number, logs: number) =>
      new Map([
        [
          entityNamed('Orrin'),
          {
            session: '2024-01-01, Próba, Solmyr',
            date: day('2024-01-01'),
            how: 'mentioned' as const,
            line: first,
            sessions,
            logs,
          },
        ],
      ])
    const stated = 'Add Orrin @pochodzenie: 2024-01-01, Próba, Solmyr'
    equal(tickOf({ origins: origin(2, 2) }).lines.includes(stated), true)
    for (const few of [origin(1, 2), origin(2, 1)])
      equal(tickOf({ origins: few }).lines.includes(stated), false)
  })

  it('makes a block of somebody who speaks, and whom two sessions and two transcripts place in one group', () => {
    const more = [line(6, 'e', 'Pytali o Borzymira z Gwardii.'), line(7, 'f', 'Oto ten Borzymir z Gwardii.')]
    const witnesses = atOnce(indexWitnesses([...lines, ...more], names))
    const named = (surface: string) => (surface.startsWith('Borzymir') ? 'Borzymir' : null)
    const made = 'Block Borzymir @grupa: Gwardia'
    equal(tickOf({ witnesses, speakerNamed: named }).lines.includes(made), true)
    equal(tickOf({ witnesses }).lines.includes(made), false)
    equal(tickOf({ speakerNamed: named }).lines.includes(made), false)
  })
})
