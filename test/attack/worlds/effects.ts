import { block, many } from '#test/support/hostile/lore-text.js'
import type { AttackLore } from '../world-case.js'
import { basis, closeRecordLine, dayBefore, sessionWithLists } from './text.js'

const header = '2026-01-01, Wielka zmiana, Brzoza'

const makeClosedWorld = (
  index: string,
  sessions: string,
  headers: ReadonlyArray<string>,
): ReadonlyMap<string, string> =>
  new Map([
    ...basis,
    ['encje/indeks.md', index],
    ['sesje/a.md', sessions],
    ['.svc/close/ledger.jsonl', headers.map(closeRecordLine).join('')],
  ])

/** Effects of closed sessions: each read applies them. */
export const effectAttackWorlds: ReadonlyArray<AttackLore> = [
  {
    name: 'falling-dates',
    size: 100_000,
    names: ['Ola', header],
    // One closed session, its changes dated ever earlier.
    files: (_chance, size) =>
      makeClosedWorld(
        block('Postać', 'Ola', 'należy_do: Brzoza'),
        sessionWithLists(header, {
          Zmiany: `    - Ola\n${many(size, at => `        - @stan: s${at} (${dayBefore(at % 9_000)}:)\n`)}`,
        }),
        [header],
      ),
  },
  {
    name: 'changes-of-one-place',
    size: 30_000,
    names: ['Ola', 'M1', header],
    files: (chance, size) =>
      makeClosedWorld(
        block('Postać', 'Ola', 'należy_do: Brzoza') + many(50, at => block('Lokacja', `M${at}`)),
        sessionWithLists(header, {
          Zmiany: many(size, () => `    - Ola\n        - @lokacja: M${chance.whole(0, 49)}\n`),
        }),
        [header],
      ),
  },
  {
    name: 'deleted-purses',
    size: 20_000,
    names: ['Ola', 'Talary 1', header],
    files: (_chance, size) =>
      makeClosedWorld(
        block('Postać', 'Ola', 'należy_do: Brzoza') +
          block('Postać', 'Ala', 'należy_do: Brzoza') +
          many(size, at =>
            block(
              'Przedmiot',
              `Talary ${at}`,
              'generyczne_nazwy: Talary Hirońskie',
              `należy_do: ${at % 2 === 0 ? 'Ola' : 'Ala'}`,
              'ilość: 5',
              'status: Usunięty (2025-01:)',
            ),
          ),
        sessionWithLists(header, {}) + many(size, at => `- @Transfer: ${1 + (at % 9)} Talary, Ola -> Ala\n`),
        [header],
      ),
  },
  {
    name: 'transfers-of-many-sessions',
    size: 4_000,
    names: ['Ola', `${dayBefore(0)}, S0, Brzoza`],
    files: (_chance, size) => {
      const headers = Array.from({ length: size }, (_, at) => `${dayBefore(at)}, S${at}, Brzoza`)
      return makeClosedWorld(
        block('Postać', 'Ola', 'należy_do: Brzoza') + block('Postać', 'Ala', 'należy_do: Brzoza'),
        headers
          .map(
            one =>
              `${sessionWithLists(one, {})}- @Transfer: 3 Talary, Ola -> Ala\n- @Transfer: 3 Talary, Ala -> Ola\n\n`,
          )
          .join(''),
        headers,
      )
    },
  },
]
