import { describe } from 'mocha'
import { routes } from '#protocol/routes.js'
import { seeAccess } from '#test/contract/access.js'
import { builtSamples, startBuiltBench } from '#test/contract/built-bench.js'
import { access } from '#test/contract/row-access.js'
import { contractOf } from '#test/contract/row-contract.js'

describe('who is let in at the built daemon', () => {
  contractOf(routes, builtSamples, startBuiltBench, [access])
  seeAccess(startBuiltBench)
})
