import type { Command } from 'commander'
import type { ExitCode } from '#protocol/exit-code.js'
import type { KeysCommands, RevokeOptions, RotateOptions } from './keys.js'
import type { KeysListOptions } from './keys-list.js'
import { town } from './option-values.js'

/** `kronika keys`: the keys that this host signs fleet tokens with. */
export const addKeys = (root: Command, commands: KeysCommands, ended: (code: ExitCode) => void): void => {
  const keys = root
    .command('keys')
    .description('Keys that hosts sign fleet tokens with; their public halves are committed.')
  keys
    .command('list')
    .description(
      'List the public keys that HEAD publishes, and which of their private halves this host has. Changes nothing; ' +
        'prints no private key.',
    )
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--state <dir>', 'its private state area (default: <repo>/.svc/state)')
    .option('--json', 'print the commit, the epoch and the keys as JSON', false)
    .addHelpText(
      'after',
      '\nSTANDING is current (no end), older (good until its end), withdrawn (its end is over) or unusable\n' +
        '(no key, an id that stands twice, or a published private half: kronika doctor says which).\n' +
        'Private halves are looked for in SVC_FLEET_KEY, else in the file that SVC_FLEET_KEY_FILE names, else in\n' +
        'fleet.key of the state area: run it with the environment of the daemon.\n' +
        'Exit codes: 0 listed; 64 no checkout, no commit, or nothing published; 65 the file cannot be read.',
    )
    .action(async (options: KeysListOptions) => ended(await commands.list(options)))
  keys
    .command('rotate')
    .description(
      "Make the town's next key and commit its public half. Works beside a running daemon, which takes it up.",
    )
    .requiredOption('--town <name>', 'name of this host in the fleet, as serve has it', town)
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--state <dir>', 'its private state area (default: <repo>/.svc/state)')
    .option(
      '--raise-epoch',
      'refuse every outstanding fleet token, and at once the older keys of this town and of this state area',
      false,
    )
    .option('--json', 'print what is published as JSON', false)
    .action(async (options: RotateOptions) => ended(await commands.rotate(options)))
  keys
    .command('revoke')
    .description(
      'Withdraw the published keys of a town whose host is gone, from any other host: what they signed is refused. ' +
        'Makes no key.',
    )
    .requiredOption('--town <name>', 'the town, as its published keys name it')
    .option('--repo <dir>', 'the lore checkout', '.')
    .option('--json', 'print what is published as JSON', false)
    .action(async (options: RevokeOptions) => ended(await commands.revoke(options)))
}
