import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { bindingsOf } from '#src/domain/identity/bindings.js'
import { grantsOf } from '#src/domain/identity/grants.js'
import { recordListText } from '#src/domain/lore/changes.js'
import { mergeFile } from '#test/support/at-once.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'

const grantsPath = '.svc/grants.json'
const bindingsPath = '.svc/bindings.json'
const id = fc.constantFrom('1', '2', '3')
const since = fc.integer({ min: 0, max: 5 }).map(minute => instantOf(Date.UTC(2026, 5, 15, 12, minute)))
const grant = fc.record({ gameId: id, capability: fc.constantFrom('pu.read', 'sync.run'), since, by: id })
const binding = fc.record({ chatId: fc.constantFrom('a', 'b', 'c'), gameId: id, since, by: id })

type Grant = typeof grant extends fc.Arbitrary<infer T> ? T : never
type Binding = typeof binding extends fc.Arbitrary<infer T> ? T : never

/** What a host does to a list, one write after the other. */
type Act<T> = (list: ReadonlyArray<T>) => ReadonlyArray<T>

const sameGrant = (one: Grant) => (other: Grant) =>
  one.gameId === other.gameId && one.capability === other.capability

const grantActs: fc.Arbitrary<Act<Grant>> = fc.oneof(
  grant.map(
    (one): Act<Grant> =>
      list =>
        list.some(sameGrant(one)) ? list : [...list, one],
  ),
  grant.map(
    (one): Act<Grant> =>
      list =>
        list.filter(other => !sameGrant(one)(other)),
  ),
)
/** A registration takes the account and the id over from whoever has them. */
const bindingActs: fc.Arbitrary<Act<Binding>> = binding.map(
  (one): Act<Binding> =>
    list => [...list.filter(other => other.chatId !== one.chatId && other.gameId !== one.gameId), one],
)

const run = <T>(acts: ReadonlyArray<Act<T>>, list: ReadonlyArray<T>): ReadonlyArray<T> =>
  acts.reduce((before, act) => act(before), list)

const threeOf = <T>(act: fc.Arbitrary<Act<T>>) =>
  fc
    .tuple(...[4, 3, 3].map(maxLength => fc.array(act, { maxLength })))
    .map(([first = [], ours = [], theirs = []]) => {
      const base = run(first, [])
      return { base, ours: run(ours, base), theirs: run(theirs, base) }
    })

const grantsText = (list: ReadonlyArray<object>) => recordListText({}, 'grants', list)
const bindingsText = (list: ReadonlyArray<object>) => recordListText({}, 'bindings', list)
const numRuns = runsOf(2000)

describe('the merge of grants and bindings of any two hosts', () => {
  it('is the same whichever host merges, and ends in no conflict', () => {
    const three = fc.oneof(
      threeOf(grantActs).map(({ base, ours, theirs }) => ({
        path: grantsPath,
        base: grantsText(base),
        ours: grantsText(ours),
        theirs: grantsText(theirs),
      })),
      threeOf(bindingActs).map(({ base, ours, theirs }) => ({
        path: bindingsPath,
        base: bindingsText(base),
        ours: bindingsText(ours),
        theirs: bindingsText(theirs),
      })),
    )
    fc.assert(
      fc.property(three, ({ path, base, ours, theirs }) => {
        const one = mergeFile(path, { base, ours, theirs }, 'theirs')
        const other = mergeFile(path, { base, ours: theirs, theirs: ours }, 'ours')
        deepEqual(one, other)
        deepEqual(one.conflicts, [])
        deepEqual(mergeFile(path, { base, ours: one.text, theirs }, 'theirs'), one)
      }),
      { numRuns },
    )
  })

  it('keeps what either gave, and nothing that either took', () => {
    const pair = ({ gameId, capability }: Grant): string => `${gameId} ${capability}`
    fc.assert(
      fc.property(threeOf(grantActs), ({ base, ours, theirs }) => {
        const texts = { base: grantsText(base), ours: grantsText(ours), theirs: grantsText(theirs) }
        const read = grantsOf(sourceFile(grantsPath, mergeFile(grantsPath, texts, 'theirs').text ?? ''))
        const had = new Set(base.map(pair))
        const [mine, other] = [new Set(ours.map(pair)), new Set(theirs.map(pair))]
        const wanted = [...new Set([...had, ...mine, ...other])].filter(one =>
          had.has(one) ? mine.has(one) && other.has(one) : true,
        )
        deepEqual(read.stored?.map(one => `${one.gameId} ${one.capability}`).sort(), wanted.sort())
      }),
      { numRuns },
    )
  })

  it('binds nobody twice, and the latest registration stands', () => {
    fc.assert(
      fc.property(threeOf(bindingActs), ({ base, ours, theirs }) => {
        const texts = { base: bindingsText(base), ours: bindingsText(ours), theirs: bindingsText(theirs) }
        const made = mergeFile(bindingsPath, texts, 'theirs').text ?? ''
        const read = bindingsOf(sourceFile(bindingsPath, made))
        deepEqual(read.findings, [])
        const old = new Set(base.map(one => JSON.stringify(one)))
        const added = [...ours, ...theirs].filter(one => !old.has(JSON.stringify(one)))
        const latest = added
          .map(one => one.since)
          .sort()
          .at(-1)
        if (latest !== undefined) ok(read.stored?.some(one => one.since === latest))
      }),
      { numRuns },
    )
  })

  it('of three hosts is the same in whatever order they meet', () => {
    fc.assert(
      fc.property(
        threeOf(grantActs),
        fc.array(grantActs, { maxLength: 3 }),
        ({ base, ours, theirs }, acts) => {
          const third = grantsText(run(acts, base))
          const from = grantsText(base)
          const meet = (one: string, other: string): string =>
            mergeFile(grantsPath, { base: from, ours: one, theirs: other }, 'theirs').text ?? ''
          const [one, two] = [grantsText(ours), grantsText(theirs)]
          equal(meet(meet(one, two), third), meet(one, meet(two, third)))
        },
      ),
      { numRuns },
    )
  })
})
