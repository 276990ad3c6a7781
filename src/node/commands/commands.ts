import { exitCodes } from '#protocol/exit-code.js'
import type { Commands } from '#src/cli/commands.js'
import { escapeControlsByLine } from '#src/cli/escape-controls.js'
import type { FleetCommands } from '#src/cli/fleet/fleet.js'
import type { KeysCommands } from '#src/cli/keys.js'
import type { Output } from '#src/cli/output.js'
import type { TokenCommands } from '#src/cli/token.js'
import { packageVersion } from '../package-files.js'
import { revokeCommand } from './ask-decoded.js'

/** The commands of `kronika` with their real dependencies. Each imports what it needs when it runs. */
export const commands = (output: Output): Commands => ({
  serve: async options => (await import('../start/serve.js')).serve(output)(options),
  demo: async options => (await import('./demo.js')).demo(output)(options),
  init: async options => (await import('./adopt-command.js')).initCommand(output)(options),
  adopt: async options => (await import('./adopt-command.js')).adoptCommand(output)(options),
  doctor: async options => (await import('./doctor-command.js')).doctorCommand(output)(options),
  enact: {
    award: async options => (await import('./enact-command.js')).enactAward(output)(options),
    close: async options => (await import('./enact-command.js')).enactByChat(output, 'close')(options),
    report: async options => (await import('./enact-command.js')).enactByChat(output, 'report')(options),
  },
  token: {
    mint: async options => (await token(output)).mint(options),
    list: async options => (await token(output)).list(options),
    revoke: async options => (await token(output)).revoke(options),
  },
  keys: {
    list: async options => (await keys(output)).list(options),
    rotate: async options => (await keys(output)).rotate(options),
    revoke: async options => (await keys(output)).revoke(options),
  },
  model: { add: async options => (await import('./model-command.js')).modelAdd(output)(options) },
  fleet: {
    status: async options => (await fleet(output)).status(options),
    takeover: async options => (await fleet(output)).takeover(options),
    announce: async options => (await fleet(output)).announce(options),
    acceptRewrite: async options => (await fleet(output)).acceptRewrite(options),
  },
  trust: async options => (await import('./trust-command.js')).trustCommand(output)(options),
  workload: async options => (await import('./workload-command.js')).runWorkload(output)(options),
  routes: async options => {
    const [{ routes }, { routeTable }, { routesCommand }] = await Promise.all([
      import('#protocol/routes.js'),
      import('#src/domain/discovery/route-table.js'),
      import('#src/cli/routes.js'),
    ])
    return routesCommand(routes, routeTable(routes), output)(options)
  },
  openapi: async () => {
    const [{ routes }, { openapi }] = await Promise.all([
      import('#protocol/routes.js'),
      import('#src/reference/openapi.js'),
    ])
    output.out(JSON.stringify(openapi(routes, packageVersion()), null, 2))
    return exitCodes.ok
  },
  completion: async options =>
    (await import('#src/cli/completion/completion.js')).completionCommand(output)(options),
})

const token = async (output: Output): Promise<TokenCommands> => {
  const [{ tokenCommands }, { withTokens }] = await Promise.all([
    import('#src/cli/token.js'),
    import('./token-command.js'),
  ])
  return tokenCommands(withTokens(output), output, revokeCommand)
}

const keys = async (output: Output): Promise<KeysCommands> => {
  const [{ keysCommands }, { listKeys, rotateKeys, revokeKeys }] = await Promise.all([
    import('#src/cli/keys.js'),
    import('../identity/fleet-keys.js'),
  ])
  const { env } = process
  const tellOf = (verb: string) => (note: string) =>
    output.err(escapeControlsByLine(`kronika keys ${verb}: ${note}`))
  const work = {
    list: listKeys(env, tellOf('list')),
    rotate: rotateKeys(env, tellOf('rotate')),
    revoke: revokeKeys,
  }
  return keysCommands(work, output)
}

const fleet = async (output: Output): Promise<FleetCommands> => {
  const [{ fleetCommands }, { findFleetDaemon, pauseLooks, startWatch }] = await Promise.all([
    import('#src/cli/fleet/fleet.js'),
    import('./fleet-command.js'),
  ])
  return fleetCommands(findFleetDaemon, output, startWatch, pauseLooks)
}
