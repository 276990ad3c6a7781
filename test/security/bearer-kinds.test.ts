import { after, before, describe } from 'mocha'
import { callerByApiKey } from '#src/domain/identity/credentials/api-keys.js'
import { loginCaller, namedCaller } from '#src/domain/identity/credentials/tokens.js'
import { testMachineToken } from '#test/support/front.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { worldOf } from '#test/support/world.js'
import {
  collectShownTokens,
  type KeptTokens,
  kindRows,
  openKeptTokens,
  type ShownTokens,
  shownStore,
} from './bearer-kinds-table.js'
import { securityTable } from './row.js'

const snapshot = worldOf(
  { '.svc/format.json': '{"format": 2}', 'kontrybutorzy.md': shownStore },
  { day: '2026-06-15' },
)

describe('tokens of two hosts', () => {
  let runtimes: ReadonlyArray<TestRuntime> = []
  let here: KeptTokens
  let shown: ShownTokens
  before(async () => {
    const [one, other] = [runtimeOf(), runtimeOf()]
    runtimes = [one, other]
    here = openKeptTokens(one.db())
    shown = await collectShownTokens(here, openKeptTokens(other.db()))
  })
  after(() => {
    for (const runtime of runtimes) runtime.dispose()
  })

  securityTable(
    '4.3 logins, named tokens and keys',
    kindRows(() => shown).map(row => ({
      ...row,
      see: ({ client, front: { apiPort } }) =>
        row.see({ client, apiPort, machineToken: testMachineToken, reader: '', written: '' }),
    })),
    [],
    {
      snapshot,
      kinds: {
        sess_: (token, at, now) => loginCaller(hash => here.logins.find(hash))(token, at, now),
        named_: (token, at, now) => namedCaller(hash => here.named.find(hash))(token, at, now),
        apik_: (token, at) => (at === null ? null : callerByApiKey(token, at)),
      },
    },
  )
})
