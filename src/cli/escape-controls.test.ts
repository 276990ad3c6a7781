import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { escapeControls, escapeControlsByLine, printedJson } from './escape-controls.js'

const hostile = 'a\u009b31mb\u202ec\u007f'

describe('text of a repository on a terminal', () => {
  it('shows what a terminal would execute', () => {
    equal(escapeControls(`${hostile}\n`), 'a\\u009b31mb\\u202ec\\u007f\\u000a')
    equal(escapeControlsByLine('a\r\nb'), 'a\\u000d\nb')
  })

  it('shows it in JSON too, which stays the same JSON', () => {
    for (const indent of [0, 2]) {
      const text = printedJson({ [hostile]: [hostile, 'zażółć\n'] }, indent)
      equal(/[\u007f-\u009f\u202a-\u202e]/u.test(text), false)
      deepEqual(JSON.parse(text), { [hostile]: [hostile, 'zażółć\n'] })
    }
  })
})
