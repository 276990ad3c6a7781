import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sourceFile } from '#test/support/world.js'
import { parseBatches } from './batches.js'

const file = (text: string) => sourceFile('.svc/pu/batches.jsonl', text)
const line = JSON.stringify({
  id: 'a',
  month: null,
  at: '2025-01-15T14:30:00+01:00',
  source: 'legacy',
  sessions: ['x'],
  awards: [],
})

describe('the PU ledger', () => {
  it('keeps the order of the file and skips blank lines', () => {
    const { all, findings } = parseBatches(file(`${line}\n\n${line.replace('"a"', '"b"')}\r\n`))
    assert.deepEqual([all.map(batch => batch.id), findings], [['a', 'b'], []])
    assert.deepEqual(parseBatches(null), { all: [], findings: [] })
  })

  it('reports each line that is no batch, with its number, and reads the others', () => {
    const { all, findings } = parseBatches(file(`{"id":\n${line}\n{"id":"c","month":7}\n`))
    assert.equal(all.length, 1)
    assert.deepEqual(
      findings.map(finding => [finding.kind, finding.line]),
      [
        ['BatchUnreadable', 1],
        ['BatchUnreadable', 3],
      ],
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        assert.ok(parseBatches(file(text)).findings.every(finding => finding.severity === 'error'))
      }),
    )
  })
})
