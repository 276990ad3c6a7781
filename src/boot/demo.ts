import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { DemoOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'

export const demo =
  (output: Output) =>
  (_options: DemoOptions): Promise<ExitCode> => {
    output.err('kronika demo: not built yet')
    return Promise.resolve(exitCodes.usage)
  }
