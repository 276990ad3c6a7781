import { exitCodes } from '#protocol/exit-code.js'
import type { Workload } from '#protocol/host/config.js'
import type { Schedule } from '#src/domain/config/schedules.js'
import type { RunChild } from '#src/ports/host.js'
import type { Output } from './output.js'

export interface WorkloadOptions {
  readonly repo: string
  readonly workload: Workload
  /** The command with its arguments; empty: print the owner alone. */
  readonly command: ReadonlyArray<string>
}

/** The committed owner of a workload, with what is wrong with the file that states it. */
export interface CommittedOwner extends Schedule {
  readonly warnings: ReadonlyArray<string>
}

/**
 * `kronika workload`: runs the command where the committed owner is `ci`, and returns its exit code; returns 0
 * elsewhere. Without a command prints the owner. What it reports goes to stderr, so stdout is the command's.
 */
export const workloadCommand =
  (run: RunChild, output: Output) =>
  async ({ workload, command }: WorkloadOptions, found: CommittedOwner): Promise<number> => {
    const { owner, source, warnings } = found
    const tell = (text: string): void => output.err(`kronika workload: ${text}`)
    for (const warning of warnings) tell(warning)
    const [first, ...args] = command
    if (first === undefined) {
      output.out(owner)
      return exitCodes.ok
    }
    const said = `the owner of ${workload} is ${owner}${source === 'default' ? ', by default' : ''}`
    tell(owner === 'ci' ? `${said}; running ${first}.` : `${said}, so CI runs nothing.`)
    if (owner !== 'ci') return exitCodes.ok
    const { code, failure } = await run(first, args)
    if (failure === 'not_found') tell(`${first} was not found; a path is one from the current folder.`)
    if (failure === 'not_started') tell(`${first} could not be started; is it executable?`)
    return code
  }
