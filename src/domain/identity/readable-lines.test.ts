import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { readersOf, unreadableLines } from './readable.js'

const index = ['### Wit', '- @typ: Postać', '', '### Orrin', '- @typ: NPC', ''].join('\n')
const character = ['# Wit', '- a', '### 2026-05-01, Most, Solmyr', '- b', '### Dalej', '- c', ''].join('\n')

const findHidden = (path: string, text: string, ...holds: ReadonlyArray<string>): ReadonlyArray<number> => [
  ...unreadableLines({ holds: new Set(holds) }, sourceFile(path, text)),
]

describe('the lines of a file that a caller may not read by GET', () => {
  it('are all for a caller who may only write', () => {
    const writes = ['entity.write', 'player.write', 'session.write', 'session.report', 'chat.dispatch']
    for (const path of ['encje/indeks.md', 'kontrybutorzy.md', 'Postaci/Gracze/Wit.md', 'sesje/2026.md'])
      deepEqual(findHidden(path, 'a\nb\n', ...writes), [1, 2], path)
  })

  it('are none with a capability of a row that serves the file', () => {
    for (const path of ['encje/indeks.md', 'kontrybutorzy.md', 'sesje/2026.md', '.svc/pu/batches.jsonl'])
      for (const holds of [...readersOf(path), 'admin.all'])
        deepEqual(findHidden(path, 'a\nb\n', holds), [], path)
  })

  it('are all with the own form of a capability', () => {
    deepEqual(findHidden('.svc/pu/batches.jsonl', 'a\n', 'pu.read.own'), [1])
  })

  it('are those outside Postacie of an index for a caller who may read people alone', () => {
    deepEqual(findHidden('encje/indeks.md', index, 'player.read'), [3, 4, 5])
  })

  it('are those outside Postacie where a block was another thing on some day', () => {
    deepEqual(
      findHidden('encje/indeks.md', '### Wit\n- @typ: NPC (:2026)\n- @typ: Postać (2027:)\n', 'player.read'),
      [1, 2, 3],
    )
  })

  it('are the sessions in the file of a Postać for a caller who may not read sessions', () => {
    const path = 'Postaci/Gracze/Wit.md'
    deepEqual(findHidden(path, character, 'entity.read'), [3, 4])
    deepEqual(findHidden(path, character, 'entity.read', 'session.read'), [])
  })

  it('are all of a file that no row serves', () => {
    deepEqual(findHidden('.svc/config.json', '{}', 'entity.read', 'session.read', 'player.read'), [1])
  })
})
