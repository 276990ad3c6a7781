import { describe } from 'mocha'
import { routes } from '#protocol/routes.js'
import { benchOf } from './bench.js'
import { checks, contractOf } from './row-contract.js'
import { samples } from './samples.js'

describe('the contract of the closed table', () => {
  contractOf(routes, samples, benchOf, checks)
})
