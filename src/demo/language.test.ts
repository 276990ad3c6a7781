import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { DemoCommit } from './commit.js'
import { demoWorld } from './world.js'

const filesOf = (commits: ReadonlyArray<DemoCommit>): ReadonlyMap<string, string> =>
  new Map(commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text] as const)))

const Sidecar = t.strict({
  sha256: t.string,
  lemmas: t.readonlyArray(t.tuple([t.number, t.number, t.string])),
})

const LedgerLine = t.strict({ gameId: t.string, nick: t.string, charId: t.string, since: t.string })

describe('the annotations of the demo', () => {
  const world = demoWorld({ seed: 'próba' })
  const trees = { lore: filesOf(world.commits), dziel: filesOf(world.works) }
  const sidecars = [...filesOf(world.annotations)].map(([path, text]) => {
    const [, tree = '', file = ''] = /^lematy\/(\w+)\/(.+)\.json$/u.exec(path) ?? []
    const sidecar = Sidecar.decode(JSON.parse(text))
    if (isLeft(sidecar)) throw new Error(`${path} is no sidecar`)
    return { tree, file, ...sidecar.right }
  })

  it('are of documents and of session files as they are in the last commits', () => {
    assert.deepEqual(new Set(sidecars.map(({ tree }) => tree)), new Set(['lore', 'dziel']))
    for (const { tree, file, sha256 } of sidecars) {
      const text = trees[tree === 'lore' ? 'lore' : 'dziel'].get(file) ?? ''
      assert.equal(createHash('sha256').update(text).digest('hex'), sha256, file)
    }
  })

  it('give each span a word of the text and its lemma, from the first to the last', () => {
    const seen = new Map<string, string>()
    for (const { tree, file, lemmas } of sidecars) {
      const text = trees[tree === 'lore' ? 'lore' : 'dziel'].get(file) ?? ''
      let before = 0
      for (const [start, end, lemma] of lemmas) {
        assert.ok(start >= before && end > start, file)
        before = end
        seen.set(text.slice(start, end).toLowerCase(), lemma)
      }
    }
    assert.equal(seen.get('ludzie'), 'człowiek')
    assert.ok(seen.size > 50)
    for (const [word, lemma] of seen) assert.match(`${word} ${lemma}`, /^\p{L}+ \p{L}+$/u)
  })
})

describe('the language data of the demo', () => {
  it('adds and forbids forms of towns, and names titles and lemmas', () => {
    const world = demoWorld({ seed: 'próba', scale: 1 })
    const files = filesOf(world.commits)
    const rowsOf = (path: string): ReadonlyArray<ReadonlyArray<string>> =>
      (files.get(`jezyk/${path}`) ?? '')
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('#'))
        .map(line => line.split('\t'))
    const forms = rowsOf('odmiany.tsv')
    assert.ok(forms.some(([form]) => form?.startsWith('!')))
    assert.ok(forms.some(([form]) => !form?.startsWith('!')))
    for (const [, heading, type] of forms) {
      assert.ok(world.paradigms.has(heading ?? ''), heading)
      assert.equal(type, 'Lokacja')
    }
    assert.ok(rowsOf('tytuly.txt').some(([title]) => title === 'mistrz'))
    assert.ok(rowsOf('lematy.tsv').some(([form, lemma]) => form === 'ludzie' && lemma === 'człowiek'))
  })
})

describe('the players ledger of the demo', () => {
  it('has a nick of each player, and former nicks with earlier days', () => {
    const text = filesOf(demoWorld({ seed: 'próba' }).commits).get('.svc/players/ledger.jsonl') ?? ''
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => LedgerLine.decode(JSON.parse(line)))
    const byGameId = new Map<string, Array<string>>()
    for (const line of lines) {
      assert.ok(isRight(line))
      const { gameId, since, nick, charId } = line.right
      assert.match(`${nick} ${charId}`, /^\p{L}+ \d+$/u)
      assert.match(since, /^20\d\d-\d\d-\d\d$/u)
      byGameId.set(gameId, [...(byGameId.get(gameId) ?? []), since])
    }
    assert.equal(byGameId.size, 18)
    assert.ok([...byGameId.values()].some(days => days.length === 2))
    for (const days of byGameId.values()) assert.deepEqual(days, [...days].sort())
  })
})
