import { describe } from 'mocha'
import { routes } from '#protocol/routes.js'
import { seeAccess } from '#test/contract/access.js'
import { builtSamples, rowsOfPersons, startBuiltBench } from '#test/contract/built-bench.js'
import { access } from '#test/contract/row-access.js'
import { contractOf } from '#test/contract/row-contract.js'

// A takeover is accepted where there is a forge and a fleet whose apex is dark; the front of the contract has them.
const left: ReadonlyArray<string> = ['fleet.takeover.run', ...rowsOfPersons]
const builtRoutes = Object.fromEntries(Object.entries(routes).filter(([id]) => !left.includes(id)))

describe('who is let in at the built daemon', () => {
  contractOf(builtRoutes, builtSamples, startBuiltBench, [access])
  seeAccess(startBuiltBench)
})
