import { type Workload, workloadNames } from '#protocol/config/workloads.js'
import { Argument, type Command } from './commander.js'
import type { Commands } from './commands.js'
import type { ListOptions } from './options.js'

/** Receives the exit code of the command that ran. */
export type Ended = (code: number) => void

/** `kronika workload`: for a job of CI, which runs what the committed configuration gives to it. */
export const addWorkload = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('workload')
    .description(
      'Run a command where the committed configuration gives the workload to CI, and leave with its exit code; ' +
        'else run nothing and leave with 0. Without a command print the owner. Needs no daemon.',
    )
    .addArgument(new Argument('<name>', 'the workload').choices(workloadNames))
    .argument('[command...]', 'the command with its arguments, after --')
    .option('--repo <dir>', 'the lore checkout', '.')
    .action(async (workload: Workload, command: ReadonlyArray<string>, options: { readonly repo: string }) =>
      ended(await commands.workload({ ...options, workload, command })),
    )
}

/** `kronika routes` and `openapi`: the route table. */
export const addTable = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('routes')
    .description('List the route table.')
    .option('--json', 'print it as GET /routes answers it', false)
    .action(async (options: ListOptions) => ended(await commands.routes(options)))
  root
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the route table.')
    .action(async () => ended(await commands.openapi()))
}
