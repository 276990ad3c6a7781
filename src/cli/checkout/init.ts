import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { escapeControlsByLine, printedJson } from '../escape-controls.js'
import type { InitOptions } from '../options.js'
import type { Output } from '../output.js'

/** The new repository: its first commit, its files, and the next commands. */
export interface MadeRepository {
  readonly directory: string
  readonly commit: string
  readonly files: ReadonlyArray<string>
  readonly next: ReadonlyArray<{ readonly what: string; readonly command: string }>
}

/** Why no repository was made. */
export interface InitRefusal {
  readonly code: ExitCode
  readonly reason: string
}

const describeRepository = ({ directory, commit, files, next }: MadeRepository): string =>
  [
    `${directory}: a new lore repository, commit ${commit.slice(0, 12)}`,
    ...files.map(file => `    ${file}`),
    '',
    'What to do next:',
    ...next.flatMap(({ what, command }, at) => [`${at + 1}. ${what}`, `    ${command}`]),
  ].join('\n')

/** `kronika init`: creates the repository of a new community and prints the next steps. */
export const init =
  (make: (directory: string) => Promise<Either<InitRefusal, MadeRepository>>, output: Output) =>
  async (options: InitOptions): Promise<ExitCode> => {
    const made = await make(options.directory)
    if (isLeft(made)) {
      output.err(`kronika init: ${made.left.reason}.`)
      return made.left.code
    }
    output.out(options.json ? printedJson(made.right) : escapeControlsByLine(describeRepository(made.right)))
    return exitCodes.ok
  }
