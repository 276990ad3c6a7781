import { deepEqual, equal } from 'node:assert/strict'
import type { Entities } from '#src/domain/entities/entity.js'
import { type Build, buildSnapshot } from '#src/snapshot/build.js'
import { inputsOf } from '#test/support/world.js'
import { sessionsNaming } from '../../../../test/support/at-once.js'

const header = '2024-05-03, T, Solmyr'
const sessions = `### ${header}

Spotkali Kupca Orrina, Żbika, d’Artagnana, Éloi i Andrégo z Nowej-Wsi.

- @Zmiany:
    - Orrina
        - @stan: Ranny
    - Żbika
        - @stan: Zdrowy
`
const files = (index: ReadonlyArray<string>) => ({
  'encje/indeks.md': index.map(name => `### ${name}\n- @typ: NPC\n`).join('\n'),
  'encje/inne.md': '### Wilk\n- @typ: NPC\n',
  'Sesje.md': sessions,
  '.svc/close/ledger.jsonl': JSON.stringify({
    ...{ header, op: 'close', at: '2026-01-01T00:00:00Z', by: 'a', source: 'close' },
    ...{ transfers: 0, intel: 0 },
  }),
})

const statesOf = ({ all }: Entities) =>
  all.map(({ name, rows }) => [name, rows.flatMap(({ tag, value }) => (tag === 'stan' ? [value] : []))])

/** Worlds in turn; between two of them a block comes, goes or is renamed. */
const turns: ReadonlyArray<readonly [what: string, index: ReadonlyArray<string>]> = [
  ['nobody', []],
  ['a block of which the effect has a form', ['Kupiec Orrin']],
  ['another with the same word', ['Kupiec Orrin', 'Orrin Stary']],
  ['one with the form of the other', ['Kupiec Orrin', 'Orrina']],
  ['the first again', ['Kupiec Orrin']],
  ['one of both', ['Orrino', 'Żbik']],
  ['a homonym by its forms', ['Orrino', 'Orrin', 'Żbik']],
  ['names with signs', ["d'Artagnan", 'Éloi', 'André', 'Nowa-Wieś']],
  ['fewer of them', ['Éloi', 'Nowa Wieś']],
  ['nobody again', ['Mara']],
]

describe('effects and prose that a build reuses', () => {
  it('mean what a fresh build finds, whatever block comes or goes', () => {
    let before: Build | null = null
    let inputs: ReturnType<typeof inputsOf> | null = null
    for (const [what, index] of turns) {
      inputs = inputsOf(files(index), {}, inputs)
      const built: Build = buildSnapshot(inputs, before)
      const fresh: Build = buildSnapshot(inputs, null)
      deepEqual(statesOf(built.snapshot.entities), statesOf(fresh.snapshot.entities), what)
      deepEqual(built.snapshot.findings, fresh.snapshot.findings, what)
      const named = [built, fresh].map(({ snapshot }) =>
        [...sessionsNaming(snapshot.sessions, snapshot.names).keys()].map(({ name }) => name),
      )
      deepEqual(named[0], named[1], what)
      before = built
    }
    equal(before === null, false)
  })
})
