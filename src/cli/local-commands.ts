import { type PinnedKey, pinnedAddresses } from '#protocol/addresses.js'
import { type Workload, workloadNames } from '#protocol/config.js'
import { Argument, type Command } from './commander.js'
import type { Commands } from './commands.js'
import type { ListOptions } from './options.js'
import type { TrustOptions } from './trust.js'

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

/** `kronika trust`: what a commit names and this host uses only when its operator accepts it. */
export const addTrust = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('trust')
    .description(
      'Accept the committed addresses that get secrets of this host or decide who may sign in, and allow folders of ' +
        'trees outside the lore. The host uses them from its next start. Prints no secret.',
    )
    .addArgument(
      new Argument('[key...]', 'the addresses to accept (default: all, unless a folder is named)').choices(
        pinnedAddresses.map(({ key }) => key),
      ),
    )
    .option('--tree <dir...>', 'allow the trees of corpora.* in these folders')
    .option('--forget-tree <dir...>', 'no longer allow these folders, nor the trees that were read there')
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--state <dir>', 'its private state area (default: the one that its host used last)')
    .option('--dry-run', 'show what would change; change nothing', false)
    .option('--json', 'print it as JSON', false)
    .action(async (keys: ReadonlyArray<PinnedKey>, options: Omit<TrustOptions, 'keys'>) =>
      ended(await commands.trust({ ...options, keys })),
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
