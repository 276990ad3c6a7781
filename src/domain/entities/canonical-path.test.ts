import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { processorTimeMs, slowness } from '#test/support/processor-time.js'
import { day, worldOf } from '#test/support/world.js'
import { canonicalPath, cycleFindings } from './canonical-path.js'

const chain = (length: number, more = ''): string =>
  Array.from({ length }, (_, at) => `### M${at}\n- @typ: Lokacja\n- @lokacja: M${at + 1}\n`).join('\n') +
  `\n### M${length}\n- @typ: Lokacja\n${more}`

const pathsOf = (text: string): ReadonlyArray<string> => {
  const { entities } = worldOf({ 'encje/indeks.md': text })
  return entities.all.map(entity => canonicalPath(entities, entity, day('2026-06-01')).path)
}

describe('the path of a place', () => {
  it('names every place above it, up to 40, and then tells that there are more (ADR 1028)', () => {
    deepEqual(pathsOf(chain(2)), ['Lokacja/M2/M1/M0', 'Lokacja/M2/M1', 'Lokacja/M2'])
    const names = (pathsOf(chain(50))[0] ?? '').split('/')
    deepEqual([names.length, names[1], names[2], names.at(-1)], [43, '…', 'M40', 'M0'])
    equal((pathsOf(chain(40))[0] ?? '').includes('…'), false)
  })

  it('of a chain of thousands costs no square, and a cycle is found at its end', () => {
    const startMs = processorTimeMs()
    const text = chain(4_000, '- @lokacja: M3990\n')
    const length = pathsOf(text).reduce((sum, path) => sum + path.length, 0)
    ok(length < 1_500_000, String(length))
    const { entities } = worldOf({ 'encje/indeks.md': text })
    deepEqual(
      cycleFindings(entities, day('2026-06-01')).map(one => one.subject),
      ['M3990'],
    )
    ok((processorTimeMs() - startMs) / slowness() < 3_000)
  })
})
