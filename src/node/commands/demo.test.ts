import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { commandPrefix } from './ask-decoded.js'
import { serveLine } from './demo.js'

describe('the line that serves a demo world', () => {
  for (const [directory, line] of [
    ['/tmp/lore', 'kronika serve --repo /tmp/lore'],
    ['/tmp/my lore', "kronika serve --repo '/tmp/my lore'"],
    ["/tmp/it's", "kronika serve --repo '/tmp/it'\\''s'"],
  ] as const)
    it(`can be pasted for ${directory}`, () => equal(serveLine(directory, 'kronika'), line))

  for (const [script, npmCommand, called] of [
    ['/usr/local/bin/kronika', undefined, 'kronika'],
    ['/home/a/clone/node_modules/.bin/kronika', 'exec', 'npx kronika'],
    ['/home/a/clone/dist/src/main.js', undefined, 'node /home/a/clone/dist/src/main.js'],
    ['/home/a/my clone/dist/src/main.js', 'run-script', "node '/home/a/my clone/dist/src/main.js'"],
  ] as const)
    it(`begins as ${script} was called`, () => equal(commandPrefix(script, npmCommand), called))

  const script = '/opt/kronika/dist/src/main.js'
  for (const [by, how] of [
    ['a wrapper', { started: '/usr/local/bin/kronika' }],
    ['an alias with a title', { started: '/usr/bin/node', title: 'kronika' }],
  ] as const)
    it(`begins with kronika when ${by} called it`, () =>
      equal(commandPrefix(script, undefined, how), 'kronika'))
})
