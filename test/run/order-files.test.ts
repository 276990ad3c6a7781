import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sources } from '#test/tidy/sources.js'
import { early, longest, orderFiles } from './order-files.js'

describe('the order of test files', () => {
  it('begins with what starts git and loads little, long ones first, and ends with what starts nothing', () => {
    const [long = '', longToo = ''] = longest
    const starting = ['test/process/a.test.ts', 'src/a.test.ts', longToo, long]
    deepEqual(
      orderFiles(['protocol/b.test.ts', ...starting, ...early, 'test/c.test.ts'], new Set(starting)),
      [
        ...early,
        long,
        longToo,
        'src/a.test.ts',
        'test/process/a.test.ts',
        'protocol/b.test.ts',
        'test/c.test.ts',
      ],
    )
  })

  it('knows no long file that is gone', () => {
    const known = new Set(sources.map(({ path }) => path))
    deepEqual(
      [...early, ...longest].filter(path => !known.has(path)),
      [],
    )
  })
})
