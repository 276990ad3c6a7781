import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Output } from '../output.js'
import { bashScript } from './bash.js'
import type { CommandWords } from './command-words.js'
import { fishScript } from './fish.js'
import type { Shell } from './shells.js'
import { zshScript } from './zsh.js'

export interface CompletionOptions {
  readonly shell: Shell
  readonly program: CommandWords
}

const scripts: { readonly [S in Shell]: (program: CommandWords) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Prints the completion script of a shell, generated from the commands of this program. */
export const completionCommand =
  (output: Output) =>
  ({ shell, program }: CompletionOptions): Promise<ExitCode> => {
    output.out(scripts[shell](program))
    return Promise.resolve(exitCodes.ok)
  }
