import type { LoadWorld } from './load-world.js'
import {
  block,
  change,
  closeRecord,
  dayAt,
  type Files,
  headerOn,
  items,
  many,
  numbers,
  repositoryWith,
  session,
} from './lore-text.js'

const only = headerOn('2026-05-10', 'S')
const index = (text: string, more: Files = {}): Files => repositoryWith({ 'encje/indeks.md': text, ...more })

/** An index and one closed session. */
const closeOne = (text: string, ...lists: ReadonlyArray<readonly [name: string, items: string]>): Files =>
  index(text, { 'sesje/a.md': session(only, ...lists), '.svc/close/ledger.jsonl': closeRecord(only) })

/** An index and many closed sessions, one on each day. */
const closeEach = (text: string, n: number, listOf: (at: number) => readonly [string, string]): Files => {
  const headers = Array.from({ length: n }, (_, at) => headerOn(dayAt(at), `S${at}`))
  return index(text, {
    'sesje/a.md': headers.map((header, at) => session(header, listOf(at))).join(''),
    '.svc/close/ledger.jsonl': headers.map(closeRecord).join(''),
  })
}

const purse = (at: number, ...rows: ReadonlyArray<string>): string =>
  block('Przedmiot', `Sakwa ${at}`, 'generyczne_nazwy: Korony', 'ilość: 5', ...rows)
const twoOwners = block('NPC', 'Ola') + block('NPC', 'Ala') + purse(-1, 'należy_do: Ala')
const payment = '1 korona, Ola -> Ala'

const changes: ReadonlyArray<LoadWorld> = [
  {
    what: 'changes with falling dates in one session',
    n: 8000,
    files: n =>
      closeOne(block('NPC', 'Ola'), ['Zmiany', many(n, at => change('Ola', `info: x (${dayAt(n - at)}:)`))]),
  },
  {
    what: 'changes with dates in no order in one session',
    n: 8000,
    files: (n, seed) =>
      closeOne(block('NPC', 'Ola'), [
        'Zmiany',
        change('Ola', ...numbers(seed, n, n).map(at => `info: x (${dayAt(at)}:)`)),
      ]),
  },
  {
    what: 'amounts that are added where no row is active',
    n: 4000,
    files: n =>
      closeOne(block('Przedmiot', 'Sakwa', ...Array.from({ length: n }, () => 'ilość: 1 (2001:2002)')), [
        'Zmiany',
        many(n, () => change('Sakwa', 'ilość: +1 (:2000)')),
      ]),
  },
  {
    what: 'changes of nobody in one session',
    n: 4000,
    files: n => closeOne('', ['Zmiany', many(n, at => change(`Nikt ${at}`, 'info: x'))]),
  },
  {
    what: 'changes of a name that all share',
    n: 2000,
    files: n =>
      closeOne(
        many(n, () => block('NPC', 'Ola')),
        ['Zmiany', many(n, () => change('Ola', 'info: x'))],
      ),
  },
  {
    what: 'an item of many generic names that changes hands',
    n: 500,
    files: n =>
      closeOne(block('Przedmiot', 'Sakwa', `generyczne_nazwy: ${many(n, () => 'Korony, ')}`), [
        'Zmiany',
        many(n, at => change('Sakwa', `należy_do: W${at}`)),
      ]),
  },
  {
    what: 'an item of many owners that becomes money again and again',
    n: 500,
    files: n =>
      closeOne(block('Przedmiot', 'Sakwa', ...Array.from({ length: n }, (_, at) => `należy_do: W${at}`)), [
        'Zmiany',
        many(n, at => change('Sakwa', `generyczne_nazwy: Korony (${dayAt(at)}:)`)),
      ]),
  },
]

const transfers: ReadonlyArray<LoadWorld> = [
  {
    what: 'transfers over deleted purses',
    n: 2000,
    files: n =>
      closeOne(
        twoOwners +
          many(n, at => purse(at, 'należy_do: Ola', 'status: Usunięty')) +
          purse(n, 'należy_do: Ola'),
        ['Transfer', items(n, () => payment)],
      ),
  },
  {
    what: 'transfers on many days over purses that changed hands',
    n: 2000,
    files: n =>
      closeEach(
        twoOwners +
          many(n, at => purse(at, 'należy_do: Ola (:1999)', `należy_do: Ala (${dayAt(at)}:)`)) +
          purse(n, 'należy_do: Ola'),
        n,
        () => ['Transfer', items(1, () => payment)],
      ),
  },
  {
    what: 'purses that come back and go between transfers',
    n: 2000,
    files: n =>
      closeEach(
        twoOwners +
          many(n, at => purse(at, 'należy_do: Ola', 'status: Usunięty')) +
          purse(n, 'należy_do: Ola'),
        n,
        at => [
          at % 2 === 0 ? 'Zmiany' : 'Transfer',
          at % 2 === 0
            ? change(`Sakwa ${at}`, `status: Aktywny (${dayAt(at)}:${dayAt(at)})`)
            : items(1, () => payment),
        ],
      ),
  },
  {
    what: 'transfers of nobody in one session',
    n: 4000,
    files: n => closeOne('', ['Transfer', items(n, at => `1 korona, A${at} -> B${at}`)]),
  },
]

/** Closed sessions whose Zmiany and Transfers are slow to apply. */
export const effectWorlds: ReadonlyArray<LoadWorld> = [...changes, ...transfers]
