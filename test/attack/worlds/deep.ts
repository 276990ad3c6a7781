import { block, many } from '#test/support/hostile/lore-text.js'
import type { AttackLore } from '../world-case.js'
import { basis, dayBefore, inIndexFiles } from './text.js'

const config = (corpora: object): readonly [string, string] => [
  '.svc/config.json',
  `${JSON.stringify({ server: { selfheal_interval_ms: 0, gc_interval_min: 0 }, corpora })}\n`,
]

/** A tree of works that a person may name in the configuration though it is no tree of works. */
const worksAt = (name: string, dziel: string): AttackLore => ({
  name,
  size: 1,
  names: ['namiestnik'],
  files: () => new Map([...basis, config({ dziel }), ['encje/indeks.md', block('NPC', 'Ola')]]),
})

/** Chains, circles, and lines that go on. */
export const deepWorlds: ReadonlyArray<AttackLore> = [
  {
    name: 'deep-places',
    size: 5_000,
    names: ['M0', 'M4000'],
    files: (_chance, size) =>
      new Map([...basis, ...inIndexFiles(size, at => block('Lokacja', `M${at}`, `lokacja: M${at + 1}`))]),
  },
  {
    name: 'deep-paths',
    size: 2_000,
    names: ['P0'],
    files: (_chance, size) =>
      new Map([
        ...basis,
        ...inIndexFiles(size, at =>
          block('Lokacja', `P${at}`, `lokacja: ${many(60, one => `P${(at + one) % 90}/`)}P1`),
        ),
      ]),
  },
  {
    name: 'huge-line',
    size: 6_000_000,
    names: ['Ola', 'x'],
    files: (_chance, size) =>
      new Map([...basis, ['encje/indeks.md', block('NPC', 'Ola', `info: ${'ą b/'.repeat(size / 4)}`)]]),
  },
  {
    name: 'many-ranges',
    size: 40_000,
    names: ['Ola'],
    files: (_chance, size) =>
      new Map([
        ...basis,
        [
          'encje/indeks.md',
          `### Ola\n- @typ: NPC\n${many(size, at => `- @grupa: G${at % 40} (${dayBefore(at % 9_000)}:${dayBefore((at * 7) % 9_000)})\n`)}`,
        ],
      ]),
  },
  {
    name: 'many-narrators',
    size: 3_000,
    names: ['Ola'],
    files: (_chance, size) =>
      new Map([
        ...basis,
        [
          'sesje/a.md',
          many(
            size,
            at =>
              `### ${dayBefore(at)}, S${at}, ${many(30, one => `N${(at + one) % 700}+`)}Brzoza\n\nProza.\n\n`,
          ),
        ],
      ]),
  },
  worksAt('works-at-proc', '/proc'),
  worksAt('works-at-the-root', '/'),
  worksAt('works-at-the-lore', '.'),
]
