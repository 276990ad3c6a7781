import { exitCodes } from '#protocol/exit-code.js'
import type { Output } from '#src/cli/output.js'
import { run } from '#src/cli/program.js'
import { commands } from '#src/node/commands/commands.js'
import { packageVersion } from '#src/node/package-files.js'
import { secrets } from '#test/support/secrets/secrets.js'
import type { DaemonExit } from './daemon.js'

/**
 * Runs a command of `kronika` in this process, from the sources, with its real dependencies: cheaper than the built
 * program by a process. Not for `serve`, whose log goes to the stderr of its process.
 */
export const runInProcess = async (...args: ReadonlyArray<string>): Promise<DaemonExit> => {
  let [stdout, stderr] = ['', '']
  const output: Output = {
    out: text => {
      stdout += `${text}\n`
    },
    err: text => {
      stderr += `${text}\n`
    },
    isTerminal: false,
  }
  const runHere = async (): Promise<number> => {
    try {
      return await run(['node', 'kronika', ...args], commands(output), packageVersion())
    } catch (error) {
      // As `main.ts` does.
      output.err(`kronika: ${error instanceof Error ? error.message : String(error)}`)
      return exitCodes.uncaught
    }
  }
  const code = await runHere()
  // `kronika token` prints the token that it mints: its stdout may contain a secret.
  if (args[0] !== 'token') secrets.told(`stdout of ${args[0] ?? 'a command'}`, stdout)
  secrets.told(`stderr of ${args[0] ?? 'a command'}`, stderr)
  return { code, stdout, stderr }
}
