import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { acceptsGzip } from './outgoing.js'

describe('Accept-Encoding', () => {
  for (const [header, wanted] of [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['deflate;q=0.5, GZIP;q=0.1', true],
    ['gzip;q=0', false],
    ['gzip;q=0.000, *', false],
    ['*', true],
    ['*;q=0', false],
    ['identity', false],
    ['gzipped', false],
  ] as const)
    it(`of ${header ?? 'nothing'} ${wanted ? 'takes' : 'does not take'} gzip`, () =>
      equal(acceptsGzip(header), wanted))
})
