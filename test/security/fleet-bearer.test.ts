import { verifyJws } from '#src/adapters/jose.js'
import { fleetResolver } from '#src/http/credentials/authenticate.js'
import { testMachineToken } from '#test/support/front.js'
import { fleetWorld } from '#test/support/identity/fleet.js'
import { fleetKeys, fleetRows } from './fleet-bearer-table.js'
import { securityTable } from './row.js'

securityTable(
  '4.3 fleet tokens',
  fleetRows.map(row => ({
    ...row,
    see: ({ client, front: { apiPort } }) =>
      row.see({ client, apiPort, machineToken: testMachineToken, reader: '', written: '' }),
  })),
  [],
  { snapshot: fleetWorld(fleetKeys), kinds: { fsess_: fleetResolver(verifyJws) } },
)
