import { deepEqual, throws } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { openPieceWriter, readLines, readRange } from './saved-index.js'

describe('files that are read and written in pieces', () => {
  it('give back every line, also one over the border of a piece or longer than one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kronika-lines-'))
    try {
      const [one, two] = [join(folder, 'one'), join(folder, 'two')]
      const lines = [
        '',
        'ż'.repeat(1_200_000),
        ...Array.from({ length: 20_000 }, (_, at) => `wiersz ${at} zażółć gęślą jaźń`),
        '',
      ]
      const first = openPieceWriter(one)
      for (const line of lines) first.write(`${line}\n`)
      first.close()
      const second = openPieceWriter(two)
      second.write('przed\n')
      const from = second.bytes()
      second.copy(one)
      const to = second.bytes()
      second.write('po\n')
      second.close()
      deepEqual([...readLines({ path: two, from, to })], lines)
      deepEqual(readFileSync(two, 'utf8'), `przed\n${lines.join('\n')}\npo\n`)
      throws(() => readRange({ path: two, from, to: to + 100 }), /too short/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
