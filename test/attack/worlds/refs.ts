import { block, many } from '#test/support/hostile/lore-text.js'
import type { Repository } from '#test/support/repository.js'
import { gitAtLength } from '../git.js'
import type { AttackLore } from '../world-case.js'
import { basis, inIndexFiles } from './text.js'

/** Puts so many names of one blob into a folder of the commit, without writing a file for each. */
const manyPaths =
  (folder: string, text: string) =>
  (repository: Repository, count: number): void => {
    const blob = gitAtLength(repository.path, ['hash-object', '-w', '--stdin'], text).trim()
    const lines = many(count, at => `100644 blob ${blob}\t${at}.md\n`)
    const tree = gitAtLength(repository.path, ['mktree'], lines).trim()
    repository.git('rm', '-r', '-q', '--ignore-unmatch', folder)
    repository.git('read-tree', `--prefix=${folder}/`, tree)
    repository.git('commit', '-q', '-m', 'many paths')
    repository.git('checkout', '-q', '-f', 'main')
  }

/** Small commits that name much: one text read by many blocks, one blob under many paths. */
export const refWorlds: ReadonlyArray<AttackLore> = [
  {
    name: 'ref-fan-in',
    size: 1_500,
    names: ['R1', 'Wielka'],
    files: (_chance, size) =>
      new Map([
        ...basis,
        ['Opisy/wielki.md', many(4_000, at => `- @info: wiersz ${at}\n`)],
        ...inIndexFiles(size, at => block('NPC', `R${at}`, 'ref: Opisy/wielki.md')),
      ]),
  },
  {
    name: 'many-paths-of-one-blob',
    size: 40_000,
    names: ['2026-01-01, Kopia, Brzoza'],
    files: () => new Map([...basis, ['sesje/a.md', '### 2026-01-01, Kopia, Brzoza\n']]),
    ready: manyPaths('kopie', `### 2026-01-01, Kopia, Brzoza\n\n${many(200, at => `wiersz ${at}\n`)}`),
  },
  {
    name: 'one-header-in-many-files',
    size: 4_000,
    names: ['2026-01-01, Wszędzie, Brzoza'],
    files: (_chance, size) =>
      new Map([
        ...basis,
        ...Array.from(
          { length: size },
          (_, at) =>
            [
              `sesje/${at}.md`,
              `### 2026-01-01, Wszędzie, Brzoza\n\nWersja ${at}.\n\n- @PU:\n    - Ola: ${at % 9}\n`,
            ] as const,
        ),
      ]),
  },
]
