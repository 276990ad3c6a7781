import { right } from 'fp-ts/lib/Either.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { WritePlan } from '#src/corpus/write-plan.js'
import type { Touched } from '#src/lore/change-set.js'
import { fileOf } from './sim-repository.js'

/** The files of the simulated lore: so few that hosts and clients meet in them all the time. */
export const lorePaths = ['encje/indeks.md', 'encje/indeks-02.md'] as const
export type LorePath = (typeof lorePaths)[number]

export const firstFiles: ReadonlyMap<string, string> = new Map([
  ['.svc/format.json', '{"format": 2}\n'],
  ...lorePaths.map(path => [path, `### ${path}\n`] as const),
])

const repoPath = (path: LorePath): RepoPath => fileOf(path, '').path

/** Puts a line of its own at the end of a file: it must stand there for ever, once. */
export const appending =
  (path: LorePath, line: string): WritePlan<object> =>
  snapshot => {
    const file = snapshot.files.get(path)
    if (file === undefined) throw new Error(`a lore without ${path}`)
    const touches: ReadonlyArray<Touched> = [{ kind: 'entity', name: line }]
    const end = file.text.split('\n').length
    return right({
      edits: [
        {
          _tag: 'Lines',
          path: repoPath(path),
          before: file.blob,
          splices: [{ from: end, to: end - 1, lines: [line] }],
        },
      ],
      claims: [`line:${line}`],
      touches,
      subject: `entities: ${line}`,
      answer: { line },
      preview: { line },
    })
  }

/** Changes nothing: the answer names HEAD (D32). */
export const idle: WritePlan<object> = () =>
  right({ edits: [], claims: [], touches: [], subject: 'nothing', answer: {}, preview: {} })
