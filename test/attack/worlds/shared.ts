import type { Chance } from '#src/demo/chance.js'
import { block, many } from '#test/support/hostile/lore-text.js'
import type { Shot } from '../ask.js'
import type { AttackLore } from '../world-case.js'
import { basis, inIndexFiles } from './text.js'

const alias = 'Wspólne Miano'

const report = (token: string, list: object, name: string) => ({
  method: 'POST',
  path: '/sessions/report?dryRun=true',
  body: { date: '2026-05-01', title: name, narrators: ['Brzoza'], content: 'Relacja.', metadata: list },
  token,
})

const often = (text: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, () => text)

const stem = 'aleksandrynella'

/** The stem with other letters in so many places. */
const lookAlike = (chance: Chance, places: number): string => {
  const letters = Array.from(stem)
  const changed = chance.some(
    letters.map((_, at) => at),
    places,
  )
  for (const at of changed) letters[at] = String.fromCharCode(chance.whole(97, 122))
  const name = letters.join('')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Processor time that the search for one misspelled name may take. */
const nameMs = 50

const misspelled = ['Alexsandrynela', 'Aleksandrinella', 'Aleksandrynlela', 'Qleksandrynelka'] as const

/** Names that no block has, asked for one by one and together. */
const searchMisspelled = (token: string): ReadonlyArray<Shot> => {
  const ask = (query: string) => ({ method: 'POST', path: '/resolve', body: { query }, token })
  const read = (path: string) => ({ method: 'GET', path, token })
  return [
    // The first one builds what the others share.
    ask('Aleksandrynelll'),
    ...misspelled.flatMap(name => [
      { ...ask(name), cpuMs: nameMs },
      { ...read(`/entities/${name}`), cpuMs: nameMs },
      { ...read(`/entities/search?q=${name}`), cpuMs: nameMs },
      read(`/search?q=${name}`),
    ]),
    {
      method: 'POST',
      path: '/resolve/batch',
      body: { queries: Array.from({ length: 200 }, (_, at) => `${misspelled[at % 4] ?? ''}${at}`) },
      token,
    },
    { ...read('/normalization/suggestions'), cpuMs: 5 * nameMs },
    { ...read('/search/zero-results'), cpuMs: 5 * nameMs },
  ]
}

/** Names that very many blocks share. */
export const sharedWorlds: ReadonlyArray<AttackLore> = [
  {
    name: 'shared-alias',
    size: 20_000,
    names: [alias, 'N1'],
    files: (_chance, size) =>
      new Map([...basis, ...inIndexFiles(size, at => block('NPC', `N${at}`, `alias: ${alias}`))]),
    // A report whose every name is that of all blocks.
    shots: token => [
      report(token, { participants: often(alias, 500) }, 'Uczestnicy'),
      report(token, { locations: often(alias, 500) }, 'Miejsca'),
      report(token, { intel: often(alias, 500).map(target => ({ target, message: 'x' })) }, 'Intel'),
      report(
        token,
        { changes: often(alias, 200).map(entity => ({ entity, tags: [{ tag: 'info', value: 'x' }] })) },
        'Zmiany',
      ),
      report(token, { pu: often(alias, 500).map(character => ({ character, value: 1 })) }, 'PU'),
    ],
  },
  {
    name: 'homonyms',
    size: 5_000,
    names: ['Ola'],
    files: (_chance, size) =>
      new Map([
        ...basis,
        ...inIndexFiles(size, at =>
          block(at % 2 === 0 ? 'NPC' : 'Postać', 'Ola', 'grupa: Ola', 'należy_do: Ola'),
        ),
      ]),
  },
  {
    name: 'near-names',
    size: 20_000,
    names: ['Aleksandra z Rodu 1', 'Aleksandra z Rodu'],
    files: (_chance, size) =>
      new Map([...basis, ...inIndexFiles(size, at => block('NPC', `Aleksandra z Rodu ${at}`))]),
    shots: token => [
      report(
        token,
        { participants: Array.from({ length: 500 }, (_, at) => `Aleksandrą z Rodu x${at}`) },
        'Bliskie',
      ),
    ],
  },
  {
    name: 'look-alikes',
    size: 30_000,
    names: misspelled,
    files: (chance, size) =>
      new Map([
        ...basis,
        ...inIndexFiles(size, at =>
          block('NPC', `${lookAlike(chance, 4)} ${at % 2 === 0 ? 'Szara' : 'Cicha'}`),
        ),
      ]),
    shots: searchMisspelled,
  },
  {
    name: 'all-whole-answers',
    size: 8_000,
    names: ['E1'],
    files: (chance, size) =>
      new Map([
        ...basis,
        ...inIndexFiles(size, at =>
          block(
            'NPC',
            `E${at}`,
            ...Array.from(
              { length: 6 },
              (_, one) => `info: ${many(12, () => `słowo${chance.whole(0, 99)} `)}${one}`,
            ),
          ),
        ),
      ]),
  },
]
