import { equal } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import {
  collectShownTokens,
  committedStore,
  type KeptTokens,
  kindRows,
  openKeptTokens,
  type ShownTokens,
} from '#test/security/bearer-kinds-table.js'
import { bearerRows, type Door } from '#test/security/bearer-table.js'
import { fleetKeys, fleetRows } from '#test/security/fleet-bearer-table.js'
import { type BuiltHost, startBuilt } from '#test/support/built-host.js'
import { nowMs } from '#test/support/front.js'
import { fleetFiles } from '#test/support/identity/fleet.js'
import { runtimeOf } from '#test/support/runtime.js'

describe('SECURITY 4.3 at the built daemon', () => {
  let host: BuiltHost
  let shown: ShownTokens
  let door: Door
  before(async () => {
    const other = runtimeOf()
    const there: KeptTokens = openKeptTokens(other.db())
    host = await startBuilt({
      files: { ...fleetFiles(fleetKeys), 'kontrybutorzy.md': committedStore },
      heldAtMs: nowMs,
      kept: async runtime => {
        shown = await collectShownTokens(openKeptTokens(runtime), there)
      },
    })
    other.dispose()
    const { client, daemon } = host
    const apiPort = Number(new URL(daemon.ready.url).port)
    door = { client, apiPort, machineToken: daemon.token, reader: shown.named, written: '/entities' }
  })
  after(() => host.stop())
  afterEach(async () => {
    equal((await host.client.ask('/health', { token: null })).status, 200, 'the process does not answer')
  })

  // A raw key in a commit is what the search for secrets forbids: that line is seen in this process alone.
  const kinds = kindRows(() => shown).filter(({ id }) => id !== '4.3.17c')
  for (const one of [...bearerRows, ...kinds, ...fleetRows])
    it(`${one.id} | ${one.input} | ${one.answer}`, () => one.see(door))
})
