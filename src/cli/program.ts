import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { Instant, Month } from '#protocol/atoms.js'
import { exitCodes, exitRows } from '#protocol/exit-code.js'
import { type PinnedKey, pinnedAddresses } from '#protocol/host/addresses.js'
import { type Workload, workloadNames } from '#protocol/host/config.js'
import { tokenLifetimeSecondsMax } from '#protocol/identity/sign-in.js'
import { isTownName } from '#src/domain/fleet/topology.js'
import type { TrustOptions } from './checkout/trust.js'
import type { Commands } from './commands.js'
import { completionHelp, describeCommand, type Shell, shells } from './completion/command-words.js'
import { statusHelp } from './fleet/describe-fleet.js'
import type { FleetCommands } from './fleet/fleet.js'
import type {
  AcceptRewriteOptions,
  FleetAnnounceOptions,
  FleetStatusOptions,
  FleetTakeoverOptions,
} from './fleet/options.js'
import type { KeysCommands, RevokeOptions, RotateOptions } from './keys.js'
import { type KeysListOptions, keysListHelp } from './keys-list.js'
import type { ModelAddOptions, ModelCommands } from './model.js'
import {
  type AdoptOptions,
  type DemoOptions,
  type DoctorOptions,
  type EnactAwardOptions,
  type EnactOptions,
  type InitOptions,
  type ListOptions,
  type LogLevel,
  logLevels,
  type ServeOptions,
  type TokenMintOptions,
  type TokenOptions,
  type TokenRevokeOptions,
} from './options.js'
import type { TokenCommands } from './token.js'

/**
 * Runs one command line and returns the exit code: 64 for bad usage, 0 for help and version (D2), and for
 * `workload` that of the command it ran.
 */
export const run = async (
  argv: ReadonlyArray<string>,
  commands: Commands,
  version: string,
): Promise<number> => {
  let code: number = exitCodes.ok
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

const exitLines = exitRows.map(({ code, meaning }) => `  ${String(code).padEnd(3)} ${meaning}`)

/** Makes a parser that rejects the command line where `read` rejects the value. */
const valueOf =
  <A>(read: ReadValue<A>) =>
  (text: string): A => {
    const value = read(text)
    if (value._tag === 'Right') return value.right
    throw new InvalidArgumentError(value.left)
  }

const portMax = 65_535

const readPort: ReadValue<number> = text => {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= portMax) return right(value)
  return left(`It must be a whole number from 0 to ${portMax}.`)
}

const port = valueOf(readPort)

const threadsMax = 64

/** Reads a number of reader threads. */
const readThreads: ReadValue<number> = text => {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= threadsMax) return right(value)
  return left(`It must be a whole number from 0 to ${threadsMax}.`)
}
const threads = valueOf(readThreads)

/** Reads the name of a host in the fleet. */
const readTown: ReadValue<string> = text =>
  isTownName(text)
    ? right(text)
    : left('It may have letters, digits, spaces, dots and dashes, 64 characters at most.')
const town = valueOf(readTown)

/** Reads the town of a host that may be the only one: empty, as a unit's file of values leaves it, is none. */
const readTownOrNone: ReadValue<string> = text => (text === '' ? right('') : readTown(text))
const townOrNone = valueOf(readTownOrNone)

/** Reads a month, or the word for the one before the current month. */
const month = valueOf<string>(text =>
  text === 'previous' || Month.is(text)
    ? right(text)
    : left('It must be YYYY-MM, such as 2026-10, or previous.'),
)

const logLevelOption = (description: string): Option =>
  new Option('--log-level <level>', description).choices(logLevels).argParser(valueOf(readLogLevel))

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
    .option('--reader-threads <n>', 'threads for long reads, unless server.reader_threads sets some', threads)
    .option('--town <name>', 'name of this host in the fleet; empty for the only host', townOrNone, '')
    .option('--allow-tree <dir...>', 'folders outside the lore in which trees of corpora.* may lie')
    .addOption(logLevelOption('lowest level of records to log (default: info)'))
    .action(async (options: ServeOptions) => ended(await commands.serve(options)))
}

/** `kronika demo`: an invented repository, and a daemon over it. */
const addDemo = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('demo')
    .description('Write an invented lore repository with history.')
    .argument('<dir>', 'an empty or new folder to write it in, or with --serve one that has it')
    .option(
      '--scale <n>',
      'size: 1 = 2,000 entities and 1,000 sessions (default: a small world)',
      valueOf(readScale),
    )
    .option('--seed <text>', 'the same seed makes the same tree', 'kronika')
    .option('--serve', 'serve it; an existing one is served as it is, a missing one is written first', false)
    .option('--town <name>', 'with --serve: name of this host in the fleet', town, '')
    .option('--port <n>', 'with --serve: port of the API listener', port)
    .option('--ops-port <n>', 'with --serve: port of the operations listener', port)
    .addOption(logLevelOption('with --serve: lowest level of records to log'))
    .action(async (directory: string, options: Omit<DemoOptions, 'directory'>, command: Command) => {
      const { serve, port, opsPort, town, logLevel: level } = options
      if (!serve && (port !== undefined || opsPort !== undefined || town !== '' || level !== undefined))
        command.error('error: --port, --ops-port, --town and --log-level need --serve.')
      ended(await commands.demo({ ...options, directory }))
    })
}

/** `kronika init`, `adopt` and `doctor`: create a repository, convert one, and check one. */
const addRepository = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('init')
    .description('Make the lore repository of a new community, with a first commit. Prints what to do next.')
    .argument('<dir>', 'an empty or new folder to make it in')
    .option('--json', 'print the folder, the commit, the files and the next commands as JSON', false)
    .action(async (directory: string, options: Omit<InitOptions, 'directory'>) =>
      ended(await commands.init({ ...options, directory })),
    )
  root
    .command('adopt')
    .description('Turn a legacy repository into format 2 in one commit. Safe to repeat.')
    .argument('<dir>', 'the checkout to adopt')
    .option('--dry-run', 'show what would change and the parity of every character; write nothing', false)
    .option('--diff', 'also print the changes, without credentials and restricted topics', false)
    .option('--json', 'print the answer of POST /import', false)
    .action(async (directory: string, options: Omit<AdoptOptions, 'directory'>) =>
      ended(await commands.adopt({ ...options, directory })),
    )
  root
    .command('doctor')
    .description(
      'List what is wrong with this host and with the lore, where, and what to do. ' +
        'Exit code 65 when either has an error or a warning; info alone is 0.',
    )
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--json', 'print the findings as JSON', false)
    .action(async (options: DoctorOptions) => ended(await commands.doctor(options)))
}

/** `kronika enact`: what must happen once, on a clone that no daemon serves, for a job of CI. */
const addEnact = (root: Command, commands: Commands['enact'], ended: Ended): void => {
  const enact = root
    .command('enact')
    .description(
      'Make an enactment on a clone that no daemon serves, for a job of CI: it is planned and pushed as a host does ' +
        'it, and happens once, also where a host makes the same. Exit code 65 where it is refused, and 76 where the ' +
        'remote was not reached: run it again.',
    )
  onClone(enact.command('award'), 'Settle the PU of a month, as POST /workflows/award-pu does.')
    .requiredOption('--month <month>', 'YYYY-MM, or previous: the one before the current month', month)
    .action(async (options: EnactAwardOptions) => ended(await commands.award(options)))
  onClone(
    enact.command('close'),
    'Close a session for the person of SVC_CLOSE_CHAT_ID, by their rights: their one open session, or that of ' +
      'SVC_CLOSE_HEADER, with the note of SVC_CLOSE_NOTE.',
  ).action(async (options: EnactOptions) => ended(await commands.close(options)))
  onClone(
    enact.command('report'),
    'File the report of SVC_REPORT_B64 for the person of SVC_REPORTER_CHAT_ID, by their rights.',
  ).action(async (options: EnactOptions) => ended(await commands.report(options)))
}

/** A command that works on a clone which no daemon serves. */
const onClone = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--repo <dir>', 'the clone of the lore', '.')
    .option('--state <dir>', 'its private state area (default: <repo>/.svc/state)')
    .option(
      '--town <name>',
      'the town whose published key, in SVC_FLEET_KEY, signs the commit',
      townOrNone,
      '',
    )
    .option('--dry-run', 'show on HEAD what it would do; write nothing', false)
    .option('--json', 'print the answer of the route', false)

/** A command that asks the host of a checkout. */
const withHost = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--state <dir>', 'its private state area (default: <repo>/.svc/state)')
    .option('--json', 'print the answer as JSON', false)

/** `kronika token`: named tokens of a host, whether its daemon runs or not. */
const addToken = (root: Command, commands: TokenCommands, ended: Ended): void => {
  const token = root
    .command('token')
    .description(
      'Named tokens of this host, for bots and scripts. Asks the daemon that serves the checkout; while none runs, ' +
        'changes its state area.',
    )
  const ofHost = (name: string, description: string): Command => withHost(token.command(name), description)
  ofHost('mint', 'Mint a token with a fixed set of capabilities. Prints the token on stdout, only this once.')
    .requiredOption('--name <text>', 'name to recognise it by')
    .requiredOption('--capability <id...>', 'what it may do: ids of GET /schema, or <resource>.all')
    .option(
      '--expires-in <time>',
      'such as 90m, 12h or 30d (default: valid until revoked)',
      valueOf(readLifetime),
    )
    .action(async (options: TokenMintOptions) => ended(await commands.mint(options)))
  ofHost('list', 'List the valid tokens, with the ids that revoke takes.').action(
    async (options: TokenOptions) => ended(await commands.list(options)),
  )
  ofHost('revoke', 'Revoke a token. The next request with it is refused.')
    .argument('<id>', 'its id, as list and mint print it')
    .action(async (id: string, options: Omit<TokenRevokeOptions, 'id'>) =>
      ended(await commands.revoke({ ...options, id })),
    )
}

/** `kronika model`: trained artifacts of a host. */
const addModel = (root: Command, commands: ModelCommands, ended: Ended): void => {
  const model = root
    .command('model')
    .description('Trained artifacts of this host. Works beside a running daemon and without one.')
  withHost(
    model.command('add'),
    'Bring an artifact in: all of its files, or none. A running daemon sees it within seconds.',
  )
    .argument('<dir>', 'the folder with model.json, stamp.json and evaluation.json')
    .option('--id <id>', 'its id on this host (default: the name of the folder)')
    .action(async (folder: string, options: Omit<ModelAddOptions, 'folder'>) =>
      ended(await commands.add({ ...options, folder })),
    )
}

/** `kronika keys`: the keys that this host signs fleet tokens with. */
const addKeys = (root: Command, commands: KeysCommands, ended: Ended): void => {
  const keys = root
    .command('keys')
    .description('Keys that hosts sign fleet tokens with; their public halves are committed.')
  withHost(
    keys.command('list'),
    'List the public keys that HEAD publishes, and which of their private halves this host has. Changes nothing; ' +
      'prints no private key.',
  )
    .addHelpText('after', keysListHelp)
    .action(async (options: KeysListOptions) => ended(await commands.list(options)))
  keys
    .command('rotate')
    .description("Make the town's next key and commit its public half. A running daemon starts to use it.")
    .requiredOption('--town <name>', 'name of this host in the fleet, as serve has it', town)
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--state <dir>', 'its private state area (default: <repo>/.svc/state)')
    .option(
      '--raise-epoch',
      'refuse every issued fleet token and, at once, the older keys of this town and this state area',
      false,
    )
    .option('--json', 'print what is published as JSON', false)
    .action(async (options: RotateOptions) => ended(await commands.rotate(options)))
  keys
    .command('revoke')
    .description(
      'Withdraw the published keys of a town whose host is gone; what they signed is refused. Runs on any host. ' +
        'Makes no key.',
    )
    .requiredOption('--town <name>', 'the town, as its published keys name it')
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--json', 'print what is published as JSON', false)
    .action(async (options: RevokeOptions) => ended(await commands.revoke(options)))
}

/** `kronika fleet`: the fleet as the daemon of this checkout sees it, a takeover, and an announcement. */
const addFleet = (root: Command, commands: FleetCommands, ended: Ended): void => {
  const fleet = root
    .command('fleet')
    .description('The other hosts of the lore. Asks the daemon that serves the checkout.')
  const ofHost = (name: string, description: string): Command => withHost(fleet.command(name), description)
  ofHost('status', 'Show the apex, every town, what a takeover would meet now, and the last takeover.')
    .option('--watch', 'show it again and again', false)
    .addHelpText('after', statusHelp)
    .action(async (options: FleetStatusOptions) => ended(await commands.status(options)))
  ofHost('takeover', 'Queue a takeover of the role of the apex: a request that the host merges at the forge.')
    .requiredOption('--reason <text>', 'why, in one line of at most 500 characters; it stands in the request')
    .option('--target <town>', 'the town that becomes the apex (default: the first candidate)')
    .option('--force', 'also from an apex that this host does not see dark; removes no other refusal', false)
    .option('--dry-run', 'show the decision; queue nothing', false)
    .option('--wait', 'follow the job to its end; the exit code is 65 where it fails', false)
    .action(async (options: FleetTakeoverOptions) => ended(await commands.takeover(options)))
  ofHost('announce', 'Tell the host that the apex has changed. It converges soon, and believes nothing else.')
    .requiredOption('--apex <town>', 'the town that is the apex now')
    .option('--request <number>', 'number of the merged request', valueOf(readRequestNumber))
    .option('--at <time>', 'when the role changed, such as 2026-06-15T12:00:00Z', valueOf(readInstant))
    .option('--dry-run', 'record nothing', false)
    .action(async (options: FleetAnnounceOptions) => ended(await commands.announce(options)))
}

/** `kronika accept-rewrite`: takes a history that the remote was given, on a host that serves. */
const addAcceptRewrite = (root: Command, commands: FleetCommands, ended: Ended): void => {
  const about =
    'Take the history that the remote was given since this host saw it last, such as after a secret was removed from ' +
    'it. Without --yes it shows what it would do. Asks the daemon that serves the checkout.'
  withHost(root.command('accept-rewrite'), about)
    .option('--yes', 'do it', false)
    .action(async (options: AcceptRewriteOptions) => ended(await commands.acceptRewrite(options)))
}

/** `kronika completion`: generated from the commands and options above, so it is always complete. */
const addCompletion = (root: Command, commands: Commands, ended: Ended): void => {
  root
    .command('completion')
    .description('Print a script that completes commands, options and folders in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', completionHelp)
    .action(async (shell: Shell) =>
      ended(await commands.completion({ shell, program: describeCommand(root, root.createHelp()) })),
    )
}

/** Every command with its flags and help. `ended` receives the exit code of the command that ran. */
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
  addEnact(root, commands.enact, ended)
  addToken(root, commands.token, ended)
  addModel(root, commands.model, ended)
  addKeys(root, commands.keys, ended)
  addFleet(root, commands.fleet, ended)
  addAcceptRewrite(root, commands.fleet, ended)
  addTrust(root, commands, ended)
  addWorkload(root, commands, ended)
  addTable(root, commands, ended)
  addCompletion(root, commands, ended)
  return root
}

/**
 * Makes each command, at any depth, return a code instead of ending the process, and point to its own help.
 */
const withTheirHelp = (parent: Command, path: string): void => {
  for (const command of parent.commands) {
    const own = `${path} ${command.name()}`
    command.exitOverride().showHelpAfterError(`see ${own} --help`)
    withTheirHelp(command, own)
  }
}

/** Receives the exit code of the command that ran. */
type Ended = (code: number) => void

/** `kronika workload`: for a job of CI, which runs what the committed configuration gives to it. */
const addWorkload = (root: Command, commands: Commands, ended: Ended): void => {
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
const addTrust = (root: Command, commands: Commands, ended: Ended): void => {
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

/** Reads the value of an option; Left: what is expected instead. */
type ReadValue<A> = (text: string) => Either<string, A>

/** Reads the size of an invented world. */
const readScale: ReadValue<number> = text => {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 100) return right(value)
  return left('It must be a number above 0 and at most 100.')
}

const readLogLevel: ReadValue<LogLevel> = text => {
  const level = logLevels.find(one => one === text)
  return level === undefined ? left(`It must be one of ${logLevels.join(', ')}.`) : right(level)
}

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Reads a duration, such as 90m; returns seconds. */
const readLifetime: ReadValue<number> = text => {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = unit in unitSeconds ? Number(count) * Reflect.get(unitSeconds, unit) : 0
  if (seconds >= 1 && seconds <= tokenLifetimeSecondsMax) return right(seconds)
  return left('It must be a whole number with s, m, h or d, such as 12h, ten years at most.')
}

/** Reads the number of a merge request. */
const readRequestNumber: ReadValue<number> = text =>
  /^[1-9]\d{0,14}$/.test(text) ? right(Number(text)) : left('It must be a whole number above 0.')

/** Reads a time in UTC, to the second or finer. */
const readInstant: ReadValue<Instant> = text =>
  Instant.is(text) ? right(text) : left('It must be a time in UTC, such as 2026-06-15T12:00:00Z.')
