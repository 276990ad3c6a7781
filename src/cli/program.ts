import { Command, CommanderError } from 'commander'
import { type ExitCode, exitCodes, exitRows } from '#protocol/exit-code.js'
import { addKeys } from './add-keys.js'
import { addToken } from './add-token.js'
import type { KeysCommands } from './keys.js'
import { logLevel, port, scale, town } from './option-values.js'
import {
  type AdoptOptions,
  type DemoOptions,
  type DoctorOptions,
  type InitOptions,
  type ListOptions,
  logLevels,
  type ServeOptions,
} from './options.js'
import type { TokenCommands } from './token.js'

type Run<O> = (options: O) => Promise<ExitCode>

/** What each command does; `main.ts` wires them. */
export interface Commands {
  readonly serve: Run<ServeOptions>
  readonly demo: Run<DemoOptions>
  readonly init: Run<InitOptions>
  readonly adopt: Run<AdoptOptions>
  readonly doctor: Run<DoctorOptions>
  readonly routes: Run<ListOptions>
  readonly token: TokenCommands
  readonly keys: KeysCommands
  readonly openapi: () => Promise<ExitCode>
}

const exitLines = exitRows.map(({ code, meaning }) => `  ${String(code).padEnd(3)} ${meaning}`)

type Ended = (code: ExitCode) => void

/** `kronika serve`: the daemon. */
const addServe = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('serve')
    .description(
      'Serve a lore repository. Prints one JSON line on stdout with the first snapshot; logs go to stderr.',
    )
    .requiredOption('--repo <dir>', 'the lore checkout, or a plain directory (served read-only)')
    .option('--state <dir>', 'the private state area (default: <repo>/.svc/state)')
    .option('--port <n>', 'port of the API listener (default: server.port of the configuration)', port)
    .option('--ops-port <n>', 'port of the operations listener (default: chosen by the system)', port)
    .option('--town <name>', 'name of this host in the fleet', town, '')
    .option(
      '--log-level <level>',
      `least grave records to log: ${logLevels.join(', ')} (default: info)`,
      logLevel,
    )
    .action(async (options: ServeOptions) => ended(await commands.serve(options)))
}

/** `kronika demo`: an invented repository, and a daemon over it. */
const addDemo = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('demo')
    .description('Write an invented lore repository with history.')
    .argument('<dir>', 'where to write it; a folder that is not empty is refused, but see --serve')
    .option('--scale <n>', 'size: 1 = 2,000 entities and 1,000 sessions (default: a small world)', scale)
    .option('--seed <text>', 'the same seed makes the same tree', 'kronika')
    .option(
      '--serve',
      'serve it; written first where there is none, and one that is there is served as it is',
      false,
    )
    .option('--town <name>', 'with --serve: name of this host in the fleet', town, '')
    .option('--port <n>', 'with --serve: port of the API listener', port)
    .option('--ops-port <n>', 'with --serve: port of the operations listener', port)
    .option('--log-level <level>', 'with --serve: least grave records to log', logLevel)
    .action(async (directory: string, options: Omit<DemoOptions, 'directory'>, command: Command) => {
      const { serve, port, opsPort, town, logLevel: level } = options
      if (!serve && (port !== undefined || opsPort !== undefined || town !== '' || level !== undefined))
        command.error('error: --port, --ops-port, --town and --log-level go with --serve.')
      ended(await commands.demo({ ...options, directory }))
    })
}

/** `kronika init`, `adopt` and `doctor`: what makes a repository, turns it into one, and looks it over. */
const addRepository = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('init')
    .description('Make the lore repository of a new community, with a first commit. Prints what to do next.')
    .argument('<dir>', 'where to make it; a folder that is not empty is refused')
    .option('--json', 'print the folder, the commit, the files and the next commands as JSON', false)
    .action(async (directory: string, options: Omit<InitOptions, 'directory'>) =>
      ended(await commands.init({ ...options, directory })),
    )
  root
    .command('adopt')
    .description('Turn a legacy repository into format 2 in one commit. Safe to repeat.')
    .argument('<dir>', 'the checkout to adopt')
    .option('--dry-run', 'show what would change and the parity of every character; write nothing', false)
    .option('--diff', 'print the changes too, without credentials and restricted topics', false)
    .option('--json', 'print the answer of POST /import', false)
    .action(async (directory: string, options: Omit<AdoptOptions, 'directory'>) =>
      ended(await commands.adopt({ ...options, directory })),
    )
  root
    .command('doctor')
    .description(
      'List what the lore and its checkout have wrong, with place and what to do. ' +
        'Exit code 65 when there is an error or a warning; info alone is 0.',
    )
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--json', 'print the findings as JSON', false)
    .action(async (options: DoctorOptions) => ended(await commands.doctor(options)))
}

/** `kronika routes` and `openapi`: the route table. */
const addTable = (root: Command, commands: Commands, ended: Ended): void => {
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

/** Every command with its flags and help. `ended` takes the exit code of the command that ran. */
const program = (commands: Commands, version: string, ended: Ended): Command => {
  const root = new Command('kronika')
    .description(
      'The daemon of a role-playing community: lore in git, served, searched, written and handed over.',
    )
    .version(version)
    .addHelpText('after', `\nExit codes:\n${exitLines.join('\n')}`)
  addServe(root, commands, ended)
  addDemo(root, commands, ended)
  addRepository(root, commands, ended)
  addToken(root, commands.token, ended)
  addKeys(root, commands.keys, ended)
  addTable(root, commands, ended)
  return root
}

/** Each command, at any depth, ends with a code instead of the process, and points to its own help. */
const withTheirHelp = (parent: Command, path: string): void => {
  for (const command of parent.commands) {
    const own = `${path} ${command.name()}`
    command.exitOverride().showHelpAfterError(`see ${own} --help`)
    withTheirHelp(command, own)
  }
}

/** Runs one command line. Bad usage is 64; help and version are 0 (D2). */
export const run = async (
  argv: ReadonlyArray<string>,
  commands: Commands,
  version: string,
): Promise<ExitCode> => {
  let code: ExitCode = exitCodes.ok
  const root = program(commands, version, ended => {
    code = ended
  })
  root.exitOverride().showHelpAfterError('see kronika --help')
  withTheirHelp(root, 'kronika')
  try {
    await root.parseAsync([...argv])
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  }
}
