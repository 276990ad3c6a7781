import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { recordListText } from '#src/domain/lore/changes.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { mergeFile } from '../../../../test/support/at-once.js'

const at = (hour: number): string => `2026-06-15T${String(hour).padStart(2, '0')}:00:00.000Z`

const grants = '.svc/grants.json'
const grant = (gameId: string, capability: string, hour: number) => ({
  gameId,
  capability,
  since: at(hour),
  by: 'x',
})
const bindings = '.svc/bindings.json'
const makeBinding = (chatId: string, gameId: string, hour: number) => ({
  chatId,
  gameId,
  since: at(hour),
  by: 'x',
})
const keys = '.svc/fleet-keys.json'
const key = (kid: string, notAfter: string | null = null) => ({ kid, town: 't', alg: 'EdDSA', notAfter })

const grantsText = (...records: ReadonlyArray<object>) => recordListText({}, 'grants', records)
const bindingsTextOf = (...records: ReadonlyArray<object>) => recordListText({}, 'bindings', records)
const keysText = (epoch: number, ...records: ReadonlyArray<object>) =>
  recordListText({ epoch }, 'keys', records)

const mergeTexts = (path: string, base: string | null, ours: string, theirs: string) => {
  const one = mergeFile(path, { base, ours, theirs }, 'theirs')
  const other = mergeFile(path, { base, ours: theirs, theirs: ours }, 'ours')
  deepEqual(one, other)
  return one
}
const text = (path: string, base: string | null, ours: string, theirs: string): string | null => {
  const { text: made, conflicts } = mergeTexts(path, base, ours, theirs)
  deepEqual(conflicts, [])
  return made
}

describe('the merge of the committed lists of identity', () => {
  const [a, b, c] = [grant('1', 'pu.read', 1), grant('2', 'pu.read', 2), grant('3', 'sync.run', 3)]

  it('keeps the grants of both hosts, and the one that each took away is gone', () => {
    equal(text(grants, grantsText(a), grantsText(a, c), grantsText(a, b)), grantsText(a, b, c))
    equal(text(grants, grantsText(a, b), grantsText(a, b, c), grantsText(b)), grantsText(b, c))
    equal(text(grants, grantsText(a, b), grantsText(a), grantsText(b)), grantsText())
    equal(text(grants, null, grantsText(b), grantsText(a)), grantsText(a, b))
  })

  it('leaves a grant taken back where the other host wrote it anew', () => {
    equal(text(grants, grantsText(a, b), grantsText(b), grantsText({ ...a, by: 'y' }, b)), grantsText(b))
  })

  it('keeps one of two grants of one thing, the later', () => {
    equal(
      text(grants, grantsText(), grantsText(grant('1', 'pu.read', 4)), grantsText(a)),
      grantsText(grant('1', 'pu.read', 4)),
    )
    const [x, y] = [
      { ...a, by: 'x' },
      { ...a, by: 'y' },
    ]
    equal(text(grants, grantsText(), grantsText(x), grantsText(y)), grantsText(y))
  })

  it('binds an account and an id once: the later registration takes over', () => {
    const [early, late] = [makeBinding('c1', '1', 1), makeBinding('c1', '2', 2)]
    equal(text(bindings, bindingsTextOf(), bindingsTextOf(early), bindingsTextOf(late)), bindingsTextOf(late))
    const taken = makeBinding('c2', '1', 3)
    equal(
      text(bindings, bindingsTextOf(), bindingsTextOf(early), bindingsTextOf(taken)),
      bindingsTextOf(taken),
    )
    // c1 moves from 1 to 2 on one host, c2 takes 1 over from it on the other: both stand.
    equal(
      text(bindings, bindingsTextOf(early), bindingsTextOf(late), bindingsTextOf(taken)),
      bindingsTextOf(late, taken),
    )
  })

  it('does not mend a file in which one host bound an account twice', () => {
    const twice = [makeBinding('c1', '1', 1), makeBinding('c1', '2', 2)]
    const other = makeBinding('c3', '3', 3)
    equal(
      text(bindings, bindingsTextOf(), bindingsTextOf(...twice), bindingsTextOf(other)),
      bindingsTextOf(...twice, other),
    )
  })

  it('publishes the keys of both hosts under the higher epoch', () => {
    equal(
      text(keys, keysText(1, key('a.1')), keysText(1, key('a.1'), key('a.2')), keysText(3, key('a.1'))),
      keysText(3, key('a.1'), key('a.2')),
    )
    equal(
      text(keys, keysText(2), keysText(1, key('b.1')), keysText(3, key('a.1'))),
      keysText(3, key('a.1'), key('b.1')),
    )
  })

  it('tells of a key that both hosts changed', () => {
    const [ours, theirs] = [key('a.1', at(1)), key('a.1', at(2))]
    deepEqual(mergeTexts(keys, keysText(1, key('a.1')), keysText(1, ours), keysText(1, theirs)), {
      text: keysText(1, theirs),
      conflicts: [{ block: null, row: 'a.1', cause: 'changed' }],
    })
  })

  it('keeps what it does not know of, and merges no file that cannot be read', () => {
    const marked = (mark: string, ...records: ReadonlyArray<object>) =>
      recordListText({ mark }, 'grants', records)
    equal(text(grants, marked('x', a), marked('y', a), marked('x', a, b)), marked('y', a, b))
    const strange = { ...a, more: [1] }
    equal(
      text(grants, grantsText(strange), grantsText(strange, b), grantsText(strange, c)),
      grantsText(strange, b, c),
    )
    deepEqual(mergeTexts(grants, grantsText(), grantsText(a), '{"grants": [').conflicts, [
      { block: null, row: null, cause: 'changed' },
    ])
  })

  it('takes a file that the daemon could not read for none', () => {
    const nested = `{"grants": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    for (const odd of ['{"grants": [], "grants": []}', '{"__proto__": 1, "grants": []}', nested])
      deepEqual(mergeTexts(grants, grantsText(a), grantsText(a, b), odd), {
        text: odd,
        conflicts: [{ block: null, row: null, cause: 'changed' }],
      })
  })

  it('keeps a field named as a member of every object', () => {
    const one = recordListText({ constructor: 7 }, 'grants', [a])
    equal(
      text(grants, grantsText(a), one, grantsText(a, b)),
      recordListText({ constructor: 7 }, 'grants', [a, b]),
    )
  })

  it('merges 8,000 bindings of each host at once, in a time that grows with their number', () => {
    const mergedOf = (length: number) => {
      const of = (host: string) =>
        bindingsTextOf(...Array.from({ length }, (_, at) => makeBinding(`${host}${at}`, `${host}-${at}`, 1)))
      return mergeFile(bindings, { base: bindingsTextOf(), ours: of('a'), theirs: of('b') }, 'ours')
    }
    equal(mergedOf(8_000).text?.split('\n').length, 16_003)
    ok(growsAsALine(2_000, mergedOf))
  })
})
