import { equal, ok } from 'node:assert/strict'
import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { applySplices, type Splice } from '#src/domain/lore/file-edit.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { formatUnifiedDiff } from './unified-diff.js'

const none = (): ReadonlySet<number> => new Set()

const diffOf = (before: string, after: string, splices: ReadonlyArray<Splice> | null): string =>
  formatUnifiedDiff([{ path: 'a.md', before, after, splices }], none)

const line = fc.constantFrom('a', 'b', 'c', '')
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''))

const splicesOf = (cuts: ReadonlyArray<readonly [number, number, ReadonlyArray<string>]>) => {
  let next = 1
  return cuts.map(([gap, length, lines]): Splice => {
    const from = next + gap
    next = from + Math.max(length, 1)
    return { from, to: from + length - 1, lines }
  })
}

const splices = fc
  .array(fc.tuple(fc.nat(3), fc.nat(2), fc.array(line, { maxLength: 3 })), { maxLength: 4 })
  .map(splicesOf)

const makeReplacedLines = (count: number) => {
  const [before, after] = ['stary', 'nowy'].map(word =>
    Array.from({ length: count }, (_, at) => `${word} wiersz ${at}\n`).join(''),
  )
  return [before ?? '', after ?? ''] as const
}

describe('the unified diff', () => {
  it('leads from the one text to the other, with splices and without', () => {
    fc.assert(
      fc.property(text, splices, (before, made) => {
        const after = applySplices(before, made)
        for (const known of [made, null]) {
          const patch = diffOf(before, after, known)
          equal(before === after ? before : applyPatch(before, patch, { fuzzFactor: 0 }), after, patch)
        }
      }),
    )
  })

  it('names files as they are called, and quotes only what would break the line', () => {
    const heads = (path: string, before: string | null): string =>
      formatUnifiedDiff([{ path, before, after: 'b\n', splices: null }], none).slice(
        0,
        -'@@ -0,0 +1,1 @@\n+b\n'.length,
      )
    equal(heads('Postaci/Gracze/Żółw Ćma.md', null), '--- /dev/null\n+++ b/Postaci/Gracze/Żółw Ćma.md\n')
    equal(heads('a\t"b"\\ć.md', null), '--- /dev/null\n+++ "b/a\\011\\"b\\"\\\\ć.md"\n')
    const changed = formatUnifiedDiff(
      [{ path: 'encje/łąka.md', before: 'a\n', after: 'b\n', splices: null }],
      none,
    )
    equal(changed, '--- a/encje/łąka.md\n+++ b/encje/łąka.md\n@@ -1,1 +1,1 @@\n-a\n+b\n')
  })

  it('shows what the splices change and no line between them', () => {
    const before = Array.from({ length: 2_000 }, (_, at) => `wiersz ${at}\n`).join('')
    const made = Array.from({ length: 1_000 }, (_, at) => ({
      from: 2 * at + 1,
      to: 2 * at + 1,
      lines: [`inny ${at}`],
    }))
    const diff = diffOf(before, applySplices(before, made), made)
    equal(diff.match(/^@@ /gm)?.length, 1_000)
    ok(!diff.includes('wiersz 1\n') && diff.includes('-wiersz 0\n+inny 0\n'))
  })

  it('of many replaced lines grows with their number', () => {
    ok(
      growsAsALine(5_000, count => {
        const [before, after] = makeReplacedLines(count)
        const whole = [{ from: 1, to: count, lines: after.split('\n').slice(0, -1) }]
        return [diffOf(before, after, null), diffOf(before, after, whole)]
      }),
    )
  }).timeout(60_000)
})
