import type { Command } from 'commander'
import type { ExitCode } from '#protocol/exit-code.js'
import { lifetime } from './option-values.js'
import type { TokenMintOptions, TokenOptions, TokenRevokeOptions } from './options.js'
import type { TokenCommands } from './token.js'

/** `kronika token`: named tokens of a host, whether its daemon runs or not. */
export const addToken = (root: Command, commands: TokenCommands, ended: (code: ExitCode) => void): void => {
  const token = root
    .command('token')
    .description(
      'Named tokens of this host, for bots and scripts. Asks the daemon that holds the checkout; while none runs, ' +
        'works on its state area.',
    )
  const ofHost = (name: string, description: string): Command =>
    token
      .command(name)
      .description(description)
      .option('--repo <dir>', 'the lore checkout', '.')
      .option('--state <dir>', 'its private state area (default: <repo>/.svc/state)')
      .option('--json', 'print the answer of the route as JSON', false)
  ofHost(
    'mint',
    'Mint a token with a frozen set of capabilities. The token alone is printed on stdout, this once.',
  )
    .requiredOption('--name <text>', 'what you will know it by')
    .requiredOption('--capability <id...>', 'what it may do: ids of GET /schema, or <resource>.all')
    .option('--expires-in <time>', 'such as 90m, 12h or 30d (default: good until revoked)', lifetime)
    .action(async (options: TokenMintOptions) => ended(await commands.mint(options)))
  ofHost('list', 'List the tokens that are good, with the ids by which they are revoked.').action(
    async (options: TokenOptions) => ended(await commands.list(options)),
  )
  ofHost('revoke', 'Revoke a token: the next request with it is refused.')
    .argument('<id>', 'its id, as the list and the minting told it')
    .action(async (id: string, options: Omit<TokenRevokeOptions, 'id'>) =>
      ended(await commands.revoke({ ...options, id })),
    )
}
