import { effectWorlds } from './effect-worlds.js'
import type { LoadWorld } from './load-world.js'
import { block, dayAt, type Files, headerOn, items, many, repositoryWith, session } from './lore-text.js'

const only = headerOn('2026-05-10', 'S')
const index = (text: string, more: Files = {}): Files => repositoryWith({ 'encje/indeks.md': text, ...more })

const list = (n: number): string => many(n, at => `- @info: wpis ${at}\n`)

const references: ReadonlyArray<LoadWorld> = [
  {
    what: 'references of all blocks to one long file',
    n: 1000,
    files: n =>
      index(
        many(n, at => block('NPC', `N${at}`, 'ref: opisy/wspólny.md')),
        { 'opisy/wspólny.md': list(n) },
      ),
  },
  {
    what: 'references of all blocks to one file of blocks',
    n: 2000,
    files: n =>
      index(
        many(n, at => block('NPC', `N${at}`, 'ref: opisy/bloki.md')),
        {
          'opisy/bloki.md': many(n, at => `### N${at}\n- @info: wpis\n\n`),
        },
      ),
  },
  {
    what: 'a chain and a circle of references',
    n: 1000,
    files: n =>
      repositoryWith(
        Object.fromEntries(
          Array.from({ length: n }, (_, at) => [
            `encje/i${at}.md`,
            block('NPC', 'Ola', `ref: encje/i${(at + 1) % n}.md`),
          ]),
        ),
      ),
  },
]

const names: ReadonlyArray<LoadWorld> = [
  {
    what: 'blocks of one heading',
    n: 2000,
    files: n => index(many(n, () => block('NPC', 'Ola', 'grupa: Ola'))),
  },
  {
    what: 'blocks of one alias',
    n: 2000,
    files: n => index(many(n, at => block('NPC', `N${at}`, 'alias: Wspólna', 'grupa: Wspólna'))),
  },
  {
    what: 'a chain of places',
    n: 2000,
    files: n => index(many(n, at => block('Lokacja', `M${at}`, `lokacja: M${at + 1}`))),
  },
  {
    what: 'a block of rows with falling ranges',
    n: 10000,
    files: n =>
      index(block('NPC', 'Ola', ...Array.from({ length: n }, (_, at) => `lokacja: M (${dayAt(n - at)}:)`))),
  },
  {
    what: 'a block of generic names',
    n: 10000,
    files: n => index(block('Przedmiot', 'Sakwa', `generyczne_nazwy: ${many(n, at => `r${at}, `)}`)),
  },
  {
    what: 'index files of one block',
    n: 1000,
    files: n =>
      repositoryWith(
        Object.fromEntries(Array.from({ length: n }, (_, at) => [`encje/i${at}.md`, block('NPC', `N${at}`)])),
      ),
  },
]

const sessions: ReadonlyArray<LoadWorld> = [
  {
    what: 'one header in many files',
    n: 1000,
    files: n =>
      repositoryWith(
        Object.fromEntries(
          Array.from({ length: n }, (_, at) => [
            `sesje/${at}.md`,
            session(only, ['PU', items(1, () => `Ola: ${at}`)], ['Lokacje', items(1, () => `L${at}`)]),
          ]),
        ),
      ),
  },
  {
    what: 'a session of many participants',
    n: 5000,
    files: n =>
      repositoryWith({
        'sesje/a.md': session(
          only,
          ['Uczestnicy', items(n, at => `PC${at}`)],
          ['PU', items(n, at => `PC${at}: 0.3`)],
          ['Intel', items(n, at => `PC${at}: Coś`)],
        ),
      }),
  },
  {
    what: 'two copies that give one character PU again and again',
    n: 5000,
    files: n => {
      const copy = session(only, ['PU', items(n, at => `Ola: ${at % 9}`)])
      return repositoryWith({ 'sesje/a.md': copy, 'sesje/b.md': `${copy}\nInaczej.\n` })
    },
  },
  {
    what: 'unknown lists in one session',
    n: 50000,
    files: n => repositoryWith({ 'sesje/a.md': `### ${only}\n\n${many(n, () => '- @Niewiem: x\n')}` }),
  },
]

const award = (at: number): object => ({
  character: `PC${at}`,
  granted: 1,
  sumaBefore: 1,
  sumaAfter: 2,
  nadmiarBefore: 0,
  nadmiarAfter: 0,
})
const batch = (id: string, sessionsOf: ReadonlyArray<string>, awards: ReadonlyArray<object>): string =>
  `${JSON.stringify({ id, month: '2026-05', at: '2026-06-02T08:00:00Z', source: 'batch', sessions: sessionsOf, awards })}\n`

const stores: ReadonlyArray<LoadWorld> = [
  {
    what: 'a PU batch of many awards',
    n: 5000,
    files: n =>
      repositoryWith({
        '.svc/pu/batches.jsonl': batch(
          'b',
          [only],
          Array.from({ length: n }, (_, at) => award(at)),
        ),
      }),
  },
  {
    what: 'many PU batches',
    n: 5000,
    files: n =>
      repositoryWith({ '.svc/pu/batches.jsonl': many(n, at => batch(`b${at}`, [only], [award(at)])) }),
  },
  {
    what: 'people of one name, one alias and one game id',
    n: 2000,
    files: n =>
      repositoryWith({
        'kontrybutorzy.md': `## Gracz\n${many(n, at => `### ${at % 2 === 0 ? 'Ola' : `G${at}`}\n- @gameid: 7\n- @alias: Al\n`)}`,
      }),
  },
  {
    what: 'roles with tags that no role has',
    n: 50000,
    files: n =>
      repositoryWith({ 'kontrybutorzy.md': `## Role Kronikarz\n${many(n, () => '- @nieznany: x\n')}` }),
  },
  {
    what: 'a character file of places on one line',
    n: 50000,
    files: n =>
      repositoryWith({
        'Postaci/Gracze/Ola.md': `**Reputacja:**\n- Pozytywna: ${many(n, at => `M${at}, `)}\n`,
      }),
  },
]

/** All known worlds of this kind. */
export const loadWorlds: ReadonlyArray<LoadWorld> = [
  ...effectWorlds,
  ...references,
  ...names,
  ...sessions,
  ...stores,
]
