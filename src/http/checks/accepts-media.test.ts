import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { namesMedia } from './body.js'

const cases: ReadonlyArray<readonly [accept: string | undefined, names: boolean]> = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/json, text/html ; q=0.1', true],
  ['text/html;q=0', false],
  ['text/html; Q=0.000', false],
  ['text/html5, x-text/html', false],
  [',;,=,text/html;;', true],
]

describe('an Accept header', () => {
  for (const [accept, names] of cases)
    it(`${names ? 'names' : 'does not name'} text/html as ${JSON.stringify(accept)}`, () =>
      equal(namesMedia(accept, 'text/html'), names))
})
