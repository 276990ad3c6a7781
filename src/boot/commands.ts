import { exitCodes } from '#protocol/exit-code.js'
import { routes } from '#protocol/routes.js'
import { listKeys } from '#src/boot/identity/list-keys.js'
import { revokeKeys } from '#src/boot/identity/revoke-keys.js'
import { rotateKeys } from '#src/boot/identity/rotate-keys.js'
import { tokenDesk } from '#src/boot/identity/token-desk.js'
import { keysCommands } from '#src/cli/keys.js'
import type { Output } from '#src/cli/output.js'
import type { Commands } from '#src/cli/program.js'
import { routesCommand } from '#src/cli/routes.js'
import { tokenCommands } from '#src/cli/token.js'
import { routeTable } from '#src/discovery/route-table.js'
import { openapi } from '#src/reference/openapi.js'
import { adoptCommand } from './adopt-command.js'
import { demo } from './demo.js'
import { doctorCommand } from './doctor-command.js'
import { serve } from './serve.js'
import { packageVersion } from './version.js'

/** The commands of `kronika`, wired to the real world. */
export const commands = (output: Output): Commands => ({
  serve: serve(output),
  demo: demo(output),
  adopt: adoptCommand(output),
  doctor: doctorCommand(output),
  token: tokenCommands(tokenDesk(output), output),
  keys: keysCommands(
    { list: listKeys(process.env), rotate: rotateKeys(process.env), revoke: revokeKeys },
    output,
  ),
  routes: routesCommand(routes, routeTable(routes), output),
  openapi: () => {
    output.out(JSON.stringify(openapi(routes, packageVersion()), null, 2))
    return Promise.resolve(exitCodes.ok)
  },
})
