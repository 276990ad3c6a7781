import { testMachineToken } from '#test/support/front.js'
import { bearerRows } from './bearer-table.js'
import { securityTable } from './row.js'

securityTable(
  '4.3 bearer',
  bearerRows.map(row => ({
    ...row,
    see: ({ client, front: { apiPort } }) =>
      row.see({ client, apiPort, machineToken: testMachineToken, reader: 'sess_reader', written: '/notes' }),
  })),
  [],
)
