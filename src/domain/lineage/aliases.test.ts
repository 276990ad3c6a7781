import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { readSamples } from '#src/domain/samples/samples.js'
import { day, sourceFile, worldOf } from '#test/support/world.js'
import { type AliasTick, planAliases } from './aliases.js'
import type { SpokenName } from './lineage.js'

const { names } = worldOf({
  'encje/indeks.md': [
    '### Kupiec Orrin\n- @typ: NPC\n- @alias: Orrin',
    '### Stara Maela\n- @typ: NPC',
    '### Gwardia\n- @typ: Grupa',
  ].join('\n'),
})
const headers = ['2024-01-01, Próba, Solmyr', '2024-02-01, Druga, Solmyr'] as const
const spoken = (surface: string, sessions = 2, logs = 2): SpokenName => ({
  surface,
  sessions: new Set(headers.slice(0, sessions)),
  logs: new Set(['a', 'b'].slice(0, logs)),
})
const binding = (header: string, surface: string, referent: string) =>
  JSON.stringify({
    id: `x/speaker-binding/${header}`,
    class: 'speaker-binding',
    grade: 'confirmed',
    label: 'character',
    fields: { scope: header, surface, referent },
    provenance: { project: 'x' },
  })
const aliases = (
  all: ReadonlyArray<SpokenName>,
  change: Partial<AliasTick> = {},
  rows: ReadonlyArray<string> = [],
) =>
  planAliases({
    spoken: all,
    lore: {
      names,
      samples: readSamples([sourceFile('samples/x/speaker-binding.jsonl', rows.join('\n'))]),
      day: day('2024-06-01'),
    },
    isTaken: () => false,
    wasRemoved: () => false,
    linesMax: 20,
    ...change,
  }).map(({ name, value }) => `${value} → ${name}`)

describe('aliases of the autopilot', () => {
  it('are names that grammar gives to one block', () => {
    deepEqual(aliases([spoken('Starej Maeli')]), ['Starej Maeli → Stara Maela'])
  })
  it('are none if the lore has the name, no block has it, or a group has it', () => {
    deepEqual(aliases(['Orrin', 'Kupiec Orrin', 'Wędrowiec', 'Gwardii'].map(one => spoken(one))), [])
  })
  it('need two sessions and two transcripts', () => {
    deepEqual(aliases([spoken('Starej Maeli', 1, 2), spoken('Starej Maeli', 2, 1)]), [])
  })
  it('are what rulings say where all of them agree', () => {
    const [first, second] = headers
    const agree = [binding(first, 'Wędrowiec', 'Stara Maela'), binding(second, 'Wędrowiec', 'Stara Maela')]
    deepEqual(aliases([spoken('Wędrowiec')], {}, agree), ['Wędrowiec → Stara Maela'])
    for (const other of ['Kupiec Orrin', 'undeclared'])
      deepEqual(aliases([spoken('Wędrowiec')], {}, [agree[0] ?? '', binding(second, 'Wędrowiec', other)]), [])
    deepEqual(aliases([spoken('Starej Maeli')], {}, [binding(first, 'Starej Maeli', 'undeclared')]), [])
  })
  it('are none that another block has, that a person removed, or above the cap', () => {
    const one = [spoken('Starej Maeli')]
    deepEqual(aliases(one, { isTaken: () => true }), [])
    deepEqual(
      aliases(one, {
        wasRemoved: (heading, surface) => `${heading} ${surface}` === 'Stara Maela Starej Maeli',
      }),
      [],
    )
    deepEqual(aliases(one, { linesMax: 0 }), [])
  })
})
