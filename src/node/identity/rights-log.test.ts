import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import { rightsLog } from './identity.js'

const bindings = '.svc/bindings.json'
const grants = '.svc/grants.json'
const one = '{"chatId": "1", "gameId": "2", "since": "2026-01-01T00:00:00Z", "by": "x"}'

describe('what the log says of committed files of identity', () => {
  it('is when one of them cannot be read any more, once, and when it can again', () => {
    const told: Array<string> = []
    const tell =
      (level: string) =>
      (event: string, fields: object = {}): void =>
        void told.push(`${level} ${event} ${'file' in fields ? String(fields.file) : ''}`)
    let world = worldOf({})
    const look = rightsLog({ info: tell('info'), warn: tell('warn') }, () => world)
    let generation = 0
    const serve = (files: Readonly<Record<string, string>>): ReadonlyArray<string> => {
      told.length = 0
      world = worldOf(files)
      generation += 1
      for (let nth = 0; nth < 2; nth += 1) look({ _tag: 'Current', generation, commit: null })
      look({ _tag: 'LookFailed', reason: 'x', headId: null })
      return [...told]
    }
    deepEqual(serve({ [bindings]: `{"bindings": [${one}]}` }), [])
    deepEqual(serve({ [bindings]: `{"bindings": [${one},]}` }), [
      `warn committed_file_unreadable ${bindings}`,
    ])
    deepEqual(serve({ [bindings]: `{"bindings": [${one},]}`, [grants]: '[]' }), [
      `warn committed_file_unreadable ${grants}`,
    ])
    deepEqual(serve({ [bindings]: `{"bindings": [${one}, ${one}]}` }), [
      `info committed_file_recovered ${grants}`,
      `info committed_file_recovered ${bindings}`,
    ])
  })
})
