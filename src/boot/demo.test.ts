import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { serveLine } from './demo.js'

describe('the line that serves a demo world', () => {
  for (const [directory, line] of [
    ['/tmp/lore', 'kronika serve --repo /tmp/lore'],
    ['/tmp/my lore', "kronika serve --repo '/tmp/my lore'"],
    ["/tmp/it's", "kronika serve --repo '/tmp/it'\\''s'"],
  ] as const)
    it(`can be pasted for ${directory}`, () => equal(serveLine(directory), line))
})
