import { equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import type { Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { verifyJws } from '#src/adapters/jose.js'
import { fleetResolver } from '#src/http/credentials/authenticate.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { nowMs } from '#test/support/front.js'
import {
  fleetWorld,
  goodPeerClaims,
  keysFile,
  peerHeader,
  publishedKeyOf,
  signCompact,
  testHost,
} from '#test/support/identity/fleet.js'
import { type Bench, benchOf, checkRefused, fieldOf, ordinary } from './bench.js'
import { samples } from './samples.js'

const table: Table = routes
const host = testHost('Avlee')
const fleet = fleetWorld(keysFile({ epoch: 1, keys: [publishedKeyOf(host)] }), {
  '.svc/fleet.json': fleetText('Avlee', 1, ['Avlee', 'Deyja']),
})
const token = `fsess_${signCompact(host.privateKey, peerHeader(host), goodPeerClaims(host, nowMs))}`

/** The capabilities of a peer token (D49). */
const opened = new Set<string | null>(['fleet.read', 'derive.read'])

describe('a peer token', () => {
  let bench: Bench
  before(async () => {
    const resolve = fleetResolver(verifyJws)
    bench = await benchOf({ kinds: { fsess_: (shown, _at, ms) => resolve(shown, fleet, ms) } })
  })
  after(() => bench.close())

  for (const [id, row] of Object.entries(table)) {
    const { capability } = row
    const sample = samples[id]
    if (sample === undefined) throw new Error(`${id} has no sample`)
    const subject = { id, row, sample }
    if (capability === null || opened.has(capability))
      it(`is answered by ${row.method} ${row.path}`, async () => {
        await ordinary(bench, subject, { token })
      })
    else
      it(`is 403 for ${row.method} ${row.path}`, async () => {
        for (const query of [undefined, [['dryRun', 'true']] as const]) {
          const reply = await bench.ask(subject, query, { token })
          checkRefused(reply, 403, 'Forbidden')
          equal(fieldOf(reply, 'required'), capability)
        }
      })
  }

  it('4.4.52 | does not open the rows that change the fleet', () => {
    const changes = Object.values(table).filter(({ path }) => /^\/fleet\/(takeover|announce)$/.test(path))
    equal(changes.length, 2)
    ok(changes.every(({ capability }) => capability !== null && !opened.has(capability)))
  })
})
