import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { openFilesIn, openFilesMax } from './state-area.js'

/** The content of /proc/<pid>/limits; its lines end with blanks. */
const limits = (soft: string): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             31123                31123                processes ',
    `Max open files            ${soft.padEnd(20)} 524288               files     `,
    '',
  ].join('\n')

describe('the limit of open files', () => {
  it('is the soft one of the process', () => {
    equal(openFilesIn(limits('256')), 256)
    equal(openFilesIn(limits('unlimited')), Number.MAX_SAFE_INTEGER)
    equal(openFilesIn('Max processes 1 1\n'), null)
  })

  it('is read of this process', () => ok((openFilesMax() ?? 16) >= 16))
})
